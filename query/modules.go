package query

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"brick/store"
)

const (
	nodeLevel    = "node"
	moduleLevel  = "module"
	importsLevel = "imports"
)

var level = Parameter{
	Name: "level", Type: String, Default: nodeLevel, Unfilled: true, Enum: []string{nodeLevel, moduleLevel, importsLevel},
	Description: "module: between modules (packages); imports: by imports alone.",
}

// edgesBetweenModules is the graph of what modules depend on: its edges are
// rows of section ModuleUses.
type edgesBetweenModules struct {
	q       *question
	forward bool
	imports bool // only where there are imports
}

func (g edgesBetweenModules) soon([]uint32) error { return nil }

func (g edgesBetweenModules) each(node uint32, visit func(e ranked, neighbour uint32)) error {
	v := g.q.view
	n := g.q.ix.Items(store.ModuleUses)
	row := func(i uint32) (uint32, store.ModuleUse, error) {
		var err error
		if !g.forward {
			if i, err = v.Number(store.ModuleUsers, i); err != nil {
				return i, store.ModuleUse{}, err
			}
		}
		use, err := v.ModuleUse(i)
		return i, use, err
	}
	ends := func(use store.ModuleUse) (this, other uint32) {
		if g.forward {
			return use.From, use.To
		}
		return use.To, use.From
	}
	start, err := firstOf(0, n, func(i uint32) (bool, error) {
		_, use, err := row(i)
		this, _ := ends(use)
		return this >= node, err
	})
	if err != nil {
		return err
	}
	for i := start; i < n; i++ {
		if err := g.q.step(); err != nil {
			return err
		}
		number, use, err := row(i)
		if err != nil {
			return err
		}
		this, other := ends(use)
		if this != node {
			break
		}
		if !g.imports || use.Imports > 0 {
			visit(ranked{number, number}, other)
		}
	}
	return nil
}

// refuseFilters refuses arguments that are about nodes: most modules have no
// path, and the edges between them are sums.
func (q *question) refuseFilters(level string) error {
	for _, p := range []Parameter{pathFilter, kindsFilter, testsFilter, groupBy} {
		if _, given := q.arguments[p.Name]; given {
			return &ArgumentError{Tool: q.tool.Name, Argument: p.Name, Problem: fmt.Sprintf("is about nodes: it can't go with level %q", level)}
		}
	}
	return nil
}

