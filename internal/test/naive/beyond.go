package naive

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// endsOf says which end of an edge a search comes from, and where it goes.
type endsOf func(*edge) (from, to *node)

// depths goes breadth-first over dependency edges.
func (m *Model) depths(starts []*node, ends endsOf, maxDepth int) map[*node]int {
	depth := map[*node]int{}
	for _, n := range starts {
		depth[n] = 0
	}
	for d, grown := 0, true; grown && d < maxDepth; d++ {
		grown = false
		for _, e := range m.edges {
			if !e.isDependency() || !m.asksEdge(e) {
				continue
			}
			from, to := ends(e)
			fromDepth, reached := depth[from]
			if !reached || fromDepth != d {
				continue
			}
			if _, reached := depth[to]; !reached {
				depth[to] = d + 1
				grown = true
			}
		}
	}
	return depth
}

// reached are the nodes that a search did not begin with, by id.
func (m *Model) reached(depth map[*node]int) []*node {
	var nodes []*node
	for _, n := range m.nodes {
		if depth[n] > 0 {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// reachedRow is a brief node with its depth, the node by which it was reached,
// and the place of the edge: of the edges from nodes one step nearer the first
// by id.
func (m *Model) reachedRow(n *node, depth map[*node]int, ends endsOf) object {
	for _, e := range m.edges {
		from, to := ends(e)
		if d, reached := depth[from]; e.isDependency() && m.asksEdge(e) && to == n && reached && d == depth[n]-1 {
			single := startsOf(depth) == 1
			row := append(m.rowOf(n), "depth", depth[n])
			if !m.names || !single || depth[n] > 1 {
				row = append(row, "via", from.id)
			}
			return append(row, at(e, func(evidence) bool { return true })...)
		}
	}
	panic("a node that no edge leads to")
}

// startsOf is how many nodes a search began with.
func startsOf(depth map[*node]int) int {
	n := 0
	for _, d := range depth {
		if d == 0 {
			n++
		}
	}
	return n
}

// at is the first place at which evidence says that an edge is.
func at(e *edge, of func(evidence) bool) object {
	for _, v := range e.evidence {
		if of(v) && v.provenance != nil && *v.provenance != "" {
			return object{"at", columnAtEnd.ReplaceAllString(*v.provenance, "$1")}
		}
	}
	return nil
}

var columnAtEnd = regexp.MustCompile(`(?s)^(.*:[0-9]+):[0-9]+$`)

// beyond is what an impact has besides the node's own dependency edges.
func (m *Model) beyond(start *node, direction string, maxDepth int, depth map[*node]int, ends endsOf, p *pages) object {
	answer := m.aside(start, direction, maxDepth, depth, p)
	inside, depth, reached := m.containedWalk(start, direction, maxDepth, ends, p)
	if inside == nil {
		return answer
	}
	rows := list{}
	for _, n := range reached {
		rows = append(rows, m.reachedRow(n, depth, ends))
	}
	contained := object{"count", len(inside) - 1, "total", len(rows), "nodes", p.cut(rows)}
	if direction == "dependents" && p.first() {
		contained = append(contained, m.alsoCallable(depth, 0, maxDepth)...)
	}
	return append(answer, "contained", contained)
}

// aside is what more calls may reach the start and what was followed.
func (m *Model) aside(start *node, direction string, maxDepth int, depth map[*node]int, p *pages) object {
	var answer object
	if maxDepth > 0 && direction == "dependents" && p.first() {
		switch {
		case start.isFunction():
			r := m.report(start, false)
			if r.status != "resolved" {
				answer = m.mayAlsoCall(start, r.reasons)
			} else {
				answer = m.mayAlsoCall(start, m.otherCalls(start))
			}
		case start.kind == "unresolved_symbol":
			answer = m.callSites(start)
		}
		answer = append(answer, m.alsoCallable(depth, 1, maxDepth)...)
	}
	return answer
}

// containedWalk is a node with all that it contains, the depths of a search
// that begins with these, and what it reached and is asked for.
func (m *Model) containedWalk(start *node, direction string, maxDepth int, ends endsOf, p *pages) (inside []*node, depth map[*node]int, reached []*node) {
	if maxDepth == 0 || start.isFunction() || start.kind == "repository" {
		return nil, nil, nil
	}
	inside = m.inside(start)
	if len(inside) == 1 {
		return nil, nil, nil
	}
	if direction == "dependencies" && !slices.ContainsFunc(inside, func(n *node) bool {
		return n != start && (n.isFunction() || n.kind == "file")
	}) {
		return nil, nil, nil
	}
	depth = m.depths(inside, ends, maxDepth)
	reached = m.askedOf(m.reached(depth), p)
	slices.SortStableFunc(reached, func(a, b *node) int { return depth[a] - depth[b] })
	return inside, depth, reached
}

// askedOf is those of nodes that the filter leaves in.
func (m *Model) askedOf(nodes []*node, p *pages) []*node {
	var left []*node
	for _, n := range nodes {
		if m.asks(n) {
			left = append(left, n)
		} else {
			p.leftOut++
		}
	}
	return left
}

// alsoCallable counts the nodes that were followed and that more calls may
// reach.
func (m *Model) alsoCallable(depth map[*node]int, from, before int) object {
	count := 0
	for n, d := range depth {
		if d >= from && d < before && n.isFunction() && m.hasOtherCalls(n) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	return object{"also_callable", count}
}

func (m *Model) hasOtherCalls(f *node) bool {
	if m.others == nil {
		m.others = map[*node]bool{}
	}
	if _, known := m.others[f]; !known {
		m.others[f] = len(m.otherCalls(f)) > 0
	}
	return m.others[f]
}

// inside is a node and all that it contains.
func (m *Model) inside(start *node) []*node {
	nodes := []*node{start}
	for i := 0; i < len(nodes); i++ {
		for _, n := range m.nodes {
			if m.contains(nodes[i], n) && !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

// contains says whether an edge of kind contains or defines leads from one node
// to another, or one is a type and the other a method of it by their names.
func (m *Model) contains(a, b *node) bool {
	if m.children == nil {
		m.children = map[[2]*node]bool{}
		for _, e := range m.edges {
			if e.kind == "contains" || e.kind == "defines" {
				m.children[[2]*node{e.source, e.target}] = true
			}
		}
		for _, a := range m.nodes {
			for _, b := range m.nodes {
				if b.kind != "method" || !a.isType() || a.language != b.language || a.qualifiedName == "" || b.qualifiedName == "" {
					continue
				}
				of, parts := casedParts(a.qualifiedName), casedParts(b.qualifiedName)
				if len(parts) > 1 && slices.Equal(of, parts[:len(parts)-1]) {
					m.children[[2]*node{a, b}] = true
				}
			}
		}
	}
	return m.children[[2]*node{a, b}]
}

func casedParts(name string) []string {
	var parts []string
	for _, part := range separator.Split(name, -1) {
		if part = strings.Trim(part, "()*& "); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// isType: not a function, not as large as a file, not a part of something.
func (n *node) isType() bool {
	return !n.isFunction() && !slices.Contains([]string{
		"repository", "directory", "module", "package", "namespace", "file", "external", "unresolved_symbol",
		"variable", "constant", "field", "property", "parameter",
	}, n.kind)
}

// otherCalls are the reasons why more calls may reach a function than those
// that are resolved to it. Virtual by itself is none.
func (m *Model) otherCalls(f *node) list {
	reasons := list{}
	some := false
	for _, r := range m.reasons(f, false) {
		switch r := r.(object); r[1] {
		case "unresolved-call-sites":
			some = true
			reasons = append(reasons, r)
		case "virtual":
			reasons = append(reasons, r)
		case "trait-impl", "external-base", "framework-attribute", "implicit-invocation", "outside-class-member":
			some = true
			reasons = append(reasons, r)
		}
	}
	if !some {
		return list{}
	}
	return reasons
}

// mayAlsoCall is what may call a function besides its resolved callers.
func (m *Model) mayAlsoCall(f *node, reasons list) object {
	if len(reasons) == 0 {
		return nil
	}
	answer := object{"reasons", reasons}
	through := m.implemented(f, reasons)
	if len(through) > 0 {
		var nodes list
		for _, n := range through {
			nodes = append(nodes, m.smallNode(n))
		}
		answer = append(answer, "through", nodes)
	}
	calls := func(e *edge) bool {
		switch {
		case e.kind == "calls":
			return e.target.isFunction() && slices.Contains(through, e.target)
		case e.kind == "unresolved_call" && sameName(e.target, f):
			return slices.ContainsFunc(e.evidence, counted)
		}
		return false
	}
	known := map[*node]bool{f: true}
	for _, e := range m.edges {
		if e.kind == "calls" && e.target == f {
			known[e.source] = true
		}
	}
	return object{"may_also_call", append(answer, m.callersAt(calls, known, counted)...)}
}

func counted(v evidence) bool {
	return v.unresolvedReason() != "foreign-receiver" && v.unresolvedReason() != "macro"
}

// callersAt are the sources of calls, each with the place of its first call.
func (m *Model) callersAt(calls func(*edge) bool, known map[*node]bool, of func(evidence) bool) object {
	first := map[*node]*edge{}
	for _, e := range m.edges {
		if first[e.source] == nil && !known[e.source] && calls(e) {
			first[e.source] = e
		}
	}
	callers := list{}
	for _, n := range m.nodes {
		if e := first[n]; e != nil && len(callers) < 20 {
			callers = append(callers, append(m.rowOf(n), at(e, of)...))
		}
	}
	return object{"callers_total", len(first), "callers", callers}
}

// callSites are the calls of an unresolved symbol.
func (m *Model) callSites(symbol *node) object {
	count := 0
	byReason := map[string]int{}
	calls := func(e *edge) bool { return e.kind == "unresolved_call" && e.target == symbol }
	for _, e := range m.edges {
		if calls(e) {
			for _, v := range e.evidence {
				count++
				byReason[v.unresolvedReason()]++
			}
		}
	}
	sites := object{"count", count, "by_unresolved_reason", freeKeys(byReason)}
	return object{"call_sites", append(sites, m.callersAt(calls, nil, func(evidence) bool { return true })...)}
}

// implemented are the nodes that the reason trait-impl names: by id, else by
// qualified name; of one that contains functions of the function's name, those.
func (m *Model) implemented(f *node, reasons list) []*node {
	var names []string
	for _, r := range reasons {
		if r := r.(object); r[1] == "trait-impl" {
			var one string
			var several []any
			if json.Unmarshal(r[3].(raw), &one) == nil {
				names = append(names, one)
			} else if json.Unmarshal(r[3].(raw), &several) == nil {
				for _, v := range several {
					if text, ok := v.(string); ok {
						names = append(names, text)
					}
				}
			}
		}
	}
	found := map[*node]bool{}
	for _, name := range names {
		named := []*node{m.node(name)}
		if named[0] == nil {
			named = nil
			for _, n := range m.nodes {
				if n.qualifiedName == name && len(casedParts(name)) > 0 {
					named = append(named, n)
				}
			}
		}
		for _, n := range named {
			methods := 0
			for _, child := range m.nodes {
				if m.contains(n, child) && child != n && child.isFunction() && child.name == f.name {
					found[child] = true
					methods++
				}
			}
			if methods == 0 {
				found[n] = true
			}
		}
	}
	var nodes []*node
	for _, n := range m.nodes {
		if found[n] && n != f {
			nodes = append(nodes, n)
		}
	}
	return nodes
}
