package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"sync"
	"sync/atomic"
)

// The parts of bbolt's page format (internal/common in its source) that are
// needed to find the values of an index.
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
	maxRootOverflow = 4  // pages: inline buckets have at most a quarter of a page
	treeReaders     = 16 // reads at once
)

var errNotBolt = errors.New("no bbolt file")

// bucket is where a bucket's values are, in the order of their keys.
type bucket struct {
	name   string
	page   uint64 // its root, 0 when it is inline
	values []span // nil when the page was not read
}

// valueOffset is where the value of a bucket's only key begins in its page,
// which is a leaf: behind the page's head, its element and the key.
const valueOffset = pageHeaderSize + pageElementSize + extentKeySize

// span is where a value is in the file.
type span struct {
	offset int64
	size   int
}

// readTree finds the buckets of a bbolt file and their values. bbolt would,
// too, but it trusts its pages: a damaged one makes it recurse for ever or
// read beside the map. And it takes a lock on the file, which a reader of an
// index that is never written again does not need, and which some network
// drives refuse or never grant.
//
// Every page that it reads must be of the right kind, in its place, in the
// bounds of the file and reached once. Whether a value is the right one is for
// its checksums to say.
//
// It reads the meta pages, those of the root bucket, and the page of each
// bucket for which deep holds. It returns errNotBolt for a file that does not
// begin like one.
func readTree(file io.ReaderAt, size int64, deep func(bucket string) bool) ([]bucket, error) {
	head := make([]byte, 2*pageSize)
	if n, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	} else if n < pageHeaderSize+4 || binary.LittleEndian.Uint32(head[pageHeaderSize:]) != boltMagic &&
		(n < len(head) || binary.LittleEndian.Uint32(head[pageSize+pageHeaderSize:]) != boltMagic) {
		return nil, errNotBolt
	} else if n < len(head) {
		return nil, damaged("the file", "it is cut off after %d bytes", size)
	}
	root, pages, err := checkMeta(head[:pageSize], 0)
	if err != nil {
		return nil, err
	}
	root2, pages2, err := checkMeta(head[pageSize:], 1)
	if err != nil {
		return nil, err
	}
	if root != root2 || pages != pages2 {
		return nil, damaged("the file", "its two meta pages disagree")
	}
	if pages > 1<<40 || int64(pages)*pageSize != size {
		return nil, damaged("the file", "it has %d bytes where %d pages of %d were written", size, pages, pageSize)
	}
	t := treeReader{file: file, pages: pages, deep: deep, seen: map[uint64]bool{}, ahead: map[uint64][]byte{}}
	err = t.page(root, 0, nil)
	return t.buckets, err
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

type treeReader struct {
	file    io.ReaderAt
	pages   uint64
	deep    func(bucket string) bool
	seen    map[uint64]bool
	ahead   map[uint64][]byte // pages that were read before they are come to
	buckets []bucket
}

// region is a page, or the page within an inline bucket's value.
type region struct {
	name   string
	offset int64  // in the file
	size   uint64 // with the pages that it overflows into
	head   []byte // its beginning
	depth  int
}

