package naive

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

const caveat = "Structural evidence for review: resolved is not proof of use at run time, and unreferenced is not proof of dead code."

// callers answers brick_callers.
func (m *Model) callers(f *node, closedWorld bool, p *pages) object {
	// "the value of `metrics.resolution` for the function's `language`, else
	// null"
	var resolution any
	if value, ok := m.resolution[f.language]; ok && f.language != "" {
		resolution = raw(value)
	}
	r := m.report(f, closedWorld)
	left := list{}
	var callers []*node
	for i, caller := range r.callers {
		if m.asks(caller) {
			left, callers = append(left, r.callerEdges[i]), append(callers, caller)
		} else {
			p.leftOut++
		}
	}
	total := len(left)
	r.callerEdges = p.cut(left)
	answer := object{
		"report", r.json(),
		"resolution", resolution,
		"caveat", caveat,
	}
	if r.status == "resolved" && p.first() {
		answer = append(answer, m.mayAlsoCall(f, m.otherCalls(f))...)
	}
	if m.asked.group != "" {
		return append(answer, m.grouped(p, pathsOf("calls", callers))...)
	}
	return append(answer, p.end(total)...)
}

type report struct {
	m             *Model
	function      *node
	status        string
	basis         string
	recursiveOnly bool
	reasons       list
	callerEdges   list
	callers       []*node // of each caller edge
	testsOnly     bool
}

func (r report) json() object {
	o := object{
		"function", r.m.nodeRecord(r.function),
		"status", r.status,
		"basis", r.basis,
		"recursive_only", r.recursiveOnly,
		"reasons", r.reasons,
	}
	switch {
	case r.m.asked.group != "":
	case r.m.names:
		o = append(o, "callers", r.callerEdges)
	default:
		o = append(o, "caller_edges", r.callerEdges)
	}
	if r.testsOnly {
		o = append(o, "called_only_by_tests", true)
	}
	return o
}

func (m *Model) report(f *node, closedWorld bool) report {
	r := report{m: m, function: f, callerEdges: list{}, reasons: list{}}

	// "`caller_edges`: every `calls` edge whose target is the function, in any
	// lane, the function's own recursive calls included."
	fromElsewhere, fromOther := false, false
	for _, e := range m.edges {
		if e.kind == "calls" && e.target == f {
			if m.names {
				r.callerEdges = append(r.callerEdges, append(m.named(e.source), at(e, func(evidence) bool { return true })...))
			} else {
				r.callerEdges = append(r.callerEdges, m.edgeRecord(e))
			}
			r.callers = append(r.callers, e.source)
			if e.source != f {
				fromElsewhere = true
				fromOther = fromOther || !m.isTest(e.source)
			}
		}
	}

	// "`recursive_only`: true when `caller_edges` is not empty and every one
	// comes from the function itself"
	r.recursiveOnly = len(r.callerEdges) > 0 && !fromElsewhere

	// Its callers but itself are test code, and it isn't.
	r.testsOnly = fromElsewhere && !fromOther && !m.isTest(f)

	// "`reasons`: empty when resolved. Else these that hold"
	if len(r.callerEdges) == 0 {
		r.reasons = m.reasons(f, closedWorld)
	}

	// "`status`: `resolved` when `caller_edges` is not empty; else `unknown`
	// when `reasons` is not empty; else `unreferenced`."
	switch {
	case len(r.callerEdges) > 0:
		r.status = "resolved"
	case len(r.reasons) > 0:
		r.status = "unknown"
	default:
		r.status = "unreferenced"
	}

	// "`basis`: `compiler` when some `calls` edge with an evidence record in
	// lane `imported` has a source node whose `path` is the function's `path`
	// [...]; else `heuristic`." An absent path is no path, so it is not equal
	// to another absent one.
	r.basis = "heuristic"
	for _, e := range m.edges {
		if e.kind != "calls" || f.path == "" || e.source.path != f.path {
			continue
		}
		for _, v := range e.evidence {
			if v.lane == "imported" {
				r.basis = "compiler"
			}
		}
	}
	return r
}

