package query

import (
	"fmt"

	"brick/internal/show"
	"brick/store"
)

const caveat = "Structural evidence for review: resolved is not proof of use at run time, and unreferenced is not proof of dead code."

var callers = &Tool{
	Name:  "brick_callers",
	Title: "Callers of a function",
	Description: "Who calls a function, and when no call is resolved, every reason why it may be called all the same. Use it " +
		"before changing a signature, and to ask whether something is used. resolved: a call of it is known; " +
		"may_also_call has what else may call it. unknown: none, but reasons to expect one. unreferenced: neither, " +
		"which is no proof that it is dead. basis compiler: one saw the calls in its file.",
	Parameters: paged(0,
		Parameter{Name: "node_id", Type: String, Required: true, Description: "The id of a function or method."},
		assumeClosedWorld, pathFilter, kindsFilter, testsFilter, groupBy,
	),
	OutputSchema: schema("callers"),
	run: func(q *question, a Arguments) error {
		id := a.string("node_id")
		node, err := q.findNode(id, isFunction)
		if err != nil {
			return err
		}
		row, err := q.view.NodeRow(node)
		if err != nil {
			return err
		}
		if sort, err := q.sortOf(node); err == nil && sort.Kind == "unresolved_symbol" {
			return &NotFoundError{
				Problem: fmt.Sprintf("brick_callers: node %s is no function or method, but a name that the scanner could not resolve.", show.Quote(id)),
				Next:    `brick_impact gives its call sites: {"node_id":` + show.Quote(id) + "}",
			}
		}
		if row.Function == store.NoFunction {
			return q.resembling(id, fmt.Sprintf("brick_callers: node %s is no function or method.", show.Quote(id)), isFunction)
		}
		report, err := q.view.Report(row.Function)
		if err != nil {
			return err
		}
		q.sayPlaces()
		calls, callers, err := q.callsTo(row)
		if err != nil {
			return err
		}
		total := len(calls)
		q.has(total, "caller edge")
		start, end := q.pageOf(total, 0)
		q.key("report")
		if err := q.report(node, calls[start:end], &report, a.boolean(assumeClosedWorld.Name)); err != nil {
			return err
		}
		q.key("resolution")
		if report.Resolution < 0 {
			q.out = append(q.out, "null"...)
		} else {
			q.out = append(q.out, q.ix.Manifest.ResolutionOf[report.Resolution].Value...)
		}
		q.key("caveat")
		q.text(caveat)
		if len(report.Also) > 0 && q.page.from == nil {
			if err := q.mayAlsoCall(node, report.Also); err != nil {
				return err
			}
		}
		if done, err := q.grouped(column{name: "calls", nodes: callers}); done || err != nil {
			return err
		}
		q.endPage(total, end < total, uint64(end))
		return nil
	},
}

// callsTo returns the calls of a function from callers that are asked for,
// with the caller of each.
func (q *question) callsTo(row store.NodeRow) (calls, callers []uint32, err error) {
	calls = span(row.In, row.InCalls)
	if q.filter.all() && q.arguments.string(groupBy.Name) == "" {
		return calls, nil, nil
	}
	rows, err := readAll(q, store.Edges, calls, q.view.EdgeRow)
	if err != nil {
		return nil, nil, err
	}
	type call struct{ edge, caller uint32 }
	all := make([]call, len(calls))
	for i, edge := range rows {
		all[i] = call{calls[i], edge.Source}
	}
	if all, err = kept(q, all, func(c call) uint32 { return c.caller }); err != nil {
		return nil, nil, err
	}
	calls = calls[:0]
	for _, c := range all {
		calls, callers = append(calls, c.edge), append(callers, c.caller)
	}
	return calls, callers, nil
}

var assumeClosedWorld = Parameter{
	Name: "assume_closed_world", Type: Boolean, Default: false,
	Description: "Nothing outside calls in: being exported is no reason.",
}

// report writes a function's caller report. The calls are numbered by class
// and id: calls of one target are in the order of ids.
func (q *question) report(node uint32, calls []uint32, r *store.Report, closedWorld bool) error {
	reasons := r.Reasons
	if closedWorld {
		reasons = reasons[:r.Closed]
	}
	q.out = append(q.out, `{"function":`...)
	if err := q.node(node); err != nil {
		return err
	}
	q.key("status")
	q.text(statusOf(r, len(reasons)))
	q.key("basis")
	if r.Compiler {
		q.text("compiler")
	} else {
		q.text("heuristic")
	}
	q.key("recursive_only")
	q.boolean(r.RecursiveOnly)
	q.key("reasons")
	q.out = append(q.out, '[')
	q.out = append(q.out, reasons...)
	q.out = append(q.out, ']')
	switch {
	case q.arguments.string(groupBy.Name) != "":
	case q.names:
		q.key("callers")
		if err := q.namesCallers(calls); err != nil {
			return err
		}
	default:
		q.key("caller_edges")
		q.reserve(0, len(calls))
		q.soon(store.EdgeRecords, calls)
		if err := list(q, calls, q.edge); err != nil {
			return err
		}
	}
	if r.TestsOnly {
		q.key(calledOnlyByTests)
		q.boolean(true)
	}
	q.out = append(q.out, '}')
	return nil
}

// calledOnlyByTests says of functions that are no test code that all their
// callers but themselves are. It is left out where it isn't so.
const calledOnlyByTests = "called_only_by_tests"

// statusOf is the status of a function of whose reasons so many bytes count.
func statusOf(r *store.Report, reasons int) string {
	switch {
	case r.Resolved:
		return "resolved"
	case reasons > 0:
		return "unknown"
	}
	return "unreferenced"
}
