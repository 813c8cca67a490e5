package query

import (
	"cmp"
	"fmt"
	"slices"

	"brick/store"
)

var dependencyKinds = []string{"calls", "imports", "inherits"}

var path = &Tool{
	Name:  "brick_path",
	Title: "How one node depends on another",
	Description: "A shortest path of dependencies from one node to another: how the one comes to depend on the other. When " +
		"there is none it says so, and whether one leads the other way. No path is no proof of independence: " +
		"unresolved calls are not followed.",
	Parameters: []Parameter{
		{Name: "from", Type: String, Required: true, Description: "The id of what depends."},
		{Name: "to", Type: String, Required: true, Description: "The id of what it depends on."},
		{Name: "kinds", Type: Strings, Enum: dependencyKinds, Description: "Only over these edges."},
		{Name: maxDepth, Type: Integer, Default: int64(20), Description: "The most edges of the path."},
		records,
	},
	OutputSchema: schema("path"),
	run:          answerPath,
}

func answerPath(q *question, a Arguments) error {
	from, err := q.findNode(a.string("from"), anyNode)
	if err != nil {
		return err
	}
	to, err := q.findNode(a.string("to"), anyNode)
	if err != nil {
		return err
	}
	q.sayPlaces()
	kinds := dependencyKinds
	if given, ok := a["kinds"].([]string); ok {
		kinds = given
	}
	depth := a.integer(maxDepth)
	q.key("from")
	if err := q.node(from); err != nil {
		return err
	}
	q.key("to")
	if err := q.node(to); err != nil {
		return err
	}
	q.key("kinds")
	if err := list(q, kinds, func(kind string) error { q.text(kind); return nil }); err != nil {
		return err
	}
	q.key(maxDepth)
	q.number(int(depth))
	distance, found, err := q.distances(from, to, kinds, depth)
	if err != nil {
		return err
	}
	q.key("found")
	q.boolean(found)
	if !found {
		return q.noWay(from, to, kinds, depth)
	}
	nodes, edges, err := q.leastPath(from, distance, kinds)
	if err != nil {
		return err
	}
	q.key("length")
	q.number(len(edges))
	q.soonNodes(nodes)
	q.soon(store.EdgeRecords, edges)
	q.key("nodes")
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	q.key("edges")
	if q.names {
		return list(q, edges, func(edge uint32) error { return q.namesEdge(edge, noEnds) })
	}
	return list(q, edges, q.edge)
}

// noWay writes that there is no path.
func (q *question) noWay(from, to uint32, kinds []string, depth int64) error {
	_, back, err := q.distances(to, from, kinds, depth)
	if err != nil {
		return err
	}
	q.out = append(q.out, `,"nodes":[],"edges":[]`...)
	q.key("exists_other_way")
	q.boolean(back)
	q.key("note")
	note := fmt.Sprintf("No path of resolved dependencies of these kinds leads from the one to the other within %d edges", depth)
	if back {
		note += "; one leads the other way round: exchange from and to."
	} else {
		note += ", nor the other way round."
	}
	q.text(note)
	return nil
}

// distances goes breadth-first from to against the dependencies until it
// comes to from. It returns how far each node that it came to is from to.
func (q *question) distances(from, to uint32, kinds []string, maxDepth int64) (distance map[uint32]uint32, found bool, err error) {
	distance = map[uint32]uint32{to: 0}
	frontier := []uint32{to}
	for depth := int64(0); len(frontier) > 0; depth++ {
		if _, found := distance[from]; found {
			return distance, true, nil
		}
		if depth == maxDepth {
			break
		}
		if err := q.prefetchNeighbours(frontier, false); err != nil {
			return nil, false, err
		}
		var next []uint32
		for _, node := range frontier {
			row, err := q.view.NodeRow(node)
			if err != nil {
				return nil, false, err
			}
			for e := row.In; e < row.InDeps; e++ {
				if err := q.step(); err != nil {
					return nil, false, err
				}
				if !slices.Contains(kinds, kindIn(row, e)) {
					continue
				}
				edge, err := q.view.EdgeRow(e)
				if err != nil {
					return nil, false, err
				}
				if _, seen := distance[edge.Source]; !seen {
					distance[edge.Source] = uint32(depth + 1)
					next = append(next, edge.Source)
				}
			}
		}
		slices.SortFunc(next, cmp.Compare)
		frontier = next
	}
	return distance, false, nil
}

// kindIn is the kind of an incoming dependency edge of a node.
func kindIn(row store.NodeRow, edge uint32) string {
	switch {
	case edge < row.InCalls:
		return dependencyKinds[0]
	case edge < row.InImports:
		return dependencyKinds[1]
	}
	return dependencyKinds[2]
}

// leastPath goes from a node to where the distance is 0, always to the least
// node that is nearer, by the edge with the least id.
func (q *question) leastPath(from uint32, distance map[uint32]uint32, kinds []string) (nodes, edges []uint32, err error) {
	nodes = []uint32{from}
	edges = []uint32{}
	for at := from; distance[at] > 0; {
		if err := q.prefetchNeighbours([]uint32{at}, true); err != nil {
			return nil, nil, err
		}
		row, err := q.view.NodeRow(at)
		if err != nil {
			return nil, nil, err
		}
		best, bestEdge := uint32(store.Unknown), ranked{}
		for i := row.Out; i < row.OutDeps; i++ {
			if err := q.step(); err != nil {
				return nil, nil, err
			}
			e, err := q.view.Number(store.OutEdges, i)
			if err != nil {
				return nil, nil, err
			}
			edge, err := q.view.EdgeRow(e)
			if err != nil {
				return nil, nil, err
			}
			d, seen := distance[edge.Target]
			if !seen || d+1 != distance[at] || edge.Target > best || edge.Target == best && edge.Rank > bestEdge.rank {
				continue
			}
			target, err := q.view.NodeRow(edge.Target)
			if err != nil {
				return nil, nil, err
			}
			if slices.Contains(kinds, kindIn(target, e)) {
				best, bestEdge = edge.Target, ranked{e, edge.Rank}
			}
		}
		if best == store.Unknown {
			return nil, nil, fmt.Errorf("the index is damaged: a path ends at node %d; build it again", at)
		}
		at = best
		nodes, edges = append(nodes, best), append(edges, bestEdge.edge)
	}
	return nodes, edges, nil
}
