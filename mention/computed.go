package mention

import (
	"bytes"
	"slices"
	"strings"

	"brick/internal/lex"
)

// A Parts finds names that a program puts together: a string that ends with
// the beginning of a name where something is added ("visit_" + kind,
// f"parse_{tag}", `on${event}`, "do_%s"), or begins with its end. It may be
// used by several goroutines at once.
type Parts struct {
	forward  []string // the names, sorted
	backward []string // each name backwards, sorted
}

// minPart is the length of the shortest part that is looked for, in bytes: of
// shorter ones about every name would be one.
const minPart = 3

// NewParts makes the set of the names.
func NewParts(list []string) *Parts {
	p := &Parts{slices.Sorted(slices.Values(list)), make([]string, len(list))}
	for i, name := range list {
		p.backward[i] = reversed(name)
	}
	slices.Sort(p.backward)
	return p
}

// Each calls visit with each name that a string of the text may be a part of,
// and with the part's offset; classes are those of the text's bytes.
func (p *Parts) Each(text []byte, classes []lex.Class, visit func(offset int, name string)) {
	for i := 0; i < len(text); {
		if kinds[text[i]] != plain || classes[i] != lex.Quoted && classes[i] != lex.Template {
			i++
			continue
		}
		start := i
		for i < len(text) && kinds[text[i]] == plain && classes[i] == classes[start] {
			i++
		}
		if isBeginning(text, i) {
			p.with(p.forward, string(text[start:i]), func(name string) { visit(start, name) })
		}
		if end := endingAt(text, start, i); end < i {
			p.with(p.backward, reversed(string(text[end:i])), func(name string) { visit(end, reversed(name)) })
		}
	}
}

// with calls visit with the names that begin with a part and go on.
func (p *Parts) with(sorted []string, part string, visit func(name string)) {
	if len(part) < minPart {
		return
	}
	i, _ := slices.BinarySearch(sorted, part)
	for ; i < len(sorted) && strings.HasPrefix(sorted[i], part); i++ {
		if len(sorted[i]) > len(part) {
			visit(sorted[i])
		}
	}
}

// isBeginning says whether something is added behind a word of a string.
func isBeginning(text []byte, end int) bool {
	if text[end-1] == '_' {
		return true
	}
	rest := text[end:]
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == '{', bytes.HasPrefix(rest, []byte("${")), bytes.HasPrefix(rest, []byte("#{")):
		return true
	case rest[0] == '%' && len(rest) > 1:
		return strings.IndexByte("sdvq", rest[1]) >= 0
	}
	// The string ends here, and a plus follows.
	behind := bytes.TrimLeft(rest[1:], " \t")
	return isQuote(rest[0]) && len(behind) > 0 && behind[0] == '+'
}

// endingAt is where a word of a string that something is added before starts;
// end when nothing is.
func endingAt(text []byte, start, end int) int {
	if start == 0 {
		return end
	}
	switch before := text[start-1]; {
	case before == '}':
		return start
	case before == '%' && strings.IndexByte("sdvq", text[start]) >= 0:
		return start + 1
	case isQuote(before):
		if ahead := bytes.TrimRight(text[:start-1], " \t"); len(ahead) > 0 && ahead[len(ahead)-1] == '+' {
			return start
		}
	}
	if text[start] == '_' && end-start > 1 && text[start+1] != '_' {
		return start
	}
	return end
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// reversed is a text with its bytes in the other order.
func reversed(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}
