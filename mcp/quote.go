package mcp

import (
	"bufio"
	"encoding/binary"
	"sync"
)

// writeQuoted writes text as a JSON string: valid UTF-8, of which little is to
// be escaped. In canonical JSON that is quotes and backslashes only.
func writeQuoted(w *bufio.Writer, text []byte) {
	var pairs *pairTable
	if len(text) >= worthPairs {
		pairs = quotedPairs()
	}
	w.WriteByte('"')
	for len(text) > 0 {
		if w.Available() < 64 && w.Flush() != nil {
			return
		}
		buf := w.AvailableBuffer()
		size, used := quoteInto(buf[:cap(buf)], text, pairs)
		w.Write(buf[:size])
		text = text[used:]
	}
	w.WriteByte('"')
}

// quoteInto fills buf, which has 64 bytes or more, with the escaped form of as
// much of text as is sure to fit. Quotes come every few bytes and at no
// predictable place, so the loops have no branch for them. The second always
// writes a backslash, and the byte over it or behind it; the first, which
// needs pairs, looks up what two pairs of bytes become and writes that at
// once, in half the time.
func quoteInto(buf, text []byte, pairs *pairTable) (size, used int) {
	const longest = 8 // bytes of `\u0000`, or of two pairs
	text = text[:min(len(text), (len(buf)-longest)/2)]
	if pairs != nil {
		for ; used+4 <= len(text); used += 4 {
			four := binary.LittleEndian.Uint32(text[used:])
			first, second := uint16(four), uint16(four>>16)
			n, m := pairs.width[first], pairs.width[second]
			if n+m >= control {
				break
			}
			quoted := uint64(pairs.quoted[first]) | uint64(pairs.quoted[second])<<(8*n)
			binary.LittleEndian.PutUint64(buf[size:], quoted)
			size += int(n + m)
		}
	}
	for i, c := range text[used:] {
		if c < ' ' {
			const hex = "0123456789abcdef"
			buf = append(buf[:size], `\u00`...)
			buf = append(buf, hex[c>>4], hex[c&15])
			return len(buf), used + i + 1
		}
		buf[size] = '\\'
		size += int(escaped[c])
		buf[size] = c
		size++
	}
	return size, len(text)
}

// escaped is 1 for the bytes that get a backslash.
var escaped = [256]uint8{'"': 1, '\\': 1}

// A pairTable says of each two bytes, the first one in the low bits, what they
// become, and how many bytes that is: control for those with a control
// character, which take another way.
type pairTable struct {
	quoted [1 << 16]uint32
	width  [1 << 16]uint8
}

const control = 64

// worthPairs is the size of a text from which the table is worth its 320 KiB,
// and the time that it takes to make.
const worthPairs = 256 << 10

var quotedPairs = sync.OnceValue(func() *pairTable {
	t := new(pairTable)
	for pair := range len(t.quoted) {
		for shift := 8; shift >= 0; shift -= 8 {
			c := uint8(pair >> shift)
			t.quoted[pair] = t.quoted[pair]<<8 | uint32(c)
			t.width[pair]++
			if escaped[c] == 1 {
				t.quoted[pair] = t.quoted[pair]<<8 | '\\'
				t.width[pair]++
			}
			if c < ' ' {
				t.width[pair] = control
			}
		}
	}
	return t
})
