package query

import (
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

var calls = &Tool{
	Name:  "brick_calls",
	Title: "Calls by the name of what is called",
	Description: "Call sites whose callee's name matches a pattern, resolved ones (calls edges) and unresolved ones (unresolved_call edges, with the reason) apart, " +
		"each with its caller and the places (provenance). " +
		"Use it for questions about a name rather than one function: who calls any Close (*.Close), what is called of package api (api.*), who parses (parse_*). " +
		"A pattern is matched with the last parts of the qualified name, separators count as one, * stays within a part, ** does not; a pattern of one part also with the name. " +
		"Of an unresolved call only the name is known, not what it is called on: *.Close finds them all, and reason foreign-receiver says that it was something from outside the scan. " +
		"An unresolved call may mean any function of that name, or none. callees is how many nodes have such a name: 0 means that the graph knows no such name, so that nothing is said about its calls; ask again with *.Name.",
	Parameters: paged(100,
		Parameter{Name: "pattern", Type: String, Required: true, NotEmpty: true, Description: "A glob over callees' names: Close, *.Close, Bucket.*, api.**, parse_*. Case matters."},
		Parameter{Name: "path", Type: String, NotEmpty: true, Description: "Only calls from files whose path matches this glob, for example cmd/**."},
	),
	OutputSchema: schema("calls"),
	run:          answerCalls,
}

func answerCalls(q *question, a Arguments) error {
	pattern, err := newNamePattern(a.string("pattern"))
	if err != nil {
		return &ArgumentError{q.tool.Name, "pattern", "is no glob: " + err.Error()}
	}
	var in *candidates
	if glob := a.string("path"); glob != "" {
		if in, err = q.pathsMatching(glob); err != nil {
			return err
		}
	}
	callees, err := q.callees(pattern)
	if err != nil {
		return err
	}
	var resolved, unresolved []ranked
	for _, callee := range callees {
		some, more, err := q.callsOf(callee, in)
		if err != nil {
			return err
		}
		resolved, unresolved = append(resolved, some...), append(unresolved, more...)
	}
	q.key("pattern")
	q.text(a.string("pattern"))
	q.key("callees")
	q.number(len(callees))
	q.has(len(resolved), "resolved calls")
	q.has(len(unresolved), "unresolved calls")
	ends := [2]uint64{}
	more := false
	for i, part := range []struct {
		name  string
		edges []ranked
	}{{"resolved", resolved}, {"unresolved", unresolved}} {
		sortEdges(part.edges)
		start, end := q.pageOf(len(part.edges), i)
		ends[i], more = uint64(end), more || end < len(part.edges)
		q.key(part.name + "_total")
		q.number(len(part.edges))
		q.key(part.name)
		if err := list(q, part.edges[start:end], q.call); err != nil {
			return err
		}
	}
	q.key("caveat")
	q.text(caveat)
	q.nextCursor(more, ends[:]...)
	return nil
}

// A callee is a node whose name matches: in full, or, of an unresolved symbol
// whose receiver is not known, but for that.
type callee struct {
	node     store.RankedRow
	unsolved bool // it is an unresolved symbol
}

// callees returns the nodes that a pattern matches.
func (q *question) callees(p *namePattern) ([]callee, error) {
	seen := map[uint32]bool{}
	var found []callee
	add := func(b *book, text uint32, is func(store.RankedRow, bool) bool) error {
		rows, err := q.rows(b, text, text+1)
		if err != nil {
			return err
		}
		for row := rows.Start; row < rows.End; row++ {
			if err := q.step(); err != nil {
				return err
			}
			node, err := q.nodeOf(b.ranks, row)
			if err != nil {
				return err
			}
			unsolved := int(node.Sort) < len(q.ix.Manifest.Sorts) && q.ix.Manifest.Sorts[node.Sort].Kind == "unresolved_symbol"
			if !seen[node.Node] && is(node, unsolved) {
				seen[node.Node] = true
				found = append(found, callee{node, unsolved})
			}
		}
		return nil
	}
	prefix := symbol.Fold(p.last.prefix)
	if p.single || p.anyReceiver {
		start, err := q.termsFrom(prefix)
		if err != nil {
			return nil, err
		}
		err = q.each(&terms, start, func(i uint32, text string) (bool, error) {
			if !strings.HasPrefix(symbol.Fold(text), prefix) {
				return false, nil
			}
			if !p.last.re.MatchString(text) {
				return true, nil
			}
			return true, add(&terms, i, func(_ store.RankedRow, unsolved bool) bool { return p.single || unsolved })
		})
		if err != nil {
			return nil, err
		}
	}
	// In the order of this book names begin with their last part.
	start, err := q.first(&qualified, func(text []byte) bool { return symbol.Key(symbol.Parts(string(text))) >= prefix })
	if err != nil {
		return nil, err
	}
	err = q.each(&qualified, start, func(i uint32, text string) (bool, error) {
		parts := symbol.SplitParts(text)
		if len(parts) > 0 && !strings.HasPrefix(symbol.Fold(parts[len(parts)-1]), prefix) {
			return false, nil
		}
		if len(parts) == 0 || !p.whole.re.MatchString("."+strings.Join(parts, ".")) {
			return true, nil
		}
		return true, add(&qualified, i, func(store.RankedRow, bool) bool { return true })
	})
	return found, err
}

// each calls f for the texts of a book from start on, until it returns false.
func (q *question) each(b *book, start uint32, f func(i uint32, text string) (bool, error)) error {
	for i := start; i < q.ix.Items(b.texts); i++ {
		if err := q.step(); err != nil {
			return err
		}
		text, err := q.view.Text(b.texts, i)
		if err != nil {
			return err
		}
		if more, err := f(i, string(text)); !more || err != nil {
			return err
		}
	}
	return nil
}

// callsOf returns the calls of a node from files of some paths, resolved and
// unresolved.
func (q *question) callsOf(c callee, in *candidates) (resolved, unresolved []ranked, err error) {
	row, err := q.view.NodeRow(c.node.Node)
	if err != nil {
		return nil, nil, err
	}
	from := func(e uint32) (r ranked, is bool, err error) {
		if err := q.step(); err != nil {
			return ranked{}, false, err
		}
		edge, err := q.view.EdgeRow(e)
		if err != nil || in == nil {
			return ranked{e, edge.Rank}, true, err
		}
		is, err = q.nodeIn(in, edge.Source)
		return ranked{e, edge.Rank}, is, err
	}
	for e := row.In; e < row.InCalls; e++ {
		r, is, err := from(e)
		if err != nil {
			return nil, nil, err
		}
		if is {
			resolved = append(resolved, r)
		}
	}
	for e := row.InDeps; c.unsolved && e < row.InEnd; e++ {
		kind, err := q.view.EdgeKind(e)
		if err != nil {
			return nil, nil, err
		}
		if string(kind) != `"unresolved_call"` {
			continue
		}
		r, is, err := from(e)
		if err != nil {
			return nil, nil, err
		}
		if is {
			unresolved = append(unresolved, r)
		}
	}
	return resolved, unresolved, nil
}

// call writes a call edge with its ends and sites.
func (q *question) call(e ranked) error {
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
	if q.out, err = q.view.AppendEdgeLanes(q.out, e.edge); err != nil {
		return err
	}
	q.key("sites")
	q.out = append(q.out, '[')
	seen := map[string]bool{}
	err = q.view.Claims(e.edge, func(c store.Claim) {
		// A site that several producers claim is one site.
		key := string(c.Provenance) + "\x00" + string(c.Reason)
		if seen[key] {
			return
		}
		if len(seen) > 0 {
			q.out = append(q.out, ',')
		}
		seen[key] = true
		q.out = append(q.out, `{"provenance":`...)
		if c.Provenance == nil {
			q.null()
		} else {
			q.out = append(q.out, c.Provenance...)
		}
		if c.Reason != nil {
			q.key("reason")
			q.out = append(q.out, c.Reason...)
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
	anyReceiver bool  // the parts before the last are nothing but stars
}

func newNamePattern(pattern string) (*namePattern, error) {
	var parts []string
	// Braces may hold separators of their own: such a pattern is one part.
	if strings.ContainsAny(pattern, "{[\\") {
		parts = strings.Split(pattern, ".")
	} else {
		parts = splitPattern(pattern)
	}
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
	if p.last, err = compileGlob(parts[len(parts)-1], "\n"); err != nil {
		return nil, err
	}
	p.whole, err = compileGlob("**."+strings.Join(parts, "."), ".")
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
