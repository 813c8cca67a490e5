package store_test

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
)

// damager damages an index.
type damager struct {
	dir       string
	path      string // where the index is
	whole     []byte // what is in it
	treePages []int  // numbers of the pages that have a page's head
	extents   []value
	manifest  value
	blocks    []block // in the order of the file
	others    []other
}

// other is the index of another model, laid out alike.
type other struct {
	whole    []byte
	extents  []value
	manifest value
}

// damaged is an index that is not what it was once change is made.
type damaged struct {
	path   string
	change change
	blocks []int // some that are not what they were, as indexes of damager.blocks
}

func newDamager(t testing.TB, dir, path string, whole []byte, twins [][]byte) *damager {
	t.Helper()
	d := &damager{dir: dir, path: path, whole: whole}
	for i := 0; i < len(whole)/pageSize; {
		d.treePages = append(d.treePages, i)
		i += 1 + int(binary.LittleEndian.Uint32(page(whole, i)[12:]))
	}
	d.extents, d.manifest = readValues(t, dir, whole)
	d.blocks = findBlocks(d.extents)
	for _, model := range twins {
		o := other{whole: readFile(t, damageIndex(t, dir, model))}
		o.extents, o.manifest = readValues(t, dir, o.whole)
		d.others = append(d.others, o)
	}
	return d
}

// change is one that changes nothing yet.
func (d *damager) change() change { return change{size: len(d.whole)} }

// at is what the index has at an offset, for a change to write over.
func (d *damager) at(offset, size int) []byte { return bytes.Clone(d.whole[offset : offset+size]) }

// of is the damage by a change of the index's file.
func (d *damager) of(c change) damaged {
	x := damaged{path: d.path, change: c}
	for _, p := range c.patches {
		for i := firstBlock(d.blocks, p.at); i < len(d.blocks) && d.blocks[i].start < p.at+len(p.data); i++ {
			x.blocks = append(x.blocks, i)
		}
	}
	return x
}

// subject is what a lab asks.
func (d *damager) subject(x damaged, late bool, questions []question) subject {
	s := subject{path: x.path, questions: questions}
	if x.path == d.path {
		s.late = late
		s.damage = func() error { return x.change.make(d.path) }
		s.mend = func() error { return x.change.undo(d.path, d.whole) }
	}
	return s
}

