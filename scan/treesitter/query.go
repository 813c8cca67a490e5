package treesitter

import (
	"fmt"
	"strings"
)

// A Query says which roles the kinds of nodes have.
type Query struct{ masks []uint64 }

// Compile reads a query in tree-sitter's language, of patterns that are a kind
// of node, or several in brackets, with a capture for the role:
//
//	(function_definition) @function
//	[(list) (tuple)] @literal
//
// roles are all captures that there may be, at most 64. The query may name
// each role any number of times, and a kind have several.
func Compile(l *Language, query string, roles []string) (*Query, error) {
	q := &Query{make([]uint64, l.Kinds())}
	var kinds []string
	bracket := false
	for line, text := range strings.Split(query, "\n") {
		text, _, _ = strings.Cut(text, ";")
		for _, word := range strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ", "(", " (", ")", ") ").Replace(text)) {
			switch {
			case word == "[":
				bracket, kinds = true, nil
			case word == "]":
				bracket = false
			case word[0] == '(' && word[len(word)-1] == ')':
				if !bracket {
					kinds = nil
				}
				kinds = append(kinds, word[1:len(word)-1])
			case word[0] == '@':
				if err := q.add(l, kinds, word[1:], roles); err != nil {
					return nil, fmt.Errorf("line %d: %w", line+1, err)
				}
			default:
				return nil, fmt.Errorf("line %d: %q is no kind in parentheses and no capture", line+1, word)
			}
		}
	}
	return q, nil
}

func (q *Query) add(l *Language, kinds []string, role string, roles []string) error {
	for i, r := range roles {
		if r != role {
			continue
		}
		for _, k := range kinds {
			ids := l.KindIDs(k)
			if len(ids) == 0 {
				return fmt.Errorf("the grammar has no kind %q", k)
			}
			for _, id := range ids {
				q.masks[id] |= 1 << i
			}
		}
		return nil
	}
	return fmt.Errorf("%q is no role", role)
}

// Roles has bit i set when the kind has role i. Errors have none.
func (q *Query) Roles(kind uint16) uint64 {
	if int(kind) >= len(q.masks) {
		return 0
	}
	return q.masks[kind]
}
