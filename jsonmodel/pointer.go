package jsonmodel

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A step leads from a value to one of its members or elements.
type step struct {
	name  []byte // the member's name, unescaped; nil for an element
	index int    // the element's index
}

// pointer is the JSON pointer (RFC 6901) of the value that the steps lead to.
func pointer(path []step) string {
	var p jsontext.Pointer
	for _, s := range path {
		if s.name == nil {
			p = p.AppendToken(strconv.Itoa(s.index))
		} else {
			p = p.AppendToken(string(s.name))
		}
	}
	return string(p)
}
