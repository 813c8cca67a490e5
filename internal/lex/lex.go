// Package lex tells code from comments and strings, in the text of any
// language that is known: a lexer's first half, good enough to find names and
// brackets.
package lex

import "bytes"

// Rules say which bytes of a language's text are code.
type Rules struct {
	LineComment  string
	BlockComment bool // /* */
	Nested       bool // block comments nest
	Triple       bool // strings of three quotes, which may go over lines
	Backtick     Class
	Multiline    bool // "…" may go over lines
	Lifetimes    bool // ' also starts a lifetime
	RawStrings   bool // r"…", r#"…"#
	Regexps      bool
	ReturnEnds   bool // a lone carriage return ends a line
	Separators   bool // so do U+2028 and U+2029
}

// The rules of languages.
var (
	C          = Rules{ReturnEnds: true, LineComment: "//", BlockComment: true}
	Go         = Rules{LineComment: "//", BlockComment: true, Backtick: Quoted}
	Python     = Rules{ReturnEnds: true, LineComment: "#", Triple: true}
	ECMAScript = Rules{ReturnEnds: true, Separators: true, LineComment: "//", BlockComment: true, Backtick: Template, Regexps: true}
	Rust       = Rules{LineComment: "//", BlockComment: true, Nested: true, Multiline: true, Lifetimes: true, RawStrings: true}
	Ruby       = Rules{LineComment: "#", Multiline: true}
)

// Of is the rules of a language by its name in models; those of C for one that
// has none of its own.
func Of(language string) *Rules {
	switch language {
	case "go":
		return &Go
	case "python":
		return &Python
	case "typescript", "javascript":
		return &ECMAScript
	case "rust":
		return &Rust
	case "ruby":
		return &Ruby
	}
	return &C
}

// A Class is what a byte of a text is part of.
type Class byte

const (
	Code Class = iota
	Comment
	Quoted
	Template // a string with code in it
)

// Classify gives each byte of a text its class, in one pass. A wrong guess ends
// with the line wherever the language's strings do.
func Classify(text []byte, r *Rules) []Class {
	c := make([]Class, len(text))
	fill := func(from, to int, k Class) int {
		to = min(to, len(text))
		for i := from; i < to; i++ {
			c[i] = k
		}
		return to
	}
	prev := byte('(') // the last byte of code that is not white space
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case bytes.HasPrefix(text[i:], []byte(r.LineComment)):
			i = fill(i, endOfLine(text, i, r), Comment)
		case r.BlockComment && b == '/' && i+1 < len(text) && text[i+1] == '*':
			i = fill(i, endOfBlockComment(text, i, r.Nested), Comment)
		case r.RawStrings && b == 'r' && prev != '_' && rawStringEnd(text, i) > 0 && (i == 0 || !IsWordByte(text[i-1]) || text[i-1] == 'b'):
			i = fill(i, rawStringEnd(text, i), Quoted)
			prev = '"'
		case r.Triple && (bytes.HasPrefix(text[i:], []byte(`"""`)) || bytes.HasPrefix(text[i:], []byte(`'''`))):
			end := len(text)
			if n := bytes.Index(text[i+3:], text[i:i+3]); n >= 0 {
				end = i + 3 + n + 3
			}
			i = fill(i, end, pythonClass(text, i))
			prev = '"'
		case b == '`' && r.Backtick != Code:
			i = fill(i, endOfBacktick(text, i, r.Backtick), r.Backtick)
			prev = '"'
		case b == '"' || b == '\'' && !(r.Lifetimes && !isRustChar(text, i)):
			kind := Quoted
			if r.Triple {
				kind = pythonClass(text, i)
			}
			i = fill(i, endOfString(text, i, r.Multiline && b == '"'), kind)
			prev = '"'
		case r.Regexps && b == '/' && !bytes.HasPrefix(text[i:], []byte("/>")) && bytes.IndexByte([]byte("(,=:[!&|?{};\n"), prev) >= 0:
			i = fill(i, endOfRegexp(text, i), Quoted)
			prev = '"'
		default:
			if b > ' ' {
				prev = b
			}
			i++
		}
	}
	return c
}

func endOfBlockComment(text []byte, i int, nested bool) int {
	depth := 0
	for ; i+1 < len(text); i++ {
		switch {
		case text[i] == '/' && text[i+1] == '*' && (nested || depth == 0):
			depth++
			i++
		case text[i] == '*' && text[i+1] == '/':
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

func endOfString(text []byte, i int, multiline bool) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			if !multiline {
				return i
			}
		}
	}
	return len(text)
}

func endOfBacktick(text []byte, i int, kind Class) int {
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && kind == Template:
			i++
		case text[i] == '`':
			return i + 1
		}
	}
	return len(text)
}

func endOfRegexp(text []byte, i int) int {
	inClass := false
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return i + 1
			}
		case '\n':
			return i
		}
	}
	return len(text)
}

// rawStringEnd is where a raw string of Rust that starts at i ends, 0 when
// there is none.
func rawStringEnd(text []byte, i int) int {
	j := i + 1
	for j < len(text) && text[j] == '#' {
		j++
	}
	if j >= len(text) || text[j] != '"' {
		return 0
	}
	end := append([]byte{'"'}, text[i+1:j]...)
	if n := bytes.Index(text[j+1:], end); n >= 0 {
		return j + 1 + n + len(end)
	}
	return len(text)
}

// isRustChar tells a character from a lifetime.
func isRustChar(text []byte, i int) bool {
	rest := text[i+1:]
	if len(rest) > 0 && rest[0] == '\\' {
		return true
	}
	n := bytes.IndexByte(rest[:min(len(rest), 5)], '\'')
	return n > 0 && (n == 1 || rest[0] >= 0x80)
}

// pythonClass tells f-strings from others by the letters before the quote.
func pythonClass(text []byte, i int) Class {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		switch text[j] {
		case 'f', 'F', 't', 'T':
			if j == 0 || !IsWordByte(text[j-1]) || i-j == 1 && bytes.IndexByte([]byte("rR"), text[j-1]) >= 0 {
				return Template
			}
		}
	}
	return Quoted
}

// IsWordByte says whether a byte may be part of an identifier. Every byte of
// a character outside ASCII may.
func IsWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// InSubstitution says whether an offset in a template is within its ${…}.
func InSubstitution(text []byte, classes []Class, offset int) bool {
	depth := 0
	for i := offset - 1; i > 0 && classes[i] == Template; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth == 0 && text[i-1] == '$' {
				return true
			}
			depth = max(0, depth-1)
		}
	}
	return false
}
