package index

import (
	"cmp"
	"errors"
	"slices"

	"brick/store"
)

// facts are figures of the nodes, by number.
type facts struct {
	dependents, dependencies []uint32 // other nodes with dependency edges to it, or from it
	rank                     []uint32
	ranked                   []uint32 // nodes by rank
	sort                     []uint32
}

// A functionStatus is the status of a function with an open world.
type functionStatus uint8

const (
	statusResolved functionStatus = iota
	statusRecursiveOnly
	statusTestsOnly
	statusUnknown
	statusUnreferenced
)

func statusOf(r *store.Report) functionStatus {
	switch {
	case r.RecursiveOnly:
		return statusRecursiveOnly
	case r.TestsOnly:
		return statusTestsOnly
	case r.Resolved:
		return statusResolved
	case len(r.Reasons) > 0:
		return statusUnknown
	}
	return statusUnreferenced
}

// computeFacts counts each node's neighbours and ranks the nodes. Linear but
// for the sorting.
func (b *builder) computeFacts() {
	c := &b.edges
	n := b.nodes.len()
	f := &b.facts
	f.dependents, f.dependencies = make([]uint32, n), make([]uint32, n)
	seen := make([]uint32, n) // the last node that saw this one, plus 1
	for v := range uint32(n) {
		for _, source := range c.source[c.in[v]:c.inDeps[v]] {
			if source != v && seen[source] != v+1 {
				seen[source] = v + 1
				f.dependents[v]++
			}
		}
	}
	clear(seen)
	for v := range uint32(n) {
		for _, e := range c.outgoing[c.out[v]:c.outDeps[v]] {
			if target := c.target[e]; target != v && seen[target] != v+1 {
				seen[target] = v + 1
				f.dependencies[v]++
			}
		}
	}
	f.ranked = sortedBy(n, f.dependents)
	f.rank = make([]uint32, n)
	for rank, v := range f.ranked {
		f.rank[v] = uint32(rank)
	}
	for _, v := range sortedBy(n, f.dependencies)[:min(n, topNodes)] {
		if f.dependencies[v] > 0 {
			b.mostDependencies = append(b.mostDependencies, v)
		}
	}
	b.sortNodes()
}

// topNodes is how many nodes a list of the summary has.
const topNodes = 10

// sortedBy returns the nodes ordered by a figure, the greatest first, then by
// number.
func sortedBy(n int, figure []uint32) []uint32 {
	order := make([]uint32, n)
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(figure[y], figure[x]), cmp.Compare(x, y))
	})
	return order
}

// sortNodes numbers what nodes have of kind, language and being test code, in
// the order of their texts, tests last.
func (b *builder) sortNodes() {
	c := &b.nodes
	type sort struct {
		kind, language uint32
		test           bool
	}
	of := func(v uint32) sort { return sort{c.kind[v], c.language[v], c.isTest(v)} }
	numbers := map[sort]uint32{}
	var sorts []sort
	for v := range uint32(c.len()) {
		s := of(v)
		if _, ok := numbers[s]; !ok {
			numbers[s] = 0
			sorts = append(sorts, s)
		}
	}
	slices.SortFunc(sorts, func(x, y sort) int {
		inOrder := cmp.Or(
			cmp.Compare(c.kinds.text(x.kind), c.kinds.text(y.kind)),
			cmp.Compare(c.languages.text(x.language), c.languages.text(y.language)))
		if inOrder == 0 && x.test != y.test {
			inOrder = 1
			if y.test {
				inOrder = -1
			}
		}
		return inOrder
	})
	for i, s := range sorts {
		numbers[s] = uint32(i)
		b.sorts = append(b.sorts, store.NodeSort{Kind: c.kinds.text(s.kind), Language: c.languages.text(s.language), Test: s.test})
	}
	b.facts.sort = make([]uint32, c.len())
	for v := range b.facts.sort {
		b.facts.sort[v] = numbers[of(uint32(v))]
	}
}

// writeFacts writes the facts of nodes, and the rankings of functions.
func (b *builder) writeFacts() error {
	c, f := &b.nodes, &b.facts
	rows := b.w.Table(store.Facts)
	var functions []uint32
	for v := range c.len() {
		rows.Row(f.rank[v], c.spans[v].StartLine, c.lines[v], c.complexity[v], f.dependents[v], f.dependencies[v], f.sort[v], b.also[v], b.modules.of[v])
		if c.class[v] == functionNode {
			functions = append(functions, uint32(v))
		}
	}
	known := func(figure uint32) uint32 { return figure + 1 } // unknown is least
	slices.SortFunc(functions, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(known(c.lines[y]), known(c.lines[x])), cmp.Compare(x, y))
	})
	largest := b.w.Table(store.Largest)
	var complexity []uint32 // rows of largest
	for row, v := range functions {
		largest.Row(v, c.lines[v], c.complexity[v], f.dependents[v], f.dependencies[v])
		if c.complexity[v] != store.Unknown {
			complexity = append(complexity, uint32(row))
		}
	}
	slices.SortFunc(complexity, func(x, y uint32) int {
		v, w := functions[x], functions[y]
		return cmp.Or(cmp.Compare(c.complexity[w], c.complexity[v]), cmp.Compare(v, w))
	})
	complexRows := b.w.Table(store.Complex)
	for _, row := range complexity {
		complexRows.Row(row)
	}
	return errors.Join(rows.Close(), largest.Close(), complexRows.Close())
}
