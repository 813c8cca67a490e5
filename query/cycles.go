package query

import (
	"fmt"

	"brick/internal/show"
	"brick/store"
)

var cycles = &Tool{
	Name:  "brick_cycles",
	Title: "Dependency cycles",
	Description: "All dependency cycles: strongly connected components of calls, imports and inherits edges with two or more nodes, " +
		"and single nodes that depend on themselves (direct recursion). " +
		"Use it to find what can't be understood, tested or split by itself. " +
		"A cycle of calls is often intended recursion; one of imports or inherits rarely is. " +
		"Dependencies that the scanner could not resolve are not in it, so a real cycle can be missing.",
	Parameters:   paged(0),
	OutputSchema: schema("cycles"),
	run: func(q *question, _ Arguments) error {
		q.key("cycles")
		total := q.ix.Manifest.Cycles
		q.has(total, "cycle")
		q.whole = append(q.whole, "the largest of "+show.Count(q.ix.Manifest.LargestCycle, "node"))
		start, end := q.pageOf(total, 0)
		if err := q.prefetchCycles(uint32(start), uint32(end)); err != nil {
			return err
		}
		err := list(q, span(uint32(start), uint32(end)), q.cycle)
		q.endPage(total, end < total, uint64(end))
		return err
	},
}

// cycle writes one cycle.
func (q *question) cycle(cycle uint32) error {
	row, err := q.view.CycleRow(cycle)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"id":`...)
	q.text(cycleID(row))
	q.key("nodes")
	nodes, err := q.numbers(store.CycleNodes, row.Nodes, row.NodesEnd)
	if err != nil {
		return err
	}
	q.soonNodes(nodes)
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	q.key("edges")
	edges, err := q.numbers(store.CycleEdges, row.Edges, row.EdgesEnd)
	if err != nil {
		return err
	}
	q.soon(store.EdgeRecords, edges)
	if err := list(q, edges, q.edge); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

func cycleID(row store.CycleRow) string { return fmt.Sprintf("cycle:%016x", row.ID) }

// prefetchCycles says that cycles [start, end) will be read: most are small.
func (q *question) prefetchCycles(start, end uint32) error {
	if end < start+2 {
		return nil
	}
	q.view.PrefetchRows(store.Cycles, start, end+1)
	first, err := q.view.CycleRow(start)
	if err != nil {
		return err
	}
	last, err := q.view.CycleRow(end - 1)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		numbers, records store.Section
		start, end       uint32
	}{
		{store.CycleNodes, store.NodeRecords, first.Nodes, last.NodesEnd},
		{store.CycleEdges, store.EdgeRecords, first.Edges, last.EdgesEnd},
	} {
		numbers, err := q.numbers(part.numbers, part.start, min(part.end, part.start+maxPrefetch))
		if err != nil {
			return err
		}
		q.soon(part.records, numbers)
	}
	return nil
}

// maxPrefetch is the most nodes or edges of cycles that are looked for at once.
const maxPrefetch = 1 << 17
