package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"brick/store"
)

// edgeColumns is what stays in memory of the edges, by number, and of the
// nodes' places among them.
type edgeColumns struct {
	clash bool // some id is used twice

	source, target, rank []uint32
	class                []byte
	imported             []bool   // a call that a compiler vouches for
	containment          []uint32 // the edges of kinds contains and defines

	// Of each node: its incoming edges are numbered from in to inEnd, calls
	// up to inCalls, imports from there up to inImports, dependency edges up to
	// inDeps; its outgoing edges are
	// outgoing[out:outEnd], dependency edges up to outDeps.
	in, inCalls, inImports, inDeps, inEnd []uint32
	out, outDeps, outEnd                  []uint32
	outgoing                              []uint32
}

// reserve makes room for n edges.
func (c *edgeColumns) reserve(n int) {
	c.source, c.target = slices.Grow(c.source, n), slices.Grow(c.target, n)
	c.class, c.imported = slices.Grow(c.class, n), slices.Grow(c.imported, n)
}

// numberEdges takes the edges in the order of their numbers.
func (b *builder) numberEdges(ctx context.Context) error {
	var out *store.RecordWriter
	if b.writing() {
		out = b.w.Records(store.EdgeRecords)
		defer out.Close()
	}
	ranks := b.rankSorter.Writer()
	c := &b.edges
	var e spilledEdge
	var lastTarget hash128
	target, targetKnown := b.nodes.numbers.find(lastTarget)
	var head []byte
	merge := b.edgeSorter.Merge()
	defer merge.Close()
	for merge.Next() {
		if len(c.source)%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e.read(merge.Record())
		source, sourceKnown := b.nodes.numbers.find(e.source)
		if e.target != lastTarget {
			target, targetKnown = b.nodes.numbers.find(e.target)
			lastTarget = e.target
		}
		b.checkEnds(&e, sourceKnown, targetKnown, target)
		if len(e.id) > 0 {
			if _, clash := b.nodes.numbers.find(b.hash.ofBytes(e.id)); clash {
				c.clash = true
			}
			head = binary.LittleEndian.AppendUint32(head[:0], uint32(len(c.source)))
			if err := ranks.Add(e.id, head, e.digest); err != nil {
				return err
			}
		}
		if out != nil {
			head = binary.AppendUvarint(head[:0], uint64(e.idOffset))
			head = binary.AppendUvarint(head, e.claims)
			out.Add(head, e.record)
			b.ids.Add(e.id, uint32(len(c.source))<<1|1)
		}
		if sourceKnown && targetKnown {
			b.addSites(&e, target)
		}
		if e.bits&spilledContainment != 0 {
			c.containment = append(c.containment, uint32(len(c.source)))
		}
		c.source = append(c.source, source)
		c.target = append(c.target, target)
		c.class = append(c.class, e.class)
		for i := range b.lanes {
			b.lanes[i] += int(e.claims >> i & 1)
		}
		c.imported = append(c.imported, e.class == classCalls && e.bits&spilledImported != 0)
	}
	if out != nil {
		if err := out.Close(); err != nil {
			return err
		}
	}
	if err := ranks.Close(); err != nil {
		return err
	}
	return merge.Err()
}

// rankEdges finds each edge's place in the order of ids.
func (b *builder) rankEdges(ctx context.Context) error {
	c := &b.edges
	c.rank = make([]uint32, len(c.source))
	merge := b.rankSorter.Merge()
	defer merge.Close()
	var last []byte
	for rank := uint32(0); merge.Next(); rank++ {
		if rank%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		id, value := merge.Record()
		if rank > 0 && bytes.Equal(id, last) {
			c.clash = true
		}
		last = append(last[:0], id...)
		c.rank[binary.LittleEndian.Uint32(value)] = rank
		b.digest.Write(value[4:])
	}
	return merge.Err()
}

// adjacency fills in the places of the nodes' edges.
func (c *edgeColumns) adjacency(nodes int) {
	column := func() []uint32 { return make([]uint32, nodes) }
	c.in, c.inCalls, c.inImports, c.inDeps, c.inEnd = column(), column(), column(), column(), column()
	c.out, c.outDeps, c.outEnd = column(), column(), column()
	e := 0
	for v := range nodes {
		c.in[v] = uint32(e)
		upTo := func(class byte) uint32 {
			for e < len(c.target) && int(c.target[e]) == v && c.class[e] <= class {
				e++
			}
			return uint32(e)
		}
		c.inCalls[v], c.inImports[v] = upTo(classCalls), upTo(classImports)
		c.inDeps[v], c.inEnd[v] = upTo(classInherits), upTo(classOther)
	}
	deps := column()
	for e, source := range c.source {
		c.outEnd[source]++
		if c.class[e] != classOther {
			deps[source]++
		}
	}
	at := uint32(0)
	for v := range nodes {
		c.out[v] = at
		at += c.outEnd[v]
		c.outDeps[v], c.outEnd[v] = c.out[v]+deps[v], at
	}
	nextDep, nextOther := slices.Clone(c.out), slices.Clone(c.outDeps)
	c.outgoing = make([]uint32, len(c.source))
	for e, source := range c.source {
		next := &nextDep[source]
		if c.class[e] == classOther {
			next = &nextOther[source]
		}
		c.outgoing[*next] = uint32(e)
		*next++
	}
}
