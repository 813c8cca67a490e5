package naive

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// impact answers brick_impact.
func (m *Model) impact(start *node, direction string, maxDepth int, p *pages) object {
	// "`dependents` follows them from target to source, `dependencies` from
	// source to target."
	ends := func(e *edge) (from, to *node) {
		if direction == "dependents" {
			return e.target, e.source
		}
		return e.source, e.target
	}

	// "Breadth-first over dependency edges"
	depth := m.depths([]*node{start}, ends, maxDepth)

	// "`nodes` (reached at depth 1 to max_depth, `start` excluded),
	// `node_depths` (integers, one per entry of `nodes`)"; pages by depth, then
	// id.
	reached := m.askedOf(m.reached(depth), p)
	if p.limited {
		slices.SortStableFunc(reached, func(a, b *node) int { return depth[a] - depth[b] })
	}
	nodes, depths := list{}, list{}
	for _, n := range reached {
		if m.brief {
			nodes = append(nodes, m.reachedRow(n, depth, ends))
		} else {
			nodes = append(nodes, m.nodeRecord(n))
		}
		depths = append(depths, depth[n])
	}
	if m.asked.group != "" {
		answer := object{
			"start", m.nodeRecord(start),
			"direction", direction,
			"max_depth", maxDepth,
		}
		answer = append(answer, m.aside(start, direction, maxDepth, depth, p)...)
		columns := []groupColumn{pathsOf("nodes", reached)}
		if inside, _, reached := m.containedWalk(start, direction, maxDepth, ends, p); inside != nil {
			columns = append(columns, pathsOf("contained", reached))
		}
		return append(answer, m.grouped(p, columns...)...)
	}

	// "every dependency edge followed from a node at depth < max_depth, each
	// once, also those that lead back to a node already reached"
	total := len(nodes)
	nodes, depths = p.cut(nodes), p.again(depths)
	onPage := map[*node]bool{}
	for place, n := range reached {
		onPage[n] = p.shows(place)
	}
	edges := list{}
	for _, e := range m.edges {
		if !e.isDependency() || !m.asksEdge(e) {
			continue
		}
		from, to := ends(e)
		if d, reached := depth[from]; !reached || d >= maxDepth {
			continue
		}
		// "Impact's `edges` are then those between nodes of the page and the
		// start or nodes at a smaller depth."
		if (p.limited || p.filtered) && !(onPage[from] && depth[to] < depth[from]) && !(onPage[to] && depth[from] < depth[to]) {
			continue
		}
		edges = append(edges, m.edgeRecord(e))
	}

	answer := object{
		"start", m.nodeRecord(start),
		"direction", direction,
		"max_depth", maxDepth,
		"nodes", nodes,
	}
	if !m.names {
		answer = append(answer, "node_depths", depths, "edges", edges)
	}
	if maxDepth > 0 {
		answer = append(answer, m.beyond(start, direction, maxDepth, depth, ends, p)...)
	}
	return append(answer, p.end(total)...)
}

// cycles answers brick_cycles.
func (m *Model) cycles(p *pages) object {
	all, nodes := m.allCycles(p)
	if m.asked.group != "" {
		return m.grouped(p, pathsOf("nodes", nodes))
	}
	return append(object{"cycles", p.cut(all)}, p.end(len(all))...)
}

// oneCycle is the cycle of an id, without regard to filters.
func (m *Model) oneCycle(id string, p *pages) object {
	m.asked = asked{}
	all, _ := m.allCycles(p)
	for _, cycle := range all {
		if cycle.(object)[1] == id {
			return append(object{"cycles", p.cut(list{cycle})}, p.end(1)...)
		}
	}
	return nil
}

