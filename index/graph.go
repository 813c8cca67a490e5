package index

import (
	"cmp"
	"slices"
)

// cycle is a strongly connected component of the dependency graph with two
// or more nodes, or a node that depends on itself.
type cycle struct {
	nodes []uint32 // ascending
	edges []uint32 // with both ends in it, in the order of their ids
}

// analyse finds the cycles and bridges of the dependency graph: O(n log n) in
// the number of edges that are in them, linear in all others.
func (b *builder) analyse() {
	n := b.nodes.len()
	c := &b.edges
	c.adjacency(n)
	// The components of the graph with its edges reversed are the same.
	component, count := components(c.in, c.inDeps, c.source)
	b.findCycles(component, count)
	g := undirected{c.in, c.inDeps, c.out, c.outDeps, c.outgoing, c.source, c.target}
	b.bridgeList = g.bridges()
	b.byRank(b.bridgeList)
}

// byRank sorts edges in the order of their ids.
func (b *builder) byRank(edges []uint32) {
	slices.SortFunc(edges, func(x, y uint32) int { return cmp.Compare(b.edges.rank[x], b.edges.rank[y]) })
}

const noCycle = ^uint32(0)

// findCycles turns components into cycles, ordered by their first node, and
// b.cycleOf.
func (b *builder) findCycles(component []uint32, count int) {
	c := &b.edges
	size := make([]uint32, count)
	for _, k := range component {
		size[k]++
	}
	cyclic := func(v int) bool {
		if size[component[v]] > 1 {
			return true
		}
		return slices.Contains(c.source[c.in[v]:c.inDeps[v]], uint32(v))
	}
	number := size // reused: the number of a component's cycle, once it has one
	for k := range number {
		if size[k] > 1 {
			size[k] = 2
		}
	}
	const given = 3 // numbers start here, to be told from sizes
	b.cycleOf = make([]uint32, len(component))
	for v, k := range component {
		b.cycleOf[v] = noCycle
		if number[k] < given {
			if !cyclic(v) {
				continue
			}
			number[k] = given + uint32(len(b.cycles))
			b.cycles = append(b.cycles, cycle{})
		}
		b.cycleOf[v] = number[k] - given
		b.cycles[b.cycleOf[v]].nodes = append(b.cycles[b.cycleOf[v]].nodes, uint32(v))
	}
	for v, in := range b.cycleOf {
		if in == noCycle {
			continue
		}
		for e := c.in[v]; e < c.inDeps[v]; e++ {
			if b.cycleOf[c.source[e]] == in {
				b.cycles[in].edges = append(b.cycles[in].edges, e)
			}
		}
	}
	for i := range b.cycles {
		b.byRank(b.cycles[i].edges)
	}
}
