package randmodel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// Options bound a random document.
type Options struct {
	MaxNodes int // 0 means 25
	MaxEdges int // 0 means 60
	// PlainIDs makes ids n0, n1, e0, e1 and so on, for failures that are easy
	// to read.
	PlainIDs bool
}

// Gen generates valid documents. What shrinks is the number of nodes and edges,
// and every record towards the plainest.
func Gen(o Options) *rapid.Generator[*Doc] {
	if o.MaxNodes == 0 {
		o.MaxNodes = 25
	}
	if o.MaxEdges == 0 {
		o.MaxEdges = 60
	}
	return rapid.Custom(func(t *rapid.T) *Doc {
		g := &gen{T: t, plainIDs: o.PlainIDs, used: map[string]bool{}}
		return g.document(o.MaxNodes, o.MaxEdges)
	})
}

// The first of each of these lists is the plainest.
var (
	idParts = []string{
		"f", "g", "fn:", "n", "/", "//", "\\", `"`, " ", ".", "#", "<&>", "[]", "{}",
		"\n", "\t", "\b", "\f", "\r", "\x00", "\x1f", "\x7f", "\u0085", "\u2028", "\ufeff",
		"é", "e\u0301", "\ud7ff", "\ue000", "\uf8ff", "\ufffd", "\uffff", "\U00010000", "😀", "\U0010ffff",
		"0", "00", "1", "-0", "1e5", "0.90", "18446744073709551616", "null", "true", "cycle:",
		"%s", "..", "ÿ", "\u212a", "ſ",
	}
	functionNames = []string{"f", "g", "run", "F", "", "f ", "ф", "😀", "\ue000", `"q"\`, "\x00"}
	languages     = []string{
		"go", "c", "cpp", "objective-c", "objective-cpp", "cuda", "rust",
		"", "C", "unspecified", "\ue000", "😀", "go ", "typescript",
	}
	paths     = []string{"a.c", "b.go", "a.c/", "A.c", "", "dir/a.c", `dir\b.go`, "/", "\ue000", "😀", "a\nb"}
	nodeKinds = []string{
		"function", "function", "function", "function", "method", "method",
		"function", "function", "function", "function", "method", "method",
		"unresolved_symbol", "unresolved_symbol", "unresolved_symbol", "file", "file", "file",
		"class", "module", "directory", "repository", "struct", "trait", "interface",
		"enum", "macro", "external", "Function", "functions", "😀",
	}
	qualifiedNames = []string{"p.f", "", "p::f", "😀", "p", "(*p.f).g", "p.f.F", "p.F"}
	edgeKinds      = []string{
		"calls", "calls", "calls", "imports", "inherits",
		"unresolved_call", "unresolved_call", "unresolved_call", "name_reference", "name_reference",
		"contains", "contains", "defines", "defines", "Calls", "references", "call",
	}
	lanes = []string{
		"syntactic", "imported", "symbolic", "heuristic", "imported",
		"Imported", "IMPORTED", "iMPORTEd", "SYNTACTIC", "Symbolic", "hEURISTIC",
	}
	backends    = []string{"tree-sitter", "scip", "x", "\ud7ff", "\u0001"}
	provenances = []string{
		"a.c:1:1", "a.c:10:1", "a.c:2:1", "a.c:1:10", "b.go:3:4", "", "A", "é", "\ue000", "😀",
		"\uffff", "\x00", "\\", `"`, "a.c:3:1", "a.c:4:1", "b.go:1:1",
	}
	unresolvedReasons = []Value{
		"dynamic", "foreign-receiver", "macro", "foreign-receiver", "macro", "ambiguous", "",
		"unspecified", "Macro", "macro ", "\ue000", "😀", "\uffff", "z\n",
		Number("1"), nil, true, false, Array{}, Array{"macro"}, Object{}, Object{{"macro", "macro"}},
	}
	flags = []string{
		"source.virtual", "source.trait-impl", "source.external-base", "source.framework-attribute",
		"source.implicit-invocation", "source.outside-class-member", "source.entry-point",
		"source.test-code", "source.exported", "source.external-linkage", "source.parse-incomplete",
	}
	fileFlags = []string{"source.parse-incomplete", "source.test-code", "source.virtual"}
	figures   = []string{"metrics.lines", "metrics.cyclomatic", "metrics.parameters", "metrics.nesting"}
	// scalars are values of flags, unknown members and so on.
	scalars = []Value{
		true, false, nil, "", Array{}, Object{}, Number("0"), Number("-0"), Number("1"),
		"yes", "false", " ", Array{nil}, Array{Array{}}, Object{{"", nil}}, Object{{"a", false}},
		Number("0.90"), Number("1e400"), Number("-1E+2"), Number("123456789012345678901234567890"),
		Number("0.0"), Number("-0.0"), Number("1e-400"), Number("9007199254740993"), Number("0e0"),
		"\u0000", "\ud7ff\ue000😀", `\u0041`, "</script>", "\u2028\u2029", "e\u0301",
	}
	unknownNames = []string{
		"extra", "ID", "Kind", "", "\ue000", "😀", "\uffff", "\"", "\\", "z\n", "\x00", "Path",
		"source.virtual", "source.test-code", "é", "Evidence", "lane ", "language\x00", "10", "9",
	}
	lines        = []string{"1", "2", "3", "10", "3.0", "1e1", "30e-1", "2147483647", "2.0E0", "0.1e2"}
	confidences  = []Value{Number("0.90"), Number("1"), "high", nil, "", Number("1e400"), Number("-0"), Number("0.9")}
	roots        = []string{".", "/src/repo", "C:\\src", "\ue000\"\n", "😀", " "}
	repositories = []string{"repo:r", "R", "\x00", "😀", " "}
	versions     = []string{"4", "4.0", "4e0", "40e-1", "0.4E+1"}
)

