// Package extsort sorts more records than fit into memory: writers sort runs
// of one to four MiB and put them, compressed, into a temporary file; a merge
// reads them back in order (Knuth, The Art of Computer Programming 3, 5.4).
package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

const (
	// A writer holds so many bytes before it sorts them and writes them out as
	// a run. The more runs there are the longer new ones get: what the writers
	// hold then grows with what the merge will hold, a chunk of each run, and
	// few records take little memory. Short runs also sort in the processor's
	// cache.
	minRunSize   = 1 << 20
	maxRunSize   = 4 << 20
	runsOfLength = 32 // runs before the next ones are a minRunSize longer
	// chunkSize is the number of bytes of a run that are compressed together
	// and held in memory when runs are merged.
	chunkSize = 32 << 10
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

// A Writer adds records to a sorter. Each goroutine has its own. While a run
// is sorted and written, the next one is filled.
type Writer struct {
	sorter  *Sorter
	runs    int // that were filled
	runSize int // of the one that is
	filling *runBuffer
	writing bool
	written chan error // takes the outcome of writing
}

// runBuffer is a run that is being made.
type runBuffer struct {
	entries []entry
	arena   []byte

	packed, chunk []byte
}

// entry is a record in an arena: its key, then its value.
type entry struct{ key, value, end int }

// Writer returns a new writer.
func (s *Sorter) Writer() *Writer {
	buffers.open()
	return &Writer{sorter: s, runSize: s.runSize(), written: make(chan error, 1)}
}

// runSize is the size of a run that is begun now.
func (s *Sorter) runSize() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return min((1+len(s.runs)/runsOfLength)*minRunSize, maxRunSize)
}

// Add adds a record; the value is the concatenation of the values.
func (w *Writer) Add(key []byte, values ...[]byte) error {
	if w.filling == nil {
		w.filling = buffers.get()
	}
	b := w.filling
	size := len(key)
	for _, v := range values {
		size += len(v)
	}
	if cap(b.arena)-len(b.arena) < size {
		// In few steps, since each copies what is there; the last gives room
		// for a run and the record that ends it.
		room := w.runSize + w.runSize/8
		if w.runs == 0 { // few records need little memory
			room = min(max(4*len(b.arena), chunkSize), room)
		}
		b.arena = slices.Grow(b.arena, max(room-len(b.arena), size))
	}
	e := entry{key: len(b.arena)}
	b.arena = append(b.arena, key...)
	e.value = len(b.arena)
	for _, v := range values {
		b.arena = append(b.arena, v...)
	}
	e.end = len(b.arena)
	b.entries = append(b.entries, e)
	if len(b.arena) >= w.runSize {
		return w.flush()
	}
	return nil
}

// Close writes the last run. The writer holds no memory afterwards.
func (w *Writer) Close() error {
	defer buffers.close()
	if err := w.flush(); err != nil {
		return err
	}
	return w.wait()
}

// flush begins to write the run that was filled.
func (w *Writer) flush() error {
	if err := w.wait(); err != nil || w.filling == nil {
		return err
	}
	b := w.filling
	w.filling, w.writing, w.runSize = nil, true, w.sorter.runSize()
	w.runs++
	go func() {
		err := w.sorter.write(b.sortAndPack())
		buffers.put(b)
		w.written <- err
	}()
	return nil
}

// wait waits until no run is being written.
func (w *Writer) wait() error {
	if !w.writing {
		return nil
	}
	w.writing = false
	return <-w.written
}

// sortAndPack sorts the run and returns it as it is in the file.
func (b *runBuffer) sortAndPack() []byte {
	slices.SortFunc(b.entries, func(x, y entry) int {
		if c := bytes.Compare(b.arena[x.key:x.value], b.arena[y.key:y.value]); c != 0 {
			return c
		}
		return bytes.Compare(b.arena[x.value:x.end], b.arena[y.value:y.end])
	})
	b.packed, b.chunk = b.packed[:0], b.chunk[:0]
	for _, e := range b.entries {
		b.chunk = binary.AppendUvarint(b.chunk, uint64(e.value-e.key))
		b.chunk = binary.AppendUvarint(b.chunk, uint64(e.end-e.value))
		b.chunk = append(b.chunk, b.arena[e.key:e.end]...)
		if len(b.chunk) >= chunkSize {
			b.packed, b.chunk = appendChunk(b.packed, b.chunk), b.chunk[:0]
		}
	}
	b.packed = appendChunk(b.packed, b.chunk)
	return b.packed
}

// chunkHead is the size of a chunk's head: its length packed.
const chunkHead = 4

// appendChunk packs a chunk with S2, whose encoder is faster than LZ4's. That it
// writes other bytes on other processors is no matter here.
func appendChunk(dst, chunk []byte) []byte {
	if len(chunk) == 0 {
		return dst
	}
	head := len(dst)
	dst = slices.Grow(dst, chunkHead+s2.MaxEncodedLen(len(chunk)))
	body := s2.Encode(dst[head+chunkHead:cap(dst)], chunk)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(body)))
	return dst[:len(dst)+len(body)]
}

// write puts a run into the file.
func (s *Sorter) write(packed []byte) error {
	if len(packed) == 0 {
		return nil
	}
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