func (m *Model) reasons(f *node, closedWorld bool) list {
	reasons := list{}

	// "1. `unresolved-call-sites`: same-name call sites on `unresolved_call`
	// edges, those with reason `foreign-receiver` or `macro` excluded. Also
	// `count`, `by_unresolved_reason` (object: reason → count), `examples`"
	var sites []evidence
	byReason := map[string]int{}
	for _, e := range m.edges {
		if e.kind != "unresolved_call" || !sameName(e.target, f) {
			continue
		}
		for _, v := range e.evidence {
			reason := v.unresolvedReason()
			if reason == "foreign-receiver" || reason == "macro" {
				continue
			}
			sites = append(sites, v)
			byReason[reason]++
		}
	}
	if len(sites) > 0 {
		reasons = append(reasons, object{
			"reason", "unresolved-call-sites",
			"count", len(sites),
			"by_unresolved_reason", freeKeys(byReason),
			"examples", examples(sites),
		})
	}

	// "2. `referenced-by-name`: `name_reference` edges to the function, or to a
	// same-name `unresolved_symbol`. Also `count` (evidence records) and
	// `examples` as above."
	sites = nil
	for _, e := range m.edges {
		if e.kind == "name_reference" && (e.target == f || sameName(e.target, f)) {
			sites = append(sites, e.evidence...)
		}
	}
	// "`by_mention` (object: `source.mention` → count), if a record has one."
	if len(sites) > 0 {
		reason := object{"reason", "referenced-by-name", "count", len(sites)}
		byMention := map[string]int{}
		for _, v := range sites {
			if mention := v.mention(); mention != "" {
				byMention[mention]++
			}
		}
		if len(byMention) > 0 {
			reason = append(reason, "by_mention", freeKeys(byMention))
		}
		reasons = append(reasons, append(reason, "examples", examples(sites)))
	}

	add := func(reason string, value []byte, holds bool) {
		if holds {
			reasons = append(reasons, object{"reason", reason, "detail", raw(value)})
		}
	}
	own := func(reason string) {
		value, holds := f.flag("source." + reason)
		add(reason, value, holds)
	}

	// "3. `virtual` 4. `trait-impl` 5. `external-base` 6. `framework-attribute`
	// 7. `implicit-invocation` 8. `outside-class-member`: each with `detail`,
	// the attribute's value."
	own("virtual")
	own("trait-impl")
	own("external-base")
	own("framework-attribute")
	own("implicit-invocation")
	own("outside-class-member")

	// "9. `parse-incomplete`: with `detail`, the file node's attribute value."
	value, holds := m.fileFlag(f, "source.parse-incomplete")
	add("parse-incomplete", value, holds)

	// "10. `entry-point` 11. `test-code` (from the function, else from its
	// file): with `detail`."
	own("entry-point")
	value, holds = f.flag("source.test-code")
	if !holds {
		// "A flag that holds on the file counts whatever the function says."
		value, holds = m.fileFlag(f, "source.test-code")
	}
	add("test-code", value, holds)

	// "12. `exported` 13. `external-linkage`: with `detail`; left out when
	// `assume_closed_world` is true."
	if !closedWorld {
		own("exported")
		own("external-linkage")
	}
	return reasons
}

// isTest: by its own attribute, or that of a file node of its path.
func (m *Model) isTest(n *node) bool {
	if _, own := n.flag("source.test-code"); own {
		return true
	}
	_, holds := m.fileFlag(n, "source.test-code")
	return holds
}

// sameName: "the `unresolved_symbol`'s `name` equals the function's `name`, and
// their languages are equal, or both in the C family [...], or the symbol has
// no `language`."
func sameName(symbol, f *node) bool {
	if symbol.kind != "unresolved_symbol" || symbol.name != f.name {
		return false
	}
	return symbol.language == f.language ||
		cFamily(symbol.language) && cFamily(f.language) ||
		symbol.language == ""
}

// "the C family (`c`, `cpp`, `objective-c`, `objective-cpp`, `cuda`)"
func cFamily(language string) bool {
	switch language {
	case "c", "cpp", "objective-c", "objective-cpp", "cuda":
		return true
	}
	return false
}

// "`source.unresolved-reason`, a string that isn't empty [...] A site with no
// reason counts under `unspecified`." and "one whose value has another type
// than said here has no meaning."
func (v evidence) unresolvedReason() string {
	var reason string
	value, ok := v.attributes["source.unresolved-reason"]
	if !ok || json.Unmarshal(value, &reason) != nil || reason == "" {
		return "unspecified" // a null leaves reason as it is
	}
	return reason
}

// mention is what a name is a part of, "" when the record does not say.
func (v evidence) mention() string {
	var mention string
	if value, ok := v.attributes["source.mention"]; !ok || json.Unmarshal(value, &mention) != nil {
		return ""
	}
	return mention
}

// "`examples` (up to 5 distinct `provenance` strings, the first in byte order)"
func examples(sites []evidence) list {
	distinct := map[string]bool{}
	for _, v := range sites {
		if v.provenance != nil {
			distinct[*v.provenance] = true
		}
	}
	first := list{}
	for _, provenance := range slices.Sorted(maps.Keys(distinct)) {
		if len(first) < 5 {
			first = append(first, provenance)
		}
	}
	return first
}

// fileFlag: "'The function's file node' is the `file` node with the function's
// `path`; of several, for each flag, the first by id whose flag holds." A
// function without a path has none.
func (m *Model) fileFlag(f *node, name string) (value []byte, holds bool) {
	if f.path == "" {
		return nil, false
	}
	for _, n := range m.nodes {
		if n.kind == "file" && n.path == f.path {
			if value, holds := n.flag(name); holds {
				return value, true
			}
		}
	}
	return nil, false
}