type gen struct {
	*rapid.T
	plainIDs   bool
	used       map[string]bool
	repository string
	// What the nodes of one document choose from is little, so that names,
	// languages and paths often agree.
	names, languages, paths []string
}

func pick[E any](g *gen, from []E) E { return rapid.SampledFrom(from).Draw(g.T, "pick") }

// upTo draws a number from 0 to most.
func (g *gen) upTo(most int) int { return rapid.IntRange(0, most).Draw(g.T, "upTo") }

// sometimes is true once in about n times.
func (g *gen) sometimes(n int) bool { return g.upTo(n-1) == n-1 }

func (g *gen) document(maxNodes, maxEdges int) *Doc {
	d := &Doc{}
	g.names = rapid.SliceOfN(rapid.SampledFrom(functionNames), 1, 3).Draw(g.T, "names")
	g.languages = rapid.SliceOfN(rapid.SampledFrom(languages), 1, 4).Draw(g.T, "languages")
	g.paths = rapid.SliceOfN(rapid.SampledFrom(paths), 1, 3).Draw(g.T, "paths")
	g.repository = pick(g, repositories)
	repository := Object{{"id", g.repository}}
	if g.sometimes(4) {
		repository = g.unknown(repository)
	}
	d.Top = Object{
		{"schema_version", Number(pick(g, versions))},
		{"root", pick(g, roots)},
		{"repositories", Array{repository}},
		{"scope", g.object(3)},
	}
	if g.sometimes(2) {
		generator := Object{}
		if g.sometimes(2) {
			generator = append(generator, Member{"name", pick(g, backends)})
		}
		if g.sometimes(2) {
			generator = append(generator, Member{"version", pick(g, []string{"1.0", "", "😀"})})
		}
		if g.sometimes(4) {
			generator = g.unknown(generator)
		}
		d.Top = append(d.Top, Member{"generator", generator})
	}
	if !g.sometimes(4) {
		d.Top = append(d.Top, Member{"metrics", g.metrics()})
	}
	for _, name := range []string{"findings", "layout", "Nodes", "EDGES", "Scope", "id", "\ue000"} {
		if g.sometimes(12) {
			d.Top = append(d.Top, Member{name, g.anything(2)})
		}
	}

	for range g.upTo(maxNodes) {
		d.Nodes = append(d.Nodes, g.node())
	}
	if len(d.Nodes) == 0 {
		return d
	}
	var functions, symbols []string
	for _, n := range d.Nodes {
		switch n.text("kind") {
		case "function", "method":
			functions = append(functions, n.text("id"))
		case "unresolved_symbol":
			symbols = append(symbols, n.text("id"))
		}
	}
	for range g.upTo(maxEdges) {
		d.Edges = append(d.Edges, g.edge(d, functions, symbols))
	}
	return d
}

