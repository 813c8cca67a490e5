package store_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"brick/store"
)

// value is a key and value of an index's tree.
type value struct {
	bucket, key string
	data        []byte // not to be written to
	offset      int    // in the file
	blocks      []int  // those of an extent, as indexes of damager.blocks
	wrong       []int  // the ones of them that an edit has put in wrong places
}

// block is where a block is in the index, and which one it is.
type block struct {
	start, end int
	section    store.Section
	number     int
}

// readValues returns the extents of an index and its manifest. Their data is
// index's memory.
func readValues(t testing.TB, dir string, index []byte) (extents []value, manifest value) {
	t.Helper()
	path := filepath.Join(dir, "values.idx")
	if err := os.WriteFile(path, index, 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				at := bytes.Index(index, v)
				value := value{bucket: string(name), key: string(k), data: index[at : at+len(v) : at+len(v)], offset: at}
				if value.bucket == "manifest" {
					manifest = value
				} else {
					extents = append(extents, value)
				}
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return extents, manifest
}

// findBlocks returns the blocks of extents in the order of the file, and tells
// the extents which ones are theirs.
func findBlocks(extents []value) []block {
	var blocks []block
	numbers := map[store.Section]int{}
	for _, v := range extents {
		section := store.Section(v.bucket[0])
		at := v.offset + int(binary.LittleEndian.Uint32(v.data))
		for _, b := range splitExtent(v.data) {
			blocks = append(blocks, block{at, at + len(b), section, numbers[section]})
			numbers[section]++
			at += len(b)
		}
	}
	slices.SortFunc(blocks, func(a, b block) int { return a.start - b.start })
	for i := range extents {
		v := &extents[i]
		first := firstBlock(blocks, v.offset)
		for j := range splitExtent(v.data) {
			v.blocks = append(v.blocks, first+j)
		}
	}
	return blocks
}

// firstBlock is the first block that ends behind an offset.
func firstBlock(blocks []block, offset int) int {
	i, _ := slices.BinarySearchFunc(blocks, offset+1, func(b block, end int) int { return b.end - end })
	return i
}

// splitExtent returns an extent's blocks.
func splitExtent(extent []byte) [][]byte {
	var blocks [][]byte
	for i := range int(binary.LittleEndian.Uint32(extent))/4 - 1 {
		start, end := binary.LittleEndian.Uint32(extent[4*i:]), binary.LittleEndian.Uint32(extent[4*i+4:])
		blocks = append(blocks, extent[start:end])
	}
	return blocks
}

func joinExtent(blocks [][]byte) []byte {
	var table, bytes []byte
	size := 4 * (len(blocks) + 1)
	for _, b := range blocks {
		table = binary.LittleEndian.AppendUint32(table, uint32(size+len(bytes)))
		bytes = append(bytes, b...)
	}
	table = binary.LittleEndian.AppendUint32(table, uint32(size+len(bytes)))
	return append(table, bytes...)
}

// edit makes an index whose tree is sound but not what it was: change is given
// its extents and manifest; what it makes nil is left out.
func (d *damager) edit(t testing.TB, change func(extents []*value, manifest *value)) damaged {
	t.Helper()
	manifest := d.manifest
	extents := make([]*value, len(d.extents))
	for i := range d.extents {
		v := d.extents[i]
		extents[i] = &v
	}
	change(extents, &manifest)
	var wrong []int
	same := len(manifest.data) == len(d.manifest.data)
	for i, v := range extents {
		wrong = append(wrong, v.wrong...)
		same = same && len(v.data) == len(d.extents[i].data)
	}
	if !same {
		return d.rebuild(t, append(extents, &manifest), wrong)
	}
	// Values of the same sizes: the tree stays as it is.
	c := d.change()
	for i, v := range append(extents, &manifest) {
		before := d.manifest.data
		if i < len(d.extents) {
			before = d.extents[i].data
		}
		if !bytes.Equal(v.data, before) {
			c.write(v.offset, v.data)
		}
	}
	return damaged{path: d.path, change: c, blocks: wrong}
}

// rebuild makes another file with these values.
func (d *damager) rebuild(t testing.TB, values []*value, wrong []int) damaged {
	t.Helper()
	path := filepath.Join(d.dir, "rebuilt.idx")
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0o666, &bolt.Options{
		NoSync: true, NoGrowSync: true, PageSize: pageSize,
		InitialMmapSize: 2 * len(d.whole), // mapping it anew would copy all values
	})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bolt.Tx) error {
		for _, v := range values {
			b, err := tx.CreateBucketIfNotExists([]byte(v.bucket))
			if err != nil {
				return err
			}
			if v.data == nil {
				continue
			}
			if err := b.Put([]byte(v.key), v.data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// As the writer leaves it: no longer than its pages, and with two meta pages
	// that agree. This was its first transaction, so page 0 has the newer one.
	var size int
	var meta []byte
	err = db.View(func(tx *bolt.Tx) error {
		size = int(tx.Size())
		return nil
	})
	if err == nil {
		meta, err = readHead(path, pageSize)
	}
	if err == nil {
		binary.LittleEndian.PutUint64(meta, 1)
		err = patchFile(path, size, []patch{{pageSize, meta}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return damaged{path: path, blocks: wrong}
}

func readHead(path string, size int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, size)
	_, err = io.ReadFull(file, head)
	return head, err
}
