//go:build linux

package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"brick/index"
	"brick/jsonmodel"
	"brick/store"
)

//go:embed graph.py
var igraphScript string

// graphPhase is what a build calls the part that is measured.
const graphPhase = "searching the graph"

// graphRow is strongly connected components and bridges, once the graph is in
// memory, against igraph's.
func graphRow(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	row := result{what: "components and bridges", bar: 1, goal: 0.5}
	python := b.findPython()
	var peer *igraph
	if python != "" {
		list := b.file("edges.txt")
		bridges, err := writeEdgeList(list, s.index)
		if err != nil {
			return nil, err
		}
		if peer, err = startIgraph(b, python, list, bridges); err != nil {
			return nil, err
		}
		defer peer.stop()
	}
	var seconds pairs
	for range b.runs {
		ours, err := timeGraph(b, s.json)
		if err != nil {
			return nil, err
		}
		theirs := 0.0
		if peer != nil {
			if theirs, err = peer.time(); err != nil {
				return nil, err
			}
		}
		seconds.add(ours*1000, theirs*1000)
	}
	row.figure = spread(seconds.ours, "ms")
	if peer == nil {
		row.peer, row.bar = "python-igraph is not installed (Debian: python3-igraph)", 0
		return []result{row}, nil
	}
	row.peer = "python-igraph " + peer.version + " " + spread(seconds.peer, "ms")
	row.value = seconds.ratio()
	return []result{row}, nil
}

// timeGraph builds an index and returns how many seconds the graph took.
func timeGraph(b *bench, model string) (seconds float64, err error) {
	source, err := jsonmodel.Open(model, 0)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	w, err := store.Create(b.file("graph.idx"))
	if err != nil {
		return 0, err
	}
	defer w.Close()
	var start time.Time
	_, _, err = index.Build(b.ctx, jsonmodel.Read(source, jsonmodel.Options{}), w, index.Options{Phase: func(name string) {
		if !start.IsZero() && seconds == 0 {
			seconds = time.Since(start).Seconds()
		}
		if name == graphPhase {
			start = time.Now()
		}
	}})
	return seconds, err
}

// writeEdgeList writes the dependency edges of an index, and returns how many
// bridges are among them.
func writeEdgeList(path, indexPath string) (bridges int, err error) {
	ix, err := store.Open(indexPath)
	if err != nil {
		return 0, err
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	return ix.Manifest.Bridges, write(path, func(file io.Writer) error {
		w := bufio.NewWriterSize(file, 1<<20)
		for n := range uint32(ix.Manifest.Nodes) {
			node, err := v.NodeRow(n)
			if err != nil {
				return err
			}
			for e := node.In; e < node.InDeps; e++ {
				edge, err := v.EdgeRow(e)
				if err != nil {
					return err
				}
				fmt.Fprintln(w, edge.Source, edge.Target)
			}
		}
		return w.Flush()
	})
}

// findPython is a Python that has igraph, or "".
func (b *bench) findPython() string {
	candidates := []string{"python3", "/usr/bin/python3"}
	if b.python != "" {
		candidates = []string{b.python}
	}
	for _, python := range candidates {
		if exec.CommandContext(b.ctx, python, "-c", "import igraph").Run() == nil {
			return python
		}
	}
	return ""
}

// igraph is a Python that has the graph in memory.
type igraph struct {
	version string
	bridges int // that it must find
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startIgraph(b *bench, python, list string, bridges int) (*igraph, error) {
	g := &igraph{bridges: bridges, cmd: exec.CommandContext(b.ctx, python, "-c", igraphScript, list)}
	g.cmd.Stderr = os.Stderr
	var err error
	if g.in, err = g.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	g.out = bufio.NewReader(out)
	if err := g.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = fmt.Fscanln(g.out, &g.version)
	return g, err
}

func (g *igraph) time() (seconds float64, err error) {
	if _, err := io.WriteString(g.in, "\n"); err != nil {
		return 0, err
	}
	var bridges int
	if _, err = fmt.Fscanln(g.out, &seconds, &bridges); err == nil && bridges != g.bridges {
		err = fmt.Errorf("igraph finds %d bridges, the index has %d", bridges, g.bridges)
	}
	return seconds, err
}

func (g *igraph) stop() {
	g.in.Close()
	g.cmd.Wait()
}