// uncalled answers brick_uncalled; an empty language selects all.
func (m *Model) uncalled(language string, closedWorld, includeUnknown, includeTestsOnly bool, p *pages) object {
	counts := map[string]map[string]int{}
	if language != "" {
		// "with `language` given only that one, zeros if it has no functions"
		counts[language] = map[string]int{}
	}
	var unreferenced, unknown, testsOnly, unreferencedClosed []report
	for _, f := range m.nodes {
		if !f.isFunction() {
			continue
		}
		// "a function with no language counts under `unspecified`, and
		// `language: "unspecified"` selects what is counted there"
		under := f.language
		if under == "" {
			under = "unspecified"
		}
		if language != "" && under != language {
			continue
		}
		if counts[under] == nil {
			counts[under] = map[string]int{}
		}
		r := m.report(f, closedWorld)
		counts[under][r.status]++
		// "`recursive_only` (those of the resolved)"
		if r.recursiveOnly {
			counts[under]["recursive_only"]++
		}
		if r.testsOnly {
			counts[under]["called_only_by_tests"]++
			testsOnly = append(testsOnly, r)
		}
		switch r.status {
		case "unknown":
			unknown = append(unknown, r)
		case "unreferenced":
			unreferenced = append(unreferenced, r)
		}
		if r := m.report(f, true); r.status == "unreferenced" {
			unreferencedClosed = append(unreferencedClosed, r)
		}
	}

	countObjects := map[string]object{}
	for under, c := range counts {
		countObjects[under] = statuses(c)
	}
	answer := object{
		"assume_closed_world", closedWorld,
		"counts", freeKeys(countObjects),
	}
	type part struct {
		name    string
		reports []report
	}
	parts := []part{{"unreferenced", unreferenced}}
	if includeUnknown {
		parts = append(parts, part{"unknown", unknown})
	}
	if includeTestsOnly {
		parts = append(parts, part{"called_only_by_tests", testsOnly})
	}
	asks := func(reports []report) (left []report, leftOut int) {
		for _, r := range reports {
			if m.asks(r.function) {
				left = append(left, r)
			} else {
				leftOut++
			}
		}
		return left, leftOut
	}
	var columns []groupColumn
	for i, part := range parts {
		left, leftOut := asks(part.reports)
		p.leftOut += leftOut
		parts[i].reports = left
		var nodes []*node
		for _, r := range left {
			nodes = append(nodes, r.function)
		}
		columns = append(columns, pathsOf(part.name, nodes))
	}
	if m.asked.group != "" {
		return append(answer, m.grouped(p, columns...)...)
	}
	for _, part := range parts {
		answer = append(answer, part.name+"_total", len(part.reports), part.name, p.cut(sortedReports(part.reports)))
	}
	if m.brief && len(parts[0].reports) == 0 {
		closed, _ := asks(unreferencedClosed)
		unknown, _ := asks(unknown)
		answer = append(answer, "otherwise", object{"assume_closed_world", len(closed), "include_unknown", len(unknown)})
	}

	// "`resolution` (the `metrics.resolution` object, with `language` reduced
	// to that one member, `{}` if there is none)"
	resolution := map[string]raw{}
	for name, value := range m.resolution {
		if language == "" || name == language {
			resolution[name] = raw(value)
		}
	}
	answer = append(answer, "resolution", freeKeys(resolution), "caveat", caveat)
	return append(answer, p.rest()...)
}

// languageOfFunctions is the language that functions are counted under of that
// name, equal or else equal but for case.
func (m *Model) languageOfFunctions(name string) string {
	var languages []string
	for _, f := range m.nodes {
		if f.isFunction() {
			languages = append(languages, cmp.Or(f.language, "unspecified"))
		}
	}
	slices.Sort(languages)
	if slices.Contains(languages, name) {
		return name
	}
	for _, language := range languages {
		if strings.EqualFold(language, name) {
			return language
		}
	}
	return ""
}

// "Reports are ordered by `path`, `span.start_line`, `id`; a missing path sorts
// first as "", a missing line as 0. `limit` bounds each list by itself; totals
// are not bounded."
func sortedReports(reports []report) list {
	slices.SortFunc(reports, func(a, b report) int {
		return cmp.Or(
			strings.Compare(a.function.path, b.function.path),
			cmp.Compare(a.function.startLine, b.function.startLine),
			strings.Compare(a.function.id, b.function.id),
		)
	})
	first := list{}
	for _, r := range reports {
		if r.m.names {
			first = append(first, r.names())
		} else {
			first = append(first, r.json())
		}
	}
	return first
}
