package query

import (
	"slices"
	"strings"

	"brick/store"
)

// The arguments that leave entries out of an answer's lists, before they are
// counted, grouped and bounded. Without them nothing is.
var (
	pathFilter = Parameter{
		Name: "path", Type: String, NotEmpty: true,
		Description: "Only this file, folder, glob.",
	}
	kindsFilter = Parameter{
		Name: "kinds", Type: Strings,
		Description: "Only these kinds of nodes.",
	}
	nodeOrEdgeKinds = Parameter{
		Name: "kinds", Type: Strings,
		Description: "Only these kinds of nodes or edges.",
	}
	testsFilter = Parameter{
		Name: "tests", Type: String, Enum: []string{onlyTests, withoutTests},
		Description: "Only test code, or none.",
	}
)

const (
	onlyTests    = "only"
	withoutTests = "without"
)

// A filter says which nodes and edges are asked for.
type filter struct {
	sorts []bool      // by sort; nil for all
	path  *candidates // nil for all
	edges []string    // kinds of edges, sorted; nil for all
}

// all says whether every node is asked for.
func (f *filter) all() bool { return f.sorts == nil && f.path == nil }

// given says whether anything may be left out.
func (f *filter) given() bool { return !f.all() || f.edges != nil }

// openFilters reads the arguments of filters. What nothing in the model has
// is an error that says so.
func (q *question) openFilters(a Arguments) error {
	takes := func(p Parameter) bool {
		return slices.ContainsFunc(q.tool.Parameters, func(own Parameter) bool {
			return own.Name == p.Name && own.Description == p.Description
		})
	}
	f := &q.filter
	if kinds, ok := a[kindsFilter.Name].([]string); ok && (takes(kindsFilter) || takes(nodeOrEdgeKinds)) {
		nodes, edges, err := q.splitKinds(kinds, takes(nodeOrEdgeKinds))
		if err != nil {
			return err
		}
		f.edges = edges
		if nodes != nil {
			q.keepSorts(func(s store.NodeSort) bool { return slices.Contains(nodes, s.Kind) })
		}
	}
	if tests := a.string(testsFilter.Name); tests != "" {
		if !slices.ContainsFunc(q.ix.Manifest.Sorts, func(s store.NodeSort) bool { return s.Test }) {
			return &NotFoundError{Problem: "the model marks nothing as test code (attribute source.test-code), so that tests can't tell it from other code.",
				Next: `Leave tests out, or ask by path, for example {"path": "**/*_test.go"}.`}
		}
		q.keepSorts(func(s store.NodeSort) bool { return s.Test == (tests == onlyTests) })
	}
	if path := a.string(pathFilter.Name); path != "" && takes(pathFilter) {
		var err error
		if f.path, err = q.pathsMatching(path); err != nil {
			return err
		}
	}
	return nil
}

// keepSorts leaves out nodes of other sorts.
func (q *question) keepSorts(keep func(store.NodeSort) bool) {
	if q.filter.sorts == nil {
		q.filter.sorts = make([]bool, len(q.ix.Manifest.Sorts))
		for i := range q.filter.sorts {
			q.filter.sorts[i] = true
		}
	}
	for i, s := range q.ix.Manifest.Sorts {
		q.filter.sorts[i] = q.filter.sorts[i] && keep(s)
	}
}

// splitKinds tells kinds of nodes from those of edges. A kind that both have
// counts for both.
func (q *question) splitKinds(kinds []string, orEdges bool) (nodes, edges []string, err error) {
	names := func(counts []store.KindCount) (names []string) {
		for _, c := range counts {
			names = append(names, c.Kind)
		}
		return names
	}
	ofNodes := names(q.ix.Manifest.NodeKinds)
	var ofEdges []string
	things := "node"
	if orEdges {
		things = "node or edge"
		ofEdges = names(q.ix.Manifest.EdgeKinds)
	}
	for _, asked := range kinds {
		kind, err := q.oneOf(things, "kind", asked, append(slices.Clone(ofNodes), ofEdges...))
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(ofNodes, kind) {
			nodes = append(nodes, kind)
		}
		if slices.Contains(ofEdges, kind) {
			edges = append(edges, kind)
		}
	}
	slices.Sort(edges)
	return nodes, edges, nil
}

