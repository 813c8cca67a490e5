package query

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A glob is a pattern of paths or names: * is any run of characters but
// separators, ** any run, ? one character but a separator, [abc], [a-c] and
// [!a] one of a set, {a,b} one of several; \ takes the meaning from what
// follows it. Where a part of a path begins, **/ is also no folder at all.
type glob struct {
	re      *regexp.Regexp
	prefix  string // what every match begins with
	suffix  string // what every match ends with
	literal string // the longest text that every match is known to contain
}

// A glob's expression takes time for each of them on every text.
const (
	maxWildcards    = 64  // of one alternative
	maxAlternatives = 256 // that a glob's braces stand for
)

// compileGlob reads a pattern. separators are what * does not match.
func compileGlob(pattern, separators string) (*glob, error) {
	alternatives, rest, err := parseGlob(pattern, false)
	switch {
	case err != nil:
		return nil, err
	case rest != "":
		return nil, errors.New("a { is not closed")
	}
	return globOf(alternatives, separators)
}

// compileStars reads a pattern in which only stars have a meaning.
func compileStars(pattern, separators string) (*glob, error) {
	var tokens []globToken
	for i, literal := range strings.Split(pattern, "*") {
		if i > 0 {
			tokens = addToken(tokens, globToken{kind: globMany})
		}
		tokens = addLiteral(tokens, literal)
	}
	return globOf([][]globToken{tokens}, separators)
}

type globKind uint8

const (
	globLiteral globKind = iota
	globOne              // ?
	globSet              // [a-c]
	globMany             // *
	globDeep             // **
	globDeeper           // more than two stars
)

// A globToken is a part of a glob without braces. Its text is what a literal
// is, or the regular expression of a set.
type globToken struct {
	kind globKind
	text string
}

// addToken appends a token; stars that follow each other are one.
func addToken(tokens []globToken, t globToken) []globToken {
	if n := len(tokens); n > 0 && t.kind == globMany {
		switch tokens[n-1].kind {
		case globMany:
			return append(tokens[:n-1:n-1], globToken{kind: globDeep})
		case globDeep, globDeeper:
			return append(tokens[:n-1:n-1], globToken{kind: globDeeper})
		}
	}
	return append(tokens[:len(tokens):len(tokens)], t)
}

// addLiteral appends text, to the literal before it where there is one.
func addLiteral(tokens []globToken, text string) []globToken {
	if n := len(tokens); n > 0 && tokens[n-1].kind == globLiteral {
		return append(tokens[:n-1:n-1], globToken{text: tokens[n-1].text + text})
	}
	if text == "" {
		return tokens
	}
	return append(tokens[:len(tokens):len(tokens)], globToken{text: text})
}

// parseGlob returns the globs without braces that a pattern stands for. Inside
// of braces it ends with the brace that closes them, and returns the rest with
// that brace.
func parseGlob(pattern string, inBraces bool) (alternatives [][]globToken, rest string, err error) {
	var done [][]globToken // the alternatives before the last comma
	alternatives = [][]globToken{nil}
	each := func(add func([]globToken) []globToken) {
		for i, tokens := range alternatives {
			alternatives[i] = add(tokens)
		}
	}
	literal := func(text string) { each(func(t []globToken) []globToken { return addLiteral(t, text) }) }
	for pattern != "" {
		r, size := utf8.DecodeRuneInString(pattern)
		switch {
		case r == '*':
			each(func(t []globToken) []globToken { return addToken(t, globToken{kind: globMany}) })
		case r == '?':
			each(func(t []globToken) []globToken { return addToken(t, globToken{kind: globOne}) })
		case r == '\\':
			_, n := utf8.DecodeRuneInString(pattern[size:])
			if n == 0 {
				return nil, "", errors.New(`it ends with a \ that nothing follows`)
			}
			literal(pattern[size : size+n])
			size += n
		case r == '[':
			set, n, err := parseSet(pattern[size:])
			if err != nil {
				return nil, "", err
			}
			each(func(t []globToken) []globToken { return addToken(t, globToken{globSet, set}) })
			size += n
		case r == '{':
			inside, rest, err := parseGlob(pattern[size:], true)
			switch {
			case err != nil:
				return nil, "", err
			case rest == "":
				return nil, "", errors.New("a { is not closed")
			case len(alternatives)*len(inside) > maxAlternatives:
				return nil, "", fmt.Errorf("its braces stand for more than %d globs", maxAlternatives)
			}
			var joined [][]globToken
			for _, before := range alternatives {
				for _, tokens := range inside {
					joined = append(joined, joinTokens(before, tokens))
				}
			}
			alternatives = joined
			size = len(pattern) - len(rest) + len("}")
		case r == ',' && inBraces:
			done = append(done, alternatives...)
			alternatives = [][]globToken{nil}
		case r == '}' && inBraces:
			return append(done, alternatives...), pattern, nil
		default:
			literal(pattern[:size])
		}
		if len(done)+len(alternatives) > maxAlternatives {
			return nil, "", fmt.Errorf("its braces stand for more than %d globs", maxAlternatives)
		}
		pattern = pattern[size:]
	}
	return append(done, alternatives...), "", nil
}

