package index

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"brick/internal/test/testenv"
)

// testGraph is a directed multigraph. Edges that are no dependencies are
// between the others in every list, and must not be looked at.
type testGraph struct {
	nodes int
	edges []testEdge
}

type testEdge struct {
	source, target int
	other          bool // no dependency
}

func (g testGraph) GoString() string { return fmt.Sprintf("%d nodes, edges %v", g.nodes, g.edges) }

// columns lays the graph out as a build does: edges by target, dependencies
// first.
func (g testGraph) columns() *undirected {
	class := func(e testEdge) int {
		if e.other {
			return 1
		}
		return 0
	}
	edges := slices.Clone(g.edges)
	slices.SortStableFunc(edges, func(a, b testEdge) int {
		if a.target != b.target {
			return a.target - b.target
		}
		return class(a) - class(b)
	})
	u := &undirected{}
	at := 0
	for v := range g.nodes {
		u.inStarts = append(u.inStarts, uint32(at))
		for ; at < len(edges) && edges[at].target == v && !edges[at].other; at++ {
		}
		u.inEnds = append(u.inEnds, uint32(at))
		for ; at < len(edges) && edges[at].target == v; at++ {
		}
	}
	out := make([][2][]uint32, g.nodes)
	for i, e := range edges {
		u.source = append(u.source, uint32(e.source))
		u.target = append(u.target, uint32(e.target))
		out[e.source][class(e)] = append(out[e.source][class(e)], uint32(i))
	}
	for v := range out {
		u.outStarts = append(u.outStarts, uint32(len(u.outgoing)))
		u.outgoing = append(u.outgoing, out[v][0]...)
		u.outEnds = append(u.outEnds, uint32(len(u.outgoing)))
		u.outgoing = append(u.outgoing, out[v][1]...)
	}
	return u
}

func genGraph() *rapid.Generator[testGraph] {
	return rapid.Custom(func(t *rapid.T) testGraph {
		g := testGraph{nodes: rapid.IntRange(1, 14).Draw(t, "nodes")}
		node := rapid.IntRange(0, g.nodes-1)
		for range rapid.IntRange(0, 2*g.nodes).Draw(t, "edges") {
			e := testEdge{source: node.Draw(t, "source"), target: node.Draw(t, "target")}
			if len(g.edges) > 0 {
				again := g.edges[rapid.IntRange(0, len(g.edges)-1).Draw(t, "again")]
				switch rapid.IntRange(0, 9).Draw(t, "as") {
				case 9: // parallel
					e = again
				case 8: // reverse
					e = testEdge{source: again.target, target: again.source}
				case 7: // a self-loop
					e.target = e.source
				}
			}
			e.other = rapid.IntRange(0, 5).Draw(t, "other") == 5
			g.edges = append(g.edges, e)
		}
		return g
	})
}

// reach returns for each node which nodes can be reached from it, itself
// included, over steps from one node to another.
func reach(nodes int, steps [][2]int) [][]bool {
	to := make([][]bool, nodes)
	for v := range to {
		to[v] = make([]bool, nodes)
		to[v][v] = true
	}
	for changed := true; changed; {
		changed = false
		for v := range to {
			for _, s := range steps {
				if to[v][s[0]] && !to[v][s[1]] {
					to[v][s[1]], changed = true, true
				}
			}
		}
	}
	return to
}

func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genGraph().Draw(t, "graph")
		u := g.columns()
		// By the lists of incoming edges, the graph is the reverse one.
		var steps [][2]int
		for _, e := range g.edges {
			if !e.other {
				steps = append(steps, [2]int{e.target, e.source})
			}
		}
		component, count := components(u.inStarts, u.inEnds, u.source)
		checkComponents(t, component, count, reach(g.nodes, steps))
	})
}

type failer interface {
	Fatalf(format string, args ...any)
}

func checkComponents(t failer, component []uint32, count int, to [][]bool) {
	if len(component) != len(to) {
		t.Fatalf("%d nodes have a component, of %d", len(component), len(to))
	}
	used := make([]bool, count)
	for v, c := range component {
		if int(c) >= count {
			t.Fatalf("node %d is in component %d of %d", v, c, count)
		}
		used[c] = true
	}
	if slices.Contains(used, false) {
		t.Fatalf("not all of %d components have nodes: %v", count, component)
	}
	for v := range to {
		for w := range to {
			together := to[v][w] && to[w][v]
			switch {
			case together != (component[v] == component[w]):
				t.Fatalf("nodes %d and %d: one component is %t: %v", v, w, together, component)
			case to[v][w] && !together && component[v] <= component[w]:
				t.Fatalf("node %d reaches %d: the number of its component must be larger: %v", v, w, component)
			}
		}
	}
}

func TestBridges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genGraph().Draw(t, "graph")
		u := g.columns()
		// An edge is a bridge when its ends are not connected without it.
		var want []uint32
		deps := make([]bool, len(u.source))
		for v := range g.nodes {
			for e := u.inStarts[v]; e < u.inEnds[v]; e++ {
				deps[e] = true
			}
		}
		for e := range u.source {
			if !deps[e] {
				continue
			}
			var steps [][2]int
			for other := range u.source {
				if deps[other] && other != e {
					a, b := int(u.source[other]), int(u.target[other])
					steps = append(steps, [2]int{a, b}, [2]int{b, a})
				}
			}
			if !reach(g.nodes, steps)[u.source[e]][u.target[e]] {
				want = append(want, uint32(e))
			}
		}
		got := u.bridges()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("bridges %v, want %v, of sources %v, targets %v", got, want, u.source, u.target)
		}
	})
}

