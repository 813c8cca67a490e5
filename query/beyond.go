package query

import (
	"slices"

	"brick/store"
)

// rest is where a list beside an answer's main list goes on.
type rest struct {
	end  int
	more bool
}

// beyond writes what an impact has besides the node's own dependency edges:
// what more calls may reach it and what was followed, the call sites of an
// unresolved symbol, and the impact of what a module, file or type contains.
// Cursors don't repeat the first two.
func (q *question) beyond(start uint32, forward bool, depth int64, w *walk) (rest, error) {
	if err := q.aside(start, forward, depth, w); err != nil {
		return rest{}, err
	}
	of, err := q.containedWalk(start, forward, depth)
	if err != nil || of == nil {
		return rest{}, err
	}
	return q.containedImpact(of, forward, depth)
}

// aside writes what more calls may reach the start and what was followed, and
// the call sites of an unresolved symbol: once, not on later pages.
func (q *question) aside(start uint32, forward bool, depth int64, w *walk) error {
	if depth == 0 || forward || q.page.from != nil {
		return nil
	}
	row, err := q.view.NodeRow(start)
	if err != nil {
		return err
	}
	sort, err := q.sortOf(start)
	if err != nil {
		return err
	}
	switch {
	case row.Function != store.NoFunction:
		err = q.unfollowed(start, row.Function)
	case sort.Kind == "unresolved_symbol":
		err = q.callSites(start)
	}
	if err != nil {
		return err
	}
	return q.alsoCallable(w, func(d int32) bool { return d > 0 && int64(d) < depth })
}

func (q *question) sortOf(node uint32) (store.NodeSort, error) {
	facts, err := q.view.Facts(node)
	if err != nil || int(facts.Sort) >= len(q.ix.Manifest.Sorts) {
		return store.NodeSort{}, err
	}
	return q.ix.Manifest.Sorts[facts.Sort], nil
}

// unfollowed writes what may call a function besides its resolved calls.
func (q *question) unfollowed(node, function uint32) error {
	report, err := q.view.Report(function)
	if err != nil {
		return err
	}
	reasons := report.Also
	if !report.Resolved {
		reasons = report.Reasons
	}
	if len(reasons) == 0 {
		return nil
	}
	return q.mayAlsoCall(node, reasons)
}

// alsoCallable writes how many of the functions at depths that were followed
// more calls may reach than were followed, if there are such.
func (q *question) alsoCallable(w *walk, at func(depth int32) bool) error {
	var followed []uint32
	for node, depth := range w.depths {
		if at(depth) {
			followed = append(followed, node)
		}
	}
	count := 0
	facts, err := readAll(q, store.Facts, slices.Sorted(slices.Values(followed)), q.view.Facts)
	if err != nil {
		return err
	}
	for _, f := range facts {
		count += int(f.Also)
	}
	if count > 0 {
		q.key("also_callable")
		q.number(count)
	}
	return nil
}

// callSites writes the calls of an unresolved symbol.
func (q *question) callSites(symbol uint32) error {
	row, err := q.view.NodeRow(symbol)
	if err != nil {
		return err
	}
	count := 0
	byReason := map[string]int{}
	var calls []uint32
	for edge := row.InDeps; edge < row.InEnd; edge++ {
		if err := q.step(); err != nil {
			return err
		}
		kind, err := q.edgeKind(edge)
		if err != nil {
			return err
		}
		if string(kind) != `"unresolved_call"` {
			continue
		}
		calls = append(calls, edge)
		err = q.claims(edge, func(c claim) {
			count++
			byReason[c.unresolvedReason()]++
		})
		if err != nil {
			return err
		}
	}
	callers, err := q.sourcesOf(calls, nil)
	if err != nil {
		return err
	}
	q.key("call_sites")
	q.out = append(q.out, `{"count":`...)
	q.number(count)
	q.key("by_unresolved_reason")
	q.byName(byReason)
	if err := q.callersAt(callers, everyClaim); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// A containedWalk is a search that begins with all that a node contains.
type containedWalk struct {
	*walk
	count int      // of what it contains
	nodes []uint32 // that were reached and are asked for, by depth, then id
}

// containedWalk searches from a node with all that it contains. It is nil for
// functions, for a repository, all of whose nodes are within it, and with
// dependencies where nothing that it contains is a function or a file.
func (q *question) containedWalk(start uint32, forward bool, depth int64) (*containedWalk, error) {
	row, err := q.view.NodeRow(start)
	if err != nil || depth == 0 || row.Function != store.NoFunction {
		return nil, err
	}
	sort, err := q.sortOf(start)
	if err != nil || sort.Kind == "repository" {
		return nil, err
	}
	inside, err := q.contained(start)
	if err != nil || len(inside) == 1 {
		return nil, err
	}
	if forward {
		if some, err := q.depending(inside[1:]); err != nil || !some {
			return nil, err
		}
	}
	w, err := q.search(edgesBetweenNodes{q, forward}, slices.Sorted(slices.Values(inside)), depth)
	if err != nil {
		return nil, err
	}
	nodes := w.reached()
	w.byDepth(nodes)
	nodes, err = kept(q, nodes, func(node uint32) uint32 { return node })
	return &containedWalk{w, len(inside) - 1, nodes}, err
}

// containedImpact writes the impact of a node with all that it contains.
func (q *question) containedImpact(of *containedWalk, forward bool, depth int64) (rest, error) {
	q.has(len(of.nodes), "node around what it contains")
	from, to := q.pageOf(len(of.nodes), 1)
	q.key("contained")
	q.out = append(q.out, `{"count":`...)
	q.number(of.count)
	q.key("total")
	q.number(len(of.nodes))
	q.key("nodes")
	q.soonReached(of.walk, of.nodes[from:to])
	err := list(q, of.nodes[from:to], func(node uint32) error { return q.reachedRow(of.walk, node) })
	if err == nil && q.page.from == nil && !forward {
		err = q.alsoCallable(of.walk, func(d int32) bool { return int64(d) < depth })
	}
	q.out = append(q.out, '}')
	return rest{to, to < len(of.nodes)}, err
}

// depending says whether some of the nodes are functions or files.
func (q *question) depending(nodes []uint32) (bool, error) {
	for _, node := range nodes {
		if err := q.step(); err != nil {
			return false, err
		}
		sort, err := q.sortOf(node)
		if err != nil {
			return false, err
		}
		switch sort.Kind {
		case "function", "method", "file":
			return true, nil
		}
	}
	return false, nil
}