func (g *gen) metrics() Object {
	metrics := Object{}
	if !g.sometimes(5) {
		resolution := Object{}
		for _, language := range slices.Concat(g.languages, []string{pick(g, languages), "unspecified"}) {
			if g.sometimes(2) && !resolution.has(language) {
				resolution = append(resolution, Member{language, g.object(2)})
			}
		}
		metrics = append(metrics, Member{"resolution", resolution})
	}
	if g.sometimes(4) {
		metrics = g.unknown(metrics)
	}
	return metrics
}

func (g *gen) node() Object {
	kind := pick(g, nodeKinds)
	n := Object{
		{"id", g.id("n")},
		{"kind", kind},
		{"name", pick(g, g.names)},
	}
	if g.sometimes(3) {
		n = append(n, Member{"qualified_name", pick(g, qualifiedNames)})
	}
	if !g.sometimes(4) {
		n = append(n, Member{"language", pick(g, g.languages)})
	}
	if kind == "file" || !g.sometimes(4) {
		n = append(n, Member{"path", pick(g, g.paths)})
	}
	if g.sometimes(2) {
		n = append(n, Member{"span", g.span()})
	}
	if g.sometimes(4) {
		n = append(n, Member{"repository_id", g.repository})
	}
	switch {
	case kind == "file" && !g.sometimes(3):
		n = append(n, Member{"attributes", g.attributes(fileFlags)})
	case !g.sometimes(3):
		n = append(n, Member{"attributes", g.attributes(flags)})
	}
	if g.sometimes(4) {
		n = g.unknown(n)
	}
	return n
}

// attributes are flags, most of them falsy or truthy, figures and others.
func (g *gen) attributes(names []string) Object {
	o := Object{}
	for range g.upTo(3) {
		name := pick(g, names)
		if g.sometimes(4) {
			name = pick(g, slices.Concat(unknownNames, figures, []string{"source.Virtual", "virtual", "source.unresolved-reason"}))
		}
		if !o.has(name) {
			o = append(o, Member{name, g.attribute(name)})
		}
	}
	return o
}

// attribute draws an attribute's value: of trait-impl mostly names of nodes.
func (g *gen) attribute(name string) Value {
	if name != "source.trait-impl" || g.sometimes(3) {
		return g.anything(1)
	}
	names := append(slices.Sorted(maps.Keys(g.used)), qualifiedNames...)
	if g.sometimes(2) {
		return pick(g, names)
	}
	return Array{pick(g, names), pick(g, names)}
}

func (g *gen) span() Object {
	span := Object{{"start_line", Number(pick(g, lines))}}
	for _, name := range []string{"start_column", "end_line", "end_column"} {
		if g.sometimes(3) {
			span = append(span, Member{name, Number(pick(g, lines))})
		}
	}
	if g.sometimes(12) {
		span = g.unknown(span)
	}
	return span
}

