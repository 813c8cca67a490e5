package scip

import (
	"bytes"

	"brick/internal/lex"
)

// calledAt says whether what follows a name that ends at i is an argument
// list, so that the name is called.
func (s *source) calledAt(i int) bool {
	r := s.rules
	for steps := 0; steps < 8; steps++ {
		i = s.skipSpace(i)
		rest := s.text[i:]
		if len(rest) == 0 {
			return false
		}
		switch {
		case rest[0] == '(':
			return s.classes[i] == lex.Code || s.classes[i] == lex.Template
		case rest[0] == '`' && r.taggedString:
			return true
		case rest[0] == '!' && r.bang && !bytes.HasPrefix(rest, []byte("!=")):
			i++
			if next := s.skipSpace(i); r.RawStrings && next < len(s.text) && (s.text[next] == '[' || s.text[next] == '{') {
				return true // a macro of Rust
			}
		case bytes.HasPrefix(rest, []byte("?.")) && r.optional:
			i += 2
		case bytes.HasPrefix(rest, []byte("::")) && r.typeArgs == "::<":
			i += 2
		case rest[0] == '[' && r.typeArgs == "[", rest[0] == '<' && r.typeArgs != "[" && r.typeArgs != "":
			end := s.endOfTypeArguments(i)
			if end < 0 {
				return false
			}
			i = end
		default:
			return false
		}
	}
	return false
}

func (s *source) skipSpace(i int) int {
	for i < len(s.text) {
		switch b := s.text[i]; {
		case s.classes[i] == lex.Comment:
		case b == '\n' && s.rules.newlineEnds:
			return i
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
		case b == '\\' && s.rules.newlineEnds && i+1 < len(s.text) && s.text[i+1] == '\n':
			i++ // Python joins the lines
		default:
			return i
		}
		i++
	}
	return i
}

// maxTypeArguments bounds how far the end of type arguments is looked for: a
// less-than sign has none.
const maxTypeArguments = 2000 // bytes

// endOfTypeArguments is where the type arguments that open at i end, -1 when
// it can't be type arguments.
func (s *source) endOfTypeArguments(i int) int {
	depth := 0
	for end := min(len(s.text), i+maxTypeArguments); i < end; i++ {
		if s.classes[i] != lex.Code {
			continue
		}
		switch s.text[i] {
		case '<', '[', '(', '{':
			depth++
		case '>':
			if s.text[i-1] == '=' || s.text[i-1] == '-' {
				continue // an arrow
			}
			depth--
		case ']', ')', '}':
			depth--
		case ';', '+', '%', '^':
			if s.rules.typeArgs != "[" {
				return -1
			}
		}
		if depth == 0 {
			return i + 1
		}
		if depth < 0 {
			return -1
		}
	}
	return -1
}
