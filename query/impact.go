package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"brick/internal/show"
	"brick/store"
)

const (
	dependents   = "dependents"
	dependencies = "dependencies"
)

var impact = &Tool{
	Name:  "brick_impact",
	Title: "Impact of a change",
	Description: "What depends on a node, directly or through others, or what it depends on (calls, imports, inherits). Ask it " +
		"before changing or removing something. contained is the impact of all in a module, file or type, call_sites " +
		"are the calls of an unresolved symbol; may_also_call and also_callable say what calls were not resolved. " +
		"Reflection and configuration are in none.",
	Parameters: paged(0,
		Parameter{Name: "node_id", Type: String, Required: true, Description: "Where to start."},
		Parameter{Name: "direction", Type: String, Default: dependents, Enum: []string{dependents, dependencies},
			Description: "What depends on it, or what it depends on."},
		Parameter{Name: maxDepth, Type: Integer, Default: int64(1), Description: "How many edges away it goes."},
		level,
		pathFilter, nodeOrEdgeKinds, testsFilter, groupBy,
	),
	OutputSchema: schema("impact"),
	run:          answerImpact,
}

func answerImpact(q *question, a Arguments) error {
	if err := q.followed(); err != nil {
		return err
	}
	start, err := q.findNode(a.string("node_id"), anyNode)
	if err != nil {
		return err
	}
	q.sayPlaces()
	forward, depth := a.string("direction") == dependencies, a.integer(maxDepth)
	if of := a.string(level.Name); of == moduleLevel || of == importsLevel {
		if err := q.refuseFilters(of); err != nil {
			return err
		}
		return q.impactOfModule(start, of, forward, depth)
	}
	w, err := q.search(edgesBetweenNodes{q, forward}, []uint32{start}, depth)
	if err != nil {
		return err
	}
	nodes, edges := w.reached(), w.edges
	if q.page.limited {
		w.byDepth(nodes)
	}
	if nodes, err = kept(q, nodes, func(node uint32) uint32 { return node }); err != nil {
		return err
	}
	q.has(len(nodes), "node")
	q.has(len(edges), "edge")
	total := len(nodes)
	from, to := q.pageOf(total, 0)
	asked := nodes
	nodes = nodes[from:to]
	if q.page.limited || q.filter.given() {
		if edges, err = q.edgesInto(nodes, w.depths, edges); err != nil {
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
	if a.string(groupBy.Name) != "" {
		return q.groupedImpact(start, forward, depth, w, asked)
	}
	q.key("nodes")
	q.reserve(len(nodes), len(edges))
	if q.brief {
		q.soonReached(w, nodes)
	} else {
		q.soonNodes(nodes)
	}
	if err := list(q, nodes, func(node uint32) error { return q.reachedNode(w, node) }); err != nil {
		return err
	}
	if !q.names { // whose rows say it all
		if err := q.depthsAndEdges(w, nodes, edges); err != nil {
			return err
		}
	}
	rest, err := q.beyond(start, forward, depth, w)
	q.endPage(total, to < total || rest.more, uint64(to), uint64(rest.end))
	return err
}

// depthsAndEdges writes how deep nodes are, and the edges that were followed.
func (q *question) depthsAndEdges(w *walk, nodes []uint32, edges []ranked) error {
	q.key("node_depths")
	err := list(q, nodes, func(node uint32) error {
		q.number(int(w.depths[node]))
		return nil
	})
	if err != nil {
		return err
	}
	q.key("edges")
	return q.edges(edges)
}

// groupedImpact counts the nodes that an impact reached, and those that all
// that is contained in the start did.
func (q *question) groupedImpact(start uint32, forward bool, depth int64, w *walk, nodes []uint32) error {
	if err := q.aside(start, forward, depth, w); err != nil {
		return err
	}
	columns := []column{{name: "nodes", nodes: nodes}}
	of, err := q.containedWalk(start, forward, depth)
	if err != nil {
		return err
	}
	if of != nil {
		columns = append(columns, column{name: "contained", nodes: of.nodes})
	}
	_, err = q.grouped(columns...)
	return err
}

// reachedNode writes a node of an impact: in brief with how deep it is, the
// node at a smaller depth by which it was reached, and where the first edge
// between the two is said to be.
func (q *question) reachedNode(w *walk, node uint32) error {
	if !q.brief {
		return q.node(node)
	}
	return q.reachedRow(w, node)
}

// soonReached says that reachedRow will write nodes.
func (q *question) soonReached(w *walk, nodes []uint32) {
	edges := make([]uint32, len(nodes))
	for i, node := range nodes {
		edges[i] = w.via[node].edge.edge
	}
	q.soonRows(nodes, edges)
}

func (q *question) reachedRow(w *walk, node uint32) error {
	via := w.via[node]
	return q.reachedBy(w, node, via.node, via.edge.edge)
}

// reachedBy writes a node that was reached by another, over an edge.
func (q *question) reachedBy(w *walk, node, via, edge uint32) error {
	return q.rowAt(node, func() error {
		q.key("depth")
		q.number(int(w.depths[node]))
		if q.names && w.single && w.depths[via] == 0 {
			return nil // it is the start
		}
		q.key("via")
		var err error
		q.out, err = q.view.AppendNodeID(q.out, via)
		return err
	}, edge, everyClaim)
}

// followed refuses kinds of edges that no dependency is.
func (q *question) followed() error {
	for _, kind := range q.filter.edges {
		if !slices.Contains(dependencyKinds, kind) {
			return &ArgumentError{Tool: q.tool.Name, Argument: kindsFilter.Name, Problem: fmt.Sprintf(
				"has %s, edges of which are not followed: dependencies are %s", show.Quote(kind), strings.Join(dependencyKinds, ", "))}
		}
	}
	return nil
}

// edgesInto returns the edges between the nodes of a page and nodes at a
// smaller depth.
func (q *question) edgesInto(page []uint32, depths map[uint32]int32, edges []ranked) ([]ranked, error) {
	var kept []ranked
	page = slices.Sorted(slices.Values(page))
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

// A walk is what a breadth-first search reached.
type walk struct {
	depths map[uint32]int32 // of every node that it reached; 0 of those it began with
	edges  []ranked         // that it followed
	via    map[uint32]step  // by which a node was reached
	single bool             // it began with one node
}

// A step is an edge from or to a node at a smaller depth.
type step struct {
	edge ranked
	node uint32
}

// reached returns the nodes that the walk did not begin with, in order.
func (w *walk) reached() []uint32 {
	nodes := make([]uint32, 0, len(w.depths))
	for node, depth := range w.depths {
		if depth > 0 {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// byDepth sorts nodes by depth, then by id.
func (w *walk) byDepth(nodes []uint32) {
	slices.SortFunc(nodes, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(w.depths[a], w.depths[b]), cmp.Compare(a, b))
	})
}

// A graph is what a search goes over.
type graph interface {
	// soon says that the neighbours of these nodes, which are in order, will be
	// asked for.
	soon(nodes []uint32) error
	// each calls visit for each edge that leads on from a node, with the node at
	// its other end.
	each(node uint32, visit func(e ranked, neighbour uint32)) error
}

// edgesBetweenNodes is the graph of dependency edges, against their direction
// or forward.
type edgesBetweenNodes struct {
	q       *question
	forward bool
}

func (g edgesBetweenNodes) soon(nodes []uint32) error {
	return g.q.prefetchNeighbours(nodes, g.forward)
}

func (g edgesBetweenNodes) each(node uint32, visit func(e ranked, neighbour uint32)) error {
	return g.q.neighbours(node, g.forward, visit)
}

// search goes breadth-first from nodes in order. Of the edges by which it
// reaches a node it keeps the first by rank.
func (q *question) search(g graph, starts []uint32, maxDepth int64) (*walk, error) {
	w := &walk{depths: map[uint32]int32{}, via: map[uint32]step{}, single: len(starts) == 1}
	for _, start := range starts {
		w.depths[start] = 0
	}
	frontier := starts
	for depth := int64(0); depth < maxDepth && len(frontier) > 0; depth++ {
		if err := g.soon(frontier); err != nil {
			return nil, err
		}
		var next []uint32
		for _, node := range frontier {
			err := g.each(node, func(e ranked, neighbour uint32) {
				w.edges = append(w.edges, e)
				d, seen := w.depths[neighbour]
				if !seen {
					d = int32(depth + 1)
					w.depths[neighbour] = d
					next = append(next, neighbour)
				}
				if before, known := w.via[neighbour]; int64(d) == depth+1 && (!known || e.rank < before.edge.rank) {
					w.via[neighbour] = step{e, node}
				}
			})
			if err != nil {
				return nil, err
			}
		}
		slices.Sort(next) // neighbours in the file are read together
		frontier = next
	}
	return w, nil
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
		if q.filter.edges != nil {
			target, err := q.view.NodeRow(edge.Target)
			if err != nil {
				return err
			}
			if !slices.Contains(q.filter.edges, kindIn(target, e)) {
				continue
			}
		}
		neighbour := edge.Source
		if forward {
			neighbour = edge.Target
		}
		visit(ranked{e, edge.Rank}, neighbour)
	}
	return nil
}
