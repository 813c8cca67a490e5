package query

import (
	"slices"

	"brick/store"
)

var uncalled = &Tool{
	Name:  "brick_uncalled",
	Title: "Functions that nothing calls",
	Description: "Functions that nothing is known to call, with counts of all by status and language. Use it to look for dead " +
		"code, then check each: unreferenced is not proof of dead code, unknown ones have reasons to expect a call. " +
		"The fewer call sites are resolved (resolution), the more live functions are in the list.",
	Parameters: []Parameter{
		{Name: "language", Type: String, NotEmpty: true,
			Description: "Only this language; unspecified for none."},
		assumeClosedWorld,
		{Name: "include_unknown", Type: Boolean, Default: false,
			Description: "List those of status unknown too."},
		{Name: "include_" + calledOnlyByTests, Type: Boolean, Default: false, Unfilled: true,
			Description: "List those too that only test code calls."},
		pathFilter, kindsFilter, testsFilter, groupBy,
		{Name: "limit", Type: Integer, Default: int64(100), Unfilled: true,
			Description: "The most of each list."},
		cursor, records,
	},
	OutputSchema: schema("uncalled"),
	run:          answerUncalled,
}

func answerUncalled(q *question, a Arguments) error {
	m := q.ix.Manifest
	language, one, err := q.functionLanguage(a)
	if err != nil {
		return err
	}
	closed := a.boolean(assumeClosedWorld.Name)
	of, languages := m.Functions, m.Languages
	if one {
		of = store.LanguageCounts{Name: language}
		if i := slices.IndexFunc(languages, func(l store.LanguageCounts) bool { return l.Name == language }); i >= 0 {
			of = languages[i]
		}
		languages = []store.LanguageCounts{of}
	}
	q.key("assume_closed_world")
	q.boolean(closed)
	q.key("counts")
	q.counts(languages, closed)
	if !q.page.limited {
		q.page.limit = 100
	}
	lists, err := q.uncalledLists(of.Uncalled, closed)
	if err != nil {
		return err
	}
	if a.string(groupBy.Name) != "" {
		return q.groupedReports(lists)
	}
	more := false
	var ends []uint64
	for i, l := range lists { // they go on side by side
		end, err := q.reports(l, i, closed)
		if err != nil {
			return err
		}
		ends, more = append(ends, uint64(end)), more || end < l.total
	}
	if err := q.otherwise(of.Uncalled, lists[0].total, closed); err != nil {
		return err
	}
	q.key("resolution")
	q.resolution(language, one)
	q.key("caveat")
	q.text(caveat)
	q.writeLeftOut()
	if q.page.limited {
		q.nextCursor(more, ends...)
	}
	return nil
}

// functionLanguage is the language that is asked for. In full records a
// language that no function has is one with no functions; otherwise it is an
// error, and one that differs by case only is meant.
func (q *question) functionLanguage(a Arguments) (language string, one bool, err error) {
	language, one = a["language"].(string)
	if !one || !q.brief {
		return language, one, nil
	}
	var names []string
	for _, l := range q.ix.Manifest.Languages {
		names = append(names, l.Name)
	}
	language, err = q.oneOf("function", "language", language, names)
	return language, one, err
}

// A functionList is one of the answer's lists.
type functionList struct {
	name  string
	total int
	rows  store.Range // of section Uncalled
	nodes []uint32    // in place of rows, when some are left out
}

