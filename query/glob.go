package query

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A glob is a pattern of paths or names: * is any run of characters but
// separators, ** any run, ? one character but a separator, [abc], [a-c] and
// [!a] one of a set, {a,b} one of several; \ takes the meaning from what
// follows it. **/ is also no folder at all.
type glob struct {
	re      *regexp.Regexp
	prefix  string // what every match begins with
	suffix  string // what every match ends with
	literal string // the longest text that every match contains
}

// compileGlob reads a pattern. separators are what * does not match.
func compileGlob(pattern, separators string) (*glob, error) {
	g := &glob{}
	other := "[^" + regexp.QuoteMeta(separators) + "]"
	var re strings.Builder
	var run strings.Builder // of literal characters
	first := true
	endRun := func() {
		if first {
			g.prefix = run.String()
		}
		if run.Len() > len(g.literal) {
			g.literal = run.String()
		}
		run.Reset()
		first = false
	}
	braces := 0
	literal := func(text string) {
		re.WriteString(regexp.QuoteMeta(text))
		if braces == 0 {
			run.WriteString(text)
		}
	}
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		rest := pattern[i+size:]
		if strings.ContainsRune("*?[{", r) {
			endRun()
		}
		switch {
		case strings.HasPrefix(pattern[i:], "**/") && separators == "/" && (i == 0 || pattern[i-1] == '/'):
			re.WriteString("(?:.*/)?")
			size = 3
		case strings.HasPrefix(pattern[i:], "**"):
			re.WriteString(".*")
			size = 2
		case r == '*':
			re.WriteString(other + "*")
		case r == '?':
			re.WriteString(other)
		case r == '\\':
			if rest == "" {
				return nil, errors.New(`it ends with a \ that nothing follows`)
			}
			_, n := utf8.DecodeRuneInString(rest)
			literal(rest[:n])
			size += n
		case r == '[':
			set, n, err := globSet(rest)
			if err != nil {
				return nil, err
			}
			re.WriteString(set)
			size += n
		case r == '{':
			braces++
			re.WriteString("(?:")
		case r == '}' && braces > 0:
			braces--
			re.WriteString(")")
		case r == ',' && braces > 0:
			re.WriteString("|")
		default:
			literal(pattern[i : i+size])
		}
		i += size
	}
	g.suffix = run.String()
	endRun()
	if braces > 0 {
		return nil, errors.New("a { is not closed")
	}
	var err error
	if g.re, err = regexp.Compile("(?s)^" + re.String() + "$"); err != nil {
		return nil, errors.New("it is too large")
	}
	return g, nil
}

// match says whether a text matches.
func (g *glob) match(text string) bool {
	return strings.HasSuffix(text, g.suffix) && g.re.MatchString(text)
}

// globSet turns a set, without its first bracket, into a regular expression,
// and returns how many bytes it has.
func globSet(text string) (re string, size int, err error) {
	var b strings.Builder
	b.WriteByte('[')
	i := 0
	if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "^") {
		b.WriteByte('^')
		i++
	}
	for start := i; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == ']' && i > start:
			b.WriteByte(']')
			if _, err := regexp.Compile(b.String()); err != nil {
				return "", 0, errors.New("a range in [ ] goes backwards")
			}
			return b.String(), i + 1, nil
		case r == '-' && i > start && i+1 < len(text) && text[i+1] != ']':
			b.WriteByte('-')
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
			if r == '-' {
				b.Reset()
				return "", 0, errors.New("a - in [ ] stands for no range")
			}
		}
		i += n
	}
	return "", 0, errors.New("a [ is not closed")
}
