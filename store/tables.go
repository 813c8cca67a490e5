package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A TableWriter writes the rows of a table section in order.
type TableWriter struct {
	out   *sectionWriter
	block []byte
	limit int
}

func newTableWriter(out *sectionWriter) *TableWriter {
	return &TableWriter{out: out, limit: rowsPerBlock(out.section) * columns[out.section] * 4}
}

// Row writes one row; it has as many columns as the section.
func (w *TableWriter) Row(row ...uint32) {
	for _, v := range row {
		w.block = binary.LittleEndian.AppendUint32(w.block, v)
	}
	w.out.items++
	if len(w.block) == w.limit {
		w.endBlock()
	}
}

// Rows is the number of rows written.
func (w *TableWriter) Rows() int { return w.out.items }

func (w *TableWriter) endBlock() {
	w.out.done(narrowBlock(w.out.next(), w.block, columns[w.out.section]))
	w.block = w.block[:0]
}

// Close ends the section.
func (w *TableWriter) Close() error {
	if len(w.block) > 0 {
		w.endBlock()
	}
	return w.out.close()
}

// A LookupWriter collects the entries of a lookup section.
type LookupWriter struct {
	out     *sectionWriter
	entries []lookupEntry
}

type lookupEntry struct {
	hash  uint64
	value uint32
}

// Add adds an entry for a key, in any order.
func (w *LookupWriter) Add(key []byte, value uint32) {
	w.entries = append(w.entries, lookupEntry{xxhash.Sum64(key), value})
}

// Close sorts the entries and writes the section: O(n log n).
func (w *LookupWriter) Close() error {
	slices.SortFunc(w.entries, func(a, b lookupEntry) int {
		switch {
		case a.hash != b.hash && a.hash < b.hash:
			return -1
		case a.hash != b.hash:
			return 1
		default:
			return int(int64(a.value) - int64(b.value))
		}
	})
	buckets := len(w.entries)/bucketEntries + 1
	w.out.items = len(w.entries)
	var block []byte
	next := 0
	for bucket := range buckets {
		block = block[:0]
		for ; next < len(w.entries) && bucketOf(w.entries[next].hash, buckets) == bucket; next++ {
			block = binary.LittleEndian.AppendUint32(block, uint32(w.entries[next].hash))
			block = binary.LittleEndian.AppendUint32(block, w.entries[next].value)
		}
		w.out.done(rawBlock(w.out.next(), block))
	}
	w.entries = nil
	return w.out.close()
}

// bucketOf spreads hashes evenly and in order over the buckets.
func bucketOf(hash uint64, buckets int) int {
	high, _ := bits.Mul64(hash, uint64(buckets))
	return int(high)
}
