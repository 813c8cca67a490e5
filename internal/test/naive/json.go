package naive

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf16"
)

// raw is JSON text that is canonical already.
type raw []byte

// list is a JSON array.
type list []any

// object is a JSON object whose members are in the order of the contract:
// name, value, name, value and so on.
type object []any

// encode appends v as compact JSON.
func encode(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case string:
		return quote(b, v)
	case raw:
		return append(b, v...)
	case list:
		b = append(b, '[')
		for i, element := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = encode(b, element)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i := 0; i < len(v); i += 2 {
			if i > 0 {
				b = append(b, ',')
			}
			b = quote(b, v[i].(string))
			b = append(b, ':')
			b = encode(b, v[i+1])
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("naive: encode %T", v))
}

// quote appends s as RFC 8785 (3.2.2.2) writes strings.
func quote(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch r {
		case '"':
			b = append(b, `\"`...)
		case '\\':
			b = append(b, `\\`...)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			if r < ' ' {
				b = fmt.Appendf(b, `\u%04x`, r)
			} else {
				b = append(b, string(r)...)
			}
		}
	}
	return append(b, '"')
}

// freeKeys is the object with m's members: "objects with free keys [...] have
// them sorted as RFC 8785 sorts", which is by UTF-16 code units.
func freeKeys[V any](m map[string]V) object {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	o := object{}
	for _, name := range names {
		o = append(o, name, any(m[name]))
	}
	return o
}
