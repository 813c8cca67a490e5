package naive

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// module is the node that stands for a node's module: the nearest of kind
// module, package or namespace that contains it, itself first, of several the
// first by id; else the nearest file; else itself.
func (m *Model) module(n *node) *node {
	for _, kinds := range [][]string{{"module", "package", "namespace"}, {"file"}} {
		level := []*node{n}
		seen := map[*node]bool{n: true}
		for len(level) > 0 {
			for _, at := range m.nodes {
				if slices.Contains(level, at) && slices.Contains(kinds, at.kind) {
					return at
				}
			}
			var outer []*node
			for _, around := range m.nodes {
				if !seen[around] && slices.ContainsFunc(level, func(in *node) bool { return m.contains(around, in) }) {
					seen[around] = true
					outer = append(outer, around)
				}
			}
			level = outer
		}
	}
	return n
}

// moduleUse is what one module depends on another by.
type moduleUse struct {
	from, to *node
	edges    []*edge
}

func (u *moduleUse) count(kind string) int {
	count := 0
	for _, e := range u.edges {
		if e.kind == kind {
			count++
		}
	}
	return count
}

// example is the first edge, with level imports the first that is one.
func (u *moduleUse) example(level string) *edge {
	for _, e := range u.edges {
		if level != "imports" || e.kind == "imports" {
			return e
		}
	}
	return nil
}

func (u *moduleUse) json(level string) object {
	return object{"source", u.from.id, "target", u.to.id,
		"calls", u.count("calls"), "imports", u.count("imports"), "inherits", u.count("inherits"), "example", u.example(level).id}
}

// moduleUses are the dependency edges between nodes of different modules, by
// the modules' ids; with level imports only of modules with such edges.
func (m *Model) moduleUses(level string) []*moduleUse {
	if m.modules == nil {
		m.modules = map[*node]*node{}
		for _, n := range m.nodes {
			m.modules[n] = m.module(n)
		}
	}
	var uses []*moduleUse
	for _, from := range m.nodes {
		for _, to := range m.nodes {
			if m.modules[from] != from || m.modules[to] != to || from == to {
				continue
			}
			u := &moduleUse{from: from, to: to}
			for _, e := range m.edges {
				if e.isDependency() && m.modules[e.source] == from && m.modules[e.target] == to {
					u.edges = append(u.edges, e)
				}
			}
			if len(u.edges) > 0 && (level != "imports" || u.count("imports") > 0) {
				uses = append(uses, u)
			}
		}
	}
	return uses
}

// impactOfModule answers brick_impact between modules.
func (m *Model) impactOfModule(of *node, level, direction string, maxDepth int, p *pages) object {
	uses := m.moduleUses(level)
	start := m.modules[of]
	ends := func(u *moduleUse) (from, to *node) {
		if direction == "dependents" {
			return u.to, u.from
		}
		return u.from, u.to
	}
	depth := map[*node]int{start: 0}
	for d := 0; d < maxDepth && d < len(m.nodes); d++ {
		for _, u := range uses {
			from, to := ends(u)
			if at, reached := depth[from]; reached && at == d {
				if _, reached := depth[to]; !reached {
					depth[to] = d + 1
				}
			}
		}
	}
	reached := m.reached(depth)
	if p.limited {
		slices.SortStableFunc(reached, func(a, b *node) int { return depth[a] - depth[b] })
	}
	nodes, depths := list{}, list{}
	for _, n := range reached {
		depths = append(depths, depth[n])
		if !m.brief {
			nodes = append(nodes, m.nodeRecord(n))
			continue
		}
		for _, u := range uses {
			from, to := ends(u)
			if d, reached := depth[from]; to == n && reached && d == depth[n]-1 {
				row := append(m.rowOf(n), "depth", depth[n])
				if !m.names || depth[n] > 1 {
					row = append(row, "via", from.id)
				}
				nodes = append(nodes, append(row, at(u.example(level), func(evidence) bool { return true })...))
				break
			}
		}
	}
	nodes, depths = p.cut(nodes), p.again(depths)
	onPage := map[*node]bool{}
	for place, n := range reached {
		onPage[n] = p.shows(place)
	}
	edges := list{}
	for _, u := range uses {
		from, to := ends(u)
		d, followed := depth[from]
		if !followed || d >= maxDepth {
			continue
		}
		if p.limited && !(onPage[from] && depth[to] < d) && !(onPage[to] && d < depth[to]) {
			continue
		}
		edges = append(edges, u.json(level))
	}
	return append(object{
		"start", m.nodeRecord(start), "direction", direction, "max_depth", maxDepth, "level", level,
		"nodes", nodes, "node_depths", depths, "edges", edges,
	}, p.end(len(reached))...)
}

// cyclesOfModules answers brick_cycles between modules.
func (m *Model) cyclesOfModules(level string, p *pages) object {
	uses := m.moduleUses(level)
	reaches := func(from, to *node) bool {
		seen := map[*node]bool{from: true}
		for next := []*node{from}; len(next) > 0; next = next[1:] {
			for _, u := range uses {
				if u.from == next[0] && !seen[u.to] {
					seen[u.to] = true
					next = append(next, u.to)
				}
			}
		}
		return seen[to]
	}
	cycles := list{}
	done := map[*node]bool{}
	for _, first := range m.nodes {
		if done[first] {
			continue
		}
		in := map[*node]bool{}
		nodes := list{}
		sum := sha256.New()
		for _, n := range m.nodes {
			if reaches(first, n) && reaches(n, first) {
				in[n], done[n] = true, true
				nodes = append(nodes, m.nodeRecord(n))
				fmt.Fprintf(sum, "%d:%s", len(n.id), n.id)
			}
		}
		if len(nodes) < 2 {
			continue
		}
		edges := list{}
		for _, u := range uses {
			if in[u.from] && in[u.to] {
				edges = append(edges, u.json(level))
			}
		}
		cycles = append(cycles, object{"id", "cycle:" + fmt.Sprintf("%x", sum.Sum(nil))[:16], "nodes", nodes, "edges", edges})
	}
	return append(object{"level", level, "cycles", p.cut(cycles)}, p.end(len(cycles))...)
}