// joinTokens is one glob and then another.
func joinTokens(a, b []globToken) []globToken {
	for _, t := range b {
		switch t.kind {
		case globLiteral:
			a = addLiteral(a, t.text)
		case globDeep, globDeeper:
			a = addToken(a, globToken{kind: globMany})
			a = addToken(a, globToken{kind: globMany})
			if t.kind == globDeeper {
				a = addToken(a, globToken{kind: globMany})
			}
		default:
			a = addToken(a, t)
		}
	}
	return a
}

// parseSet turns a set, without its first bracket, into a regular expression,
// and returns how many bytes it has.
func parseSet(text string) (re string, size int, err error) {
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
		case r == '-':
			return "", 0, errors.New("a - in [ ] stands for no range")
		case r == '\\':
			escaped, m := utf8.DecodeRuneInString(text[i+n:])
			b.WriteString(quoteInSet(escaped))
			n += m
		default:
			b.WriteString(quoteInSet(r))
		}
		i += n
	}
	return "", 0, errors.New("a [ is not closed")
}

// quoteInSet is a character of a set as a regular expression has it.
func quoteInSet(r rune) string {
	if strings.ContainsRune(`\]-^[`, r) {
		return `\` + string(r)
	}
	return string(r)
}

// globOf makes one glob of those without braces that it stands for.
func globOf(alternatives [][]globToken, separators string) (*glob, error) {
	var g *glob
	var expressions []string
	for _, tokens := range alternatives {
		one, expression, err := globWithout(tokens, separators)
		if err != nil {
			return nil, err
		}
		expressions = append(expressions, expression)
		if g == nil {
			g = one
			continue
		}
		g.prefix, g.suffix = commonPrefix(g.prefix, one.prefix), commonSuffix(g.suffix, one.suffix)
		g.literal = g.prefix
		if len(g.suffix) > len(g.prefix) {
			g.literal = g.suffix
		}
	}
	var err error
	if g.re, err = regexp.Compile("(?s)^(?:" + strings.Join(expressions, "|") + ")$"); err != nil {
		return nil, errors.New("it is too large")
	}
	return g, nil
}

// globWithout is a glob without braces, and its expression.
func globWithout(tokens []globToken, separators string) (*glob, string, error) {
	g := &glob{}
	other := "[^" + regexp.QuoteMeta(separators) + "]"
	var re strings.Builder
	wildcards, folders := 0, false
	for i, t := range tokens {
		text := t.text
		if t.kind == globLiteral {
			if folders {
				text = text[len("/"):]
			}
			re.WriteString(regexp.QuoteMeta(text))
			if i == 0 {
				g.prefix = text
			}
			if i == len(tokens)-1 {
				g.suffix = text
			}
			if len(text) > len(g.literal) {
				g.literal = text
			}
			folders = false
			continue
		}
		if wildcards++; wildcards > maxWildcards {
			return nil, "", fmt.Errorf("it has more than %d wildcards", maxWildcards)
		}
		switch t.kind {
		case globOne:
			re.WriteString(other)
		case globSet:
			re.WriteString(text)
		case globMany:
			re.WriteString(other + "*")
		case globDeep:
			begins := i == 0 || strings.HasSuffix(tokens[i-1].text, "/") && tokens[i-1].kind == globLiteral
			follows := i+1 < len(tokens) && tokens[i+1].kind == globLiteral && strings.HasPrefix(tokens[i+1].text, "/")
			if folders = separators == "/" && begins && follows; folders {
				re.WriteString("(?:.*/)?")
				continue
			}
			re.WriteString(".*")
		case globDeeper:
			re.WriteString(".*")
		}
	}
	return g, re.String(), nil
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func commonSuffix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[len(a)-n:]
}

// match says whether a text matches.
func (g *glob) match(text string) bool {
	return strings.HasSuffix(text, g.suffix) && g.re.MatchString(text)
}
