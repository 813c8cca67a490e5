package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"brick/internal/show"
	"brick/store"
)

var cycles = &Tool{
	Name:  "brick_cycles",
	Title: "Dependency cycles",
	Description: "Dependency cycles: strongly connected nodes, and single ones that depend on themselves (recursion). Use it to " +
		"find what can't be understood, tested or split by itself. Unresolved dependencies are not in it: a real cycle " +
		"can be missing.",
	Parameters: paged(0,
		Parameter{Name: "cycle_id", Type: String, NotEmpty: true, Description: "Only the cycle of this id."},
		level,
		pathFilter, nodeOrEdgeKinds, testsFilter, groupBy,
	),
	OutputSchema: schema("cycles"),
	run: func(q *question, a Arguments) error {
		if of := a.string(level.Name); of == moduleLevel || of == importsLevel {
			if err := q.refuseFilters(of); err != nil {
				return err
			}
			return q.cyclesOfModules(a, of)
		}
		if id, ok := a["cycle_id"].(string); ok {
			return q.oneCycle(id)
		}
		asked, err := q.askedCycles()
		if err != nil {
			return err
		}
		if a.string(groupBy.Name) != "" {
			return q.groupedCycles(asked)
		}
		q.key("cycles")
		total := len(asked)
		q.has(total, "cycle")
		q.whole = append(q.whole, "the largest of "+show.Count(q.ix.Manifest.LargestCycle, "node"))
		start, end := q.pageOf(total, 0)
		if start < end {
			if err := q.prefetchCycles(asked[start], asked[end-1]+1); err != nil {
				return err
			}
		}
		err = list(q, asked[start:end], q.cycle)
		q.endPage(total, end < total, uint64(end))
		return err
	},
}

// askedCycles returns the cycles that have a node that is asked for, and an
// edge of an asked kind.
func (q *question) askedCycles() ([]uint32, error) {
	all := span(0, uint32(q.ix.Manifest.Cycles))
	if !q.filter.given() {
		return all, nil
	}
	var asked []uint32
	for _, cycle := range all {
		row, err := q.view.CycleRow(cycle)
		if err != nil {
			return nil, err
		}
		nodes, err := q.numbers(store.CycleNodes, row.Nodes, row.NodesEnd)
		if err != nil {
			return nil, err
		}
		isNode, err := q.askedFor(nodes)
		if err != nil {
			return nil, err
		}
		edges, err := q.numbers(store.CycleEdges, row.Edges, row.EdgesEnd)
		if err != nil {
			return nil, err
		}
		isEdge, err := readAll(q, store.EdgeRecords, edges, q.edgeKindAsked)
		if err != nil {
			return nil, err
		}
		if slices.Contains(isNode, true) && slices.Contains(isEdge, true) {
			asked = append(asked, cycle)
		}
	}
	q.leftOut += len(all) - len(asked)
	return asked, nil
}

// groupedCycles counts the nodes of cycles.
func (q *question) groupedCycles(cycles []uint32) error {
	var in []uint32
	for _, cycle := range cycles {
		row, err := q.view.CycleRow(cycle)
		if err != nil {
			return err
		}
		nodes, err := q.numbers(store.CycleNodes, row.Nodes, row.NodesEnd)
		if err != nil {
			return err
		}
		in = append(in, nodes...)
	}
	_, err := q.grouped(column{name: "nodes", nodes: in})
	return err
}

// cycle writes one cycle.
func (q *question) cycle(cycle uint32) error {
	row, err := q.view.CycleRow(cycle)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"id":`...)
	q.text(cycleID(row))
	q.key("nodes")
	nodes, err := q.numbers(store.CycleNodes, row.Nodes, row.NodesEnd)
	if err != nil {
		return err
	}
	q.soonNodes(nodes)
	if err := list(q, nodes, q.node); err != nil {
		return err
	}
	q.key("edges")
	edges, err := q.numbers(store.CycleEdges, row.Edges, row.EdgesEnd)
	if err != nil {
		return err
	}
	q.soon(store.EdgeRecords, edges)
	if err := list(q, edges, q.edge); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// oneCycle answers with the cycle of an id.
func (q *question) oneCycle(id string) error {
	number, err := q.findCycle(id)
	if err != nil {
		return err
	}
	q.key("cycles")
	start, end := q.pageOf(1, 0)
	if err := list(q, span(number, number+1)[start:end], q.cycle); err != nil {
		return err
	}
	q.endPage(1, end < 1, uint64(end))
	return nil
}

// findCycle returns the number of the cycle of that id. When there is none the
// error proposes those that differ from it in the fewest digits. It looks at
// all cycles.
func (q *question) findCycle(id string) (uint32, error) {
	return q.findCycleAmong(id, q.ix.Manifest.Cycles, func(number uint32) (string, error) {
		row, err := q.view.CycleRow(number)
		return cycleID(row), err
	})
}

func (q *question) findCycleAmong(id string, count int, idOf func(number uint32) (string, error)) (uint32, error) {
	type near struct {
		id       string
		distance int
	}
	var nearest []near
	for number := range uint32(count) {
		if err := q.step(); err != nil {
			return 0, err
		}
		other, err := idOf(number)
		if err != nil {
			return 0, err
		}
		if other == id {
			return number, nil
		}
		if d := levenshtein.ComputeDistance(other, compared(id)); d <= maxCycleDistance {
			nearest = append(nearest, near{other, d})
		}
	}
	slices.SortFunc(nearest, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), strings.Compare(x.id, y.id))
	})
	e := &NotFoundError{
		Problem: fmt.Sprintf("no cycle has the id %s.", show.Quote(id)),
		Next:    `brick_cycles lists the cycles ({"limit": 20}); brick_file tells those of a file. A cycle's id changes with its members.`,
	}
	for _, n := range nearest[:min(len(nearest), maxResembling)] {
		e.Resemble = append(e.Resemble, n.id)
	}
	return 0, e
}

const (
	cyclePrefix      = "cycle:"
	maxCycleDistance = 4 // of the 16 digits of an id
)

func nextCycle(id string) string {
	return `brick_cycles shows it: {"cycle_id":` + show.Quote(id) + `}`
}

func cycleID(row store.CycleRow) string { return fmt.Sprintf(cyclePrefix+"%016x", row.ID) }

// prefetchCycles says that cycles [start, end) will be read: most are small.
func (q *question) prefetchCycles(start, end uint32) error {
	if end < start+2 {
		return nil
	}
	q.view.PrefetchRows(store.Cycles, start, end+1)
	first, err := q.view.CycleRow(start)
	if err != nil {
		return err
	}
	last, err := q.view.CycleRow(end - 1)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		numbers, records store.Section
		start, end       uint32
	}{
		{store.CycleNodes, store.NodeRecords, first.Nodes, last.NodesEnd},
		{store.CycleEdges, store.EdgeRecords, first.Edges, last.EdgesEnd},
	} {
		numbers, err := q.numbers(part.numbers, part.start, min(part.end, part.start+maxPrefetch))
		if err != nil {
			return err
		}
		q.soon(part.records, numbers)
	}
	return nil
}

// maxPrefetch is the most nodes or edges of cycles that are looked for at once.
const maxPrefetch = 1 << 17
