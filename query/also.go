package query

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// mayAlsoCall writes what may call a function besides the calls that are
// resolved to it. reasons say why, as a report has them. The callers are those
// that have a call that may be meant and no resolved one: of an unresolved
// symbol of the function's name, or resolved to what it implements.
func (q *question) mayAlsoCall(function uint32, reasons []byte) error {
	through, err := q.implemented(function, reasons)
	if err != nil {
		return err
	}
	calls, err := q.callsOfSymbols(function)
	if err != nil {
		return err
	}
	for _, method := range through {
		row, err := q.view.NodeRow(method)
		if err != nil {
			return err
		}
		if row.Function != store.NoFunction {
			calls = append(calls, span(row.In, row.InCalls)...)
		}
	}
	callers, err := q.newCallers(function, calls)
	if err != nil {
		return err
	}
	q.key("may_also_call")
	q.out = append(q.out, `{"reasons":[`...)
	q.out = append(q.out, reasons...)
	q.out = append(q.out, ']')
	if len(through) > 0 {
		q.key("through")
		err := list(q, through, func(node uint32) (err error) {
			if q.names {
				q.out, err = q.appendNamesNode(q.out, node)
			} else {
				q.out, err = q.appendBriefNode(q.out, node)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := q.callersAt(callers, counts); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// maxCallersAt is the most callers that are listed beside an answer's main
// list.
const maxCallersAt = 20

// callersAt writes how many callers there are, and the first of them, each
// with the place of the first claim of its call that is of the sort asked for.
func (q *question) callersAt(callers []callerAt, of func(claim) bool) error {
	q.key("callers_total")
	q.number(len(callers))
	q.key("callers")
	callers = callers[:min(len(callers), maxCallersAt)]
	nodes, edges := make([]uint32, len(callers)), make([]uint32, len(callers))
	for i, c := range callers {
		nodes[i], edges[i] = c.node, c.edge
	}
	q.soonRows(nodes, edges)
	return list(q, callers, func(c callerAt) error {
		return q.rowAt(c.node, nil, c.edge, of)
	})
}

// soonRows says that rowAt will write nodes with these edges.
func (q *question) soonRows(nodes, edges []uint32) {
	q.view.Prefetch(store.Facts, nodes)
	q.soon(store.NodeRecords, nodes)
	q.soon(store.EdgeRecords, edges)
}

// rowAt writes a brief node with more members, and where an edge is said to be.
func (q *question) rowAt(node uint32, more func() error, edge uint32, of func(claim) bool) (err error) {
	if q.names {
		q.out, _, err = q.appendNamed(q.out, node)
	} else if q.out, err = q.appendBriefNode(q.out, node); err == nil {
		q.out = q.out[:len(q.out)-1] // its brace
	}
	if err != nil {
		return err
	}
	if more != nil {
		if err := more(); err != nil {
			return err
		}
	}
	place, err := q.placeOf(edge, of)
	if place != nil {
		q.key("at")
		q.out = append(q.out, place...)
	}
	q.out = append(q.out, '}')
	return err
}

// placeOf is the first place at which claims say that an edge is, path:line, as
// a JSON string; nil when none does.
func (q *question) placeOf(edge uint32, of func(claim) bool) ([]byte, error) {
	var place []byte
	err := q.claims(edge, func(c claim) {
		if place == nil && len(c.provenance) > 2 && of(c) {
			place = withoutColumn(c.provenance)
		}
	})
	return place, err
}

// withoutColumn takes the column off a JSON string path:line:column.
func withoutColumn(literal []byte) []byte {
	text := strings.TrimSuffix(string(literal), `"`)
	rest, column := cutNumber(text)
	if column == "" {
		return slices.Clone(literal)
	}
	if _, line := cutNumber(rest); line == "" {
		return slices.Clone(literal)
	}
	return append([]byte(rest), '"')
}

// cutNumber cuts ":" and digits off the end of a text; without them digits is
// "".
func cutNumber(text string) (rest, digits string) {
	i := len(strings.TrimRight(text, "0123456789"))
	if i == len(text) || i == 0 || text[i-1] != ':' {
		return text, ""
	}
	return text[:i-1], text[i:]
}

func everyClaim(claim) bool { return true }

// counts says whether an unresolved call can be of a scanned function. All
// other claims count.
func counts(c claim) bool {
	return string(c.reason) != `"foreign-receiver"` && string(c.reason) != `"macro"`
}

// callerAt is a caller, and its call.
type callerAt struct{ node, edge uint32 }

// newCallers returns the sources of calls that have no resolved call of a
// function, in order, each with its first call by id. The function is none.
func (q *question) newCallers(function uint32, calls []uint32) ([]callerAt, error) {
	row, err := q.view.NodeRow(function)
	if err != nil {
		return nil, err
	}
	known := map[uint32]bool{function: true}
	edges, err := readAll(q, store.Edges, span(row.In, row.InCalls), q.view.EdgeRow)
	if err != nil {
		return nil, err
	}
	for _, edge := range edges {
		known[edge.Source] = true
	}
	return q.sourcesOf(calls, known)
}

// sourcesOf returns the sources of calls that are not known, in order, each
// with its first call by id.
func (q *question) sourcesOf(calls []uint32, known map[uint32]bool) ([]callerAt, error) {
	edges, err := readAll(q, store.Edges, calls, q.view.EdgeRow)
	if err != nil {
		return nil, err
	}
	first := map[uint32]ranked{}
	for i, edge := range edges {
		if known[edge.Source] {
			continue
		}
		if before, seen := first[edge.Source]; !seen || edge.Rank < before.rank {
			first[edge.Source] = ranked{calls[i], edge.Rank}
		}
	}
	callers := make([]callerAt, 0, len(first))
	for node, edge := range first {
		callers = append(callers, callerAt{node, edge.edge})
	}
	slices.SortFunc(callers, func(a, b callerAt) int { return int(a.node) - int(b.node) })
	return callers, nil
}

// callsOfSymbols returns the unresolved calls that may mean a function: those
// of symbols of its name and language with a site that counts.
func (q *question) callsOfSymbols(function uint32) ([]uint32, error) {
	symbols, err := q.namesakesOf(function)
	if err != nil {
		return nil, err
	}
	var calls []uint32
	for _, node := range symbols {
		of, err := q.unresolvedCalls(node)
		if err != nil {
			return nil, err
		}
		calls = append(calls, of...)
	}
	return calls, nil
}

// unresolvedCalls returns the unresolved calls of a symbol that have a site
// that counts.
func (q *question) unresolvedCalls(symbol uint32) ([]uint32, error) {
	row, err := q.view.NodeRow(symbol)
	if err != nil {
		return nil, err
	}
	edges := span(row.InDeps, row.InEnd)
	is, err := readAll(q, store.EdgeRecords, edges, func(edge uint32) (bool, error) {
		kind, err := q.edgeKind(edge)
		if err != nil || string(kind) != `"unresolved_call"` {
			return false, err
		}
		some := false
		err = q.claims(edge, func(c claim) { some = some || counts(c) })
		return some, err
	})
	if err != nil {
		return nil, err
	}
	calls := edges[:0]
	for i, edge := range edges {
		if is[i] {
			calls = append(calls, edge)
		}
	}
	return calls, nil
}

// namesakesOf returns the unresolved symbols that may mean a function: of its
// name, and of its language, one of the same family, or none.
func (q *question) namesakesOf(function uint32) ([]uint32, error) {
	facts, err := q.view.Facts(function)
	if err != nil {
		return nil, err
	}
	own, err := q.view.Ranked(facts.Rank)
	if err != nil {
		return nil, err
	}
	nodes, err := q.nodesOf(&terms, []uint32{own.Term})
	if err != nil {
		return nil, err
	}
	sorts := q.ix.Manifest.Sorts
	sortOf := func(number uint32) store.NodeSort {
		if int(number) < len(sorts) {
			return sorts[number]
		}
		return store.NodeSort{}
	}
	language := sortOf(own.Sort).Language
	var symbols []uint32
	for _, node := range nodes {
		if s := sortOf(node.Sort); s.Kind == "unresolved_symbol" && mayMean(s.Language, language) {
			symbols = append(symbols, node.Node)
		}
	}
	slices.Sort(symbols)
	return symbols, nil
}

var cFamily = []string{"c", "cpp", "objective-c", "objective-cpp", "cuda"}

// mayMean says whether a symbol of a language may mean a function of another.
func mayMean(symbol, function string) bool {
	return symbol == function || symbol == "" || slices.Contains(cFamily, symbol) && slices.Contains(cFamily, function)
}

// implemented returns the nodes that a function implements, as its reason
// trait-impl names them, by id or qualified name: methods, and types. Of a type
// that defines a method of the function's name the method stands in its place.
func (q *question) implemented(function uint32, reasons []byte) ([]uint32, error) {
	var all []struct {
		Reason string
		Detail json.RawMessage
	}
	if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", reasons), &all); err != nil {
		return nil, fmt.Errorf("the index is damaged: the reasons of node %d: %w; build it again", function, err)
	}
	nodes := []uint32{}
	for _, reason := range all {
		if reason.Reason != "trait-impl" {
			continue
		}
		for _, name := range textsOf(reason.Detail) {
			found, err := q.named(name)
			if err != nil {
				return nil, err
			}
			for _, node := range found {
				methods, err := q.methodsLike(node, function)
				if err != nil {
					return nil, err
				}
				nodes = append(nodes, methods...)
			}
		}
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	return slices.DeleteFunc(nodes, func(node uint32) bool { return node == function }), nil
}

// textsOf is a JSON string, or the strings of an array.
func textsOf(value []byte) []string {
	var one string
	if json.Unmarshal(value, &one) == nil {
		return []string{one}
	}
	var several []any
	_ = json.Unmarshal(value, &several)
	var texts []string
	for _, v := range several {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// named returns the node of an id, else those of a qualified name.
func (q *question) named(name string) ([]uint32, error) {
	e, found, err := q.view.Find(name)
	if err != nil || found && !e.Edge {
		return []uint32{e.Number}, err
	}
	parts := symbol.Parts(name)
	if len(parts) == 0 {
		return nil, nil
	}
	start, end, err := q.namesEnding(parts)
	if err != nil {
		return nil, err
	}
	var equal []uint32
	for i := start; i < end; i++ {
		text, err := q.view.Text(store.Qualified, i)
		if err != nil {
			return nil, err
		}
		if string(text) == name {
			equal = append(equal, i)
		}
	}
	rows, err := q.nodesOf(&qualified, equal)
	return numbersOfNodes(rows), err
}

// methodsLike returns the functions of a function's name that a node contains,
// else the node itself.
func (q *question) methodsLike(node, function uint32) ([]uint32, error) {
	inside, err := q.children(node)
	if err != nil {
		return nil, err
	}
	of, err := q.nameOf(function)
	if err != nil {
		return nil, err
	}
	var methods []uint32
	for _, child := range inside {
		row, err := q.view.NodeRow(child)
		if err != nil {
			return nil, err
		}
		name, err := q.nameOf(child)
		if err != nil {
			return nil, err
		}
		if row.Function != store.NoFunction && name == of {
			methods = append(methods, child)
		}
	}
	if methods == nil {
		return []uint32{node}, nil
	}
	return methods, nil
}

// nameOf is the number of a node's name.
func (q *question) nameOf(node uint32) (uint32, error) {
	facts, err := q.view.Facts(node)
	if err != nil {
		return 0, err
	}
	row, err := q.view.Ranked(facts.Rank)
	return row.Term, err
}
