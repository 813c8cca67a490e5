package naive

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// place is a part of a file.
type place struct {
	path       string
	start, end int
	column     int // 0 for whole lines
}

var placeForm = regexp.MustCompile(`(?s)^(.+?):([0-9]{1,10})(?::([0-9]{1,10})|-([0-9]{1,10}))?:?$`)

// placeOf reads path:line, path:line:column or path:start-end; nil when the text
// is none, or is of a path that the model does not have.
func (m *Model) placeOf(text string) (*place, error) {
	form := placeForm.FindStringSubmatch(text)
	if form == nil {
		return nil, nil
	}
	path, err := m.findPath(form[1])
	if path == "" || err != nil {
		return nil, err
	}
	number := func(digits string) int {
		n, _ := strconv.Atoi(digits)
		if n > math.MaxInt32 {
			return 0
		}
		return n
	}
	p := &place{path: path, start: number(form[2]), end: number(form[2]), column: number(form[3])}
	if form[4] != "" {
		p.end = number(form[4])
	}
	if p.start == 0 || p.end < p.start || form[3] != "" && p.column == 0 {
		return nil, fmt.Errorf("%q is no place", text)
	}
	return p, nil
}

// findPath is the path that a text stands for, "" when there is none: itself,
// or written otherwise, else the only one that ends with it.
func (m *Model) findPath(text string) (string, error) {
	paths := map[string]bool{}
	for _, n := range m.nodes {
		if n.path != "" {
			paths[n.path] = true
		}
	}
	plain := strings.TrimPrefix(text, "./")
	if root := strings.TrimRight(m.root, `/\`); root != "" && root != "." {
		if rest, below := strings.CutPrefix(plain, root); below && len(rest) > 1 && strings.ContainsAny(rest[:1], `/\`) {
			plain = rest[1:]
		}
	}
	for _, written := range []string{text, plain, strings.ReplaceAll(plain, `\`, "/"), strings.ReplaceAll(plain, "/", `\`)} {
		if paths[written] {
			return written, nil
		}
	}
	// An absolute path of another machine: the longest end that is a path and
	// has a folder, or stands in one of the repository's name.
	if slashed := strings.ReplaceAll(text, `\`, "/"); strings.HasPrefix(slashed, "/") || regexp.MustCompile(`^[A-Za-z]:/`).MatchString(slashed) {
		last := func(text string) string { return text[strings.LastIndexAny(text, `/\:`)+1:] }
		parts := strings.Split(slashed, "/")
		for i := 1; i < len(parts); i++ {
			folder, _, _ := strings.Cut(parts[i-1], "@")
			named := folder != "" && (folder == last(m.repositoryID) || folder == last(strings.TrimRight(m.root, `/\`)))
			for _, end := range []string{strings.Join(parts[i:], "/"), strings.Join(parts[i:], `\`)} {
				if paths[end] && (i < len(parts)-1 || named) {
					return end, nil
				}
			}
		}
	}
	var ending []string
	for path := range paths {
		short := strings.TrimPrefix(text, "./")
		if strings.HasSuffix(path, "/"+strings.ReplaceAll(short, `\`, "/")) || strings.HasSuffix(path, `\`+strings.ReplaceAll(short, "/", `\`)) {
			ending = append(ending, path)
		}
	}
	switch len(ending) {
	case 0:
		return "", nil
	case 1:
		return ending[0], nil
	}
	return "", fmt.Errorf("%q ends several paths", text)
}

// spanOf is where a node is: a column that is missing, or before the start, is
// 1 or the end of the line, a line that is, the start line.
func (n *node) spanOf() (startLine, startColumn, endLine, endColumn int64) {
	startLine, startColumn, endLine, endColumn = n.startLine, max(n.startColumn, 1), n.endLine, n.endColumn
	if endLine < startLine {
		endLine, endColumn = startLine, 0
	}
	if endColumn == 0 || endLine == startLine && endColumn < startColumn {
		endColumn = math.MaxInt64
	}
	return startLine, startColumn, endLine, endColumn
}

// at are the nodes that hold all of a place, the innermost first, and those
// that hold a part of it, the first first.
func (m *Model) at(p *place) (around, touched []*node) {
	after := func(line1, column1, line2, column2 int64) bool {
		return line1 > line2 || line1 == line2 && column1 > column2
	}
	for _, n := range m.nodes {
		if n.path != p.path || n.startLine == 0 || !n.isFunction() && !n.isType() {
			continue
		}
		startLine, startColumn, endLine, endColumn := n.spanOf()
		line, column := int64(p.start), int64(p.column)
		switch {
		case p.column > 0 && (after(startLine, startColumn, line, column) || after(line, column, endLine, endColumn)):
		case startLine > int64(p.end) || endLine < line:
		case startLine <= line && int64(p.end) <= endLine:
			around = append(around, n)
		default:
			touched = append(touched, n)
		}
	}
	inner := func(a, b *node) int {
		aLine, aColumn, aEndLine, aEndColumn := a.spanOf()
		bLine, bColumn, bEndLine, bEndColumn := b.spanOf()
		function := func(n *node) int {
			if n.isFunction() {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(bLine, aLine), cmp.Compare(bColumn, aColumn),
			cmp.Compare(aEndLine, bEndLine), cmp.Compare(aEndColumn, bEndColumn),
			cmp.Compare(function(b), function(a)), strings.Compare(a.id, b.id))
	}
	slices.SortFunc(around, inner)
	slices.SortFunc(touched, func(a, b *node) int { return inner(b, a) })
	return around, touched
}

// nodeAsked is the node that an argument stands for: by its id, by a place, or
// by the path of a file. places is what the answer says of it.
func (m *Model) nodeAsked(asked string, is func(*node) bool) (n *node, places object, err error) {
	if n := m.node(asked); n != nil {
		return n, nil, nil
	}
	for _, e := range m.edges {
		if e.id == asked {
			return nil, nil, fmt.Errorf("%q is an edge", asked)
		}
	}
	p, err := m.placeOf(asked)
	if err != nil {
		return nil, nil, err
	}
	path := asked
	var around, touched []*node
	if p != nil {
		path = p.path
		around, touched = m.at(p)
	}
	if file := m.fileNode(path); file != nil && path != "" && len(touched) == 0 {
		around = append(around, file)
	}
	for _, n := range around {
		if is(n) {
			return n, object{"places", list{object{"asked", asked, "node_id", n.id}}}, nil
		}
	}
	return nil, nil, fmt.Errorf("no node %q", asked)
}

// findPlace answers brick_find with what is at a place.
func (m *Model) findPlace(text string, p *place, asked func(*node) bool, pages *pages) object {
	around, touched := m.at(p)
	matches := list{}
	var found []*node
	add := func(match string, nodes ...*node) {
		for _, n := range nodes {
			if asked(n) {
				found = append(found, n)
				matches = append(matches, object{"match", match, "node", m.nodeRecord(n)})
			}
		}
	}
	add("place", around...)
	add("touched", touched...)
	if file := m.fileNode(p.path); file != nil {
		add("place", file)
	}
	where := object{"path", p.path, "start_line", p.start, "end_line", p.end}
	if p.column > 0 {
		where = append(where, "column", p.column)
	}
	pages.leftOut = -1
	if m.asked.group != "" {
		return append(object{"text", text, "place", where}, m.grouped(pages, pathsOf("matches", found))...)
	}
	total := len(matches)
	return append(object{"text", text, "place", where, "matches", pages.cut(matches)}, pages.end(total)...)
}
