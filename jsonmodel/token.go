package jsonmodel

import (
	"encoding/binary"
	"math/bits"
)

// stringEnd returns the index after the string that starts at text[start], and
// whether it has escapes. The syntax of text must be right.
func stringEnd(text []byte, start int) (end int, escaped bool) {
	for i := start + 1; ; i += 2 { // past the escaped character
		i = quoteOrBackslash(text, i)
		if text[i] == '"' {
			return i + 1, escaped
		}
		escaped = true
	}
}

// quoteOrBackslash returns the index of the first of these from i on; there
// must be one. It looks at eight bytes at a time: most strings are too short
// for bytes.IndexByte to pay, and two calls would be needed.
func quoteOrBackslash(text []byte, i int) int {
	const (
		ones        = 0x0101010101010101
		highs       = 0x8080808080808080
		quotes      = '"' * ones
		backslashes = '\\' * ones
	)
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		q, b := word^quotes, word^backslashes
		// The high bit of each byte that is zero in q or b; above the first
		// such byte there may be others, by carry.
		if zero := ((q-ones)&^q | (b-ones)&^b) & highs; zero != 0 {
			return i + bits.TrailingZeros64(zero)/8
		}
	}
	for text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// scalarEnd returns the index after the number or literal at text[start].
func scalarEnd(text []byte, start int) int {
	for i := start; i < len(text); i++ {
		switch text[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return i
		}
	}
	return len(text)
}
