package index

import "bytes"

// after returns the place of the byte after text, which starts at p.
// Only a line feed ends a line: a carriage return before it is its last column.
func (p Place) after(text []byte) Place {
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
