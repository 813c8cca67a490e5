package index

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Numbers stay as they were written; the rest is as RFC 8785 has it.
var canonicalOptions = []jsontext.Options{
	jsontext.CanonicalizeRawInts(false),
	jsontext.CanonicalizeRawFloats(false),
}

// canonicalize returns the canonical form of a JSON value without duplicate
// names, in the memory of buffer where it fits.
func canonicalize(value, buffer []byte) ([]byte, error) {
	form := jsontext.Value(append(buffer[:0], value...))
	if err := form.Canonicalize(canonicalOptions...); err != nil {
		return nil, fmt.Errorf("canonical form: %w", err)
	}
	return form, nil
}

// canonical returns the canonical form of the text after all of it was walked
// over without a fault.
//
// Sorting members is what costs time, and most models are written by machines
// that sorted them already. The walk has seen whether that is so, and whether
// there is anything else to be changed; if not, the result is the text itself.
func (c *checker) canonical(buffer []byte) ([]byte, error) {
	switch {
	case c.plain && c.sorted:
		return c.text, nil
	case c.sorted:
		return appendCompact(buffer[:0], c.text), nil
	}
	return canonicalize(c.text, buffer)
}

// appendCompact appends the canonical form of a value whose names are sorted.
func appendCompact(dst, text []byte) []byte {
	run := 0 // start of the text that is still to be copied
	for i := 0; i < len(text); {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
			dst = append(dst, text[run:i]...)
			for i++; i < len(text) && text[i] <= ' '; i++ {
			}
			run = i
		case '"':
			end, escaped := stringEnd(text, i)
			if escaped {
				dst = append(dst, text[run:i]...)
				dst = appendString8785(dst, text[i:end])
				run = end
			}
			i = end
		default:
			i++
		}
	}
	return append(dst, text[run:]...)
}

// stringEnd returns the index after the string that starts at text[start], and
// whether it has escapes.
func stringEnd(text []byte, start int) (end int, escaped bool) {
	rest := text[start+1:]
	end = bytes.IndexByte(rest, '"')
	if bytes.IndexByte(rest[:end], '\\') < 0 {
		return start + end + 2, false
	}
	for end = 0; rest[end] != '"'; end++ {
		if rest[end] == '\\' {
			end++
		}
	}
	return start + end + 2, true
}

// appendString8785 appends a string with its escapes as RFC 8785 has them:
// only where JSON needs one, and then the shortest.
func appendString8785(dst, quoted []byte) []byte {
	for {
		i := bytes.IndexByte(quoted, '\\')
		if i < 0 {
			return append(dst, quoted...)
		}
		dst = append(dst, quoted[:i]...)
		switch quoted[i+1] {
		case 'u':
			r := hexRune(quoted[i+2:])
			i += len(`\u0000`)
			if utf16.IsSurrogate(r) {
				r = utf16.DecodeRune(r, hexRune(quoted[i+2:]))
				i += len(`\u0000`)
			}
			dst = appendRune8785(dst, r)
		case '/':
			dst = append(dst, '/')
			i += 2
		default:
			dst = append(dst, quoted[i:i+2]...)
			i += 2
		}
		quoted = quoted[i:]
	}
}

// hexRune reads the four digits of a \u escape.
func hexRune(digits []byte) rune {
	n, _ := strconv.ParseUint(view(digits[:4]), 16, 16)
	return rune(n)
}

func appendRune8785(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r >= ' ':
		return utf8.AppendRune(dst, r)
	case r == '\b':
		return append(dst, `\b`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\f':
		return append(dst, `\f`...)
	case r == '\r':
		return append(dst, `\r`...)
	}
	return append(dst, `\u00`+string(hex[r>>4])+string(hex[r&0xF])...)
}

// nameLess reports whether name a is before b in the order of RFC 8785, by
// UTF-16 code units. That is the order of the UTF-8 bytes, but for characters
// above U+FFFF: their surrogates are before U+E000 to U+FFFF.
func nameLess(a, b []byte) bool {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return len(a) < len(b)
	}
	const (
		privateUse    = 0xEE // first byte of U+E000 and above
		supplementary = 0xF0 // first byte of U+10000 and above
	)
	if x, y := a[i], b[i]; x >= privateUse && y >= privateUse && (x >= supplementary) != (y >= supplementary) {
		return x >= supplementary
	}
	return a[i] < b[i]
}
