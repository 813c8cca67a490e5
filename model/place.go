package model

import "bytes"

// Place is where a value stands in a document. Of a record that no document
// has, Line is 0 and Offset its place among the records of its producer.
type Place struct {
	Offset int64 // bytes from the start of the document, a byte order mark counts
	Line   int   // from 1
	Column int   // from 1, in bytes
}

// After returns the place of the byte after text, which starts at p.
// Only a line feed ends a line: a carriage return before it is its last column.
func (p Place) After(text []byte) Place {
	p.Offset += int64(len(text))
	lines := bytes.Count(text, newline) // much faster than LastIndexByte
	if lines == 0 {
		p.Column += len(text)
	} else {
		p.Line += lines
		p.Column = len(text) - bytes.LastIndexByte(text, '\n')
	}
	return p
}

var newline = []byte{'\n'}
