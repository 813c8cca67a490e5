package scip

import (
	"bytes"
	"strings"

	"brick/internal/lex"
)

// importStatements are the import statements of a text at the start of a
// line. To name a function there is not to use it; no producer sets the
// Import role.
func (s *source) importStatements(l *language) []span {
	var starts []string
	switch l {
	case python:
		starts = []string{"import ", "from "}
	case typescript, javascript:
		starts = []string{"import ", "import{", "import\t"}
	case rust:
		starts = []string{"use "}
	default:
		return nil
	}
	var list []span
	for i := 0; i < len(s.lines); i++ {
		line := string(s.line(int32(i)))
		trimmed := strings.TrimLeft(line, " \t")
		at := int(s.lines[i]) + len(line) - len(trimmed)
		for _, start := range starts {
			if strings.HasPrefix(trimmed, start) && s.classes[at] == lex.Code {
				end := s.endOfImport(at, l)
				list = append(list, span{s.position(at), s.position(end)})
				i = int(s.position(end).line)
				break
			}
		}
	}
	return list
}

// endOfImport is where the import statement ends that starts at i: at the end
// of a line with no bracket open, or at its semicolon.
func (s *source) endOfImport(i int, l *language) int {
	depth := 0
	for ; i < len(s.text); i++ {
		if s.classes[i] != lex.Code {
			continue
		}
		switch b := s.text[i]; {
		case bytes.IndexByte([]byte("({["), b) >= 0:
			depth++
		case bytes.IndexByte([]byte(")}]"), b) >= 0:
			depth--
		case b == ';' && depth == 0:
			return i
		case b == '\n' && depth <= 0 && l != rust && (i == 0 || s.text[i-1] != '\\'):
			return i
		}
	}
	return len(s.text)
}
