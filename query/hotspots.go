package query

import (
	"cmp"
	"slices"

	"brick/store"
)

const (
	byLines      = "lines"
	byComplexity = "complexity"
	byFanIn      = "fan_in"
	byFanOut     = "fan_out"
)

var hotspots = &Tool{
	Name:  "brick_hotspots",
	Title: "Long and complex functions",
	Description: "Long or complex functions, or by sort fan_in and fan_out the hubs. Use it to find what to split or test " +
		"first. Figures say where to look, not what is wrong; complexity null was not counted.",
	Parameters: paged(50,
		Parameter{Name: "min_lines", Type: Integer, Default: int64(50), Unfilled: true, Description: "At least so many lines,"},
		Parameter{Name: "min_complexity", Type: Integer, Default: int64(10), Unfilled: true, Description: "or such a complexity. By fan_in, fan_out all count unless one is given."},
		Parameter{Name: "sort", Type: String, Default: byLines, Enum: []string{byLines, byComplexity, byFanIn, byFanOut},
			Description: "The greatest first."},
		pathFilter, kindsFilter, testsFilter, groupBy,
	),
	OutputSchema: schema("hotspots"),
	run:          answerHotspots,
}

func answerHotspots(q *question, a Arguments) error {
	key := a.string("sort")
	minLines, minComplexity, every := thresholds(a, key)
	functions, err := q.hot(minLines, minComplexity)
	if every {
		functions, err = readAll(q, store.Largest, span(0, q.ix.Items(store.Largest)), q.view.Largest)
	}
	if err != nil {
		return err
	}
	if functions, err = kept(q, functions, func(f store.LargestRow) uint32 { return f.Node }); err != nil {
		return err
	}
	slices.SortFunc(functions, func(x, y store.LargestRow) int {
		return cmp.Or(cmp.Compare(hotKey(y, key), hotKey(x, key)), cmp.Compare(x.Node, y.Node))
	})
	q.has(len(functions), "function")
	start, end := q.pageOf(len(functions), 0)
	q.key("min_lines")
	q.number(int(minLines))
	q.key("min_complexity")
	q.number(int(minComplexity))
	q.key("sort")
	q.text(key)
	q.key("without_complexity")
	q.number(int(q.ix.Items(store.Largest) - q.ix.Items(store.Complex)))
	if done, err := q.grouped(column{name: "hotspots", nodes: nodesOfLargest(functions)}); done || err != nil {
		return err
	}
	q.key("hotspots")
	q.soonNodes(nodesOfLargest(functions[start:end]))
	err = list(q, functions[start:end], func(f store.LargestRow) error {
		q.out = append(q.out, `{"node":`...)
		if err := q.node(f.Node); err != nil {
			return err
		}
		q.key("lines")
		q.figure(f.Lines)
		q.key("complexity")
		q.figure(f.Complexity)
		q.key("fan_in")
		q.number(int(f.Dependents))
		q.key("fan_out")
		q.number(int(f.Dependencies))
		q.out = append(q.out, '}')
		return nil
	})
	q.endPage(len(functions), end < len(functions), uint64(end))
	return err
}

// thresholds are those that are given, or else their defaults. A hub need be
// neither long nor complex: sorted by its neighbours every function counts,
// when no threshold is given.
func thresholds(a Arguments, sort string) (lines, complexity uint32, every bool) {
	l, hasLines := a["min_lines"].(int64)
	c, hasComplexity := a["min_complexity"].(int64)
	if every = !hasLines && !hasComplexity && (sort == byFanIn || sort == byFanOut); every {
		return 0, 0, true
	}
	if !hasLines {
		l = 50
	}
	if !hasComplexity {
		c = 10
	}
	return uint32(l), uint32(c), false
}

// hotKey is what functions are sorted by; what is unknown is least.
func hotKey(f store.LargestRow, key string) uint32 {
	switch key {
	case byComplexity:
		return f.Complexity + 1
	case byFanIn:
		return f.Dependents
	case byFanOut:
		return f.Dependencies
	}
	return f.Lines + 1
}

func nodesOfLargest(functions []store.LargestRow) []uint32 {
	nodes := make([]uint32, len(functions))
	for i, f := range functions {
		nodes[i] = f.Node
	}
	return nodes
}

// hot returns the functions over either threshold. It reads those, and a few
// rows besides.
func (q *question) hot(minLines, minComplexity uint32) (functions []store.LargestRow, err error) {
	long, err := firstOf(0, q.ix.Items(store.Largest), func(i uint32) (bool, error) {
		f, err := q.view.Largest(i)
		return f.Lines == store.Unknown || f.Lines < minLines, err
	})
	if err != nil {
		return nil, err
	}
	branching, err := firstOf(0, q.ix.Items(store.Complex), func(i uint32) (bool, error) {
		row, err := q.view.Number(store.Complex, i)
		if err != nil {
			return false, err
		}
		f, err := q.view.Largest(row)
		return f.Complexity < minComplexity, err
	})
	if err != nil {
		return nil, err
	}
	rows, err := q.numbers(store.Complex, 0, branching)
	if err != nil {
		return nil, err
	}
	rows = append(span(0, long), slices.DeleteFunc(rows, func(row uint32) bool { return row < long })...)
	return readAll(q, store.Largest, rows, q.view.Largest)
}