// uncalledLists returns the lists that are asked for.
func (q *question) uncalledLists(of store.UncalledLists, closed bool) (lists []functionList, err error) {
	unreferenced, unknown := of.UnreferencedOpen, of.UnknownOpen
	if closed {
		unreferenced, unknown = of.UnreferencedClosed, of.UnknownClosed
	}
	asked := func(name string, rows store.Range) error {
		l := functionList{name: name, total: rows.Len(), rows: rows}
		if q.filter.given() || q.arguments.string(groupBy.Name) != "" {
			if l.nodes, err = q.keptRows(rows); err != nil {
				return err
			}
			l.total = len(l.nodes)
		}
		lists = append(lists, l)
		return nil
	}
	if err := asked("unreferenced", unreferenced); err != nil {
		return nil, err
	}
	if q.arguments.boolean("include_unknown") {
		if err := asked("unknown", unknown); err != nil {
			return nil, err
		}
	}
	if q.arguments.boolean("include_" + calledOnlyByTests) {
		if err := asked(calledOnlyByTests, of.TestsOnly); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// keptRows returns the functions of rows of section Uncalled that are asked
// for.
func (q *question) keptRows(rows store.Range) ([]uint32, error) {
	nodes, err := q.numbers(store.Uncalled, rows.Start, rows.End)
	if err != nil {
		return nil, err
	}
	return kept(q, nodes, func(node uint32) uint32 { return node })
}

// groupedReports ends the answer with counts in place of its lists.
func (q *question) groupedReports(lists []functionList) error {
	var columns []column
	for _, l := range lists {
		columns = append(columns, column{name: l.name, nodes: l.nodes})
	}
	_, err := q.grouped(columns...)
	return err
}

// otherwise says how many functions other arguments would list, when there is
// none: so that nothing to see is not taken for nothing there. Full records
// are as they always were.
func (q *question) otherwise(of store.UncalledLists, unreferenced int, closed bool) error {
	if unreferenced > 0 || !q.brief {
		return nil
	}
	leftOut := q.leftOut
	defer func() { q.leftOut = leftOut }()
	count := func(rows store.Range) (int, error) {
		if !q.filter.given() {
			return rows.Len(), nil
		}
		nodes, err := q.keptRows(rows)
		return len(nodes), err
	}
	unknown := of.UnknownOpen
	if closed {
		unknown = of.UnknownClosed
	}
	inClosed, err := count(of.UnreferencedClosed)
	if err != nil {
		return err
	}
	ofUnknown, err := count(unknown)
	if err != nil {
		return err
	}
	q.key("otherwise")
	q.out = append(q.out, `{"assume_closed_world":`...)
	q.number(inClosed)
	q.key("include_unknown")
	q.number(ofUnknown)
	q.out = append(q.out, '}')
	return nil
}

// counts writes the functions of each language by status.
func (q *question) counts(languages []store.LanguageCounts, closed bool) {
	q.out = append(q.out, '{')
	for i, l := range languages {
		if i > 0 {
			q.out = append(q.out, ',')
		}
		c := l.Open
		if closed {
			c = l.Closed
		}
		q.text(l.Name)
		q.out = append(q.out, ':')
		q.statuses(c)
	}
	q.out = append(q.out, '}')
}

// reports writes how many functions a list has, and the reports of those that
// are asked for; i says which of the cursor's numbers is where they begin. It
// returns where the rest begins.
func (q *question) reports(l functionList, i int, closed bool) (next int, err error) {
	q.key(l.name + "_total")
	q.number(l.total)
	q.has(l.total, l.name+" function")
	q.key(l.name)
	start, end := q.pageOf(l.total, i)
	nodes := l.nodes
	if nodes == nil {
		nodes, err = q.numbers(store.Uncalled, l.rows.Start+uint32(start), l.rows.Start+uint32(end))
	} else {
		nodes = nodes[start:end]
	}
	if err != nil {
		return 0, err
	}
	q.soonNodes(nodes)
	rows, err := readAll(q, store.Nodes, nodes, q.view.NodeRow)
	if err != nil {
		return 0, err
	}
	reports := make([]uint32, len(rows))
	for i, row := range rows {
		reports[i] = row.Function
	}
	q.view.Prefetch(store.Reports, reports)
	q.reserve(len(nodes), 0)
	return end, list(q, nodes, func(node uint32) error {
		row, err := q.view.NodeRow(node)
		if err != nil {
			return err
		}
		report, err := q.view.Report(row.Function)
		if err != nil {
			return err
		}
		if q.names {
			return q.namesReport(node, &report, closed)
		}
		return q.report(node, span(row.In, row.InCalls), &report, closed)
	})
}

// resolution writes the model's resolution object, or one language of it.
func (q *question) resolution(language string, one bool) {
	m := q.ix.Manifest
	if !one {
		if len(m.Resolution) == 0 {
			q.out = append(q.out, "{}"...)
		}
		q.out = append(q.out, m.Resolution...)
		return
	}
	q.out = append(q.out, '{')
	for _, r := range m.ResolutionOf {
		if r.Name == language {
			q.text(r.Name)
			q.out = append(q.out, ':')
			q.out = append(q.out, r.Value...)
		}
	}
	q.out = append(q.out, '}')
}
