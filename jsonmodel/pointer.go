package jsonmodel

import (
	"strconv"
	"strings"
)

// A step leads from a value to one of its members or elements.
type step struct {
	name  []byte // the member's name, unescaped; nil for an element
	index int    // the element's index
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer writes the JSON pointer (RFC 6901) of the value that the steps lead
// to.
func pointer(path []step) string {
	var b strings.Builder
	for _, s := range path {
		b.WriteByte('/')
		if s.name == nil {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(pointerEscape.Replace(string(s.name)))
		}
	}
	return b.String()
}
