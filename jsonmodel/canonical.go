package jsonmodel

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
)

// A canonicalizer writes the canonical form of values whose syntax is right
// and whose names are distinct: as RFC 8785 has it, but for numbers, which
// stay as they were written. (jsontext has a function for that, with a decoder
// and an encoder in it, which takes several times as long.)
type canonicalizer struct {
	text    []byte
	pos     int
	form    []byte       // of text up to pos
	members []formMember // of the open objects
	names   []byte       // the names that had escapes, unescaped
	moved   []byte       // an object's members in their old order

	// mark is the place in text of a string, marked where it is in form, or -1
	// when it went elsewhere because members were sorted.
	mark, marked int
}

// formMember is a member of an object, from the name to the value.
type formMember struct {
	name       []byte // unescaped
	start, end int    // in form
}

// canonicalize returns the canonical form of a value, valid until the next
// call. It takes linear time, but for objects whose members are not sorted: those
// are copied once for each of them that they are in, and sorted.
func (c *canonicalizer) canonicalize(value []byte) []byte {
	c.text, c.pos, c.marked = value, 0, -1
	c.form, c.names = slices.Grow(c.form[:0], len(value)), c.names[:0] // it is never longer
	c.value()
	return c.form
}

func (c *canonicalizer) value() {
	switch c.text[c.pos] {
	case '{':
		c.object()
	case '[':
		c.array()
	case '"':
		c.string()
	default:
		start := c.pos
		c.pos = scalarEnd(c.text, start)
		c.form = append(c.form, c.text[start:c.pos]...)
	}
}

func (c *canonicalizer) object() {
	object, first, sorted := len(c.form), len(c.members), true
	c.form = append(c.form, '{')
	for c.pos++; c.more('}'); {
		m := formMember{name: c.name(), start: len(c.form)}
		c.string()
		c.space()
		c.pos++ // the colon
		c.form = append(c.form, ':')
		c.space()
		c.value()
		m.end = len(c.form)
		if n := len(c.members); n > first && canon.CompareNames(c.members[n-1].name, m.name) >= 0 {
			sorted = false
		}
		c.members = append(c.members, m)
	}
	if !sorted {
		c.sort(object, c.members[first:])
	}
	c.members = c.members[:first]
}

// sort puts the members of the object that form ends with into order.
func (c *canonicalizer) sort(object int, members []formMember) {
	slices.SortFunc(members, func(a, b formMember) int { return canon.CompareNames(a.name, b.name) })
	if c.marked >= object {
		c.marked = -1
	}
	c.moved = append(c.moved[:0], c.form[object:]...)
	c.form = c.form[:object]
	for i, m := range members {
		c.form = append(c.form, "{,"[min(i, 1)])
		c.form = append(c.form, c.moved[m.start-object:m.end-object]...)
	}
	c.form = append(c.form, '}')
}

func (c *canonicalizer) array() {
	c.form = append(c.form, '[')
	for c.pos++; c.more(']'); {
		c.value()
	}
}

// more goes to the next member or element and returns true, or past the
// bracket that ends them and returns false. It writes the comma or bracket.
func (c *canonicalizer) more(end byte) bool {
	c.space()
	switch b := c.text[c.pos]; b {
	case end, ',':
		c.form = append(c.form, b)
		c.pos++
		c.space()
		return b == ','
	}
	return true
}

// name returns the string at pos, unescaped.
func (c *canonicalizer) name() []byte {
	end, escaped := stringEnd(c.text, c.pos)
	if !escaped {
		return c.text[c.pos+1 : end-1]
	}
	start := len(c.names)
	c.names, _ = jsontext.AppendUnquote(c.names, c.text[c.pos:end])
	return c.names[start:]
}

func (c *canonicalizer) string() {
	if c.pos == c.mark {
		c.marked = len(c.form)
	}
	end, escaped := stringEnd(c.text, c.pos)
	if escaped {
		c.form = appendEscaped(c.form, c.text[c.pos:end])
	} else {
		c.form = append(c.form, c.text[c.pos:end]...)
	}
	c.pos = end
}

func (c *canonicalizer) space() {
	for c.pos < len(c.text) && c.text[c.pos] <= ' ' {
		c.pos++
	}
}

// appendEscaped appends a string with its escapes as RFC 8785 has them:
// only where JSON needs one, and then the shortest.
func appendEscaped(dst, quoted []byte) []byte {
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
			dst = appendRune(dst, r)
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

func appendRune(dst []byte, r rune) []byte {
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
