package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// The parts of bbolt's page format (internal/common in its source) that are
// needed to check a tree before bbolt walks it.
const (
	boltMagic       = 0xED0CDAED
	pageHeaderSize  = 16
	pageElementSize = 16
	branchPage      = 0x01
	leafPage        = 0x02
	metaPage        = 0x04
	bucketElement   = 0x01
	bucketHeader    = 16
	maxTreeDepth    = 8
)

var errNotBolt = errors.New("no bbolt file")

// checkTree checks, before bbolt reads a page, that every page of the tree
// that its look-ups can come to is of the right kind, in its place, in the
// bounds of its file and reached once. bbolt itself trusts its pages: a
// damaged one would make it recurse for ever or read beside the map. Whether
// keys and values are right is for the checksums to say. It reads one page a
// part (see the package comment), and returns errNotBolt for a file that does
// not begin like one.
func checkTree(file io.ReaderAt, size int64) error {
	head := make([]byte, 2*pageSize)
	if n, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return err
	} else if n < pageHeaderSize+4 || binary.LittleEndian.Uint32(head[pageHeaderSize:]) != boltMagic &&
		(n < len(head) || binary.LittleEndian.Uint32(head[pageSize+pageHeaderSize:]) != boltMagic) {
		return errNotBolt
	} else if n < len(head) {
		return damaged("the file", "it is cut off after %d bytes", size)
	}
	root, pages, err := checkMeta(head[:pageSize], 0)
	if err != nil {
		return err
	}
	root2, pages2, err := checkMeta(head[pageSize:], 1)
	if err != nil {
		return err
	}
	if root != root2 || pages != pages2 {
		return damaged("the file", "its two meta pages disagree")
	}
	if pages > 1<<40 || int64(pages)*pageSize != size {
		return damaged("the file", "it has %d bytes where %d pages of %d were written", size, pages, pageSize)
	}
	t := treeCheck{file: file, pages: pages, seen: map[uint64]bool{}}
	return t.page(root, 0, false)
}

// checkMeta checks a meta page and returns the root bucket's page and the
// number of pages in the file.
func checkMeta(p []byte, id uint64) (root, pages uint64, err error) {
	const size = 56 // of the meta's members before its checksum
	name := fmt.Sprintf("meta page %d", id)
	m := p[pageHeaderSize:]
	if binary.LittleEndian.Uint64(p) != id || binary.LittleEndian.Uint16(p[8:]) != metaPage {
		return 0, 0, damaged(name, "it is no meta page")
	}
	sum := fnv.New64a()
	sum.Write(m[:size])
	if binary.LittleEndian.Uint64(m[size:]) != sum.Sum64() {
		return 0, 0, damaged(name, "its checksum does not match")
	}
	if got := binary.LittleEndian.Uint32(m[8:]); got != pageSize {
		return 0, 0, damaged(name, "its page size is %d, not %d", got, pageSize)
	}
	return binary.LittleEndian.Uint64(m[16:]), binary.LittleEndian.Uint64(m[40:]), nil
}

type treeCheck struct {
	file  io.ReaderAt
	pages uint64
	seen  map[uint64]bool
}

// page checks the page with that number and all below it. The root bucket's
// pages hold buckets and nothing else, those of a bucket no buckets.
func (t *treeCheck) page(id uint64, depth int, inBucket bool) error {
	name := fmt.Sprintf("page %d", id)
	if id < 2 || id >= t.pages {
		return damaged(name, "it is outside the file")
	}
	if t.seen[id] || depth > maxTreeDepth {
		return damaged(name, "it is reached twice")
	}
	t.seen[id] = true
	p := make([]byte, pageSize)
	if _, err := t.file.ReadAt(p, int64(id)*pageSize); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	overflow := uint64(binary.LittleEndian.Uint32(p[12:]))
	if binary.LittleEndian.Uint64(p) != id {
		return damaged(name, "another page is in its place")
	}
	if id+overflow >= t.pages {
		return damaged(name, "it goes on beyond the end of the file")
	}
	return t.elements(name, p, (overflow+1)*pageSize, depth, inBucket)
}

// elements checks the elements of a page of size bytes, of which p is the
// beginning.
func (t *treeCheck) elements(name string, p []byte, size uint64, depth int, inBucket bool) error {
	flags := binary.LittleEndian.Uint16(p[8:])
	count := int(binary.LittleEndian.Uint16(p[10:]))
	if flags != leafPage && flags != branchPage || flags == branchPage && count == 0 {
		return damaged(name, "it is no page of the tree")
	}
	if pageHeaderSize+count*pageElementSize > len(p) {
		return damaged(name, "it claims %d elements", count)
	}
	for i := range count {
		at := pageHeaderSize + i*pageElementSize
		e := p[at:]
		if flags == branchPage {
			pos, ksize := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])
			if uint64(at)+uint64(pos)+uint64(ksize) > size {
				return damaged(name, "element %d is outside the page", i)
			}
			if err := t.page(binary.LittleEndian.Uint64(e[8:]), depth+1, inBucket); err != nil {
				return err
			}
			continue
		}
		kind, pos := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])
		ksize, vsize := binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])
		start := uint64(at) + uint64(pos) + uint64(ksize)
		end := start + uint64(vsize)
		if end > size {
			return damaged(name, "element %d is outside the page", i)
		}
		if isBucket := kind&bucketElement != 0; isBucket == inBucket {
			return damaged(name, "element %d is not what should be there", i)
		}
		if inBucket {
			continue
		}
		if vsize < bucketHeader || end > uint64(len(p)) {
			return damaged(name, "element %d is no bucket", i)
		}
		if err := t.bucket(fmt.Sprintf("%s, bucket %d", name, i), p[start:end], depth); err != nil {
			return err
		}
	}
	return nil
}

// bucket checks a bucket's value: the number of its root page, or, where that
// is 0, the one page itself.
func (t *treeCheck) bucket(name string, value []byte, depth int) error {
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return t.page(root, depth+1, true)
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeaderSize || binary.LittleEndian.Uint16(inline[8:]) != leafPage || depth > maxTreeDepth {
		return damaged(name, "its page is none")
	}
	return t.elements(name, inline, uint64(len(inline)), depth+1, true)
}