func (g *gen) edge(d *Doc, functions, symbols []string) Object {
	kind := pick(g, edgeKinds)
	nodes := d.NodeIDs()
	source := pick(g, nodes)
	target := pick(g, nodes)
	switch {
	case kind == "unresolved_call" && len(symbols) == 0:
		kind = "name_reference"
	case kind == "unresolved_call":
		target = pick(g, symbols)
	case kind == "name_reference" && !g.sometimes(8):
		// Mostly to what it is for, but to any node is legal.
		if likely := slices.Concat(functions, symbols); len(likely) > 0 {
			target = pick(g, likely)
		}
	}
	if len(d.Edges) > 0 && kind != "unresolved_call" && g.sometimes(5) {
		// A parallel or a reverse edge.
		other := pick(g, d.Edges)
		source, target = other.text("source"), other.text("target")
		if g.sometimes(2) {
			source, target = target, source
		}
	}
	if kind != "unresolved_call" && g.sometimes(10) {
		source = target
	}

	var evidence Array
	for range 1 + g.upTo(pick(g, []int{0, 0, 1, 2, 8})) {
		evidence = append(evidence, g.evidence())
	}
	e := Object{
		{"id", g.id("e")},
		{"kind", kind},
		{"source", source},
		{"target", target},
		{"evidence", evidence},
	}
	if g.sometimes(8) {
		e = append(e, Member{"attributes", g.attributes(unknownNames)})
	}
	if g.sometimes(8) {
		e = g.unknown(e)
	}
	return e
}

func (g *gen) evidence() Object {
	v := Object{
		{"lane", pick(g, lanes)},
		{"backend", pick(g, backends)},
	}
	if g.sometimes(3) {
		v = append(v, Member{"confidence", pick(g, confidences)})
	}
	if !g.sometimes(4) {
		v = append(v, Member{"provenance", pick(g, provenances)})
	}
	if g.sometimes(2) {
		attributes := Object{}
		if !g.sometimes(5) {
			attributes = append(attributes, Member{"source.unresolved-reason", pick(g, unresolvedReasons)})
		}
		if g.sometimes(3) {
			attributes = append(attributes, Member{"source.mention", pick(g, unresolvedReasons)})
		}
		if g.sometimes(8) {
			attributes = g.unknown(attributes)
		}
		v = append(v, Member{"attributes", attributes})
	}
	if g.sometimes(8) {
		v = g.unknown(v)
	}
	return v
}

// id draws an id that is not used yet.
func (g *gen) id(prefix string) string {
	var id string
	switch {
	case g.plainIDs:
		id = fmt.Sprint(prefix, len(g.used))
	case g.sometimes(100):
		id = strings.Repeat("long", 1024)
	default:
		for range 1 + g.upTo(2) {
			id += pick(g, idParts)
		}
	}
	free := id
	for i := 0; g.used[free]; i++ {
		// Ids that are prefixes of others, or that differ at the end only.
		if suffix := fmt.Sprint(i); len(id)+len(suffix) <= 4096 {
			free = id + suffix
		} else {
			free = id[:4096-len(suffix)] + suffix
		}
	}
	g.used[free] = true
	return free
}

// unknown adds members that the contract knows nothing of.
func (g *gen) unknown(o Object) Object {
	for range 1 + g.upTo(2) {
		if name := pick(g, unknownNames); !o.has(name) {
			o = append(o, Member{name, g.anything(2)})
		}
	}
	return o
}

// anything draws any value, at most that deep.
func (g *gen) anything(depth int) Value {
	if depth == 0 || !g.sometimes(5) {
		return pick(g, scalars)
	}
	if g.sometimes(2) {
		return g.object(depth)
	}
	a := Array{}
	for range g.upTo(3) {
		a = append(a, g.anything(depth-1))
	}
	return a
}

func (g *gen) object(depth int) Object {
	o := Object{}
	for range g.upTo(3) {
		if name := pick(g, slices.Concat(unknownNames, languages)); !o.has(name) {
			o = append(o, Member{name, g.anything(depth - 1)})
		}
	}
	return o
}
