package extsort

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/pierrec/lz4/v4"
)

// A Merge reads the records of a sorter in order: O(log runs) comparisons a
// record, a chunk of memory a run.
type Merge struct {
	heap    []*source // the next record at the root
	started bool
	err     error
}

// Merge returns a reader of all records. All writers must be closed.
func (s *Sorter) Merge() *Merge {
	m := new(Merge)
	for _, r := range s.runs {
		src := &source{file: s.file, at: r.start, end: r.end}
		if src.next(); src.err != nil {
			m.err = src.err
			return m
		}
		m.heap = append(m.heap, src)
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m
}

// Next goes to the next record and reports whether there is one.
func (m *Merge) Next() bool {
	if m.err != nil || len(m.heap) == 0 {
		return false
	}
	if !m.started {
		m.started = true
		return true
	}
	src := m.heap[0]
	if !src.next() {
		if m.err = src.err; m.err != nil {
			return false
		}
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	m.down(0)
	return len(m.heap) > 0
}

// Record returns the current record, valid until the next call of Next.
func (m *Merge) Record() (key, value []byte) { return m.heap[0].key, m.heap[0].value }

// Err returns the error that ended the merge, if any.
func (m *Merge) Err() error { return m.err }

// down restores the heap below i.
func (m *Merge) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heap); child++ {
			if m.heap[child].before(m.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

// source reads one run.
type source struct {
	file       *os.File
	at, end    int64
	packed     []byte
	chunk      []byte
	rest       []byte // of chunk
	key, value []byte
	err        error
}

func (s *source) before(t *source) bool {
	if c := bytes.Compare(s.key, t.key); c != 0 {
		return c < 0
	}
	return bytes.Compare(s.value, t.value) < 0
}

// next goes to the next record and reports whether there is one.
func (s *source) next() bool {
	if len(s.rest) == 0 {
		if s.at == s.end {
			return false
		}
		if s.err = s.load(); s.err != nil {
			s.err = fmt.Errorf("read temporary data: %w", s.err)
			return false
		}
	}
	k, n := binary.Uvarint(s.rest)
	v, m := binary.Uvarint(s.rest[n:])
	b := s.rest[n+m:]
	s.key, s.value, s.rest = b[:k], b[k:k+v], b[k+v:]
	return true
}

// load reads the next chunk.
func (s *source) load() error {
	var head [chunkHead]byte
	if _, err := s.file.ReadAt(head[:], s.at); err != nil {
		return err
	}
	size := int(binary.LittleEndian.Uint32(head[:]))
	packed := int(binary.LittleEndian.Uint32(head[4:]))
	s.at += chunkHead
	s.chunk = sized(s.chunk, size)
	s.rest = s.chunk
	if packed == 0 {
		_, err := s.file.ReadAt(s.chunk, s.at)
		s.at += int64(size)
		return err
	}
	s.packed = sized(s.packed, packed)
	if _, err := s.file.ReadAt(s.packed, s.at); err != nil {
		return err
	}
	s.at += int64(packed)
	_, err := lz4.UncompressBlock(s.packed, s.chunk)
	return err
}

// sized returns a buffer of that length, b's memory where it is enough.
func sized(b []byte, size int) []byte {
	if cap(b) < size {
		return make([]byte, size)
	}
	return b[:size]
}
