package randmodel

import (
	"bufio"
	"fmt"
	"io"
)

// A Shape is a document of a simple structure and any size, the same one for
// the same n. Nodes have the ids n0000000, n0000001 and so on and are functions
// named f; edges have the ids e0000000 and so on.
type Shape struct {
	Name string
	// Write streams the document of size n. It needs little memory.
	Write func(w io.Writer, n int) error
}

// Shapes are what a graph algorithm, or the reading of a record, is slowest on
// or deepest in.
func Shapes() []Shape {
	return []Shape{
		{"chain", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := range n - 1 {
				g.calls(i, i+1)
			}
		})},
		{"reverse-chain", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := range n - 1 {
				g.calls(i+1, i)
			}
		})},
		// n-1 callers of one function.
		{"star-in", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := 1; i < n; i++ {
				g.calls(i, 0)
			}
		})},
		// One function that calls n-1.
		{"star-out", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := 1; i < n; i++ {
				g.calls(0, i)
			}
		})},
		// n edges from one node to another.
		{"parallel", graph(func(int) int { return 2 }, func(g *shaper, n int) {
			for range n {
				g.calls(0, 1)
			}
		})},
		// n self-loops on one node.
		{"self-loops", graph(func(int) int { return 1 }, func(g *shaper, n int) {
			for range n {
				g.calls(0, 0)
			}
		})},
		// One cycle of n nodes.
		{"ring", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := range n {
				g.calls(i, (i+1)%n)
			}
		})},
		// n nodes, each of which calls every other one: n(n-1) edges.
		{"complete", graph(func(n int) int { return n }, func(g *shaper, n int) {
			for i := range n {
				for j := range n {
					if i != j {
						g.calls(i, j)
					}
				}
			}
		})},
		// n pairs that call each other, in a chain of bridges.
		{"pairs", graph(func(n int) int { return 2 * n }, func(g *shaper, n int) {
			for i := range n {
				g.calls(2*i, 2*i+1)
				g.calls(2*i+1, 2*i)
				if i > 0 {
					g.calls(2*i-1, 2*i)
				}
			}
		})},
		// One function with n unresolved sites of its name in one edge record,
		// each with a provenance and a reason of its own.
		{"sites", func(w io.Writer, n int) error {
			return write(w, func(g *shaper) {
				g.node("")
				g.symbol()
				g.edgesFollow()
				g.edge("unresolved_call", "n0000000", "symbol", func() {
					for i := range max(n, 1) {
						g.comma(i)
						g.site(i)
					}
				})
			})
		}},
		// The same n sites in an edge each.
		{"site-edges", func(w io.Writer, n int) error {
			return write(w, func(g *shaper) {
				g.node("")
				g.symbol()
				g.edgesFollow()
				for i := range n {
					g.edge("unresolved_call", "n0000000", "symbol", func() { g.site(i) })
				}
			})
		}},
		// n functions of one name, and one unresolved site that may mean each.
		{"same-names", func(w io.Writer, n int) error {
			return write(w, func(g *shaper) {
				for range n {
					g.node("")
				}
				g.symbol()
				g.edgesFollow()
				g.edge("unresolved_call", "symbol", "symbol", func() { g.site(0) })
			})
		}},
	}
}

type shaper struct {
	*bufio.Writer
	nodes, edges int
}

func write(w io.Writer, body func(*shaper)) error {
	g := &shaper{Writer: bufio.NewWriterSize(w, 1<<16)}
	g.WriteString(`{"schema_version":4,"root":".","repositories":[{"id":"repo:shape"}],"scope":{},"nodes":[`)
	body(g)
	g.WriteString("]}\n")
	return g.Flush()
}

func graph(nodes func(n int) int, edges func(g *shaper, n int)) func(io.Writer, int) error {
	return func(w io.Writer, n int) error {
		return write(w, func(g *shaper) {
			for range nodes(n) {
				g.node(`,"path":"a.go"`)
			}
			g.edgesFollow()
			edges(g, n)
		})
	}
}

func (g *shaper) comma(i int) {
	if i > 0 {
		g.WriteByte(',')
	}
}

func (g *shaper) edgesFollow() { g.WriteString(`],"edges":[`) }

func (g *shaper) node(members string) {
	g.comma(g.nodes)
	fmt.Fprintf(g, "\n"+`{"id":"n%07d","kind":"function","name":"f","language":"go"%s}`, g.nodes, members)
	g.nodes++
}

func (g *shaper) symbol() {
	g.comma(g.nodes)
	g.WriteString("\n" + `{"id":"symbol","kind":"unresolved_symbol","name":"f","language":"go"}`)
	g.nodes++
}

func (g *shaper) edge(kind, source, target string, evidence func()) {
	g.comma(g.edges)
	fmt.Fprintf(g, "\n"+`{"id":"e%07d","kind":"%s","source":"%s","target":"%s","evidence":[`, g.edges, kind, source, target)
	evidence()
	g.WriteString("]}")
	g.edges++
}

func (g *shaper) calls(source, target int) {
	g.edge("calls", fmt.Sprintf("n%07d", source), fmt.Sprintf("n%07d", target), func() {
		g.WriteString(`{"lane":"syntactic","backend":"shape"}`)
	})
}

func (g *shaper) site(i int) {
	fmt.Fprintf(g, `{"lane":"heuristic","backend":"shape","provenance":"a.go:%d:1","attributes":{"source.unresolved-reason":"r%d"}}`, i+1, i)
}
