package query

import (
	"cmp"
	"slices"

	"brick/store"
)

const (
	dependents   = "dependents"
	dependencies = "dependencies"
)

var impact = &Tool{
	Name:  "brick_impact",
	Title: "Impact of a change",
	Description: "What depends on a node, directly or through others, or what it depends on: " +
		"the calls, imports and inherits edges around it, up to a depth. " +
		"Ask it before changing or removing something. Depth 1 (the default) is the direct neighbours. " +
		"It knows only the dependencies that the scanner resolved: a node that is not in the answer can still be affected, " +
		"through unresolved calls, reflection or configuration; brick_callers says what is unresolved for a function.",
	Parameters: paged(0,
		Parameter{Name: "node_id", Type: String, Required: true, Description: "The id of the node to start from."},
		Parameter{Name: "direction", Type: String, Default: dependents, Enum: []string{dependents, dependencies},
			Description: "dependents: what depends on the node. dependencies: what it depends on."},
		Parameter{Name: maxDepth, Type: Integer, Default: int64(1), Description: "How many edges away the answer goes; 0 gives the node alone."},
	),
	OutputSchema: schema("impact"),
	run:          answerImpact,
}

func answerImpact(q *question, a Arguments) error {
	start, err := q.findNode(a.string("node_id"), anyNode)
	if err != nil {
		return err
	}
	depths, edges, err := q.search(start, a.string("direction") == dependencies, a.integer("max_depth"))
	if err != nil {
		return err
	}
	nodes := make([]uint32, 0, len(depths))
	for node := range depths {
		if node != start {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	q.has(len(nodes), "node")
	q.has(len(edges), "edge")
	total := len(nodes)
	from, to := q.pageOf(total, 0)
	nodes = nodes[from:to]
	if q.page.limited {
		if edges, err = q.edgesInto(nodes, depths, edges); err != nil {
			return err
		}
	}
	q.key("start")
	if err := q.node(start); err != nil {
		return err
	}
	q.key("direction")
	q.text(a.string("direction"))
	q.key("max_depth")
	q.number(int(a.integer("max_depth")))
	q.key("nodes")
	q.reserve(len(nodes), len(edges))
	q.soonNodes(nodes)
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	q.key("node_depths")
	err = list(q, nodes, func(node uint32) error {
		q.number(int(depths[node]))
		return nil
	})
	if err != nil {
		return err
	}
	q.key("edges")
	err = q.edges(edges)
	q.endPage(total, to < total, uint64(to))
	return err
}

// edgesInto returns the edges between the nodes of a page, which are sorted,
// and nodes at a smaller depth.
func (q *question) edgesInto(page []uint32, depths map[uint32]int32, edges []ranked) ([]ranked, error) {
	var kept []ranked
	for _, e := range edges {
		if err := q.step(); err != nil {
			return nil, err
		}
		row, err := q.view.EdgeRow(e.edge)
		if err != nil {
			return nil, err
		}
		deeper := row.Source
		switch d := depths[row.Source] - depths[row.Target]; {
		case d == 0:
			continue
		case d < 0:
			deeper = row.Target
		}
		if _, ok := slices.BinarySearch(page, deeper); ok {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// search goes breadth-first over dependency edges. It returns the depth of
// every node that it reaches, start included, and the edges that it followed.
func (q *question) search(start uint32, forward bool, maxDepth int64) (depths map[uint32]int32, edges []ranked, err error) {
	depths = map[uint32]int32{start: 0}
	frontier := []uint32{start}
	for depth := int64(0); depth < maxDepth && len(frontier) > 0; depth++ {
		if err := q.prefetchNeighbours(frontier, forward); err != nil {
			return nil, nil, err
		}
		var next []uint32
		for _, node := range frontier {
			err := q.neighbours(node, forward, func(e ranked, neighbour uint32) {
				edges = append(edges, e)
				if _, seen := depths[neighbour]; !seen {
					depths[neighbour] = int32(depth + 1)
					next = append(next, neighbour)
				}
			})
			if err != nil {
				return nil, nil, err
			}
		}
		slices.SortFunc(next, cmp.Compare) // neighbours in the file are read together
		frontier = next
	}
	return depths, edges, nil
}

// prefetchNeighbours says that the dependency edges of these nodes, which are
// in order, will be read.
func (q *question) prefetchNeighbours(nodes []uint32, forward bool) error {
	nodeRows, err := readAll(q, store.Nodes, nodes, q.view.NodeRow)
	if err != nil {
		return err
	}
	var rows []uint32
	for _, row := range nodeRows {
		start, end := row.In, row.InDeps
		if forward {
			start, end = row.Out, row.OutDeps
		}
		rows = append(rows, span(start, end)...)
	}
	if !forward {
		q.view.Prefetch(store.Edges, rows)
		return nil
	}
	edges, err := readAll(q, store.OutEdges, rows, func(row uint32) (uint32, error) { return q.view.Number(store.OutEdges, row) })
	if err != nil {
		return err
	}
	q.view.Prefetch(store.Edges, edges)
	return nil
}

// neighbours calls visit for each dependency edge to a node, or forward from
// it, with the node at the other end.
func (q *question) neighbours(node uint32, forward bool, visit func(e ranked, neighbour uint32)) error {
	row, err := q.view.NodeRow(node)
	if err != nil {
		return err
	}
	start, end := row.In, row.InDeps
	if forward {
		start, end = row.Out, row.OutDeps
	}
	for i := start; i < end; i++ {
		if err := q.step(); err != nil {
			return err
		}
		e := i
		if forward {
			if e, err = q.view.Number(store.OutEdges, i); err != nil {
				return err
			}
		}
		edge, err := q.view.EdgeRow(e)
		if err != nil {
			return err
		}
		neighbour := edge.Source
		if forward {
			neighbour = edge.Target
		}
		visit(ranked{e, edge.Rank}, neighbour)
	}
	return nil
}
