package genmodel

import "fmt"

// The hub is function 0. Of the others, hubCallers are direct callers of it,
// evenly spread. Nobody calls a direct caller but the ring, functions that call
// one of them and not the hub: so the impact of depth 2 is the direct callers
// and the ring. The other calls are between functions that are no direct
// callers, mostly from higher numbers to lower ones as in layers, skewed, so
// that there are hubs of all sizes.

func (g *generator) direct(n int) bool {
	return n > 0 && spread(n-1, g.hubCallers, g.functions-1)
}

// theDirect is the number of the i-th direct caller.
func (g *generator) theDirect(i int) int {
	return ((i+1)*(g.functions-1) + g.hubCallers - 1) / g.hubCallers
}

// indirect is n or a function close to it that is neither the hub nor a direct
// caller.
func (g *generator) indirect(n int) int {
	for n == 0 || n >= g.functions || g.direct(n) {
		if n++; n >= g.functions {
			n = 1
		}
	}
	return n
}

// chain and component are how many calls make them.
func (n counts) chain() int     { return n.functions / 10 }
func (n counts) component() int { return n.functions / 10 }

func (g *generator) edgeRecords() {
	g.out.printf("\"edges\":[\n")
	g.written = 0
	g.containment()
	g.imports()
	for i := range g.inherited {
		from, to := typeID(i*inheritsOneIn+1), typeID(g.skewed(g.files))
		g.edge("inherits", from, to, fmt.Sprintf(
			`{"attributes":{"go.relation":"embeds"},"backend":"go/types","confidence":0.9,"lane":"symbolic","provenance":"%s:%d:2"}`,
			filePath(i*inheritsOneIn+1), 13+g.random.IntN(30)))
	}
	g.hub()
	g.deep()
	for i := range g.calls {
		from := g.indirect(g.rounded(i * g.functions / g.calls))
		to := g.random.IntN(g.functions)
		if g.random.IntN(upwardOneIn) > 0 {
			to = g.random.IntN(from + 1)
		}
		if g.random.IntN(2) == 0 {
			to = max(0, from-g.random.IntN(100)) // of the same module
		}
		g.call(from, g.indirect(g.rounded(to)))
	}
	for i := range g.references {
		from, to := g.random.IntN(g.functions), i*referencesOneIn
		g.edge("name_reference", functionID(from), functionID(to), fmt.Sprintf(
			`{"attributes":{"source.reference-kind":"function-value"},"backend":"go/types","lane":"symbolic","provenance":"%s"}`, g.place(from)))
	}
	for i := range g.unresolved {
		g.unresolvedCall(g.rounded(i*g.functions/g.unresolved), g.skewed(g.symbols))
	}
	g.out.printf("\n]}\n")
}

// containment writes who contains modules and files, and defines the rest.
func (g *generator) containment() {
	for n := range g.modules {
		g.edge("contains", "repo", moduleID(n), fmt.Sprintf(
			`{"backend":"go/packages","confidence":1,"lane":"syntactic","provenance":"%s"}`, module+"/"+packagePath(n)))
	}
	defines := func(file int, what string, line int) {
		g.edge("defines", fileID(file), what, fmt.Sprintf(
			`{"backend":"go/parser","confidence":1,"lane":"syntactic","provenance":"%s:%d:1"}`, filePath(file), line))
	}
	for n := range g.files {
		g.edge("contains", moduleID(n/filesPerModule), fileID(n), fmt.Sprintf(
			`{"backend":"go/packages","confidence":1,"lane":"syntactic","provenance":"%s:1:1"}`, filePath(n)))
		defines(n, typeID(n), 12)
	}
	for n := range g.functions {
		file, place := fileOf(n)
		defines(file, functionID(n), 60+40*place)
	}
}

func (g *generator) imports() {
	imports := func(file, n, line int) {
		g.edge("imports", fileID(file), g.packageID(n), fmt.Sprintf(
			`{"backend":"go/parser","confidence":1,"lane":"syntactic","provenance":"%s:%d:2"}`, filePath(file), line))
	}
	packages := g.modules + g.externals
	for n := range g.fan() {
		imports(0, n, 10+n)
	}
	for file := 1; file < g.files; file++ {
		for i := range importsPerFile {
			imports(file, g.skewed(packages), 20+i)
		}
	}
}

// hub writes the calls of the hub, and of the hub's callers.
func (g *generator) hub() {
	indirect := 0
	others := g.functions - 1 - g.hubCallers
	for n := 1; n < g.functions; n++ {
		if g.direct(n) {
			g.call(n, 0)
			continue
		}
		if spread(indirect, g.ring, others) {
			g.call(n, g.theDirect(g.skewed(g.hubCallers)))
		}
		indirect++
	}
}

// deep writes the chain, down through the functions with the highest numbers,
// and the component, a circle of the ones below.
func (g *generator) deep() {
	from := g.indirect(g.functions - 2*g.chain())
	for range g.chain() {
		next := g.indirect(from + 1)
		g.call(next, from)
		from = next
	}
	first := g.indirect(g.functions / 2)
	from = first
	for i := range g.component() {
		to := first
		if i < g.component()-1 {
			to = g.indirect(from + 1)
		}
		g.call(from, to)
		from = to
	}
}

// place is a site in a function.
func (g *generator) place(function int) string {
	file, place := fileOf(function)
	return fmt.Sprintf("%s:%d:%d", filePath(file), 61+40*place+g.random.IntN(30), 2+g.random.IntN(60))
}

func (g *generator) call(from, to int) {
	site := func() string {
		return fmt.Sprintf(`{"backend":"go/types","confidence":0.95,"lane":"symbolic","provenance":"%s"}`, g.place(from))
	}
	g.edge("calls", functionID(from), functionID(to), g.sites(resolvedOneIn, site))
}

func (g *generator) unresolvedCall(from, to int) {
	reason := "no-candidate"
	switch g.random.IntN(8) {
	case 0, 1:
		reason = "foreign-receiver"
	case 2:
		reason = "ambiguous"
	}
	site := func() string {
		return fmt.Sprintf(`{"attributes":{"source.unresolved-reason":"%s"},"backend":"go/ast","confidence":0.4,"lane":"syntactic","provenance":"%s"}`, reason, g.place(from))
	}
	g.edge("unresolved_call", functionID(from), symbolID(to), g.sites(manySitesOneIn, site))
}

// sites is one evidence record, or several, once in so many times.
func (g *generator) sites(oneIn int, site func() string) string {
	sites := site()
	if g.random.IntN(oneIn) == 0 {
		for range 1 + g.random.IntN(4) {
			sites += "," + site()
		}
	}
	return sites
}

// edge writes an edge. Its id ends with its place in the document: the same
// function may call another one in several edges.
func (g *generator) edge(kind, source, target, evidence string) {
	g.record(`{"evidence":[%s],"id":"%s:%s->%s#%d","kind":"%s","source":"%s","target":"%s"}`,
		evidence, kind, source, target, g.written, kind, source, target)
}
