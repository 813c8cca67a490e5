package lex

import "bytes"

// separators end lines of JavaScript, besides carriage returns and line feeds:
// U+2028 and U+2029. Both are three bytes long.
var separators = [][]byte{[]byte("\u2028"), []byte("\u2029")}

// Lines are the offsets at which a text's lines start, as its language ends
// lines. Carriage returns that end a line alone are line feeds in the text that
// is returned, which is as long as the given one, and is it where there are
// none.
func Lines(text []byte, r *Rules) (same []byte, starts []int32) {
	if r.ReturnEnds {
		text = withoutReturns(text)
	}
	starts = make([]int32, 1, 1+bytes.Count(text, []byte{'\n'}))
	for i, b := range text {
		switch {
		case b == '\n':
			starts = append(starts, int32(i+1))
		case b == separators[0][0] && r.Separators && (bytes.HasPrefix(text[i:], separators[0]) || bytes.HasPrefix(text[i:], separators[1])):
			starts = append(starts, int32(i+len(separators[0])))
		}
	}
	return text, starts
}

// Line is a line of what Lines returned, without its end.
func Line(text []byte, starts []int32, i int32) []byte {
	if int(i+1) >= len(starts) {
		return bytes.TrimSuffix(text[starts[i]:], []byte{'\r'})
	}
	line := text[starts[i]:starts[i+1]]
	if line[len(line)-1] != '\n' {
		return line[:len(line)-len(separators[0])]
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'})
}

func withoutReturns(text []byte) []byte {
	var out []byte
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '\r')
		if n < 0 {
			break
		}
		if i += n; i+1 < len(text) && text[i+1] == '\n' {
			continue
		}
		if out == nil {
			out = bytes.Clone(text)
		}
		out[i] = '\n'
	}
	if out == nil {
		return text
	}
	return out
}

// endOfLine is where the line ends that i is in.
func endOfLine(text []byte, i int, r *Rules) int {
	rest := text[i:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	if r.Separators {
		for _, s := range separators {
			if n := bytes.Index(rest, s); n >= 0 {
				rest = rest[:n]
			}
		}
	}
	return i + len(rest)
}
