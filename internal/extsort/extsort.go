// Package extsort sorts more records than fit into memory: writers sort runs
// of a few MiB and put them, compressed, into a temporary file; a merge reads
// them back in order (Knuth, The Art of Computer Programming 3, 5.4).
package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/pierrec/lz4/v4"
)

const (
	// runSize is the number of bytes that a writer holds before it sorts
	// them and writes them out.
	runSize = 8 << 20
	// chunkSize is the number of bytes of a run that are compressed together
	// and held in memory when runs are merged.
	chunkSize = 64 << 10
)

// A Sorter sorts records: a key and a value each, any bytes. They come back
// in the order of their keys, those with equal keys in the order of their
// values.
type Sorter struct {
	file *os.File

	mu   sync.Mutex
	size int64
	runs []run
}

// run is where a sorted run is in the file.
type run struct{ start, end int64 }

// New returns a sorter that keeps its runs in a file of that path, about an
// eighth to a half of the records' size.
func New(path string) (*Sorter, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &Sorter{file: file}, nil
}

// Close removes the file. No writer or merge may be in use.
func (s *Sorter) Close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// A Writer adds records to a sorter. Each goroutine has its own.
type Writer struct {
	sorter  *Sorter
	entries []entry
	arena   []byte
}

// entry is a record in a writer's arena: its key, then its value.
type entry struct{ key, value, end int }

// Writer returns a new writer.
func (s *Sorter) Writer() *Writer { return &Writer{sorter: s} }

// Add adds a record; the value is the concatenation of the values.
func (w *Writer) Add(key []byte, values ...[]byte) error {
	e := entry{key: len(w.arena)}
	w.arena = append(w.arena, key...)
	e.value = len(w.arena)
	for _, v := range values {
		w.arena = append(w.arena, v...)
	}
	e.end = len(w.arena)
	w.entries = append(w.entries, e)
	if len(w.arena) >= runSize {
		return w.flush()
	}
	return nil
}

// Close writes the last run. The writer holds no memory afterwards.
func (w *Writer) Close() error {
	err := w.flush()
	w.entries, w.arena = nil, nil
	return err
}

func (w *Writer) flush() error {
	if len(w.entries) == 0 {
		return nil
	}
	slices.SortFunc(w.entries, func(a, b entry) int {
		if c := bytes.Compare(w.arena[a.key:a.value], w.arena[b.key:b.value]); c != 0 {
			return c
		}
		return bytes.Compare(w.arena[a.value:a.end], w.arena[b.value:b.end])
	})
	var packed, chunk []byte
	var c lz4.Compressor
	for _, e := range w.entries {
		chunk = binary.AppendUvarint(chunk, uint64(e.value-e.key))
		chunk = binary.AppendUvarint(chunk, uint64(e.end-e.value))
		chunk = append(chunk, w.arena[e.key:e.end]...)
		if len(chunk) >= chunkSize {
			packed, chunk = appendChunk(packed, chunk, &c), chunk[:0]
		}
	}
	packed = appendChunk(packed, chunk, &c)
	w.entries, w.arena = w.entries[:0], w.arena[:0]
	if cap(w.arena) > 2*runSize {
		w.arena = nil // grown by one huge record
	}
	return w.sorter.write(packed)
}

// chunkHead is the size of a chunk's head: its length, and its length packed
// or 0 when it is not.
const chunkHead = 8

func appendChunk(dst, chunk []byte, c *lz4.Compressor) []byte {
	if len(chunk) == 0 {
		return dst
	}
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(chunk)))
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	dst = slices.Grow(dst, len(chunk))
	body := dst[len(dst) : len(dst)+len(chunk)]
	if n, err := c.CompressBlock(chunk, body); err == nil && n > 0 {
		binary.LittleEndian.PutUint32(dst[start+4:], uint32(n))
		return dst[:len(dst)+n]
	}
	return append(dst, chunk...)
}

// write puts a run into the file.
func (s *Sorter) write(packed []byte) error {
	s.mu.Lock()
	start := s.size
	s.size += int64(len(packed))
	s.runs = append(s.runs, run{start, s.size})
	s.mu.Unlock()
	if _, err := s.file.WriteAt(packed, start); err != nil {
		return fmt.Errorf("write temporary data: %w", err)
	}
	return nil
}
