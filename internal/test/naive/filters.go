package naive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A question's filter: what is left in.
type asked struct {
	path                 func(path string) bool // nil for every node
	nodeKinds, edgeKinds []string               // nil for all
	tests                string                 // only, without, or ""
	group                string                 // package, file, or ""
}

func (a *asked) given() bool {
	return a.path != nil || a.nodeKinds != nil || a.edgeKinds != nil || a.tests != ""
}

// node says whether the filter leaves a node in.
func (m *Model) asks(n *node) bool {
	a := &m.asked
	return (a.path == nil || n.path != "" && a.path(n.path)) &&
		(a.nodeKinds == nil || slices.Contains(a.nodeKinds, n.kind)) &&
		(a.tests == "" || m.isTest(n) == (a.tests == "only"))
}

func (m *Model) asksEdge(e *edge) bool {
	return m.asked.edgeKinds == nil || slices.Contains(m.asked.edgeKinds, e.kind)
}

// openFilters reads the arguments of filters. An error means that nothing in
// the model is so.
func (m *Model) openFilters(tool string, a *arguments) error {
	if level := a.text("level", "node"); level != "node" {
		for _, name := range []string{"path", "kinds", "tests", "group_by"} {
			if a.args[name] != nil {
				return fmt.Errorf("%s can't go with level %q", name, level)
			}
		}
	}
	m.asked = asked{tests: a.text("tests", ""), group: a.text("group_by", "")}
	if kinds, ok := a.args["kinds"].([]string); ok && tool != "brick_path" {
		edges := slices.Contains([]string{"brick_impact", "brick_cycles", "brick_bridges", "brick_evidence"}, tool)
		if err := m.splitKinds(kinds, edges); err != nil {
			return err
		}
		for _, kind := range m.asked.edgeKinds {
			if tool == "brick_impact" && !slices.Contains([]string{"calls", "imports", "inherits"}, kind) {
				return fmt.Errorf("impact does not follow %q", kind)
			}
		}
	}
	if m.asked.tests != "" && !slices.ContainsFunc(m.nodes, m.isTest) {
		return fmt.Errorf("no node is test code")
	}
	if path := a.text("path", ""); path != "" && tool != "brick_file" {
		return m.openPath(path)
	}
	return nil
}

// splitKinds takes kinds as those of nodes or edges, equal or else equal but
// for case.
func (m *Model) splitKinds(kinds []string, edges bool) error {
	var ofNodes, ofEdges []string
	for _, n := range m.nodes {
		ofNodes = append(ofNodes, n.kind)
	}
	for _, e := range m.edges {
		if edges {
			ofEdges = append(ofEdges, e.kind)
		}
	}
	all := slices.Concat(ofNodes, ofEdges)
	for _, kind := range kinds {
		if !slices.Contains(all, kind) {
			i := slices.IndexFunc(all, func(k string) bool { return strings.EqualFold(k, kind) })
			if i < 0 {
				return fmt.Errorf("no kind %q", kind)
			}
			kind = all[i]
		}
		if slices.Contains(ofNodes, kind) {
			m.asked.nodeKinds = append(m.asked.nodeKinds, kind)
		}
		if slices.Contains(ofEdges, kind) {
			m.asked.edgeKinds = append(m.asked.edgeKinds, kind)
		}
	}
	return nil
}

// openPath: a folder, a file, or a glob, in that order.
func (m *Model) openPath(pattern string) error {
	plain := pattern
	for strings.HasPrefix(plain, "./") {
		plain = strings.TrimLeft(plain[2:], "/")
	}
	folder := plain == "" || strings.HasSuffix(plain, "/")
	if plain = strings.TrimRight(plain, "/"); plain == "." || plain == "" {
		plain, folder = "", true
	}
	glob := plain
	if folder {
		glob += "/**"
	}
	for _, is := range []func(path string) bool{
		func(path string) bool { return plain == "" || strings.HasPrefix(path, plain+"/") },
		func(path string) bool { return strings.HasPrefix(path, strings.ReplaceAll(plain+"/", "/", `\`)) },
		func(path string) bool { return !folder && path == plain },
		func(path string) bool { return globMatches(glob, path) },
		func(path string) bool {
			return strings.Contains(glob, "/") && strings.Contains(path, `\`) && globMatches(glob, strings.ReplaceAll(path, `\`, "/"))
		},
	} {
		if slices.ContainsFunc(m.nodes, func(n *node) bool { return n.path != "" && is(n.path) }) {
			m.asked.path = is
			return nil
		}
	}
	return fmt.Errorf("no path %q", pattern)
}

// A column is what is counted in groups: the path of each entry, "" for none.
type groupColumn struct {
	name  string
	paths []string
}

func pathsOf(name string, nodes []*node) groupColumn {
	c := groupColumn{name: name}
	for _, n := range nodes {
		c.paths = append(c.paths, n.path)
	}
	return c
}

// grouped is what stands in the place of an answer's lists with `group_by`:
// most entries first, then by path, none before any.
func (m *Model) grouped(p *pages, columns ...groupColumn) object {
	type group struct {
		path   string
		counts []int
		total  int
	}
	var groups []*group
	entries := 0
	for i, c := range columns {
		for _, path := range c.paths {
			entries++
			key := path
			if slash := strings.LastIndexAny(path, `/\`); m.asked.group == "package" && path != "" {
				key = "."
				if slash > 0 {
					key = path[:slash]
				}
			}
			at := slices.IndexFunc(groups, func(g *group) bool { return g.path == key })
			if at < 0 {
				at = len(groups)
				groups = append(groups, &group{path: key, counts: make([]int, len(columns))})
			}
			groups[at].counts[i]++
			groups[at].total++
		}
	}
	slices.SortFunc(groups, func(x, y *group) int {
		return cmp.Or(cmp.Compare(y.total, x.total), strings.Compare(x.path, y.path))
	})
	l := list{}
	for _, g := range groups {
		var name any = g.path
		if g.path == "" {
			name = nil
		}
		o := object{m.asked.group, name}
		for i, c := range columns {
			o = append(o, c.name, g.counts[i])
		}
		l = append(l, o)
	}
	p.limited = true
	p.lists = 0
	p.more = false
	return append(object{"groups", p.cut(l), "entries", entries}, p.end(len(l))...)
}
