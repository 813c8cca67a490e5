package query

import (
	"encoding/hex"

	"brick/internal/canon"
	"brick/store"
)

var summary = &Tool{
	Name:  "brick_summary",
	Title: "What the graph is of, in figures",
	Description: "What was scanned and what is in the graph, in figures: kinds, languages, statuses, cycles, resolution " +
		"coverage, the largest hubs and functions. Use it first in a repository that you don't know. It says what the " +
		"scanner saw, not what the code is.",
	OutputSchema: schema("summary"),
	run:          answerSummary,
}

func answerSummary(q *question, _ Arguments) error {
	m := q.ix.Manifest
	q.key("index_digest")
	q.text(hex.EncodeToString(m.Identity))
	q.key("model_digest")
	q.text(hex.EncodeToString(m.Digest))
	q.key("source_digest")
	if len(m.Source) > 0 {
		q.text(hex.EncodeToString(m.Source))
	} else {
		q.null()
	}
	q.key("generator")
	if len(m.Generator) > 0 {
		q.out = append(q.out, m.Generator...)
	} else {
		q.null()
	}

	byLanguage := map[string]int{}
	for _, s := range m.Sorts {
		byLanguage[languageName(s.Language)] += s.Nodes.Len()
	}
	q.key("nodes")
	q.totals(m.Nodes, "by_kind", countsOf(m.NodeKinds), "by_language", byLanguage)
	byLane := map[string]int{}
	for i, count := range m.Lanes {
		byLane[store.LaneNames[i]] = count
	}
	q.key("edges")
	q.totals(m.Edges, "by_kind", countsOf(m.EdgeKinds), "by_lane", byLane)
	q.key("functions")
	q.statuses(m.Functions.Open)
	q.key("cycles")
	q.out = append(q.out, `{"total":`...)
	q.number(m.Cycles)
	q.key("largest_nodes")
	q.number(m.LargestCycle)
	q.out = append(q.out, '}')
	q.key("bridges")
	q.number(m.Bridges)
	q.key("files")
	q.number(q.files())
	q.key("files_parse_incomplete")
	q.number(m.Incomplete)
	q.key("resolution")
	q.resolution("", false)

	q.brief = true
	ranks := span(0, uint32(min(m.Nodes, topNodes)))
	top, err := q.dependedOn(ranks)
	if err != nil {
		return err
	}
	longest, err := q.largest(span(0, min(q.ix.Items(store.Largest), topNodes)), false)
	if err != nil {
		return err
	}
	rows, err := q.numbers(store.Complex, 0, min(q.ix.Items(store.Complex), topNodes))
	if err != nil {
		return err
	}
	mostComplex, err := q.largest(rows, true)
	if err != nil {
		return err
	}
	for _, ranking := range []struct {
		name  string
		nodes []uint32
	}{
		{"most_dependents", top}, {"most_dependencies", m.MostDependencies},
		{"longest", longest}, {"most_complex", mostComplex},
	} {
		q.key(ranking.name)
		q.soonNodes(ranking.nodes)
		if err := list(q, ranking.nodes, q.figured); err != nil {
			return err
		}
	}
	q.key("caveat")
	q.text(caveat)
	return nil
}

// topNodes is how many nodes a ranking has.
const topNodes = 10

// dependedOn returns the nodes of ranks that some other node depends on.
func (q *question) dependedOn(ranks []uint32) ([]uint32, error) {
	rows, err := readAll(q, store.Ranked, ranks, q.view.Ranked)
	if err != nil {
		return nil, err
	}
	all := numbersOfNodes(rows)
	facts, err := readAll(q, store.Facts, all, q.view.Facts)
	if err != nil {
		return nil, err
	}
	var nodes []uint32
	for i, node := range all {
		if facts[i].Dependents > 0 {
			nodes = append(nodes, node)
		}
	}
	return nodes, nil
}

// largest returns the functions of rows of Largest whose lines, or
// complexity, are known.
func (q *question) largest(rows []uint32, complexity bool) ([]uint32, error) {
	var nodes []uint32
	for _, row := range rows {
		f, err := q.view.Largest(row)
		if err != nil {
			return nil, err
		}
		if complexity || f.Lines != store.Unknown {
			nodes = append(nodes, f.Node)
		}
	}
	return nodes, nil
}

// figured writes a node with its figures.
func (q *question) figured(node uint32) error {
	facts, err := q.view.Facts(node)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"node":`...)
	if err := q.node(node); err != nil {
		return err
	}
	q.key("dependents")
	q.number(int(facts.Dependents))
	q.key("dependencies")
	q.number(int(facts.Dependencies))
	q.key("lines")
	q.figure(facts.Lines)
	q.key("complexity")
	q.figure(facts.Complexity)
	q.out = append(q.out, '}')
	return nil
}

// figure writes a figure, or null when the model has none.
func (q *question) figure(n uint32) {
	if n == store.Unknown {
		q.null()
		return
	}
	q.number(int(n))
}

func (q *question) null() { q.out = append(q.out, "null"...) }

// statuses writes how many functions have each status.
func (q *question) statuses(c store.StatusCounts) {
	q.out = append(q.out, `{"resolved":`...)
	q.number(c.Resolved)
	q.key("recursive_only")
	q.number(c.RecursiveOnly)
	q.key("unknown")
	q.number(c.Unknown)
	q.key("unreferenced")
	q.number(c.Unreferenced)
	if c.TestsOnly > 0 {
		q.key(calledOnlyByTests)
		q.number(c.TestsOnly)
	}
	q.out = append(q.out, '}')
}

// totals writes a total and two ways in which it is made up.
func (q *question) totals(total int, by1 string, counts1 map[string]int, by2 string, counts2 map[string]int) {
	q.out = append(q.out, `{"total":`...)
	q.number(total)
	q.key(by1)
	q.byName(counts1)
	q.key(by2)
	q.byName(counts2)
	q.out = append(q.out, '}')
}

// byName writes an object of counts, its names sorted as RFC 8785 sorts them.
func (q *question) byName(counts map[string]int) {
	q.out = append(q.out, '{')
	for i, name := range canon.SortedNames(counts) {
		if i > 0 {
			q.out = append(q.out, ',')
		}
		q.text(name)
		q.out = append(q.out, ':')
		q.number(counts[name])
	}
	q.out = append(q.out, '}')
}

func countsOf(kinds []store.KindCount) map[string]int {
	counts := map[string]int{}
	for _, k := range kinds {
		counts[k.Kind] = k.Count
	}
	return counts
}

// languageName is what a node's language is called in answers.
func languageName(language string) string {
	if language == "" {
		return unspecified
	}
	return language
}

// files is the number of files: section Files has one row more.
func (q *question) files() int { return max(int(q.ix.Items(store.Files))-1, 0) }
