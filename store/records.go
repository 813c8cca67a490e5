package store

import (
	"encoding/binary"
	"runtime"
	"sync"

	"github.com/pierrec/lz4/v4"
)

// batchSize is how many bytes of records are packed as one job: long enough
// that handing it over costs nothing beside packing it.
const batchSize = 128 << 10

// A RecordWriter writes the items of a record section in order. Blocks are
// packed by other goroutines; which ones does not show in the file.
type RecordWriter struct {
	out    *sectionWriter
	chunks *chunkWriter

	lengths []byte // the open block's lengths
	bytes   []byte // and its items' bytes
	count   int
	batch   *packBatch
	order   chan *packBatch // batches in order, packed or about to be
	free    chan *packBatch // batches to use again
	done    chan struct{}
}

// packBatch is a run of raw blocks that are packed together.
type packBatch struct {
	raw    []byte
	ends   []int // of the blocks in raw
	packed []byte
	starts []int         // of the blocks in packed
	ready  chan struct{} // takes one value when the batch is packed
}

func newRecordWriter(out *sectionWriter, chunks *chunkWriter) *RecordWriter {
	ahead := runtime.GOMAXPROCS(0)
	w := &RecordWriter{
		out: out, chunks: chunks,
		order: make(chan *packBatch, ahead),
		free:  make(chan *packBatch, ahead+2), // those in order, the open one, and the one collected
		done:  make(chan struct{}),
	}
	w.batch = w.newBatch()
	go w.collect()
	return w
}

// newBatch returns an empty batch.
func (w *RecordWriter) newBatch() *packBatch {
	select {
	case b := <-w.free:
		b.raw, b.ends, b.packed, b.starts = b.raw[:0], b.ends[:0], b.packed[:0], b.starts[:0]
		return b
	default:
		return &packBatch{ready: make(chan struct{}, 1)}
	}
}

// Add writes one item, the concatenation of parts.
func (w *RecordWriter) Add(parts ...[]byte) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > maxInline {
		start := len(w.bytes)
		w.bytes = binary.AppendUvarint(w.bytes, uint64(w.chunks.add(parts)))
		w.bytes = binary.AppendUvarint(w.bytes, uint64(size))
		w.lengths = binary.AppendUvarint(w.lengths, uint64(len(w.bytes)-start)<<1|1)
	} else {
		for _, p := range parts {
			w.bytes = append(w.bytes, p...)
		}
		w.lengths = binary.AppendUvarint(w.lengths, uint64(size)<<1)
	}
	w.out.items++
	w.out.bytes += size
	w.count++
	if w.count == itemsPerBlock[w.out.section] {
		w.endBlock()
	}
}

func (w *RecordWriter) endBlock() {
	b := w.batch
	b.raw = append(append(b.raw, w.lengths...), w.bytes...)
	b.ends = append(b.ends, len(b.raw))
	w.lengths, w.bytes, w.count = w.lengths[:0], w.bytes[:0], 0
	if len(b.raw) >= batchSize {
		w.endBatch()
	}
}

func (w *RecordWriter) endBatch() {
	b := w.batch
	w.order <- b
	go b.pack()
	w.batch = w.newBatch()
}

func (b *packBatch) pack() {
	c := compressors.Get().(*lz4.Compressor)
	defer compressors.Put(c)
	start := 0
	for _, end := range b.ends {
		b.starts = append(b.starts, len(b.packed))
		b.packed = packBlock(b.packed, b.raw[start:end], c)
		start = end
	}
	b.ready <- struct{}{}
}

var compressors = sync.Pool{New: func() any { return new(lz4.Compressor) }}

// collect appends the packed blocks in order.
func (w *RecordWriter) collect() {
	defer close(w.done)
	for b := range w.order {
		<-b.ready
		for i, start := range b.starts {
			end := len(b.packed)
			if i+1 < len(b.starts) {
				end = b.starts[i+1]
			}
			w.out.done(append(w.out.next(), b.packed[start:end]...))
		}
		w.free <- b
	}
}

// Close ends the section. A second call does nothing.
func (w *RecordWriter) Close() error {
	if w.order == nil {
		return w.out.err
	}
	if w.count > 0 {
		w.endBlock()
	}
	if len(w.batch.ends) > 0 {
		w.endBatch()
	}
	close(w.order)
	<-w.done
	w.order = nil
	return w.out.close()
}

// chunkWriter writes section Chunks. Several record sections share it, one
// after the other or at once.
type chunkWriter struct {
	mu  sync.Mutex
	out *sectionWriter
}

// add writes a long item and returns the number of its first chunk.
func (w *chunkWriter) add(parts [][]byte) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := w.out.blocks
	c := compressors.Get().(*lz4.Compressor)
	defer compressors.Put(c)
	var chunk []byte
	for _, p := range parts {
		for len(p) > 0 {
			n := min(len(p), chunkSize-len(chunk))
			chunk, p = append(chunk, p[:n]...), p[n:]
			if len(chunk) == chunkSize {
				w.write(chunk, c)
				chunk = chunk[:0]
			}
		}
	}
	if len(chunk) > 0 {
		w.write(chunk, c)
	}
	return first
}

func (w *chunkWriter) write(chunk []byte, c *lz4.Compressor) {
	w.out.done(packBlock(w.out.next(), chunk, c))
	w.out.items++
}
