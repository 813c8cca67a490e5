package store

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
)

// staging keeps finished extents in a temporary file until the whole index is
// known: sections grow side by side, while the B+tree is cheap to load only in
// the order of its keys, and the checksums need the model's digest, which is
// known last.
type staging struct {
	mu    sync.Mutex
	file  *os.File
	size  int64
	spare [][]byte
}

// append writes an extent, its table and its blocks, and returns its offset in
// the staging file.
func (st *staging) append(table, blocks []byte) (int64, error) {
	st.mu.Lock()
	offset := st.size
	st.size += int64(len(table) + len(blocks))
	st.mu.Unlock()
	_, err := st.file.WriteAt(table, offset)
	if err == nil {
		_, err = st.file.WriteAt(blocks, offset+int64(len(table)))
	}
	return offset, err
}

// buffer returns an empty buffer for the blocks of an extent; release gives it
// back for the section that needs one next.
func (st *staging) buffer() []byte {
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.spare) == 0 {
		return nil
	}
	b := st.spare[len(st.spare)-1]
	st.spare = st.spare[:len(st.spare)-1]
	return b
}

func (st *staging) release(b []byte) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if cap(b) > 0 && cap(b) <= 2*extentSize && len(st.spare) < maxSpare {
		st.spare = append(st.spare, b[:0])
	}
}

// maxSpare is how many buffers of extents wait to be used again.
const maxSpare = 4

// sectionWriter collects the blocks of a section into extents. It is used by
// one goroutine at a time.
type sectionWriter struct {
	section Section
	staging *staging
	items   int
	bytes   int
	blocks  int
	offsets []uint32 // of the open extent's blocks, from its first block's start
	open    []byte   // the open extent's blocks
	extents []stagedExtent
	err     error // the first error, kept until close
}

type stagedExtent struct {
	extentInfo
	offset int64
}

// next begins a new block and returns the buffer to append it to.
func (w *sectionWriter) next() []byte {
	if w.open == nil {
		w.open = w.staging.buffer()
	}
	w.offsets = append(w.offsets, uint32(len(w.open)))
	return w.open
}

// done takes the buffer of next back, the block appended.
func (w *sectionWriter) done(buffer []byte) {
	w.open = buffer
	w.blocks++
	if len(w.open) >= extentSize {
		w.flush()
	}
}

func (w *sectionWriter) flush() {
	if len(w.offsets) == 0 {
		return
	}
	head := 4 * (len(w.offsets) + 1)
	table := make([]byte, 0, head)
	for _, offset := range append(w.offsets, uint32(len(w.open))) {
		table = binary.LittleEndian.AppendUint32(table, uint32(head)+offset)
	}
	offset, err := w.staging.append(table, w.open)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("write the %s: %w", w.section, err)
	}
	info := extentInfo{First: w.blocks - len(w.offsets), Size: head + len(w.open)}
	w.extents = append(w.extents, stagedExtent{info, offset})
	w.offsets, w.open = w.offsets[:0], w.open[:0]
}

// close flushes the last extent and returns the first error of all writes.
func (w *sectionWriter) close() error {
	w.flush()
	w.staging.release(w.open)
	w.open, w.offsets = nil, nil
	return w.err
}
