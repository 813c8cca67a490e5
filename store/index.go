package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/edsrzf/mmap-go"
)

// An Index is an open index. It is safe for use by several goroutines, each
// with a View of its own; Close must wait for them.
type Index struct {
	Path     string
	Manifest *Manifest
	Size     int64 // of the file, in bytes

	file         *os.File
	info         os.FileInfo // of file
	manifestSize int         // bytes
	data         mmap.MMap   // of the whole file; read by copyBlock only
	key          uint64      // what checksums are bound to
	extents      [sectionEnd][]extent
	views        sync.Pool
}

// extent is where an extent's blocks are.
type extent struct {
	first, blocks int
	at            int    // in the file
	data          []byte // in the map
}

// Open opens an index. It reads the manifest and the pages that say where the
// extents are, one for about 100 MiB of the file. It takes no lock and needs
// no write permission.
//
// Errors are those of the operating system, *NotAnIndexError, *VersionError
// and *DamageError.
func Open(path string) (*Index, error) {
	// Before it is opened: opening a pipe waits for its writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	ix := &Index{Path: path, file: file}
	ix.views.New = func() any { return &View{ix: ix} }
	if err := ix.load(); err != nil {
		ix.Close()
		return nil, err
	}
	return ix, nil
}

// load maps the file and finds the extents.
func (ix *Index) load() (err error) {
	if ix.info, err = ix.file.Stat(); err != nil {
		return err
	}
	ix.Size = ix.info.Size()
	buckets, err := readTree(ix.file, ix.Size, func(bucket string) bool { return bucket == manifestBucket })
	if errors.Is(err, errNotBolt) {
		return notAnIndex(ix.Path, ix.file)
	}
	if err != nil {
		return err
	}
	if ix.data, err = mmap.Map(ix.file, mmap.RDONLY, 0); err != nil {
		return fmt.Errorf("map %s: %w", ix.Path, err)
	}
	if err := adviseRandom(ix.data); err != nil {
		return fmt.Errorf("map %s: %w", ix.Path, err)
	}
	named := byName(buckets)
	if err := ix.readManifest(named[manifestBucket].values); err != nil {
		return err
	}
	ix.key = indexKey(ix.Manifest)
	for s := range ix.Manifest.sections {
		if err := ix.findExtents(Section(s), named); err != nil {
			return err
		}
	}
	return ix.checkManifest(len(buckets))
}

func byName(buckets []bucket) map[string]bucket {
	named := make(map[string]bucket, len(buckets))
	for _, b := range buckets {
		named[b.name] = b
	}
	return named
}

func (ix *Index) readManifest(values []span) error {
	if len(values) != 1 {
		return damaged("the manifest", "it is missing")
	}
	at := int(values[0].offset)
	adviseSoon(ix.data, at, at+min(values[0].size, prefetchPiece))
	// Checked where it lies before it is copied: a damaged size could ask for
	// a copy of the whole file.
	return catchFault(func() (err error) {
		value := ix.data[values[0].offset : values[0].offset+int64(values[0].size)]
		if err := checkManifestValue(value); err != nil {
			return err
		}
		ix.manifestSize = len(value)
		ix.Manifest, err = decodeManifest(bytes.Clone(value))
		return err
	})
}

// findExtents finds the extents of a section, all of which must be there.
func (ix *Index) findExtents(s Section, buckets map[string]bucket) error {
	info := ix.Manifest.sections[s]
	for i, e := range info.Extents {
		end := info.Blocks
		if i+1 < len(info.Extents) {
			end = info.Extents[i+1].First
		}
		name := fmt.Sprintf("extent %d of the %s", i, s)
		b, ok := buckets[string(extentName(s, i))]
		if !ok {
			return damaged(name, "it is missing")
		}
		at, ok := b.extent(e.Size)
		if !ok || end < e.First || 4*(end-e.First+1) > e.Size {
			return damaged(name, "its size is wrong")
		}
		if at.offset+int64(at.size) > ix.Size {
			return damaged(name, "it goes on beyond the end of the file")
		}
		ix.extents[s] = append(ix.extents[s], extent{e.First, end - e.First, int(at.offset), ix.data[at.offset : at.offset+int64(at.size)]})
	}
	return nil
}

// extent is where the bucket's only value is, which has that size.
func (b *bucket) extent(size int) (at span, ok bool) {
	if b.page > 0 {
		return span{int64(b.page)*pageSize + valueOffset, size}, size >= 0
	}
	if len(b.values) != 1 || b.values[0].size != size {
		return span{}, false
	}
	return b.values[0], true
}

// checkManifest compares the manifest with the file's size, and with one
// block, so that the manifest of another model's index, or a page that holds
// the whole tree of a small one, is found out before anything is answered.
func (ix *Index) checkManifest(buckets int) error {
	pages, manifest := int(ix.Size/pageSize), ix.manifestSize/pageSize
	if pages < ix.Manifest.Pages || pages > ix.Manifest.Pages+manifest+manifestPages+buckets {
		return damaged("the manifest", "it is of a file of %d pages, and this one has %d", ix.Manifest.Pages, pages)
	}
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

// Close unmaps the index. No View of it may be in use.
func (ix *Index) Close() error {
	var err error
	if ix.data != nil {
		err = ix.data.Unmap()
	}
	return errors.Join(err, ix.file.Close())
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
			if _, ok := r.(interface {
				error
				Addr() uintptr
			}); !ok {
				panic(r)
			}
			err = damaged("the file", "a part of it can't be read: it was cut off, or its drive is gone")
		}
	}()
	return f()
}
