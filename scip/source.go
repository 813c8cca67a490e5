package scip

import (
	"fmt"
	"unicode/utf8"

	pb "github.com/scip-code/scip/bindings/go/scip"

	"brick/internal/lex"
	"brick/project"
)

// A source is the text of a document.
type source struct {
	text    []byte
	lines   []int32 // where each line starts
	classes []lex.Class
	rules   *textRules
}

// maxText is the largest text that is read, in bytes.
const maxText = 256 << 20

// readSource reads the text of a file of the source folder. It returns nil
// when there is none: no folder was given, it has no such file, or the file is
// none that may be read, as one outside of the folder.
func (im *importer) readSource(name string, l *language) (*source, error) {
	if im.tree == nil {
		return nil, nil
	}
	text, err := im.tree.Read(name, maxText)
	switch reason := project.ReasonOf(err); {
	case err == nil:
		return newSource(text, l), nil
	case reason == project.NoPermission || reason == project.Unreadable || reason == project.Changed:
		return nil, fmt.Errorf("in %s: %w", im.tree.Dir(), err)
	}
	return nil, nil
}

func newSource(text []byte, l *language) *source {
	text, lines := lex.Lines(text, &l.text.Rules)
	s := &source{text: text, rules: &l.text, lines: lines}
	s.classes = lex.Classify(text, &s.rules.Rules)
	return s
}

// line is a line's text without its end.
func (s *source) line(i int32) []byte { return lex.Line(s.text, s.lines, i) }

// bytesOf is a position in bytes, of one in an encoding's units. ok is false
// where there is no such place. The start of the line after the last one is
// the end of the text.
func (s *source) bytesOf(p position, e pb.PositionEncoding) (position, bool) {
	if int(p.line) >= len(s.lines) {
		return s.position(len(s.text)), int(p.line) == len(s.lines) && p.column == 0
	}
	line := s.line(p.line)
	if e == pb.PositionEncoding_UTF8CodeUnitOffsetFromLineStart {
		return p, int(p.column) <= len(line)
	}
	units, i := int32(0), 0
	for units < p.column && i < len(line) {
		r, size := utf8.DecodeRune(line[i:])
		i += size
		units++
		if r > 0xFFFF && e != pb.PositionEncoding_UTF32CodeUnitOffsetFromLineStart {
			units++
		}
	}
	if units < p.column && e == pb.PositionEncoding_UnspecifiedPositionEncoding {
		// Those that don't say what they count mostly count in UTF-16. This
		// one counts bytes.
		return p, int(p.column) <= len(line)
	}
	return position{p.line, int32(i)}, units >= p.column
}

// spanInBytes does the same with a span.
func (s *source) spanInBytes(in span, e pb.PositionEncoding) (span, bool) {
	start, ok1 := s.bytesOf(in.start, e)
	end, ok2 := s.bytesOf(in.end, e)
	return span{start, end}, ok1 && ok2
}

// offset is where a position in bytes is in the text.
func (s *source) offset(p position) int {
	return min(int(s.lines[p.line]+p.column), len(s.text))
}

// position is the position of an offset.
func (s *source) position(offset int) position {
	lo, hi := 0, len(s.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; int(s.lines[mid]) <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return position{int32(lo), int32(offset) - s.lines[lo]}
}

// before is the text of a declaration before its name: from the start of the
// definition where that is known, else of the line.
func (s *source) before(d definition) string {
	from := s.lines[d.name.start.line]
	if !d.enclosing.isZero() && d.enclosing.start.before(d.name.start) {
		from = int32(s.offset(d.enclosing.start))
	}
	return string(s.text[from:s.offset(d.name.start)])
}
