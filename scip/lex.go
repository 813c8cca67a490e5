package scip

import "bytes"

// textRules say how a language's text is read as far as it is read here:
// which bytes are code, and what may stand between a name and its arguments.
type textRules struct {
	lineComment  string
	blockComment bool // /* */
	nested       bool // block comments nest
	triple       bool // strings of three quotes, which may go over lines
	backtick     class
	multiline    bool // "…" may go over lines
	lifetimes    bool // ' also starts a lifetime
	rawStrings   bool // r"…", r#"…"#
	regexps      bool

	newlineEnds  bool   // an argument list starts on the line of the name
	typeArgs     string // opens type arguments between name and arguments
	bang         bool   // ! may stand there
	optional     bool   // ?. may stand there
	taggedString bool   // a template after a name is a call
	indented     bool   // blocks are made by indentation, not braces
}

var cText = textRules{lineComment: "//", blockComment: true, typeArgs: "<"}

// A class is what a byte of a text is part of.
type class byte

const (
	code class = iota
	comment
	quoted
	template // a string with code in it
)

// classify gives each byte of a text its class. It is a lexer's first half,
// good enough to find names and brackets; a wrong guess ends with the line
// wherever the language's strings do.
func classify(text []byte, r *textRules) []class {
	c := make([]class, len(text))
	fill := func(from, to int, k class) int {
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
		case bytes.HasPrefix(text[i:], []byte(r.lineComment)):
			i = fill(i, endOfLine(text, i), comment)
		case r.blockComment && b == '/' && i+1 < len(text) && text[i+1] == '*':
			i = fill(i, endOfBlockComment(text, i, r.nested), comment)
		case r.rawStrings && b == 'r' && prev != '_' && rawStringEnd(text, i) > 0 && (i == 0 || !isWordByte(text[i-1]) || text[i-1] == 'b'):
			i = fill(i, rawStringEnd(text, i), quoted)
			prev = '"'
		case r.triple && (bytes.HasPrefix(text[i:], []byte(`"""`)) || bytes.HasPrefix(text[i:], []byte(`'''`))):
			end := len(text)
			if n := bytes.Index(text[i+3:], text[i:i+3]); n >= 0 {
				end = i + 3 + n + 3
			}
			i = fill(i, end, pythonClass(text, i))
			prev = '"'
		case b == '`' && r.backtick != code:
			i = fill(i, endOfBacktick(text, i, r.backtick), r.backtick)
			prev = '"'
		case b == '"' || b == '\'' && !(r.lifetimes && !isRustChar(text, i)):
			kind := quoted
			if r.triple {
				kind = pythonClass(text, i)
			}
			i = fill(i, endOfString(text, i, r.multiline && b == '"'), kind)
			prev = '"'
		case r.regexps && b == '/' && bytes.IndexByte([]byte("(,=:[!&|?{};\n"), prev) >= 0:
			i = fill(i, endOfRegexp(text, i), quoted)
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

func endOfLine(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
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

func endOfBacktick(text []byte, i int, kind class) int {
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && kind == template:
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
func pythonClass(text []byte, i int) class {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		switch text[j] {
		case 'f', 'F', 't', 'T':
			if j == 0 || !isWordByte(text[j-1]) || i-j == 1 && bytes.IndexByte([]byte("rR"), text[j-1]) >= 0 {
				return template
			}
		}
	}
	return quoted
}
