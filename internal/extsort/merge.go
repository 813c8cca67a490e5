package extsort

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/klauspost/compress/s2"
)

// batchSize is the number of bytes of records that are merged ahead at once.
const batchSize = 256 << 10

// A Merge reads the records of a sorter in order: O(log runs) comparisons a
// record, a chunk of memory a run. The runs are merged by a goroutine of its
// own, a little ahead of the reader; Close ends it.
type Merge struct {
	full, free chan *mergeBatch
	stop       chan struct{}

	batch *mergeBatch
	next  int // in batch
}

// mergeBatch is some consecutive records, or the error that ended the merge.
type mergeBatch struct {
	entries []entry
	bytes   []byte
	err     error
}

// Merge returns a reader of all records. All writers must be closed.
func (s *Sorter) Merge() *Merge {
	m := &Merge{
		full: make(chan *mergeBatch, 1),
		free: make(chan *mergeBatch, 3),
		stop: make(chan struct{}),
		// Empty, so that the first Next takes one.
		batch: new(mergeBatch),
	}
	m.free <- new(mergeBatch)
	m.free <- new(mergeBatch)
	go func() {
		defer close(m.full)
		m.run(&runHeap{}, s)
	}()
	return m
}

// run sends all records in order.
func (m *Merge) run(h *runHeap, s *Sorter) {
	err := h.open(s)
	for more := err == nil && len(h.sources) > 0; more; {
		var b *mergeBatch
		select {
		case b = <-m.free:
		case <-m.stop:
			return
		}
		b.entries, b.bytes = b.entries[:0], b.bytes[:0]
		for more && len(b.bytes) < batchSize {
			top := h.sources[0]
			e := entry{key: len(b.bytes)}
			b.bytes = append(b.bytes, top.key...)
			e.value = len(b.bytes)
			b.bytes = append(b.bytes, top.value...)
			e.end = len(b.bytes)
			b.entries = append(b.entries, e)
			more, err = h.advance()
		}
		select {
		case m.full <- b:
		case <-m.stop:
			return
		}
	}
	if err != nil {
		select {
		case m.full <- &mergeBatch{err: err}:
		case <-m.stop:
		}
	}
}

// Next goes to the next record and reports whether there is one.
func (m *Merge) Next() bool {
	if m.next++; m.next < len(m.batch.entries) {
		return true
	}
	if cap(m.batch.bytes) > 0 && cap(m.batch.bytes) <= 4*batchSize {
		m.free <- m.batch
	} else if len(m.batch.entries) > 0 {
		m.free <- new(mergeBatch) // m.batch was grown by a huge record
	}
	b, ok := <-m.full
	if !ok {
		m.batch = new(mergeBatch)
		return false
	}
	m.batch, m.next = b, 0
	return b.err == nil
}

// Record returns the current record, valid until the next call of Next.
func (m *Merge) Record() (key, value []byte) {
	e := m.batch.entries[m.next]
	return m.batch.bytes[e.key:e.value], m.batch.bytes[e.value:e.end]
}

// Err returns the error that ended the merge, if any.
func (m *Merge) Err() error { return m.batch.err }

// Close ends the merge, before its end or after it.
func (m *Merge) Close() {
	close(m.stop)
	for range m.full {
	}
}

// runHeap has the run with the next record at its root.
type runHeap struct{ sources []*source }

// open goes to the first record of every run.
func (h *runHeap) open(s *Sorter) error {
	for _, r := range s.runs {
		src := &source{file: s.file, at: r.start, end: r.end}
		if src.next(); src.err != nil {
			return src.err
		}
		h.sources = append(h.sources, src)
	}
	for i := len(h.sources)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	return nil
}

// advance goes to the next record and reports whether there is one.
func (h *runHeap) advance() (bool, error) {
	src := h.sources[0]
	if !src.next() {
		if src.err != nil {
			return false, src.err
		}
		last := len(h.sources) - 1
		h.sources[0] = h.sources[last]
		h.sources = h.sources[:last]
	}
	h.down(0)
	return len(h.sources) > 0, nil
}

// down restores the heap below i.
func (h *runHeap) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.sources); child++ {
			if h.sources[child].before(h.sources[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.sources[i], h.sources[least] = h.sources[least], h.sources[i]
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
	s.packed = sized(s.packed, int(binary.LittleEndian.Uint32(head[:])))
	s.at += chunkHead
	if _, err := s.file.ReadAt(s.packed, s.at); err != nil {
		return err
	}
	s.at += int64(len(s.packed))
	size, err := s2.DecodedLen(s.packed)
	if err != nil {
		return err
	}
	s.chunk = sized(s.chunk, size)
	s.rest, err = s2.Decode(s.chunk, s.packed)
	return err
}

// sized returns a buffer of that length, b's memory where it is enough. A new
// one is a little longer, since the next chunk may be.
func sized(b []byte, size int) []byte {
	if cap(b) < size {
		b = make([]byte, size+size/8)
	}
	return b[:size]
}
