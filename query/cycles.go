package query

import (
	"fmt"

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
	OutputSchema: schema("cycles"),
	run: func(q *question, _ Arguments) error {
		q.key("cycles")
		return list(q, span(0, uint32(q.ix.Manifest.Cycles)), q.cycle)
	},
}

// cycle writes one cycle.
func (q *question) cycle(cycle uint32) error {
	row, err := q.view.CycleRow(cycle)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"id":`...)
	q.text(fmt.Sprintf("cycle:%016x", row.ID))
	q.key("nodes")
	nodes, err := q.numbers(store.CycleNodes, row.Nodes, row.NodesEnd)
	if err != nil {
		return err
	}
	q.view.Prefetch(store.NodeRecords, nodes)
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	q.key("edges")
	edges, err := q.numbers(store.CycleEdges, row.Edges, row.EdgesEnd)
	if err != nil {
		return err
	}
	q.view.Prefetch(store.EdgeRecords, edges)
	if err := list(q, edges, q.edge); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}
