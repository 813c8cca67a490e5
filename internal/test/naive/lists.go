package naive

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// figure is a metrics.* attribute: "integers ≥ 0", -1 where there is none.
// Figures over 2^31-1 are none.
func (n *node) figure(name string) int {
	value, ok := n.attributes["metrics."+name]
	if !ok || value[0] == '"' {
		return -1
	}
	r, ok := new(big.Rat).SetString(string(value))
	if !ok || !r.IsInt() || r.Sign() < 0 || r.Cmp(big.NewRat(math.MaxInt32, 1)) > 0 {
		return -1
	}
	return int(r.Num().Int64())
}

// "Lines are `metrics.lines`, else from the span"
func (n *node) lines() int {
	if lines := n.figure("lines"); lines >= 0 {
		return lines
	}
	if n.startLine > 0 && n.endLine >= n.startLine {
		return int(n.endLine - n.startLine + 1)
	}
	return -1
}

// known is a figure, "and its absence is said".
func known(n int) any {
	if n < 0 {
		return nil
	}
	return n
}

func (m *Model) dependencies(n *node) int {
	to := map[*node]bool{}
	for _, e := range m.edges {
		if e.isDependency() && e.source == n && e.target != n {
			to[e.target] = true
		}
	}
	return len(to)
}

// isFile: a file is a path that a file node or a function has.
func (m *Model) isFile(path string) bool {
	if m.filesSeen == nil {
		m.filesSeen = map[string]bool{}
		for _, n := range m.nodes {
			if n.path != "" && (n.kind == "file" || n.isFunction()) {
				m.filesSeen[n.path] = true
			}
		}
	}
	return m.filesSeen[path]
}

