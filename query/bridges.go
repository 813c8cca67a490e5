package query

import "brick/store"

var bridges = &Tool{
	Name:  "brick_bridges",
	Title: "Single edges that hold parts together",
	Description: "Single dependency edges whose removal would leave two parts with no connection: places to cut, or weak links. " +
		"Unresolved dependencies are not counted, so that a bridge can have a parallel in reality.",
	Parameters:   paged(0, pathFilter, nodeOrEdgeKinds, testsFilter, groupBy),
	OutputSchema: schema("bridges"),
	run: func(q *question, _ Arguments) error {
		q.key("graph_semantics")
		q.text("weak-undirected-dependency")
		if q.filter.given() || q.arguments.string(groupBy.Name) != "" {
			return q.askedBridges()
		}
		total := q.ix.Manifest.Bridges
		q.has(total, "bridge")
		start, end := q.pageOf(total, 0)
		edges, err := q.numbers(store.Bridges, uint32(start), uint32(end))
		if err != nil {
			return err
		}
		err = q.writeBridges(edges)
		q.endPage(total, end < total, uint64(end))
		return err
	},
}

// askedBridges answers with the bridges of an asked kind of which one end is
// asked for; they are counted where they come from.
func (q *question) askedBridges() error {
	all, err := q.numbers(store.Bridges, 0, uint32(q.ix.Manifest.Bridges))
	if err != nil {
		return err
	}
	rows, err := readAll(q, store.Edges, all, q.view.EdgeRow)
	if err != nil {
		return err
	}
	var ends, sources []uint32
	for _, row := range rows {
		ends = append(ends, row.Source, row.Target)
	}
	isNode, err := q.askedFor(ends)
	if err != nil {
		return err
	}
	isEdge, err := readAll(q, store.EdgeRecords, all, q.edgeKindAsked)
	if err != nil {
		return err
	}
	var edges []uint32
	for i, edge := range all {
		if isEdge[i] && (isNode[2*i] || isNode[2*i+1]) {
			edges, sources = append(edges, edge), append(sources, rows[i].Source)
		}
	}
	q.leftOut += len(all) - len(edges)
	if done, err := q.grouped(column{name: "bridges", nodes: sources}); done || err != nil {
		return err
	}
	q.has(len(edges), "bridge")
	start, end := q.pageOf(len(edges), 0)
	err = q.writeBridges(edges[start:end])
	q.endPage(len(edges), end < len(edges), uint64(end))
	return err
}

// writeBridges writes bridges with their ends.
func (q *question) writeBridges(edges []uint32) error {
	q.key("bridges")
	if err := q.prefetchWithEnds(edges); err != nil {
		return err
	}
	q.reserve(2*len(edges), len(edges))
	return list(q, edges, func(edge uint32) error {
		q.out = append(q.out, `{"edge":`...)
		if err := q.edgeWithEnds(edge); err != nil {
			return err
		}
		q.out = append(q.out, '}')
		return nil
	})
}

// edgeWithEnds writes an edge, and its source and target as the next members;
// names have their ids in the edge.
func (q *question) edgeWithEnds(edge uint32) error {
	if err := q.edge(edge); err != nil || q.names {
		return err
	}
	row, err := q.view.EdgeRow(edge)
	if err != nil {
		return err
	}
	q.key("source")
	if err := q.node(row.Source); err != nil {
		return err
	}
	q.key("target")
	return q.node(row.Target)
}

// prefetchWithEnds says that edges will be read, and their ends.
func (q *question) prefetchWithEnds(edges []uint32) error {
	q.soon(store.EdgeRecords, edges)
	rows, err := readAll(q, store.Edges, edges, q.view.EdgeRow)
	if err != nil {
		return err
	}
	ends := make([]uint32, 0, 2*len(edges))
	for _, row := range rows {
		ends = append(ends, row.Source, row.Target)
	}
	q.soonNodes(ends)
	return nil
}