func TestGraphs(t *testing.T) {
	edge := func(source, target int) testEdge { return testEdge{source: source, target: target} }
	other := func(source, target int) testEdge { return testEdge{source, target, true} }
	for _, test := range []struct {
		name       string
		graph      testGraph
		components int
		bridges    [][2]uint32 // source and target, by target
	}{
		{"nothing", testGraph{0, nil}, 0, nil},
		{"a node", testGraph{1, nil}, 1, nil},
		{"a self-loop", testGraph{1, []testEdge{edge(0, 0)}}, 1, nil},
		{"an edge", testGraph{2, []testEdge{edge(0, 1)}}, 2, [][2]uint32{{0, 1}}},
		{"no dependency", testGraph{2, []testEdge{other(0, 1)}}, 2, nil},
		{"a parallel edge that is no dependency", testGraph{2, []testEdge{other(0, 1), edge(0, 1)}}, 2, [][2]uint32{{0, 1}}},
		{"parallel", testGraph{2, []testEdge{edge(0, 1), edge(0, 1)}}, 2, nil},
		{"reverse", testGraph{2, []testEdge{edge(0, 1), edge(1, 0)}}, 1, nil},
		{"with self-loops", testGraph{2, []testEdge{edge(0, 0), edge(0, 1), edge(1, 1)}}, 2, [][2]uint32{{0, 1}}},
		{"a triangle without direction", testGraph{3, []testEdge{edge(0, 1), edge(0, 2), edge(1, 2)}}, 3, nil},
		{"a ring", testGraph{3, []testEdge{edge(0, 1), edge(1, 2), edge(2, 0)}}, 1, nil},
		{"two rings and an edge", testGraph{6, []testEdge{
			edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 3), edge(3, 4), edge(4, 5), edge(5, 3),
		}}, 2, [][2]uint32{{2, 3}}},
		{"two rings that share a node", testGraph{5, []testEdge{
			edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 3), edge(3, 4), edge(4, 2),
		}}, 1, nil},
		{"apart", testGraph{5, []testEdge{edge(4, 3), edge(1, 0)}}, 5, [][2]uint32{{1, 0}, {4, 3}}},
		{"a tail", testGraph{5, []testEdge{edge(0, 1), edge(1, 0), edge(2, 1), edge(2, 3), edge(4, 3)}}, 4,
			[][2]uint32{{2, 1}, {2, 3}, {4, 3}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := test.graph.columns()
			if _, count := components(u.inStarts, u.inEnds, u.source); count != test.components {
				t.Errorf("%d components, want %d", count, test.components)
			}
			var got [][2]uint32
			bridges := u.bridges()
			slices.Sort(bridges)
			for _, e := range bridges {
				got = append(got, [2]uint32{u.source[e], u.target[e]})
			}
			if !slices.Equal(got, test.bridges) {
				t.Errorf("bridges %v, want %v", got, test.bridges)
			}
		})
	}
}

// TestLargeGraphs runs what recursion would not survive, and what is slow when
// time is quadratic.
func TestLargeGraphs(t *testing.T) {
	n := 1_000_000
	if testenv.Race() {
		n = 100_000 // it takes many times as long
	}
	for _, test := range []struct {
		name       string
		nodes      int
		edges      int
		edge       func(i int) (source, target int)
		components int
		bridges    int
	}{
		{"chain", n, n - 1, func(i int) (int, int) { return i, i + 1 }, n, n - 1},
		{"reverse chain", n, n - 1, func(i int) (int, int) { return i + 1, i }, n, n - 1},
		{"star in", n, n - 1, func(i int) (int, int) { return i + 1, 0 }, n, n - 1},
		{"star out", n, n - 1, func(i int) (int, int) { return 0, i + 1 }, n, n - 1},
		{"ring", n, n, func(i int) (int, int) { return i, (i + 1) % n }, 1, 0},
		{"parallel", 2, n, func(int) (int, int) { return 0, 1 }, 2, 0},
		{"parallel and reverse", 2, n, func(i int) (int, int) { return i % 2, 1 - i%2 }, 1, 0},
		{"self-loops", 1, n, func(int) (int, int) { return 0, 0 }, 1, 0},
		{"chain of pairs", n, n + n/2 - 1, func(i int) (int, int) {
			switch k := i / 3; i % 3 {
			case 0:
				return 2 * k, 2*k + 1
			case 1:
				return 2*k + 1, 2 * k
			default:
				return 2*k + 1, 2*k + 2
			}
		}, n / 2, n/2 - 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := testGraph{nodes: test.nodes, edges: make([]testEdge, test.edges)}
			for i := range g.edges {
				g.edges[i].source, g.edges[i].target = test.edge(i)
			}
			u := g.columns()
			component, count := components(u.inStarts, u.inEnds, u.source)
			if count != test.components {
				t.Errorf("%d components, want %d", count, test.components)
			}
			for e, source := range u.source { // edges lead from target to source
				if component[u.target[e]] < component[source] {
					t.Fatalf("the component of %d is smaller than that of %d, which it reaches", u.target[e], source)
				}
			}
			bridges := u.bridges()
			if len(bridges) != test.bridges {
				t.Errorf("%d bridges, want %d", len(bridges), test.bridges)
			}
			slices.Sort(bridges)
			if distinct := len(slices.Compact(bridges)); distinct != test.bridges {
				t.Errorf("%d distinct bridges, want %d", distinct, test.bridges)
			}
		})
	}
}