func (m *Model) filePaths() []string {
	var paths []string
	for _, n := range m.nodes {
		if m.isFile(n.path) {
			paths = append(paths, n.path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func (m *Model) fileNode(path string) *node {
	for _, n := range m.nodes {
		if n.kind == "file" && n.path == path {
			return n
		}
	}
	return nil
}

// uses counts the dependency edges from each other file to this one, or from
// this one to each other.
func (m *Model) uses(path string, out bool) (paths []string, counts map[string]map[string]int) {
	counts = map[string]map[string]int{}
	for _, e := range m.edges {
		this, other := e.target.path, e.source.path
		if out {
			this, other = other, this
		}
		if !e.isDependency() || this != path || other == path || !m.isFile(other) {
			continue
		}
		if counts[other] == nil {
			counts[other] = map[string]int{}
			paths = append(paths, other)
		}
		counts[other][e.kind]++
	}
	slices.Sort(paths)
	return paths, counts
}

func useList(paths []string, counts map[string]map[string]int) list {
	l := list{}
	for _, path := range paths {
		c := counts[path]
		l = append(l, object{"path", path, "calls", c["calls"], "imports", c["imports"], "inherits", c["inherits"]})
	}
	return l
}

// files answers brick_files.
func (m *Model) files(p *pages) object {
	files := list{}
	c := groupColumn{name: "files"}
	for _, path := range m.filePaths() {
		test := m.fileNode(path) != nil && m.isTest(m.fileNode(path))
		if m.asked.path != nil && !m.asked.path(path) || m.asked.tests != "" && test != (m.asked.tests == "only") {
			p.leftOut++
			continue
		}
		c.paths = append(c.paths, path)
		functions := 0
		status := map[string]int{}
		for _, n := range m.nodes {
			if n.path == path && n.isFunction() {
				functions++
				r := m.report(n, false)
				status[r.status]++
				if r.recursiveOnly {
					status["recursive_only"]++
				}
				if r.testsOnly {
					status["called_only_by_tests"]++
				}
			}
		}
		lines := -1
		if n := m.fileNode(path); n != nil {
			lines = n.lines()
		}
		in, _ := m.uses(path, false)
		out, _ := m.uses(path, true)
		files = append(files, object{
			"path", path, "functions", functions, "lines", known(lines),
			"statuses", statuses(status),
			"fan_in", len(in), "fan_out", len(out),
		})
	}
	if m.asked.group != "" {
		return m.grouped(p, c)
	}
	return append(object{"files", p.cut(files)}, p.end(len(files))...)
}

// namedReason is the reason why a call is unresolved, "" for none.
func (v *evidence) namedReason() (reason string) {
	if value := v.attributes["source.unresolved-reason"]; value != nil && json.Unmarshal(value, &reason) == nil {
		return reason
	}
	return ""
}

// statuses are counts of functions.
func statuses(count map[string]int) object {
	o := object{"resolved", count["resolved"], "recursive_only", count["recursive_only"],
		"unknown", count["unknown"], "unreferenced", count["unreferenced"]}
	if n := count["called_only_by_tests"]; n > 0 {
		o = append(o, "called_only_by_tests", n)
	}
	return o
}

// file answers brick_file, or returns nil when there is no such file.
func (m *Model) file(path string, p *pages) object {
	if !m.isFile(path) {
		return nil
	}
	var nodes []*node
	for _, n := range m.nodes {
		switch {
		case n.path != path || n == m.fileNode(path):
		case m.asks(n):
			nodes = append(nodes, n)
		default:
			p.leftOut++
		}
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(a.startLine, b.startLine) })
	definitions := list{}
	for _, n := range nodes {
		o := object{"node", m.nodeRecord(n), "lines", known(n.lines())}
		if m.names && !n.isFunction() {
			definitions = append(definitions, o)
			continue
		}
		o = append(o, "complexity", known(n.figure("cyclomatic")))
		if n.isFunction() {
			callers := map[*node]bool{}
			for _, e := range m.edges {
				if e.kind == "calls" && e.target == n && e.source != n {
					callers[e.source] = true
				}
			}
			o = append(o, "callers", len(callers), "status", m.report(n, false).status)
		} else {
			o = append(o, "callers", nil, "status", nil)
		}
		definitions = append(definitions, o)
	}
	var file any
	if n := m.fileNode(path); n != nil {
		file = m.nodeRecord(n)
	}
	answer := object{"path", path, "file", file, "definitions", p.cut(definitions)}
	for _, part := range []struct {
		name string
		list list
	}{
		{"depends_on", useList(m.uses(path, true))}, {"dependents", useList(m.uses(path, false))}, {"cycles", m.cyclesAt(path)},
	} {
		if p.limited {
			answer = append(answer, part.name+"_total", len(part.list))
		}
		answer = append(answer, part.name, p.cut(part.list))
	}
	return append(append(answer, "caveat", caveat), p.end(len(definitions))...)
}

// cyclesAt are the cycles that nodes of a path are in, in the order of
// brick_cycles.
func (m *Model) cyclesAt(path string) list {
	reaches := func(from, to *node) bool {
		seen := map[*node]bool{}
		for next := []*node{from}; len(next) > 0; next = next[1:] {
			for _, e := range m.edges {
				if e.isDependency() && e.source == next[0] && !seen[e.target] {
					seen[e.target] = true
					next = append(next, e.target)
				}
			}
		}
		return seen[to]
	}
	cycles := list{}
	done := map[*node]bool{}
	for _, first := range m.nodes {
		if done[first] || !reaches(first, first) {
			continue
		}
		in := map[*node]bool{}
		sum := sha256.New()
		here := false
		for _, n := range m.nodes {
			if reaches(first, n) && reaches(n, first) {
				in[n], done[n] = true, true
				fmt.Fprintf(sum, "%d:%s", len(n.id), n.id)
				here = here || n.path == path
			}
		}
		edges := 0
		for _, e := range m.edges {
			if e.isDependency() && in[e.source] && in[e.target] {
				edges++
			}
		}
		if here {
			cycles = append(cycles, object{"id", "cycle:" + fmt.Sprintf("%x", sum.Sum(nil))[:16], "nodes", len(in), "edges", edges})
		}
	}
	return cycles
}

// hotspots answers brick_hotspots.
func (m *Model) hotspots(minLines, minComplexity int, sort string, p *pages) object {
	var hot []*node
	without := 0
	for _, n := range m.nodes {
		if !n.isFunction() {
			continue
		}
		if n.figure("cyclomatic") < 0 {
			without++
		}
		every := minLines < 0 // of no length and complexity too
		if every || n.lines() >= minLines && n.lines() >= 0 || n.figure("cyclomatic") >= minComplexity && n.figure("cyclomatic") >= 0 {
			if m.asks(n) {
				hot = append(hot, n)
			} else {
				p.leftOut++
			}
		}
	}
	key := map[string]func(*node) int{
		"lines": (*node).lines, "complexity": func(n *node) int { return n.figure("cyclomatic") },
		"fan_in": m.dependents, "fan_out": m.dependencies,
	}[sort]
	slices.SortStableFunc(hot, func(a, b *node) int { return cmp.Compare(key(b), key(a)) })
	l := list{}
	for _, n := range hot {
		l = append(l, object{"node", m.nodeRecord(n), "lines", known(n.lines()), "complexity", known(n.figure("cyclomatic")),
			"fan_in", m.dependents(n), "fan_out", m.dependencies(n)})
	}
	answer := object{"min_lines", max(minLines, 0), "min_complexity", max(minComplexity, 0), "sort", sort, "without_complexity", without}
	if m.asked.group != "" {
		return append(answer, m.grouped(p, pathsOf("hotspots", hot))...)
	}
	return append(append(answer, "hotspots", p.cut(l)), p.end(len(l))...)
}

// calls answers brick_calls, for patterns of plain parts and stars.
func (m *Model) calls(pattern string, p *pages) object {
	plain := strings.Split(pattern, ".")
	last := regexp.MustCompile("(?s)^" + starred(plain[len(plain)-1], ".*") + "$")
	var parts []string
	stars := len(plain) > 1
	for i, part := range plain {
		parts = append(parts, starred(part, `[^.]*`))
		stars = stars && (i == len(plain)-1 || part == "*")
	}
	whole := regexp.MustCompile(`(?s)^(.*\.)?` + strings.Join(parts, `\.`) + "$")
	matches := func(n *node) bool {
		var cased []string
		for _, part := range separator.Split(n.qualifiedName, -1) {
			if part = strings.Trim(part, "()*& "); part != "" {
				cased = append(cased, part)
			}
		}
		return len(cased) > 0 && whole.MatchString(strings.Join(cased, ".")) ||
			len(plain) == 1 && last.MatchString(n.name) ||
			stars && n.kind == "unresolved_symbol" && last.MatchString(n.name)
	}
	callees := 0
	for _, n := range m.nodes {
		if matches(n) {
			callees++
		}
	}
	resolved, unresolved := list{}, list{}
	var callers [2][]*node
	for _, e := range m.edges {
		if !matches(e.target) || e.kind != "calls" && e.kind != "unresolved_call" {
			continue
		}
		if !m.asks(e.source) {
			p.leftOut++
			continue
		}
		sites := list{}
		seen := map[string]bool{}
		for _, v := range e.evidence {
			o := object{"provenance", nil}
			if v.provenance != nil {
				o[1] = *v.provenance
			}
			if reason := v.namedReason(); reason != "" {
				o = append(o, "reason", reason)
			}
			if key := string(encode(nil, o)); !seen[key] {
				seen[key] = true
				sites = append(sites, o)
			}
		}
		o := object{"edge_id", e.id, "caller", m.nodeRecord(e.source), "callee", m.nodeRecord(e.target), "lanes", lanesOf(e), "sites", sites}
		if m.names {
			o = namesCall(e)
		}
		switch {
		case e.kind == "calls":
			resolved = append(resolved, o)
			callers[0] = append(callers[0], e.source)
		case e.kind == "unresolved_call":
			unresolved = append(unresolved, o)
			callers[1] = append(callers[1], e.source)
		}
	}
	if m.asked.group != "" {
		return append(object{"pattern", pattern, "callees", callees},
			m.grouped(p, pathsOf("resolved", callers[0]), pathsOf("unresolved", callers[1]))...)
	}
	return append(object{
		"pattern", pattern, "callees", callees,
		"resolved_total", len(resolved), "resolved", p.cut(resolved),
		"unresolved_total", len(unresolved), "unresolved", p.cut(unresolved),
		"caveat", caveat,
	}, p.rest()...)
}

func starred(part, star string) string {
	part = strings.ReplaceAll(regexp.QuoteMeta(part), `\*\*`, "\x00")
	return strings.ReplaceAll(strings.ReplaceAll(part, `\*`, star), "\x00", ".*")
}

// path answers brick_path, by trying every path of each length.
func (m *Model) path(from, to *node, kinds []string, maxDepth int) object {
	answer := object{"from", m.nodeRecord(from), "to", m.nodeRecord(to)}
	allowed := list{}
	for _, kind := range kinds {
		allowed = append(allowed, kind)
	}
	edges := m.leastPath(from, to, kinds, maxDepth)
	answer = append(answer, "kinds", allowed, "max_depth", maxDepth, "found", edges != nil)
	if edges == nil {
		other := m.leastPath(to, from, kinds, maxDepth) != nil
		note := fmt.Sprintf("No path of resolved dependencies of these kinds leads from the one to the other within %d edges", maxDepth)
		if other {
			note += "; one leads the other way round: exchange from and to."
		} else {
			note += ", nor the other way round."
		}
		return append(answer, "nodes", list{}, "edges", list{}, "exists_other_way", other, "note", note)
	}
	nodes, records := list{m.nodeRecord(from)}, list{}
	for _, e := range edges {
		nodes = append(nodes, m.nodeRecord(e.target))
		if m.names {
			records = append(records, namesEdge(e))
		} else {
			records = append(records, m.edgeRecord(e))
		}
	}
	return append(answer, "length", len(edges), "nodes", nodes, "edges", records)
}

// leastPath is "a shortest dependency path, the least by ids among the
// shortest", nil when there is none.
func (m *Model) leastPath(from, to *node, kinds []string, maxDepth int) []*edge {
	type way struct {
		edges []*edge
		at    *node
	}
	// The least way to each node, by the ids of the nodes on it, for each
	// length at which it is first reached.
	ways := []way{{[]*edge{}, from}}
	reached := map[*node]bool{from: true}
	for depth := 0; ; depth++ {
		for _, w := range ways {
			if w.at == to {
				return w.edges
			}
		}
		if depth == maxDepth || len(ways) == 0 {
			return nil
		}
		// Ways are in the order of their nodes' ids, so the first to come is
		// the least. Edges are in the order of their ids.
		var next []way
		found := map[*node]bool{}
		for _, w := range ways {
			var steps []way
			for _, e := range m.edges {
				if slices.Contains(kinds, e.kind) && e.source == w.at && !reached[e.target] && !found[e.target] {
					found[e.target] = true
					steps = append(steps, way{append(slices.Clone(w.edges), e), e.target})
				}
			}
			slices.SortStableFunc(steps, func(a, b way) int { return strings.Compare(a.at.id, b.at.id) })
			next = append(next, steps...)
		}
		for n := range found {
			reached[n] = true
		}
		ways = next
	}
}