// impactOfModule answers with the modules around that of a node.
func (q *question) impactOfModule(node uint32, level string, forward bool, depth int64) error {
	facts, err := q.view.Facts(node)
	if err != nil {
		return err
	}
	start := facts.Module
	w, err := q.search(edgesBetweenModules{q, forward, level == importsLevel}, []uint32{start}, depth)
	if err != nil {
		return err
	}
	nodes := w.reached()
	if q.page.limited {
		w.byDepth(nodes)
	}
	q.has(len(nodes), moduleLevel)
	from, to := q.pageOf(len(nodes), 0)
	page := nodes[from:to]
	shown := map[uint32]bool{}
	for _, node := range page {
		shown[node] = true
	}
	// The edges of the page: on a whole one all of them.
	var rows []uint32
	uses := map[uint32]store.ModuleUse{}
	for _, e := range w.edges {
		use, err := q.view.ModuleUse(e.edge)
		if err != nil {
			return err
		}
		uses[e.edge] = use
		near, far := use.From, use.To
		if w.depths[near] > w.depths[far] {
			near, far = far, near
		}
		if !q.page.limited || w.depths[near] < w.depths[far] && shown[far] {
			rows = append(rows, e.edge)
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	q.key("start")
	if err := q.node(start); err != nil {
		return err
	}
	q.key("direction")
	q.text(q.arguments.string("direction"))
	q.key(maxDepth)
	q.number(int(depth))
	q.key("level")
	q.text(level)
	q.key("nodes")
	err = list(q, page, func(node uint32) error {
		if !q.brief {
			return q.node(node)
		}
		via := w.via[node]
		return q.reachedBy(w, node, via.node, example(uses[via.edge.edge], level == importsLevel))
	})
	if err != nil {
		return err
	}
	q.key("node_depths")
	err = list(q, page, func(node uint32) error {
		q.number(int(w.depths[node]))
		return nil
	})
	if err != nil {
		return err
	}
	q.key("edges")
	if err := list(q, rows, func(row uint32) error { return q.moduleUse(row, level == importsLevel) }); err != nil {
		return err
	}
	q.endPage(len(nodes), to < len(nodes), uint64(to))
	return nil
}

// example is the edge that stands for all from one module to another.
func example(use store.ModuleUse, imports bool) uint32 {
	if imports {
		return use.Import
	}
	return use.Edge
}

// moduleUse writes what a module depends on another by.
func (q *question) moduleUse(row uint32, imports bool) (err error) {
	use, err := q.view.ModuleUse(row)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"source":`...)
	if q.out, err = q.view.AppendNodeID(q.out, use.From); err != nil {
		return err
	}
	q.key("target")
	if q.out, err = q.view.AppendNodeID(q.out, use.To); err != nil {
		return err
	}
	q.key("calls")
	q.number(int(use.Calls))
	q.key("imports")
	q.number(int(use.Imports))
	q.key("inherits")
	q.number(int(use.Inherits))
	q.key("example")
	if q.out, err = q.view.AppendEdgeID(q.out, example(use, imports)); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// cyclesOfModules answers with the cycles of modules.
func (q *question) cyclesOfModules(a Arguments, level string) error {
	imports := level == importsLevel
	all, err := q.moduleCycles(imports)
	if err != nil {
		return err
	}
	largest := 0
	for _, nodes := range all {
		largest = max(largest, len(nodes))
	}
	if id, ok := a["cycle_id"].(string); ok {
		number, err := q.findCycleAmong(id, len(all), func(number uint32) (string, error) { return q.idOfCycle(all[number]) })
		if err != nil {
			return err
		}
		all = all[number : number+1]
	}
	q.has(len(all), "cycle")
	q.whole = append(q.whole, fmt.Sprintf("the largest of %d modules", largest))
	start, end := q.pageOf(len(all), 0)
	q.key("level")
	q.text(level)
	q.key("cycles")
	err = list(q, all[start:end], func(nodes []uint32) error { return q.moduleCycle(nodes, imports) })
	q.endPage(len(all), end < len(all), uint64(end))
	return err
}

// moduleCycles returns the modules of each cycle, by all edges or by imports.
func (q *question) moduleCycles(imports bool) ([][]uint32, error) {
	by := uint32(store.ByAll)
	if imports {
		by = store.ByImports
	}
	var all [][]uint32
	for i := range q.ix.Items(store.ModuleCycles) {
		if err := q.step(); err != nil {
			return nil, err
		}
		row, err := q.view.ModuleCycle(i)
		if err != nil {
			return nil, err
		}
		if row.By != by {
			continue
		}
		if int(row.Cycle) == len(all) {
			all = append(all, nil)
		}
		if int(row.Cycle) != len(all)-1 {
			return nil, fmt.Errorf("the index is damaged: row %d of the cycles of modules is not in order; build it again", i)
		}
		all[row.Cycle] = append(all[row.Cycle], row.Node)
	}
	return all, nil
}

// moduleCycle writes a cycle of modules.
func (q *question) moduleCycle(nodes []uint32, imports bool) error {
	id, err := q.idOfCycle(nodes)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"id":`...)
	q.text(id)
	q.key("nodes")
	q.soonNodes(nodes)
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	var rows []uint32
	for _, node := range nodes {
		err := edgesBetweenModules{q, true, imports}.each(node, func(e ranked, neighbour uint32) {
			if _, in := slices.BinarySearch(nodes, neighbour); in {
				rows = append(rows, e.edge)
			}
		})
		if err != nil {
			return err
		}
	}
	q.key("edges")
	if err := list(q, rows, func(row uint32) error { return q.moduleUse(row, imports) }); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// idOfCycle is the id of a cycle of these nodes, which are in order.
func (q *question) idOfCycle(nodes []uint32) (string, error) {
	sum := sha256.New()
	for _, node := range nodes {
		id, err := q.nodeID(node)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%d:%s", len(id), id)
	}
	return fmt.Sprintf(cyclePrefix+"%x", sum.Sum(nil)[:8]), nil
}
