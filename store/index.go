package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// An Index is an open index. It is safe for use by several goroutines, each
// with a View of its own; Close must wait for them.
type Index struct {
	Path     string
	Manifest *Manifest
	Size     int64 // of the file, in bytes

	info    os.FileInfo // of the file that is open
	db      *bolt.DB
	tx      *bolt.Tx // open as long as the index is: it keeps the map
	key     uint64   // what checksums are bound to
	extents [sectionEnd][]extent
	views   sync.Pool
}

// extent is an extent in the map: its memory must be read by copyBlock only.
type extent struct {
	first, blocks int
	data          []byte
}

// Open opens an index. It reads a page for each 8 MiB of the file, and the
// manifest, whatever the size of the index; it needs no write permission.
//
// Errors are those of the operating system, *NotAnIndexError, *VersionError
// and *DamageError.
func Open(path string) (ix *Index, err error) {
	err = catchFault(func() error {
		ix, err = open(path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ix, nil
}

func open(path string) (*Index, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err == nil {
		err = checkTree(file, info.Size())
	}
	if errors.Is(err, errNotBolt) {
		err = notAnIndex(path, file)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	db, err := bolt.Open(path, 0, &bolt.Options{
		ReadOnly: true,
		Timeout:  time.Second,
		// The file that was checked, not what has its name by now.
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return file, nil },
	})
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	ix := &Index{Path: path, Size: info.Size(), info: info, db: db}
	ix.views.New = func() any { return &View{ix: ix} }
	if err := ix.load(); err != nil {
		ix.Close()
		return nil, err
	}
	return ix, nil
}

// load reads the manifest and finds the extents.
func (ix *Index) load() (err error) {
	if ix.tx, err = ix.db.Begin(false); err != nil {
		return err
	}
	value, err := ix.value([]byte(manifestBucket), []byte(manifestBucket))
	if err != nil {
		return err
	}
	if ix.Manifest, err = decodeManifest(append([]byte(nil), value...)); err != nil {
		return err
	}
	ix.key = indexKey(ix.Manifest.Digest)
	for s, info := range ix.Manifest.sections {
		for i, e := range info.Extents {
			end := info.Blocks
			if i+1 < len(info.Extents) {
				end = info.Extents[i+1].First
			}
			data, err := ix.value(partName(Section(s), i/partExtents), extentKey(i))
			if err != nil {
				return err
			}
			if len(data) != e.Size || end < e.First || 4*(end-e.First+1) > len(data) {
				return damaged(fmt.Sprintf("extent %d of the %s", i, Section(s)), "its size is wrong")
			}
			ix.extents[s] = append(ix.extents[s], extent{e.First, end - e.First, data})
		}
	}
	return ix.checkManifest()
}

// checkManifest reads one block, so that the manifest of another model's index
// is found out before anything is answered from it.
func (ix *Index) checkManifest() error {
	v := ix.View()
	defer v.Release()
	for s, info := range ix.Manifest.sections {
		if info.Blocks > 0 {
			_, err := v.block(Section(s), 0)
			return err
		}
	}
	return nil
}

// value looks a value up in the tree. It must be there.
func (ix *Index) value(bucket, key []byte) ([]byte, error) {
	b := ix.tx.Bucket(bucket)
	if b == nil {
		return nil, damaged(fmt.Sprintf("bucket %x", bucket), "it is missing")
	}
	value := b.Get(key)
	if value == nil {
		return nil, damaged(fmt.Sprintf("key %x of bucket %x", key, bucket), "it is missing")
	}
	return value, nil
}

// Close unmaps the index. No View of it may be in use.
func (ix *Index) Close() error {
	var err error
	if ix.tx != nil {
		err = ix.tx.Rollback()
	}
	return errors.Join(err, ix.db.Close())
}

// notAnIndex says what a file is instead.
func notAnIndex(path string, file io.ReaderAt) error {
	head := make([]byte, 64)
	n, _ := file.ReadAt(head, 0)
	return &NotAnIndexError{Path: path, JSON: looksLikeModel(head[:n])}
}

func looksLikeModel(head []byte) bool {
	if len(head) >= 4 {
		switch magic := binary.BigEndian.Uint32(head); {
		case magic == 0x28B52FFD, magic>>16 == 0x1F8B, magic>>8 == 0xEFBBBF: // zstd, gzip, byte order mark
			return true
		}
	}
	for _, c := range head {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c == '{'
	}
	return false
}

// catchFault calls f and turns a page of the map that can't be read (the file
// was cut off beneath it, the drive went away) into an error.
func catchFault(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(interface {
				error
				Addr() uintptr
			})
			if !ok {
				panic(r)
			}
			err = damaged("the file", "a part of it can't be read (%v): it was cut off, or its drive is gone", fault)
		}
	}()
	return f()
}
