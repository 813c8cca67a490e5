package scip

import (
	"bytes"
	"regexp"
	"slices"

	"brick/internal/lex"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A name may be defined more than once: in the branches of a condition, as an
// overload, as a property's setter. Producers call only one of these places a
// definition, and the others mentions; the text tells them apart.

// defines says whether a name at an offset is defined there: it follows one of
// the words that do so, and in JavaScript a star.
func (l *language) defines(s *source, at int) bool {
	if len(l.definers) == 0 || at >= len(s.classes) || s.classes[at] != lex.Code {
		return false
	}
	before := bytes.TrimRight(s.text[:at], " \t")
	before = bytes.TrimRight(bytes.TrimSuffix(before, []byte{'*'}), " \t")
	start := len(before)
	for start > 0 && lex.IsWordByte(before[start-1]) {
		start--
	}
	return start < len(before) && (start == 0 || before[start-1] != '.') && slices.Contains(l.definers, string(before[start:]))
}

// redefinitions marks the occurrences that are definitions by the text.
func (b *body) redefinitions() {
	if b.source == nil {
		return
	}
	for i := range b.occurrences {
		o := &b.occurrences[i]
		if !o.definition() && o.span.start.line == o.span.end.line && b.lang.defines(b.source, b.source.offset(o.span.start)) {
			o.roles |= int32(pb.SymbolRole_Definition)
		}
	}
}

var definedName = regexp.MustCompile(`\b(?:def|class|function|fun|func|fn)[ \t]+\*?[ \t]*([\pL_$][\pL\pN_$]*)`)

// silentRedefinitions adds the definitions that no occurrence is about, as in
// a branch that the producer takes for unreachable: they are of the function
// of that name that the same class or function defines, if it defines one.
func (b *body) silentRedefinitions(list []defined) []defined {
	if b.source == nil || len(b.lang.definers) == 0 {
		return list
	}
	at := map[position]bool{}
	by := map[string][]defined{}
	for _, d := range list {
		at[d.name.start] = true
		by[d.node.name] = append(by[d.node.name], d)
	}
	s := b.source
	count := len(list)
	for _, m := range definedName.FindAllSubmatchIndex(s.text, -1) {
		start, end := s.position(m[2]), s.position(m[3])
		same := by[string(s.text[m[2]:m[3]])]
		if len(same) == 0 || at[start] || !b.lang.defines(s, m[2]) {
			continue
		}
		outer := innermost(list[:count], start)
		for _, d := range same {
			if d.node.function() && d.node.parent == outer {
				list = append(list, defined{definition{path: b.path, name: span{start, end}}, d.node})
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b defined) int { return comparePositions(a.name.start, b.name.start) })
	return list
}

// innermost is the innermost node whose definition is around a place, nil for
// none.
func innermost(list []defined, p position) *node {
	var found *node
	var within span
	for _, d := range list {
		if d.node.kind != kindModule && d.enclosing.contains(p) && !d.enclosing.start.before(within.start) {
			found, within = d.node, d.enclosing
		}
	}
	return found
}
