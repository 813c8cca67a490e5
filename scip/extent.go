package scip

import (
	"cmp"
	"slices"
	"strings"

	"brick/internal/lex"
)

// How the extent of a function is known.
type certainty byte

const (
	given    certainty = iota // by the producer
	fromText                  // from braces or indentation
	guessed                   // it goes on to the next definition
)

// An extent is where a function's text lies, in the positions of its document.
type extent struct {
	span
	node      *node
	certainty certainty
}

// extentsOf are the extents of the functions that a document defines, in
// order, those that enclose others first.
func extentsOf(defined []defined, s *source) []extent {
	var list []extent
	for i, d := range defined {
		if !d.node.function() {
			continue
		}
		e := extent{span: d.enclosing, node: d.node}
		switch {
		case !d.enclosing.isZero():
		case s != nil:
			if bodyless(d.node) {
				continue
			}
			e.span, e.certainty = s.extentAt(d.name), fromText
		default:
			if bodyless(d.node) {
				continue
			}
			e.span, e.certainty = span{d.name.start, position{1<<31 - 1, 0}}, guessed
			for _, next := range defined[i+1:] {
				if !next.node.within(d.node) && next.node.kind != kindModule {
					e.end = next.name.start
					break
				}
			}
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b extent) int {
		return cmp.Or(comparePositions(a.start, b.start), comparePositions(b.end, a.end))
	})
	return list
}

// bodyless says whether a function is only declared where it is defined.
func bodyless(n *node) bool {
	return n.virtual && n.lang != rust || n.parent != nil && n.parent.kind == kindInterface
}

// within says whether a node is inside another.
func (n *node) within(outer *node) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p == outer {
			return true
		}
	}
	return false
}

// A defined is a definition with its node.
type defined struct {
	definition
	node *node
}

// extentAt derives from the text how far the definition of a name goes.
func (s *source) extentAt(name span) span {
	start := position{name.start.line, 0}
	line := s.line(name.start.line)
	start.column = int32(len(line) - len(strings.TrimLeft(string(line), " \t")))
	if s.rules.indented {
		start.line = s.topDecorator(start.line, int(start.column))
		return span{start, s.endOfIndented(name.start.line, int(start.column))}
	}
	depth, opened := 0, false
	for i := s.offset(name.end); i < len(s.text); i++ {
		if s.classes[i] != lex.Code {
			continue
		}
		switch s.text[i] {
		case '(', '[', '{':
			opened = opened || s.text[i] == '{' && depth == 0
			depth++
		case ')', ']', '}':
			depth--
			if depth < 0 || depth == 0 && opened && s.text[i] == '}' {
				return span{start, s.position(i + 1)}
			}
		case ';':
			if depth == 0 {
				return span{start, s.position(i + 1)}
			}
		}
	}
	return span{start, s.position(len(s.text))}
}

// topDecorator is the line of the first decorator of a definition, that of the
// definition itself where it has none.
func (s *source) topDecorator(line int32, indent int) int32 {
	top := line
	for i := line - 1; i >= 0; i-- {
		text := string(s.line(i))
		trimmed := strings.TrimLeft(text, " \t")
		switch depth := len(text) - len(trimmed); {
		case depth == indent && strings.HasPrefix(trimmed, "@"):
			top = i
		case depth > indent && trimmed != "" || depth == indent && strings.HasPrefix(trimmed, ")"):
			// It may be the rest of a decorator.
		default:
			return top
		}
	}
	return top
}

// endOfIndented is the end of the last line that is indented deeper than the
// definition is.
func (s *source) endOfIndented(line int32, indent int) position {
	last := line
	for i := line + 1; int(i) < len(s.lines); i++ {
		text := s.line(i)
		trimmed := strings.TrimLeft(string(text), " \t")
		if trimmed == "" || s.classes[s.lines[i]] != lex.Code {
			continue
		}
		if len(text)-len(trimmed) <= indent && !strings.HasPrefix(trimmed, ")") {
			break
		}
		last = i
	}
	return position{last, int32(len(s.line(last)))}
}
