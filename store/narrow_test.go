package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is kept narrow comes back as it was, and takes no more than it did.
func TestNarrowRoundTrip(t *testing.T) {
	number := rapid.OneOf(
		rapid.Uint32Range(0, 3), rapid.Uint32Range(250, 260), rapid.Uint32Range(1<<16-3, 1<<16+3),
		rapid.Uint32Range(1<<24-3, 1<<24+3), rapid.Uint32Range(none-3, none), rapid.Just(none), rapid.Uint32(),
	)
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 10).Draw(t, "columns")
		var pools [][]uint32
		for range width {
			pools = append(pools, rapid.SliceOfN(number, 1, 4).Draw(t, "numbers"))
		}
		var rows []byte
		for i := range rapid.IntRange(0, 60).Draw(t, "rows") {
			for _, pool := range pools {
				rows = binary.LittleEndian.AppendUint32(rows, pool[(i*7)%len(pool)])
			}
		}
		block := narrowBlock(nil, rows, width)
		if len(block) > blockOverhead+len(rows) {
			t.Fatalf("%d bytes became %d", len(rows), len(block)-blockOverhead)
		}
		payload := block[1 : len(block)-8]
		if block[0] == packedRaw {
			if !bytes.Equal(payload, rows) {
				t.Fatalf("raw rows are %x, want %x", payload, rows)
			}
			return
		}
		got, ok := widen(nil, payload, width, len(rows))
		if !ok || !bytes.Equal(got, rows) {
			t.Fatalf("%t, got %x, want %x", ok, got, rows)
		}
		if _, ok := widen(nil, payload, width, len(rows)-1); ok {
			t.Fatal("more rows than are allowed")
		}
	})
}

// The layout is as format.go has it.
func TestNarrowLayout(t *testing.T) {
	var rows []byte
	for i := range uint32(10) {
		for _, x := range []uint32{7, 1000 + i, none, []uint32{5, none}[i%2], 300 * i} {
			rows = binary.LittleEndian.AppendUint32(rows, x)
		}
	}
	want := []byte{packedNarrow, 10, 0, 0, 0,
		0, 7, 0, 0, 0, // the same in all rows
		1, 0xE8, 3, 0, 0, // above 1000
		0, 0xFF, 0xFF, 0xFF, 0xFF, // none in all rows
		0x81, 5, 0, 0, 0, // 5, or none
		2, 0, 0, 0, 0,
	}
	want = append(want, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	want = append(want, slices.Repeat([]byte{0, 0xFF}, 5)...)
	for i := range 10 {
		want = binary.LittleEndian.AppendUint16(want, uint16(300*i))
	}
	want = append(want, noChecksum[:]...)
	if got := narrowBlock(nil, rows, 5); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

// FuzzWiden gives widen any payload, whatever checksum it may have had.
func FuzzWiden(f *testing.F) {
	var rows []byte
	for i := range uint32(100) {
		rows = binary.LittleEndian.AppendUint32(rows, i*i)
	}
	block := narrowBlock(nil, rows, 2)
	f.Add(block[1:len(block)-8], 2)
	f.Add(make([]byte, 14), 2) // no rows
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0, 0}, 1)
	f.Fuzz(func(t *testing.T, payload []byte, columns int) {
		if columns < 0 || columns > 10 {
			return
		}
		rows, ok := widen(nil, payload, columns, tableBlockSize)
		if !ok {
			return
		}
		if len(rows) > tableBlockSize || len(rows)%(4*columns) != 0 {
			t.Fatalf("%d bytes of rows of %d columns", len(rows), columns)
		}
	})
}

// BenchmarkWiden widens a block of one column and one of eight.
func BenchmarkWiden(b *testing.B) {
	for _, columns := range []int{1, 8} {
		var rows []byte
		for i := range uint32(tableBlockSize / 4) {
			rows = binary.LittleEndian.AppendUint32(rows, i*2654435761>>12)
		}
		rows = rows[:len(rows)/(4*columns)*4*columns]
		block := narrowBlock(nil, rows, columns)
		var dst []byte
		b.Run(fmt.Sprintf("%d columns", columns), func(b *testing.B) {
			for b.Loop() {
				dst, _ = widen(dst[:0], block[1:len(block)-8], columns, tableBlockSize)
			}
			b.SetBytes(int64(len(rows)))
		})
	}
}
