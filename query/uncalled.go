package query

import (
	"slices"

	"brick/store"
)

var uncalled = &Tool{
	Name:  "brick_uncalled",
	Title: "Functions that nothing calls",
	Description: "Functions without a resolved caller, with counts of all functions by status and language. " +
		"unreferenced: no call and no reason to expect one, candidates for review; " +
		"with include_unknown also unknown: no call, but reasons why there may be one. " +
		"Use it to look for dead code, then check each candidate: unreferenced is not proof of dead code. " +
		"How much the scanner resolved at all is in resolution: where many calls are unresolved, expect live functions in the list.",
	Parameters: []Parameter{
		{Name: "language", Type: String, NotEmpty: true,
			Description: "Only functions of this language; unspecified for those without one."},
		assumeClosedWorld,
		{Name: "include_unknown", Type: Boolean, Default: false,
			Description: "List the functions of status unknown too, with their reasons."},
		{Name: "limit", Type: Integer, Default: int64(100), Unfilled: true,
			Description: "The most functions in each list; totals are not bounded. When it is given, next_cursor says where more is there."},
		cursor, records,
	},
	OutputSchema: schema("uncalled"),
	run:          answerUncalled,
}

func answerUncalled(q *question, a Arguments) error {
	m := q.ix.Manifest
	language, one := a["language"].(string)
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
	unreferenced, unknown := of.Uncalled.UnreferencedOpen, of.Uncalled.UnknownOpen
	if closed {
		unreferenced, unknown = of.Uncalled.UnreferencedClosed, of.Uncalled.UnknownClosed
	}
	if !q.page.limited {
		q.page.limit = 100
	}
	// Both lists go on side by side.
	next, err := q.reports("unreferenced", unreferenced, 0, closed)
	if err != nil {
		return err
	}
	nextUnknown := unknown.Len()
	if a.boolean("include_unknown") {
		if nextUnknown, err = q.reports("unknown", unknown, 1, closed); err != nil {
			return err
		}
	}
	q.key("resolution")
	q.resolution(language, one)
	q.key("caveat")
	q.text(caveat)
	if q.page.limited {
		q.nextCursor(next < unreferenced.Len() || nextUnknown < unknown.Len(), uint64(next), uint64(nextUnknown))
	}
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
func (q *question) reports(name string, functions store.Range, i int, closed bool) (next int, err error) {
	q.key(name + "_total")
	q.number(functions.Len())
	q.has(functions.Len(), name+" function")
	q.key(name)
	start, end := q.pageOf(functions.Len(), i)
	nodes, err := q.numbers(store.Uncalled, functions.Start+uint32(start), functions.Start+uint32(end))
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
