package scip

import (
	"path"
	"strings"

	"brick/internal/lex"
)

// A tag is what a name is in the markup of JSX.
type tag byte

const (
	noTag tag = iota
	opening
	closing
)

// tagAt says whether a name at an offset is that of an element: <Name …>,
// <a.Name …> or </Name>. A less-than sign follows what it compares, and so
// does that of type arguments; that of an element doesn't.
func (b *body) tagAt(offset int) tag {
	if b.lang.family != "ecmascript" || offset >= len(b.source.classes) || b.source.classes[offset] != lex.Code {
		return noTag
	}
	switch strings.ToLower(path.Ext(b.path)) {
	case ".ts", ".mts", ".cts":
		return noTag
	}
	text := b.source.text
	i := offset
	for i > 0 && (lex.IsWordByte(text[i-1]) || text[i-1] == '.') {
		i--
	}
	kind := opening
	if i > 0 && text[i-1] == '/' {
		kind = closing
		i--
	}
	if i == 0 || text[i-1] != '<' {
		return noTag
	}
	if i > 1 && kind == opening && (lex.IsWordByte(text[i-2]) || text[i-2] == ')' || text[i-2] == ']') {
		return noTag
	}
	return kind
}

// isCall says whether a mention is a call: arguments follow, or it is an
// element.
func (b *body) isCall(start, end int) bool {
	return b.source.calledAt(end) || b.tagAt(start) == opening
}

// wrappers are functions that make a component, or another function, of the
// one that they are given.
var wrappers = map[string]bool{
	"memo": true, "forwardRef": true, "observer": true, "useCallback": true, "debounce": true, "throttle": true, "once": true, "memoize": true,
}

// wrappedBy is the wrapper that a name at an offset is the first argument of,
// "" for none.
func (b *body) wrappedBy(offset int) string {
	if b.lang.family != "ecmascript" {
		return ""
	}
	text := b.source.text[:offset]
	before, ok := strings.CutSuffix(strings.TrimRight(string(text[max(0, len(text)-100):]), " \t\r\n"), "(")
	if !ok {
		return ""
	}
	start := len(before)
	for start > 0 && lex.IsWordByte(before[start-1]) {
		start--
	}
	if name := before[start:]; wrappers[name] {
		return name
	}
	return ""
}