// page reads the page with that number and all below it, for the bucket in, or
// for the root bucket when in is nil.
func (t *treeReader) page(id uint64, depth int, in *bucket) error {
	name := fmt.Sprintf("page %d", id)
	if id < 2 || id >= t.pages {
		return damaged(name, "it is outside the file")
	}
	if t.seen[id] || depth > maxTreeDepth {
		return damaged(name, "it is reached twice")
	}
	t.seen[id] = true
	p := t.ahead[id]
	if p == nil {
		p = make([]byte, pageSize)
		if _, err := t.file.ReadAt(p, int64(id)*pageSize); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	delete(t.ahead, id)
	overflow := uint64(binary.LittleEndian.Uint32(p[12:]))
	if binary.LittleEndian.Uint64(p) != id {
		return damaged(name, "another page is in its place")
	}
	if overflow >= t.pages || id+overflow >= t.pages {
		return damaged(name, "it goes on beyond the end of the file")
	}
	// What is read of a bucket's page is in its first page, but bbolt lets a
	// page of the root with up to four inline buckets overflow.
	if in == nil && overflow > 0 {
		if overflow > maxRootOverflow {
			return damaged(name, "it claims to overflow into %d pages", overflow)
		}
		p = make([]byte, (overflow+1)*pageSize)
		if _, err := t.file.ReadAt(p, int64(id)*pageSize); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	return t.elements(region{name, int64(id) * pageSize, (overflow + 1) * pageSize, p, depth}, in)
}

// elements reads the elements of a page. The root bucket's pages hold buckets
// and nothing else, those of a bucket no buckets.
func (t *treeReader) elements(r region, in *bucket) error {
	flags := binary.LittleEndian.Uint16(r.head[8:])
	count := int(binary.LittleEndian.Uint16(r.head[10:]))
	if flags != leafPage && flags != branchPage || flags == branchPage && count == 0 {
		return damaged(r.name, "it is no page of the tree")
	}
	if pageHeaderSize+count*pageElementSize > len(r.head) {
		return damaged(r.name, "it claims %d elements", count)
	}
	if in == nil {
		t.readAhead(r.head[pageHeaderSize:], flags, count)
	}
	for i := range count {
		at := pageHeaderSize + i*pageElementSize
		e := r.head[at:]
		if flags == branchPage {
			if err := t.page(binary.LittleEndian.Uint64(e[8:]), r.depth+1, in); err != nil {
				return err
			}
			continue
		}
		key := uint64(at) + uint64(binary.LittleEndian.Uint32(e[4:]))
		value := key + uint64(binary.LittleEndian.Uint32(e[8:]))
		end := value + uint64(binary.LittleEndian.Uint32(e[12:]))
		if end > r.size {
			return damaged(r.name, "element %d is outside the page", i)
		}
		isBucket := binary.LittleEndian.Uint32(e)&bucketElement != 0
		switch {
		case isBucket == (in != nil):
			return damaged(r.name, "element %d is not what should be there", i)
		case !isBucket:
			in.values = append(in.values, span{r.offset + int64(value), int(end - value)})
		default:
			if err := t.bucket(r, i, key, value, end); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAhead reads the pages that the elements of a page of the root bucket lead
// to side by side: one after the other would take long on a network drive. One
// that can't be read is left to page, which says so.
func (t *treeReader) readAhead(elements []byte, flags uint16, count int) {
	var ids []uint64
	for i := range count {
		e := elements[i*pageElementSize:]
		id := binary.LittleEndian.Uint64(e[8:])
		if flags == leafPage {
			key := uint64(binary.LittleEndian.Uint32(e[4:]))
			value := key + uint64(binary.LittleEndian.Uint32(e[8:]))
			if value+8 > uint64(len(e)) || !t.deep(string(e[key:value])) {
				continue
			}
			id = binary.LittleEndian.Uint64(e[value:])
		}
		if id >= 2 && id < t.pages {
			ids = append(ids, id)
		}
	}
	pages := make([][]byte, len(ids))
	var readers sync.WaitGroup
	var next atomic.Int64
	for range min(len(ids), treeReaders) {
		readers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				p := make([]byte, pageSize)
				if _, err := t.file.ReadAt(p, int64(ids[i])*pageSize); err == nil {
					pages[i] = p
				}
			}
		})
	}
	readers.Wait()
	for i, id := range ids {
		t.ahead[id] = pages[i]
	}
}

// bucket reads the bucket whose name is r[key:value], and whose value,
// r[value:end], is the number of its root page, or, where that is 0, the one
// page itself.
func (t *treeReader) bucket(r region, i int, key, value, end uint64) error {
	if end-value < bucketHeader || end > uint64(len(r.head)) {
		return damaged(r.name, "element %d is no bucket", i)
	}
	b := bucket{name: string(r.head[key:value])}
	root := binary.LittleEndian.Uint64(r.head[value:])
	var err error
	switch {
	case root != 0 && (root < 2 || root >= t.pages):
		return damaged(fmt.Sprintf("page %d", root), "it is outside the file")
	case root != 0 && !t.deep(b.name):
		b.page = root
	case root != 0:
		b.page = root
		err = t.page(root, r.depth+1, &b)
	default:
		inline := r.head[value+bucketHeader : end]
		name := fmt.Sprintf("%s, bucket %d", r.name, i)
		if len(inline) < pageHeaderSize || binary.LittleEndian.Uint16(inline[8:]) != leafPage {
			return damaged(name, "its page is none")
		}
		err = t.elements(region{name, r.offset + int64(value) + bucketHeader, uint64(len(inline)), inline, r.depth + 1}, &b)
	}
	t.buckets = append(t.buckets, b)
	return err
}
