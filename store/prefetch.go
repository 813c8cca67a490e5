package store

import (
	"encoding/binary"
	"os"
	"slices"
	"sort"
)

// The map is read at random, a page at a time, which is right for a few blocks
// and slow for many on a drive that takes a millisecond for each read. Who
// knows what will be read says so beforehand, and the system fetches it side
// by side.
const (
	// The most that is asked for at once: Linux cuts advice for more down to
	// the read-ahead of the drive, which is 128 KiB unless somebody set it.
	prefetchPiece = 128 << 10
	// What lies between two blocks is fetched with them when it is no more.
	prefetchGap = 16 << 10
	// Fewer blocks than that are not worth the calls.
	fewBlocks = 3
)

var memoryPage = os.Getpagesize()

// Prefetch says that items or rows of a section will be read soon, in any
// order.
func (v *View) Prefetch(s Section, items []uint32) {
	per := uint32(itemsPerBlock[s])
	if columns[s] > 0 {
		per = uint32(rowsPerBlock(s))
	}
	if len(items) < fewBlocks {
		return
	}
	if !slices.IsSorted(items) {
		items = slices.Clone(items)
		slices.Sort(items)
	}
	if items[len(items)-1]/per-items[0]/per < fewBlocks-1 {
		return
	}
	var blocks []int
	for _, i := range items {
		if n := int(i / per); len(blocks) == 0 || blocks[len(blocks)-1] != n {
			blocks = append(blocks, n)
		}
	}
	v.prefetchBlocks(s, blocks)
}

// PrefetchRows says that rows [start, end) of a section will be read soon.
func (v *View) PrefetchRows(s Section, start, end uint32) {
	if start >= end {
		return
	}
	per := rowsPerBlock(s)
	if int(end-1)/per-int(start)/per < fewBlocks-1 {
		return
	}
	var blocks []int
	for n := int(start) / per; n <= int(end-1)/per; n++ {
		blocks = append(blocks, n)
	}
	v.prefetchBlocks(s, blocks)
}

// prefetchBlocks asks for blocks, given in order.
func (v *View) prefetchBlocks(s Section, blocks []int) {
	if len(blocks) < fewBlocks {
		return
	}
	extents := v.ix.extents[s]
	if len(extents) == 0 {
		return
	}
	// A fault is told when the block itself is read.
	_ = catchFault(func() error {
		for ahead := range 2 { // first the extents' tables, which say where the blocks are
			var p piece
			rest := blocks
			for len(rest) > 0 {
				i := sort.Search(len(extents), func(i int) bool { return extents[i].first > rest[0] }) - 1
				if i < 0 || rest[0]-extents[i].first >= extents[i].blocks {
					return nil
				}
				e := extents[i]
				n := sort.SearchInts(rest, e.first+e.blocks)
				if ahead == 0 {
					p.add(v.ix.data, e.at, e.at+4*(e.blocks+1))
				} else {
					for _, block := range rest[:n] {
						at := 4 * (block - e.first)
						start, end := binary.LittleEndian.Uint32(e.data[at:]), binary.LittleEndian.Uint32(e.data[at+4:])
						if start > end || int(end) > len(e.data) {
							return nil
						}
						p.add(v.ix.data, e.at+int(start), e.at+int(end))
					}
				}
				rest = rest[n:]
			}
			p.ask(v.ix.data)
		}
		return nil
	})
}

// piece is a part of the file that is about to be asked for.
type piece struct{ start, end int }

// add adds what follows to the piece, or asks for the piece and begins another.
// Pieces begin where a page of memory does: advice is about whole pages, and
// what a page at either end makes too much is cut off.
func (p *piece) add(data []byte, start, end int) {
	if start > p.end+prefetchGap || start < p.start || end-p.start > prefetchPiece {
		p.ask(data)
		p.start = start - start%memoryPage
	}
	p.end = end
}

func (p *piece) ask(data []byte) {
	for ; p.start < p.end; p.start += prefetchPiece {
		adviseSoon(data, p.start, min(p.end, p.start+prefetchPiece))
	}
}
