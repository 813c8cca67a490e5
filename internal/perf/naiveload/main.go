// Naiveload is a peer of brick-index and brick-mcp: what one writes first. It
// loads a whole model into structs, a map from id to node, and adjacency
// slices. Given a file of ids, one a line, it answers brick_callers for each
// from there, and prints the median time in microseconds.
//
//	naiveload MODEL [IDS]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

type document struct {
	Nodes []node `json:"nodes"`
	Edges []edge `json:"edges"`
}

type node struct {
	ID            string         `json:"id"`
	Kind          string         `json:"kind"`
	Name          string         `json:"name"`
	QualifiedName string         `json:"qualified_name,omitempty"`
	Language      string         `json:"language,omitempty"`
	Path          string         `json:"path,omitempty"`
	Span          *span          `json:"span,omitempty"`
	Attributes    map[string]any `json:"attributes,omitempty"`

	in, out []*edge
}

type span struct {
	StartLine   int `json:"start_line"`
	StartColumn int `json:"start_column,omitempty"`
	EndLine     int `json:"end_line,omitempty"`
	EndColumn   int `json:"end_column,omitempty"`
}

type edge struct {
	ID         string         `json:"id"`
	Kind       string         `json:"kind"`
	Source     string         `json:"source"`
	Target     string         `json:"target"`
	Evidence   []evidence     `json:"evidence"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

type evidence struct {
	Lane       string         `json:"lane"`
	Backend    string         `json:"backend"`
	Confidence any            `json:"confidence,omitempty"`
	Provenance string         `json:"provenance,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

func load(path string) (map[string]*node, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	nodes := make(map[string]*node, len(d.Nodes))
	for i := range d.Nodes {
		nodes[d.Nodes[i].ID] = &d.Nodes[i]
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		source, target := nodes[e.Source], nodes[e.Target]
		source.out = append(source.out, e)
		target.in = append(target.in, e)
	}
	return nodes, nil
}

// callers is brick_callers of a function that is called.
func callers(n *node) ([]byte, error) {
	var calls []*edge
	for _, e := range n.in {
		if e.Kind == "calls" {
			calls = append(calls, e)
		}
	}
	slices.SortFunc(calls, func(a, b *edge) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return json.Marshal(map[string]any{"function": n, "status": "resolved", "caller_edges": calls})
}

func main() {
	log.SetFlags(0)
	nodes, err := load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) < 3 {
		return
	}
	file, err := os.Open(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	var times []time.Duration
	for lines := bufio.NewScanner(file); lines.Scan(); {
		start := time.Now()
		if _, err := callers(nodes[lines.Text()]); err != nil {
			log.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	fmt.Println(float64(times[len(times)/2].Nanoseconds()) / 1000)
}
