package randmodel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"unicode/utf16"
)

// A Value is a JSON value: nil, bool, Number, string, Array or Object.
type Value any

// Number is a number as it is written.
type Number string

// Array is a JSON array.
type Array []Value

// Object is a JSON object whose names are distinct, in any order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	Value Value
}

// Get returns the value of a member, nil when there is none.
func (o Object) Get(name string) Value {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

func (o Object) has(name string) bool {
	return slices.ContainsFunc(o, func(m Member) bool { return m.Name == name })
}

// text returns the value of a member that is a string, else "".
func (o Object) text(name string) string {
	s, _ := o.Get(name).(string)
	return s
}

// Canonical appends v in canonical form, its numbers as they are written.
func Canonical(b []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return fmt.Append(b, v)
	case Number:
		return append(b, v...)
	case string:
		b = append(b, '"')
		for _, r := range v {
			b = appendRune(b, r)
		}
		return append(b, '"')
	case Array:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = Canonical(b, e)
		}
		return append(b, ']')
	case Object:
		sorted := slices.SortedFunc(slices.Values(v), func(x, y Member) int {
			return slices.Compare(utf16.Encode([]rune(x.Name)), utf16.Encode([]rune(y.Name)))
		})
		b = append(b, '{')
		for i, m := range sorted {
			if i > 0 {
				b = append(b, ',')
			}
			b = Canonical(b, m.Name)
			b = append(b, ':')
			b = Canonical(b, m.Value)
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("randmodel: a %T is no Value", v))
}

// shortEscapes are the escapes of two characters.
const shortEscapes = "\"\"\\\\\bb\ff\nn\rr\tt"

// appendRune appends r as RFC 8785 writes it in a string.
func appendRune(b []byte, r rune) []byte {
	for i := 0; i < len(shortEscapes); i += 2 {
		if r == rune(shortEscapes[i]) {
			return append(b, '\\', shortEscapes[i+1])
		}
	}
	if r < ' ' {
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return append(b, string(r)...)
}

// A scrambler writes values in one of the many ways that mean the same.
type scrambler struct{ *rand.Rand }

func (s scrambler) value(b []byte, v Value) []byte {
	switch v := v.(type) {
	case string:
		return s.text(b, v)
	case Array:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(s.space(b), ',')
			}
			b = s.value(s.space(b), e)
		}
		return append(s.space(b), ']')
	case Object:
		b = append(b, '{')
		for i, at := range s.Perm(len(v)) {
			if i > 0 {
				b = append(s.space(b), ',')
			}
			b = s.text(s.space(b), v[at].Name)
			b = append(s.space(b), ':')
			b = s.value(s.space(b), v[at].Value)
		}
		return append(s.space(b), '}')
	}
	return Canonical(b, v)
}

func (s scrambler) space(b []byte) []byte {
	for s.IntN(4) == 0 {
		b = append(b, " \t\n\r"[s.IntN(4)])
	}
	return b
}

func (s scrambler) text(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case s.IntN(8) != 0:
			b = appendRune(b, r)
		case r == '/' && s.IntN(2) == 0:
			b = append(b, `\/`...)
		default:
			// "\u" in lower case only, its digits in either.
			format := [...]string{`\u%04x`, `\u%04X`}[s.IntN(2)]
			for _, unit := range utf16.Encode([]rune{r}) {
				b = fmt.Appendf(b, format, unit)
			}
		}
	}
	return append(b, '"')
}
