package typescript

import (
	"cmp"
	"sort"
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan/facts"
)

// positions are the places of the bytes of a file's text.
type positions struct {
	text  string
	lines []int // where each starts
	shift int   // the bytes before the text: a byte order mark's
}

func newPositions(file *tsc.SourceFile, bom bool) positions {
	p := positions{file.Text(), tsc.LineStarts(file), 0}
	if bom {
		p.shift = 3
	}
	return p
}

func (p positions) at(offset int) facts.Place {
	line := sort.SearchInts(p.lines, offset+1)
	column := offset - p.lines[line-1] + 1
	if line == 1 {
		column += p.shift
	}
	return facts.Place{Line: line, Column: column}
}

// doc is the comment that ends in the trivia before a token: a block, or
// lines without a blank one between.
func (p positions) doc(from, to int) facts.Span {
	trivia := p.text[from:to]
	end := len(strings.TrimRight(trivia, " \t\r\n"))
	trivia = trivia[:end]
	start := -1
	if strings.HasSuffix(trivia, "*/") {
		start = strings.LastIndex(trivia, "/*")
	} else {
		for at := end; ; {
			line := strings.LastIndexByte(trivia[:at], '\n')
			if !strings.HasPrefix(strings.TrimLeft(trivia[line+1:at], " \t"), "//") {
				break
			}
			start = line + 1
			if line < 0 {
				break
			}
			at = line
		}
	}
	if start < 0 || end == 0 {
		return facts.Span{}
	}
	return facts.Span{Start: p.at(from + start), End: p.at(from + end)}
}

func comparePlaces(a, b facts.Place) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