// kept returns the entries whose node is asked for, and counts the others.
func kept[E any](q *question, entries []E, node func(E) uint32) ([]E, error) {
	if q.filter.all() {
		return entries, nil
	}
	nodes := make([]uint32, len(entries))
	for i, e := range entries {
		nodes[i] = node(e)
	}
	asked, err := q.askedFor(nodes)
	if err != nil {
		return nil, err
	}
	var left []E
	for i, e := range entries {
		if asked[i] {
			left = append(left, e)
		}
	}
	q.leftOut += len(entries) - len(left)
	return left, nil
}

// askedFor says of each node whether the filter leaves it in.
func (q *question) askedFor(nodes []uint32) ([]bool, error) {
	facts, err := readAll(q, store.Facts, nodes, q.view.Facts)
	if err != nil {
		return nil, err
	}
	asked := make([]bool, len(nodes))
	ranks := make([]uint32, len(nodes))
	for i, f := range facts {
		ranks[i] = f.Rank
		asked[i] = q.filter.hasSort(f.Sort)
	}
	if q.filter.path == nil {
		return asked, nil
	}
	rows, err := readAll(q, store.Ranked, ranks, q.view.Ranked)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if asked[i] {
			if asked[i], err = q.filter.has(row); err != nil {
				return nil, err
			}
		}
	}
	return asked, nil
}

// keptEdges returns the edges of a kind that is asked for, and counts the
// others.
func (q *question) keptEdges(edges []ranked) ([]ranked, error) {
	if q.filter.edges == nil {
		return edges, nil
	}
	is, err := readAll(q, store.EdgeRecords, numbersOf(edges), q.edgeKindAsked)
	if err != nil {
		return nil, err
	}
	var left []ranked
	for i, e := range edges {
		if is[i] {
			left = append(left, e)
		}
	}
	q.leftOut += len(edges) - len(left)
	return left, nil
}

// edgeKindAsked says whether an edge's kind is asked for.
func (q *question) edgeKindAsked(edge uint32) (bool, error) {
	if q.filter.edges == nil {
		return true, nil
	}
	kind, err := q.edgeKind(edge)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(q.filter.edges, func(k string) bool { return string(kind) == quotedKind(k) }), nil
}

func quotedKind(kind string) string { return string(appendText(nil, kind)) }

func (f *filter) hasSort(sort uint32) bool {
	return f.sorts == nil || int(sort) < len(f.sorts) && f.sorts[sort]
}

// has says whether a node of that row is asked for.
func (f *filter) has(r store.RankedRow) (bool, error) {
	if !f.hasSort(r.Sort) {
		return false, nil
	}
	if f.path == nil {
		return true, nil
	}
	if r.Path == store.Unknown {
		return false, nil
	}
	return f.path.has(r.Path)
}

// sortRows returns where the ranks of the nodes of the filter's sorts are.
func (f *filter) sortRows(ix *store.Index) (rows []store.Range) {
	for i, is := range f.sorts {
		if is {
			rows = append(rows, ix.Manifest.Sorts[i].Nodes)
		}
	}
	return rows
}

// plainPath is a path as the model may have it: without ./ before it and /
// behind it. folder says that there was one.
func plainPath(path string) (plain string, folder bool) {
	for strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[len("./"):], "/")
	}
	plain = strings.TrimRight(path, "/")
	if plain == "." {
		plain = ""
	}
	return plain, plain != path || plain == ""
}

// pathsIn returns the paths in the folder of that name; where there is no such
// folder, the path itself.
func (q *question) pathsIn(plain string, folder bool) ([]uint32, error) {
	if plain == "" {
		return span(0, q.ix.Items(store.Paths)), nil
	}
	for _, separator := range []string{"/", `\`} { // whichever the model writes
		start, end, err := q.pathsBeginning(strings.ReplaceAll(plain+"/", "/", separator))
		if err != nil || end > start {
			return span(start, end), err
		}
	}
	if folder {
		return nil, nil
	}
	number, is, err := q.path(plain)
	if !is || err != nil {
		return nil, err
	}
	return []uint32{number}, nil
}

// pathsMatching returns the paths that are a file, are in a folder, or match a
// glob. That there are none is an error that says so.
func (q *question) pathsMatching(pattern string) (*candidates, error) {
	plain, folder := plainPath(pattern)
	texts, err := q.pathsIn(plain, folder)
	if err != nil {
		return nil, err
	}
	if len(texts) > 0 {
		return q.newCandidates(&paths, texts, nil), nil
	}
	if folder {
		plain += "/**"
	}
	return q.pathsLikeGlob(pattern, plain)
}
