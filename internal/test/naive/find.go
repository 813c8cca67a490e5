package naive

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// find answers brick_find.
func (m *Model) find(text, kind, language string, p *pages) (object, error) {
	type match struct {
		class      int
		dependents int
		node       *node
	}
	asked := func(n *node) bool {
		return (kind == "" || n.kind == kind) &&
			(language == "" || n.language == language || language == "unspecified" && n.language == "") && m.asks(n)
	}
	if m.node(text) == nil && !slices.ContainsFunc(m.edges, func(e *edge) bool { return e.id == text }) {
		if at, err := m.placeOf(text); err != nil {
			return nil, err
		} else if at != nil {
			return m.findPlace(text, at, asked, p), nil
		}
	}
	var matches []match
	for _, n := range m.nodes {
		if class := findClass(n, text); class > 0 && asked(n) {
			matches = append(matches, match{class, m.dependents(n), n})
		}
	}
	if len(matches) == 0 && placeForm.MatchString(text) {
		return nil, fmt.Errorf("no path of %q", text)
	}
	// "Within a class by number of dependents, most first, then id."
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.dependents, a.dependents))
	})
	p.leftOut = -1
	if m.asked.group != "" {
		var nodes []*node
		for _, x := range matches {
			nodes = append(nodes, x.node)
		}
		return append(object{"text", text}, m.grouped(p, pathsOf("matches", nodes))...), nil
	}
	list := list{}
	names := []string{"", "equal", "equal-but-for-case", "prefix", "qualified", "words", "substring"}
	for _, x := range matches {
		list = append(list, object{"match", names[x.class], "node", m.nodeRecord(x.node)})
	}
	return append(object{"text", text, "matches", p.cut(list)}, p.end(len(matches))...), nil
}

// dependents counts the other nodes that depend on n.
func (m *Model) dependents(n *node) int {
	from := map[*node]bool{}
	for _, e := range m.edges {
		if e.isDependency() && e.target == n && e.source != n {
			from[e.source] = true
		}
	}
	return len(from)
}

// findClass is the first of the contract's classes that holds, from 1 on.
func findClass(n *node, text string) int {
	lower := strings.ToLower
	has := func(name string) bool { return name != "" }
	switch {
	// "equal to the id, qualified name or name"
	case text == n.id, text == n.qualifiedName && has(n.qualifiedName), text == n.name:
		return 1
	// "equal without regard to case"
	case lower(text) == lower(n.id), lower(text) == lower(n.qualifiedName) && has(n.qualifiedName), lower(text) == lower(n.name):
		return 2
	// "prefix of the name"
	case strings.HasPrefix(lower(n.name), lower(text)):
		return 3
	// "equal to the last parts of the qualified name"
	case endsWith(nameParts(n.qualifiedName), nameParts(text)):
		return 4
	// "words of camelCase and snake_case names in order"
	case wordsMatch(nameWords(n.name), nameWords(text)):
		return 5
	// "substring of name or path"
	case strings.Contains(lower(n.name), lower(text)), n.path != "" && strings.Contains(lower(n.path), lower(text)):
		return 6
	}
	return 0
}

// "separators `.`, `::`, `/`, `#`, `->` count as one"
var separator = regexp.MustCompile(`\.|::|/|#|->`)

func nameParts(name string) []string {
	var parts []string
	for _, part := range separator.Split(strings.ToLower(name), -1) {
		if part = strings.Trim(part, "()*& "); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func endsWith(parts, last []string) bool {
	return len(last) > 0 && len(last) <= len(parts) && slices.Equal(parts[len(parts)-len(last):], last)
}

func nameWords(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		next := rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case len(word) > 0 && unicode.IsUpper(r) && !unicode.IsUpper(word[len(word)-1]):
			end()
		case len(word) > 0 && unicode.IsUpper(r) && unicode.IsLower(next):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// wordsMatch: each sought word begins a word of the name, in order.
func wordsMatch(words, sought []string) bool {
	if len(sought) == 0 {
		return false
	}
	for i := range words {
		if strings.HasPrefix(words[i], sought[0]) {
			return len(sought) == 1 || wordsMatch(words[i+1:], sought[1:])
		}
	}
	return false
}

// globMatches matches part by part; ** stands for any number of parts, and at
// the end for one or more.
func globMatches(glob, name string) bool {
	var match func(globs, parts []string) bool
	match = func(globs, parts []string) bool {
		switch {
		case len(globs) == 0:
			return len(parts) == 0
		case globs[0] == "**" && len(globs) == 1:
			return len(parts) > 0
		case globs[0] == "**":
			return match(globs[1:], parts) || len(parts) > 0 && match(globs, parts[1:])
		case len(parts) == 0:
			return false
		}
		ok, err := path.Match(globs[0], parts[0])
		return err == nil && ok && match(globs[1:], parts[1:])
	}
	return match(strings.Split(glob, "/"), strings.Split(name, "/"))
}
