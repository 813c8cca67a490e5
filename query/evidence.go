package query

import "brick/store"

var evidence = &Tool{
	Name:  "brick_evidence",
	Title: "Evidence of a node or an edge",
	Description: "All that the model says about one node (its record and edges of every kind) or one edge (every claim: lane, " +
		"backend, confidence, provenance). Use it to see who claims a dependency, and where. A lane says how a claim " +
		"was made, not that it is true; confidence is each producer's own scale.",
	Parameters: paged(0,
		Parameter{Name: "entity_id", Type: String, Required: true, Description: "The id of the node or edge."},
		pathFilter, nodeOrEdgeKinds, testsFilter, groupBy,
	),
	OutputSchema: schema("evidence"),
	run: func(q *question, a Arguments) error {
		entity, err := q.findEntity(a.string("entity_id"))
		if err != nil {
			return err
		}
		q.sayPlaces()
		q.key("entity_kind")
		if entity.Edge {
			q.text("edge")
			q.key("edge")
			return q.wholeEdge(entity.Number)
		}
		q.text("node")
		q.key("node")
		if err := q.wholeNode(entity.Number); err != nil {
			return err
		}
		edges, others, err := q.incidentAsked(entity.Number)
		if err != nil {
			return err
		}
		if done, err := q.grouped(column{name: "edges", nodes: others}); done || err != nil {
			return err
		}
		q.key("edges")
		q.has(len(edges), "edge")
		sortEdges(edges)
		start, end := q.pageOf(len(edges), 0)
		if q.names {
			err = list(q, edges[start:end], q.namesIncident(entity.Number))
		} else {
			err = q.edges(edges[start:end])
		}
		q.endPage(len(edges), end < len(edges), uint64(end))
		return err
	},
}

// wholeNode writes the node that is asked about: names are too little of it.
func (q *question) wholeNode(node uint32) (err error) {
	if q.names {
		q.out, err = q.view.AppendNode(q.out, node)
		return err
	}
	return q.node(node)
}

// wholeEdge is edgeWithEnds of the edge that is asked about. Its ends have
// their ids in it.
func (q *question) wholeEdge(edge uint32) (err error) {
	if q.names {
		q.out, err = q.view.AppendEdge(q.out, edge)
		return err
	}
	return q.edgeWithEnds(edge)
}

// incidentAsked returns the edges at a node that are of an asked kind and lead
// to or from a node that is asked for, and those nodes.
func (q *question) incidentAsked(node uint32) (edges []ranked, others []uint32, err error) {
	if edges, err = q.incident(node); err != nil {
		return nil, nil, err
	}
	if edges, err = q.keptEdges(edges); err != nil {
		return nil, nil, err
	}
	if q.filter.all() && q.arguments.string(groupBy.Name) == "" {
		return edges, nil, nil
	}
	other := map[uint32]uint32{}
	for _, e := range edges {
		row, err := q.view.EdgeRow(e.edge)
		if err != nil {
			return nil, nil, err
		}
		other[e.edge] = row.Source
		if row.Source == node {
			other[e.edge] = row.Target
		}
	}
	if edges, err = kept(q, edges, func(e ranked) uint32 { return other[e.edge] }); err != nil {
		return nil, nil, err
	}
	for _, e := range edges {
		others = append(others, other[e.edge])
	}
	return edges, others, nil
}

// incident returns the edges of every kind at a node, a self-loop once.
func (q *question) incident(node uint32) ([]ranked, error) {
	row, err := q.view.NodeRow(node)
	if err != nil {
		return nil, err
	}
	numbers := span(row.In, row.InEnd)
	out, err := q.numbers(store.OutEdges, row.Out, row.OutEnd)
	if err != nil {
		return nil, err
	}
	numbers = append(numbers, out...)
	rows, err := readAll(q, store.Edges, numbers, q.view.EdgeRow)
	if err != nil {
		return nil, err
	}
	incoming := int(row.InEnd - row.In)
	edges := make([]ranked, 0, len(numbers))
	for i, number := range numbers {
		edge := rows[i]
		if i >= incoming && edge.Source == edge.Target {
			continue // a self-loop, seen among the incoming edges
		}
		edges = append(edges, ranked{number, edge.Rank})
	}
	return edges, nil
}
