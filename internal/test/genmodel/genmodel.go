// Package genmodel writes Brick JSON models of any size that look like a
// scanner's model of a large Go repository: in the length of ids and records,
// in degrees, in the share of calls that are unresolved. Its measure is a
// model of Kubernetes.
//
// A model is made for measuring, so what a graph can be slow on is in it, and
// known beforehand: a hub with a promised number of callers and of nodes in
// its depth-2 impact, a chain of calls through a tenth of the functions, a
// strongly connected component of another tenth, a file that imports thousands
// of modules, modules that most files import, symbols with many unresolved
// sites.
//
// Nothing is kept of what was written: a node's id follows from its number.
package genmodel

import (
	"io"
	"math/rand/v2"
)

// Config says which model. Equal ones give equal bytes.
type Config struct {
	Functions int // functions and methods
	Seed      uint64

	// HubCallers functions call the function Hub, and Depth2 nodes are in its
	// impact of depth 2, those callers among them. At most half of the
	// functions call it. 0 means 18,432, or a fifth of the functions if that is
	// less; and fifteen eighths of the callers.
	HubCallers, Depth2 int

	// Nodes and Edges, when they are not 0, are how many there are in all:
	// unresolved symbols and unresolved calls are as many as that takes.
	Nodes, Edges int
}

// Published is a graph like the one for which times of similar servers were
// published: 100,000 symbols, 212,000 edges, and a hub with 18,432 callers and
// a depth-2 impact of 34,564 nodes.
func Published() Config {
	return Config{Functions: 60_000, Seed: 1, HubCallers: 18_432, Depth2: 34_564, Nodes: 100_000, Edges: 212_000}
}

// Hub is the id of the function with the most callers.
const Hub = "go:" + module + "/pkg/util/log.Infof"

// Sizes and shares, as in the model of Kubernetes.
const (
	fileCycle        = 10  // files of these many functions each, again and again:
	functionsOfCycle = 110 // the sum of filesOfCycle

	filesPerModule  = 3
	largestFan      = 5_000 // modules that one file imports
	importsPerFile  = 7
	manySitesOneIn  = 4 // unresolved calls with several sites
	upwardOneIn     = 50
	resolvedOneIn   = 25 // calls with several sites
	referencesOneIn = 20 // functions that are referenced by name
	inheritsOneIn   = 5  // types that inherit
)

var filesOfCycle = [fileCycle]int{3, 8, 1, 21, 5, 12, 2, 33, 7, 18}

// counts are how many of each kind of record there are.
type counts struct {
	functions, files, modules, externals, symbols int // there is a type a file

	hubCallers, ring                         int
	calls, unresolved, references, inherited int
}

func (c Config) counts() counts {
	n := counts{functions: max(c.Functions, 20)}
	last, _ := fileOf(n.functions - 1)
	n.files = last + 1
	n.modules = (n.files + filesPerModule - 1) / filesPerModule
	n.externals = n.modules * 3 / 4
	n.symbols = n.functions / 5
	n.hubCallers = min(c.HubCallers, n.functions/2)
	if c.HubCallers == 0 {
		n.hubCallers = min(18_432, n.functions/5)
	}
	n.ring = c.Depth2 - n.hubCallers
	if c.Depth2 == 0 {
		n.ring = n.hubCallers * 7 / 8
	}
	n.ring = max(0, min(n.ring, n.functions-1-n.hubCallers))
	n.calls = n.functions / 2
	n.unresolved = n.functions * 7 / 4
	n.references = n.functions / referencesOneIn
	n.inherited = n.files / inheritsOneIn
	if c.Nodes > 0 {
		n.symbols = max(1, n.symbols+c.Nodes-n.nodes())
	}
	if c.Edges > 0 {
		n.unresolved = max(0, n.unresolved+c.Edges-n.edges())
	}
	return n
}

func (n counts) nodes() int {
	return 1 + n.modules + n.externals + 2*n.files + n.functions + n.symbols
}

func (n counts) edges() int {
	contains := n.modules + n.files
	defines := n.functions + n.files
	imports := n.fan() + importsPerFile*(n.files-1)
	return contains + defines + imports + n.inherited +
		n.hubCallers + n.ring + n.chain() + n.component() + n.calls +
		n.references + n.unresolved
}

// fan is how many modules the first file imports.
func (n counts) fan() int { return min(n.modules+n.externals, largestFan) }

// Write streams the model.
func Write(w io.Writer, c Config) error {
	g := &generator{
		counts: c.counts(),
		random: rand.New(rand.NewPCG(c.Seed, 1)),
		out:    newOutput(w),
	}
	g.header()
	g.nodeRecords()
	g.edgeRecords()
	return g.out.end()
}

type generator struct {
	counts
	random  *rand.Rand
	out     *output
	written int // records in the array that is open
}

// skewed is a number below n; some numbers are far more likely than others:
// those that are divisible by 4, 16, 64 and so on.
func (g *generator) skewed(n int) int {
	return g.rounded(g.random.IntN(n))
}

// rounded is i, or the next smaller multiple of a random power of 4.
func (g *generator) rounded(i int) int {
	for step := 4; step <= i && g.random.IntN(3) == 0; step *= 4 {
		i -= i % step
	}
	return i
}

// spread says whether i, of 0 to n-1, is one of k that are spread evenly.
func spread(i, k, n int) bool { return (i+1)*k/n > i*k/n }