// damages are the ways to damage an index. Late ones also happen while the
// index is open.
var damages = []struct {
	name   string
	late   bool
	damage func(t testing.TB, d *damager, r *rand.Rand) damaged
}{
	{"a bit flipped", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		at := r.IntN(len(d.whole))
		return d.flipped(r, at)
	}},
	{"a bit flipped in a page's head or elements", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		return d.flipped(r, d.treePage(r)*pageSize+r.IntN(160))
	}},
	{"1 to 64 bytes overwritten", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		at := r.IntN(len(d.whole))
		return d.scribbled(r, at, min(1+r.IntN(64), len(d.whole)-at))
	}},
	{"1 to 64 bytes overwritten in a page's head or elements", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		at := d.treePage(r)*pageSize + r.IntN(160)
		return d.scribbled(r, at, 1+r.IntN(64))
	}},
	{"a number of a page's head or elements changed", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		at := d.treePage(r)*pageSize + 4*r.IntN(40)
		b := d.at(at, 4)
		n := binary.LittleEndian.Uint32(b)
		numbers := []uint32{0, 1, 2, 4, 16, 255, 256, 4096, 1 << 16, 1 << 31, 1<<32 - 1, r.Uint32(), n + 1, n - 1}
		binary.LittleEndian.PutUint32(b, numbers[r.IntN(len(numbers))])
		return d.overwritten(at, b)
	}},
	{"pages zeroed", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		c := d.change()
		for range 1 + r.IntN(3) {
			c.write(d.anyPage(r)*pageSize, make([]byte, pageSize))
		}
		return d.of(c)
	}},
	{"two pages exchanged", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		return d.pagesExchanged(d.anyPage(r), d.anyPage(r), false)
	}},
	{"two pages of the tree exchanged, their numbers put right", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		return d.pagesExchanged(d.treePage(r), d.treePage(r), true)
	}},
	{"pages of another model's index", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		c := d.change()
		other := d.others[r.IntN(len(d.others))].whole
		for range 1 + r.IntN(3) {
			from, to := r.IntN(len(other)/pageSize), d.anyPage(r)
			if r.IntN(2) == 0 { // to the same place
				to = from % (len(d.whole) / pageSize)
			}
			b := bytes.Clone(page(other, from))
			if r.IntN(2) == 0 {
				binary.LittleEndian.PutUint64(b, uint64(to))
			}
			c.write(to*pageSize, b)
		}
		return d.of(c)
	}},
	{"cut off", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		n := r.IntN(len(d.whole))
		if r.IntN(2) == 0 {
			n -= n % pageSize
		}
		x := d.of(change{size: n})
		for i := firstBlock(d.blocks, n); i < len(d.blocks); i++ {
			x.blocks = append(x.blocks, i)
		}
		return x
	}},
	{"cut off, and the meta pages made to agree", false, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		pages := 2 + r.IntN(len(d.whole)/pageSize-2)
		return d.of(change{d.metasSet(40, uint64(pages)), pages * pageSize})
	}},
	{"bytes appended", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		tail := make([]byte, 1+r.IntN(2*pageSize))
		if r.IntN(2) == 0 {
			scribble(r, tail)
		}
		return d.of(change{[]patch{{len(d.whole), tail}}, len(d.whole) + len(tail)})
	}},
	{"two blocks of one length exchanged", true, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		c := d.change()
		for range 1000 {
			first, second := d.blocks[r.IntN(len(d.blocks))], d.blocks[r.IntN(len(d.blocks))]
			if second != first && second.end-second.start == first.end-first.start {
				c.write(first.start, d.whole[second.start:second.end])
				c.write(second.start, d.whole[first.start:first.end])
				break
			}
		}
		return d.of(c)
	}},
	{"two blocks of an extent exchanged", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(extents []*value, manifest *value) {
			v := extents[r.IntN(len(extents))]
			for len(v.blocks) == 1 {
				v = extents[r.IntN(len(extents))]
			}
			blocks := splitExtent(v.data)
			i := r.IntN(len(blocks))
			j := (i + 1 + r.IntN(len(blocks)-1)) % len(blocks)
			blocks[i], blocks[j] = blocks[j], blocks[i]
			v.data = joinExtent(blocks)
			v.wrong = []int{v.blocks[i], v.blocks[j]}
		})
	}},
	{"a block of another extent in a block's place", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(extents []*value, manifest *value) {
			v, from := extents[r.IntN(len(extents))], extents[r.IntN(len(extents))]
			blocks, others := splitExtent(v.data), splitExtent(from.data)
			i := r.IntN(len(blocks))
			blocks[i] = others[r.IntN(len(others))]
			v.data = joinExtent(blocks)
			v.wrong = []int{v.blocks[i]}
		})
	}},
	{"two extents exchanged", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(extents []*value, manifest *value) {
			v, from := extents[r.IntN(len(extents))], extents[r.IntN(len(extents))]
			v.data, from.data = from.data, v.data
			v.wrong, from.wrong = v.blocks, from.blocks
		})
	}},
	{"an extent lost", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(extents []*value, manifest *value) {
			v := extents[r.IntN(len(extents))]
			v.data, v.wrong = nil, v.blocks
		})
	}},
	{"an extent of another model's index", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(extents []*value, manifest *value) {
			v := extents[r.IntN(len(extents))]
			others := d.others[r.IntN(len(d.others))].extents
			from := others[r.IntN(len(others))]
			for _, o := range others { // the same one where there is one
				if o.bucket == v.bucket && o.key == v.key && r.IntN(4) > 0 {
					from = o
				}
			}
			v.data, v.wrong = from.data, v.blocks
		})
	}},
	{"the manifest of another model's index", false, func(t testing.TB, d *damager, r *rand.Rand) damaged {
		return d.edit(t, func(_ []*value, manifest *value) {
			other := d.others[r.IntN(len(d.others))].manifest
			n := 0
			if r.IntN(4) > 0 { // some of its bytes only
				n = r.IntN(min(len(manifest.data), len(other.data)))
			}
			manifest.data = slices.Concat(manifest.data[:n], other.data[n:])
		})
	}},
	{"a meta page scribbled on", false, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		at := pageSize*r.IntN(2) + r.IntN(80)
		if r.IntN(2) == 0 {
			return d.flipped(r, at)
		}
		return d.scribbled(r, at, 1+r.IntN(64))
	}},
	{"a member of the meta pages changed, with its checksum", false, func(_ testing.TB, d *damager, r *rand.Rand) damaged {
		pages := len(d.whole) / pageSize
		values := []uint64{0, 1, 2, 3, uint64(pages), uint64(pages - 1), uint64(r.IntN(pages)), uint64(d.treePages[0]), r.Uint64(), 1 << 63, 1<<64 - 1}
		return d.of(change{d.metasSet(8*r.IntN(7), values[r.IntN(len(values))]), len(d.whole)})
	}},
}

func page(b []byte, i int) []byte { return b[i*pageSize : (i+1)*pageSize] }

func (d *damager) anyPage(r *rand.Rand) int { return r.IntN(len(d.whole) / pageSize) }

func (d *damager) treePage(r *rand.Rand) int { return d.treePages[r.IntN(len(d.treePages))] }

func (d *damager) overwritten(at int, b []byte) damaged {
	c := d.change()
	c.write(at, b)
	return d.of(c)
}

func (d *damager) flipped(r *rand.Rand, at int) damaged {
	return d.overwritten(at, []byte{d.whole[at] ^ 1<<r.IntN(8)})
}

func (d *damager) scribbled(r *rand.Rand, at, size int) damaged {
	b := make([]byte, size)
	scribble(r, b)
	return d.overwritten(at, b)
}

func scribble(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

func (d *damager) pagesExchanged(i, j int, renumber bool) damaged {
	x, y := d.at(i*pageSize, pageSize), d.at(j*pageSize, pageSize)
	if renumber {
		binary.LittleEndian.PutUint64(x, uint64(j))
		binary.LittleEndian.PutUint64(y, uint64(i))
	}
	c := d.change()
	c.write(i*pageSize, y)
	c.write(j*pageSize, x)
	return d.of(c)
}

// metasSet are the patches that set the eight bytes at an offset of both
// metas, with checksums.
func (d *damager) metasSet(offset int, value uint64) []patch {
	var patches []patch
	for i := range 2 {
		const head, size = 16, 64
		m := d.at(i*pageSize+head, size)
		binary.LittleEndian.PutUint64(m[offset:], value)
		sum := fnv.New64a()
		sum.Write(m[:size-8])
		binary.LittleEndian.PutUint64(m[size-8:], sum.Sum64())
		patches = append(patches, patch{i*pageSize + head, m})
	}
	return patches
}
