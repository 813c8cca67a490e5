package query

import "brick/store"

var bridges = &Tool{
	Name:  "brick_bridges",
	Title: "Single edges that hold parts together",
	Description: "All bridges: dependency edges (calls, imports, inherits), looked at without direction, " +
		"whose removal would leave two parts with no connection. " +
		"Use it to find where a part hangs on one dependency: places to cut, or weak links. " +
		"Two nodes that are joined by several edges have no bridge. " +
		"Dependencies that the scanner could not resolve are not counted, so a bridge here can have a parallel in reality.",
	Parameters:   paged(0),
	OutputSchema: schema("bridges"),
	run: func(q *question, _ Arguments) error {
		q.key("graph_semantics")
		q.text("weak-undirected-dependency")
		q.key("bridges")
		total := q.ix.Manifest.Bridges
		q.has(total, "bridge")
		start, end := q.pageOf(total, 0)
		edges, err := q.numbers(store.Bridges, uint32(start), uint32(end))
		if err != nil {
			return err
		}
		if err := q.prefetchWithEnds(edges); err != nil {
			return err
		}
		q.reserve(2*len(edges), len(edges))
		err = list(q, edges, func(edge uint32) error {
			q.out = append(q.out, `{"edge":`...)
			if err := q.edgeWithEnds(edge); err != nil {
				return err
			}
			q.out = append(q.out, '}')
			return nil
		})
		q.endPage(total, end < total, uint64(end))
		return err
	},
}

// edgeWithEnds writes an edge, and its source and target as the next members.
func (q *question) edgeWithEnds(edge uint32) error {
	if err := q.edge(edge); err != nil {
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