// allCycles are the cycles that are asked for, and their nodes: those of which
// a node and an edge are.
func (m *Model) allCycles(p *pages) (list, []*node) {
	var all []*node
	// reach[a][b]: a path of one or more dependency edges leads from a to b.
	reach := map[*node]map[*node]bool{}
	for _, n := range m.nodes {
		reach[n] = map[*node]bool{}
		frontier := []*node{n}
		for len(frontier) > 0 {
			at := frontier[0]
			frontier = frontier[1:]
			for _, e := range m.edges {
				if e.isDependency() && e.source == at && !reach[n][e.target] {
					reach[n][e.target] = true
					frontier = append(frontier, e.target)
				}
			}
		}
	}

	// "Strongly connected components of the dependency graph with two or more
	// members, and single nodes with a dependency self-loop": all of which are
	// the nodes that reach themselves. "Cycles are ordered by their first
	// member's id."
	cycles := list{}
	done := map[*node]bool{}
	for _, first := range m.nodes {
		if done[first] || !reach[first][first] {
			continue
		}
		component := map[*node]bool{}
		nodes := list{}
		var members []*node
		sum := sha256.New()
		for _, n := range m.nodes {
			if reach[first][n] && reach[n][first] {
				component[n] = true
				done[n] = true
				nodes = append(nodes, m.nodeRecord(n))
				members = append(members, n)
				// "the members' ids in order, each written as its length in
				// bytes in decimal, a colon and the id (`3:abc`)"
				fmt.Fprintf(sum, "%d:%s", len(n.id), n.id)
			}
		}
		// "dependency edges with both ends in the component, self-loops
		// included"
		edges := list{}
		asksEdge := false
		for _, e := range m.edges {
			if e.isDependency() && component[e.source] && component[e.target] {
				edges = append(edges, m.edgeRecord(e))
				asksEdge = asksEdge || m.asksEdge(e)
			}
		}
		if !asksEdge || !slices.ContainsFunc(members, m.asks) {
			p.leftOut++
			continue
		}
		all = append(all, members...)
		cycles = append(cycles, object{
			// "`cycle:` and the first 16 lower-case hex digits of SHA-256"
			"id", "cycle:" + fmt.Sprintf("%x", sum.Sum(nil))[:16],
			"nodes", nodes,
			"edges", edges,
		})
	}
	return cycles, all
}

// bridges answers brick_bridges.
func (m *Model) bridges(p *pages) object {
	// An edge is a bridge when, without it, its ends are not connected in "the
	// dependency multigraph without direction". A self-loop never is, nor one
	// of several edges that join a pair.
	bridges := list{}
	var sources []*node
	for _, e := range m.edges {
		if e.isDependency() && !m.connected(e.source, e.target, e) {
			if !m.asksEdge(e) || !m.asks(e.source) && !m.asks(e.target) {
				p.leftOut++
				continue
			}
			sources = append(sources, e.source)
			bridge := object{"edge", m.edgeRecord(e)}
			if !m.names {
				bridge = append(bridge, "source", m.nodeRecord(e.source), "target", m.nodeRecord(e.target))
			}
			bridges = append(bridges, bridge)
		}
	}
	if m.asked.group != "" {
		return append(object{"graph_semantics", "weak-undirected-dependency"}, m.grouped(p, pathsOf("bridges", sources))...)
	}
	return append(object{"graph_semantics", "weak-undirected-dependency", "bridges", p.cut(bridges)}, p.end(len(bridges))...)
}

// connected reports whether dependency edges other than without join a and b,
// directions disregarded.
func (m *Model) connected(a, b *node, without *edge) bool {
	seen := map[*node]bool{a: true}
	for grown := true; grown; {
		grown = false
		for _, e := range m.edges {
			if e != without && e.isDependency() && seen[e.source] != seen[e.target] {
				seen[e.source], seen[e.target] = true, true
				grown = true
			}
		}
	}
	return seen[b]
}

// evidence answers brick_evidence, or returns nil when nothing has that id.
func (m *Model) evidence(id string, p *pages) object {
	for _, e := range m.edges {
		if e.id == id && m.names {
			return object{"entity_kind", "edge", "edge", raw(e.record)}
		}
		if e.id == id {
			return object{
				"entity_kind", "edge",
				"edge", m.edgeRecord(e),
				"source", m.nodeRecord(e.source),
				"target", m.nodeRecord(e.target),
			}
		}
	}
	n := m.node(id)
	if n == nil {
		return nil
	}
	// "all incident edges of every kind, a self-loop once"
	itself := m.nodeRecord(n)
	if m.names {
		itself = raw(n.record)
	}
	edges := list{}
	var others []*node
	for _, e := range m.edges {
		if e.source == n || e.target == n {
			other := e.source
			if e.source == n {
				other = e.target
			}
			if !m.asksEdge(e) || !m.asks(other) {
				p.leftOut++
				continue
			}
			switch {
			case !m.names:
				edges = append(edges, m.edgeRecord(e))
			case e.target == n:
				edges = append(edges, namesEdge(e, "source", e.source.id))
			default:
				edges = append(edges, namesEdge(e, "target", e.target.id))
			}
			others = append(others, other)
		}
	}
	if m.asked.group != "" {
		return append(object{"entity_kind", "node", "node", itself}, m.grouped(p, pathsOf("edges", others))...)
	}
	return append(object{"entity_kind", "node", "node", itself, "edges", p.cut(edges)}, p.end(len(edges))...)
}
