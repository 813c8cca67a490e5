package query

import (
	"cmp"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

var calls = &Tool{
	Name:  "brick_calls",
	Title: "Calls by the name of what is called",
	Description: "Call sites by the callee's name, resolved and unresolved apart, with callers and places: for a name rather " +
		"than one function (*.Close, api.*, parse_*). * stays within a part of the qualified name, ** does not. Of an " +
		"unresolved call only the name is known: it may mean any function of that name, or none (reason " +
		"foreign-receiver: one from outside). callees 0: the graph knows no such name.",
	Parameters: paged(100,
		Parameter{Name: "pattern", Type: String, Required: true, NotEmpty: true, Description: "A glob over callees' names: Close, *.Close, Bucket.*, api.**, parse_*. Case matters."},
		pathFilter, kindsFilter, testsFilter, groupBy,
	),
	OutputSchema: schema("calls"),
	run:          answerCalls,
}

func answerCalls(q *question, a Arguments) error {
	pattern, err := newNamePattern(a.string("pattern"))
	if err != nil {
		return &ArgumentError{Tool: q.tool.Name, Argument: "pattern", Problem: "is no glob: " + err.Error()}
	}
	callees, err := q.callees(pattern)
	if err != nil {
		return err
	}
	resolved, unresolved, err := q.callsOf(callees)
	if err != nil {
		return err
	}
	q.key("pattern")
	q.text(a.string("pattern"))
	q.key("callees")
	q.number(len(callees))
	q.has(len(resolved), "resolved call")
	q.has(len(unresolved), "unresolved call")
	if done, err := q.grouped(column{name: "resolved", nodes: callersOf(resolved)}, column{name: "unresolved", nodes: callersOf(unresolved)}); done || err != nil {
		return err
	}
	ends := [2]uint64{}
	more := false
	for i, part := range []struct {
		name  string
		edges []siteEdge
	}{{"resolved", resolved}, {"unresolved", unresolved}} {
		start, end := q.pageOf(len(part.edges), i)
		ends[i], more = uint64(end), more || end < len(part.edges)
		q.key(part.name + "_total")
		q.number(len(part.edges))
		q.key(part.name)
		page := make([]uint32, 0, end-start)
		for _, e := range part.edges[start:end] {
			page = append(page, e.edge)
		}
		if err := q.prefetchWithEnds(page); err != nil {
			return err
		}
		call := q.call
		if q.names {
			call = q.namesCall
		}
		if err := list(q, part.edges[start:end], call); err != nil {
			return err
		}
	}
	q.key("caveat")
	q.text(caveat)
	q.writeLeftOut()
	if len(callees) == 0 {
		return q.writeNearest(strings.ReplaceAll(a.string("pattern"), "*", ""))
	}
	q.nextCursor(more, ends[:]...)
	return nil
}

// A callee is a node whose name matches: in full, or, of an unresolved symbol
// whose receiver is not known, but for that.
type callee struct {
	node     uint32
	unsolved bool // it is an unresolved symbol
}

// callees returns the nodes that a pattern matches.
func (q *question) callees(p *namePattern) ([]callee, error) {
	seen := map[uint32]bool{}
	var found []callee
	add := func(b *book, texts []uint32, is func(unsolved bool) bool) error {
		nodes, err := q.nodesOf(b, texts)
		if err != nil {
			return err
		}
		for _, node := range nodes {
			unsolved := int(node.Sort) < len(q.ix.Manifest.Sorts) && q.ix.Manifest.Sorts[node.Sort].Kind == "unresolved_symbol"
			if !seen[node.Node] && is(unsolved) {
				seen[node.Node] = true
				found = append(found, callee{node.Node, unsolved})
			}
		}
		return nil
	}
	prefix := symbol.Fold(p.last.prefix)
	var matching []uint32
	if p.single || p.anyReceiver {
		start, err := q.termsFrom(prefix)
		if err != nil {
			return nil, err
		}
		err = q.each(&terms, start, func(i uint32, text string) (bool, error) {
			if !strings.HasPrefix(symbol.Fold(text), prefix) {
				return false, nil
			}
			if p.last.match(text) {
				matching = append(matching, i)
			}
			return true, nil
		})
		if err != nil {
			return nil, err
		}
		if err := add(&terms, matching, func(unsolved bool) bool { return p.single || unsolved }); err != nil {
			return nil, err
		}
	}
	// In the order of this book names begin with their last part.
	start, err := q.first(&qualified, func(text []byte) bool { return symbol.Key(symbol.Parts(string(text))) >= prefix })
	if err != nil {
		return nil, err
	}
	if p.crosses {
		start, prefix = 0, ""
	}
	matching = matching[:0]
	err = q.each(&qualified, start, func(i uint32, text string) (bool, error) {
		parts := symbol.SplitParts(text)
		if len(parts) > 0 && !strings.HasPrefix(symbol.Fold(parts[len(parts)-1]), prefix) {
			return false, nil
		}
		if len(parts) > 0 && p.whole.match("."+strings.Join(parts, ".")) {
			matching = append(matching, i)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return found, add(&qualified, matching, func(bool) bool { return true })
}

// nodesOf returns the nodes of texts of a book, which are in order.
func (q *question) nodesOf(b *book, texts []uint32) ([]store.RankedRow, error) {
	q.view.Prefetch(b.rows, texts)
	var rows []uint32
	for _, text := range texts {
		if err := q.step(); err != nil {
			return nil, err
		}
		r, err := q.rows(b, text, text+1)
		if err != nil {
			return nil, err
		}
		rows = append(rows, span(r.Start, r.End)...)
	}
	return q.nodesAt(b.ranks, rows)
}

// each calls f for the texts of a book from start on, until it returns false.
func (q *question) each(b *book, start uint32, f func(i uint32, text string) (bool, error)) error {
	var w window
	end := q.ix.Items(b.texts)
	for number := start; number < end; number++ {
		if err := q.step(); err != nil {
			return err
		}
		w.at(q, b.texts, int(number), int(end), func(start, end int) []uint32 { return span(uint32(start), uint32(end)) })
		text, err := q.view.Text(b.texts, number)
		if err != nil {
			return err
		}
		if more, err := f(number, string(text)); !more || err != nil {
			return err
		}
	}
	return nil
}

// callsOf returns the calls of nodes, resolved and unresolved, by id.
func (q *question) callsOf(callees []callee) (resolved, unresolved []siteEdge, err error) {
	slices.SortFunc(callees, func(a, b callee) int { return cmp.Compare(a.node, b.node) })
	nodes := make([]uint32, len(callees))
	for i, c := range callees {
		nodes[i] = c.node
	}
	rows, err := readAll(q, store.Nodes, nodes, q.view.NodeRow)
	if err != nil {
		return nil, nil, err
	}
	var calls, others []uint32
	for i, row := range rows {
		calls = append(calls, span(row.In, row.InCalls)...)
		if callees[i].unsolved {
			others = append(others, span(row.InDeps, row.InEnd)...)
		}
	}
	is, err := readAll(q, store.EdgeRecords, others, func(e uint32) (bool, error) {
		kind, err := q.edgeKind(e)
		return string(kind) == `"unresolved_call"`, err
	})
	if err != nil {
		return nil, nil, err
	}
	unsolved := others[:0]
	for i, e := range others {
		if is[i] {
			unsolved = append(unsolved, e)
		}
	}
	if resolved, err = q.callsAsked(calls); err != nil {
		return nil, nil, err
	}
	unresolved, err = q.callsAsked(unsolved)
	return resolved, unresolved, err
}

// A siteEdge is a call with its caller.
type siteEdge struct {
	ranked
	caller uint32
}

// callsAsked returns the calls whose callers are asked for.
func (q *question) callsAsked(calls []uint32) ([]siteEdge, error) {
	rows, err := readAll(q, store.Edges, calls, q.view.EdgeRow)
	if err != nil {
		return nil, err
	}
	edges := make([]siteEdge, len(rows))
	for i, row := range rows {
		edges[i] = siteEdge{ranked{calls[i], row.Rank}, row.Source}
	}
	edges, err = kept(q, edges, func(e siteEdge) uint32 { return e.caller })
	slices.SortFunc(edges, func(a, b siteEdge) int { return cmp.Compare(a.rank, b.rank) })
	return edges, err
}

func callersOf(edges []siteEdge) []uint32 {
	callers := make([]uint32, len(edges))
	for i, e := range edges {
		callers[i] = e.caller
	}
	return callers
}

// call writes a call edge with its ends and sites.
func (q *question) call(e siteEdge) error {
	row, err := q.view.EdgeRow(e.edge)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"edge_id":`...)
	if q.out, err = q.view.AppendEdgeID(q.out, e.edge); err != nil {
		return err
	}
	q.key("caller")
	if err := q.node(row.Source); err != nil {
		return err
	}
	q.key("callee")
	if err := q.node(row.Target); err != nil {
		return err
	}
	q.key("lanes")
	if q.out, err = q.appendEdgeLanes(q.out, e.edge); err != nil {
		return err
	}
	q.key("sites")
	q.out = append(q.out, '[')
	seen := map[string]bool{}
	err = q.claims(e.edge, func(c claim) {
		// A site that several producers claim is one site.
		key := string(c.provenance) + "\x00" + string(c.reason)
		if seen[key] {
			return
		}
		if len(seen) > 0 {
			q.out = append(q.out, ',')
		}
		seen[key] = true
		q.out = append(q.out, `{"provenance":`...)
		if c.provenance == nil {
			q.null()
		} else {
			q.out = append(q.out, c.provenance...)
		}
		if c.reason != nil {
			q.key("reason")
			q.out = append(q.out, c.reason...)
		}
		q.out = append(q.out, '}')
	})
	q.out = append(q.out, "]}"...)
	return err
}

// A namePattern is a glob over names of what is called.
type namePattern struct {
	whole       *glob // of qualified names, their parts with a dot before each
	last        *glob // of the last part
	single      bool  // there is only the last part
	crosses     bool  // what matches the last part may be several
	anyReceiver bool  // the parts before the last are nothing but stars
}

func newNamePattern(pattern string) (*namePattern, error) {
	parts := splitPattern(pattern)
	if len(parts) == 0 {
		parts = []string{pattern}
	}
	p := &namePattern{single: len(parts) == 1, anyReceiver: len(parts) > 1}
	for _, part := range parts[:len(parts)-1] {
		if part != "*" && part != "**" {
			p.anyReceiver = false
		}
	}
	var err error
	last := parts[len(parts)-1]
	p.crosses = strings.Contains(last, "**")
	if p.last, err = compileStars(last, "\n"); err != nil {
		return nil, err
	}
	p.whole, err = compileStars("**."+strings.Join(parts, "."), ".")
	return p, err
}

// splitPattern takes a pattern apart as symbol.SplitParts does a name, but
// leaves its stars.
func splitPattern(pattern string) []string {
	pattern = strings.ReplaceAll(pattern, "(*", "(")
	const star = "\uE000"
	parts := symbol.SplitParts(strings.ReplaceAll(pattern, "*", star))
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], star, "*")
	}
	return parts
}
