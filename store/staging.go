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
	mu   sync.Mutex
	file *os.File
	size int64
}

// append writes an extent and returns its offset in the staging file.
func (st *staging) append(extent []byte) (int64, error) {
	st.mu.Lock()
	offset := st.size
	st.size += int64(len(extent))
	st.mu.Unlock()
	_, err := st.file.WriteAt(extent, offset)
	return offset, err
}

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
	table := 4 * (len(w.offsets) + 1)
	extent := make([]byte, 0, table+len(w.open))
	for _, offset := range append(w.offsets, uint32(len(w.open))) {
		extent = binary.LittleEndian.AppendUint32(extent, uint32(table)+offset)
	}
	extent = append(extent, w.open...)
	offset, err := w.staging.append(extent)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("write the %s: %w", w.section, err)
	}
	info := extentInfo{First: w.blocks - len(w.offsets), Size: len(extent)}
	w.extents = append(w.extents, stagedExtent{info, offset})
	w.offsets, w.open = w.offsets[:0], w.open[:0]
}

// close flushes the last extent and returns the first error of all writes.
func (w *sectionWriter) close() error {
	w.flush()
	w.open, w.offsets = nil, nil
	return w.err
}
