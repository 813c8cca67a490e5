package store

import (
	"encoding/binary"
	"math/bits"
)

// Rows of a table's block whose columns are kept as narrow as their numbers
// allow. The layout is in format.go.

const (
	narrowHead   = 4 // the number of rows
	narrowColumn = 5 // width and least number of a column
	hasNone      = 0x80
)

// A narrowing is how a column is kept.
type narrowing struct {
	least uint32
	width int  // bytes of each number
	none  bool // the greatest number that is so wide stands for none
}

// greatest is the greatest number of a width.
func greatest(width int) uint32 { return uint32(uint64(1)<<(8*width) - 1) }

// narrowingOf looks at column c of rows of so many columns.
func narrowingOf(rows []byte, c, columns int) narrowing {
	n := narrowing{least: none}
	most := uint32(0)
	for at := 4 * c; at < len(rows); at += 4 * columns {
		x := binary.LittleEndian.Uint32(rows[at:])
		if x == none {
			n.none = true
			continue
		}
		n.least, most = min(n.least, x), max(most, x)
	}
	if n.least == none { // no numbers at all
		return narrowing{least: none}
	}
	n.width = (bits.Len32(most-n.least) + 7) / 8
	if n.none && most-n.least == greatest(n.width) {
		n.width++
	}
	return n
}

// narrowBlock appends to dst a block that holds rows of so many columns, its
// checksum still to be filled in. They are kept as they are where that takes
// no more.
func narrowBlock(dst, rows []byte, columns int) []byte {
	start := len(dst)
	count := len(rows) / (4 * columns)
	dst = append(dst, packedNarrow)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(count))
	list := make([]narrowing, columns)
	for c := range list {
		n := narrowingOf(rows, c, columns)
		list[c] = n
		width := byte(n.width)
		if n.none {
			width |= hasNone
		}
		dst = binary.LittleEndian.AppendUint32(append(dst, width), n.least)
	}
	for c, n := range list {
		for at := 4 * c; at < len(rows); at += 4 * columns {
			x := binary.LittleEndian.Uint32(rows[at:])
			above := x - n.least
			if n.none && x == none {
				above = greatest(n.width)
			}
			for range n.width {
				dst = append(dst, byte(above))
				above >>= 8
			}
		}
	}
	if len(dst)-start >= 1+len(rows) {
		return rawBlock(dst[:start], rows)
	}
	return append(dst, noChecksum[:]...)
}

// widen appends to dst the rows of a payload of narrow columns, or says that
// it is none, or has more than so many bytes of rows.
func widen(dst, payload []byte, columns, limit int) ([]byte, bool) {
	head := narrowHead + narrowColumn*columns
	if columns == 0 || len(payload) < head {
		return nil, false
	}
	stride := 4 * columns
	count := binary.LittleEndian.Uint32(payload)
	if count == 0 || uint64(count)*uint64(stride) > uint64(limit) {
		return nil, false
	}
	size := int(count) * stride
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	dst = dst[:size]
	rest := payload[head:]
	for c := range columns {
		column := payload[narrowHead+narrowColumn*c:]
		n := narrowing{
			least: binary.LittleEndian.Uint32(column[1:]),
			width: int(column[0] &^ hasNone),
			none:  column[0]&hasNone != 0,
		}
		if n.width > 4 || len(rest) < n.width*int(count) {
			return nil, false
		}
		n.widen(dst[4*c:], rest[:n.width*int(count)], stride)
		rest = rest[n.width*int(count):]
	}
	return dst, len(rest) == 0
}

// widen puts the numbers of a column into the rows that dst begins with.
func (n *narrowing) widen(dst, numbers []byte, stride int) {
	put := func(at int, x uint32) { binary.LittleEndian.PutUint32(dst[at:], x+n.least) }
	at := 0
	switch n.width {
	case 0:
		for ; at < len(dst); at += stride {
			put(at, 0)
		}
	case 1:
		for _, b := range numbers {
			put(at, uint32(b))
			at += stride
		}
	case 2:
		for ; len(numbers) >= 2; numbers = numbers[2:] {
			put(at, uint32(numbers[0])|uint32(numbers[1])<<8)
			at += stride
		}
	case 3:
		for ; len(numbers) >= 3; numbers = numbers[3:] {
			put(at, uint32(numbers[0])|uint32(numbers[1])<<8|uint32(numbers[2])<<16)
			at += stride
		}
	case 4:
		for ; len(numbers) >= 4; numbers = numbers[4:] {
			put(at, binary.LittleEndian.Uint32(numbers))
			at += stride
		}
	}
	if !n.none {
		return
	}
	for at := 0; at < len(dst); at += stride {
		if binary.LittleEndian.Uint32(dst[at:])-n.least == greatest(n.width) {
			binary.LittleEndian.PutUint32(dst[at:], none)
		}
	}
}
