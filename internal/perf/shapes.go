//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"brick/internal/test/randmodel"
)

// shapeRows are builds of what an algorithm is slowest on or deepest in.
func shapeRows(b *bench) ([]result, error) {
	var rows []result
	for _, shape := range worstShapes(b.shapeSize) {
		path := b.file("shape.json")
		if err := write(path, shape.write); err != nil {
			return nil, err
		}
		ours, err := b.measure(b.brickIndex, "build", "--quiet", path, "-o", b.file("shape.idx"))
		if err != nil {
			return nil, err
		}
		naive, err := b.measure(b.naiveload, path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		rows = append(rows, result{
			what:   fmt.Sprintf("worst shape: %s, %s", shape.what, megabytes(info.Size())),
			figure: fmt.Sprintf("%s s, %s", number(ours.Seconds), megabytes(ours.Peak)),
			peer:   fmt.Sprintf("naive loader %s s, %s", number(naive.Seconds), megabytes(naive.Peak)),
			value:  ours.Seconds / naive.Seconds,
		})
	}
	return rows, nil
}

type worstShape struct {
	what  string
	write func(w io.Writer) error
}

func worstShapes(n int) []worstShape {
	var list []worstShape
	for _, s := range randmodel.Shapes() {
		what := map[string]string{
			"chain":      "a chain of %d calls",
			"star-in":    "a star of %d leaves",
			"parallel":   "%d parallel edges between two nodes",
			"ring":       "one cycle through %d nodes",
			"sites":      "%d unresolved sites of one node, in one edge",
			"site-edges": "%d unresolved sites of one node, in an edge each",
		}[s.Name]
		if what != "" {
			list = append(list, worstShape{fmt.Sprintf(what, n), func(w io.Writer) error { return s.Write(w, n) }})
		}
	}
	evidence, record := n/5, 50*n
	return append(list,
		worstShape{fmt.Sprintf("%d evidence records on one edge", evidence), func(w io.Writer) error { return writeEvidence(w, evidence) }},
		worstShape{fmt.Sprintf("a record of %s", megabytes(int64(record))), func(w io.Writer) error { return writeLongRecord(w, record) }},
	)
}

const (
	shapeHead = `{"schema_version":4,"root":".","repositories":[{"id":"repo:shape"}],"scope":{},"nodes":[{"id":"a","kind":"function","name":"a"`
	shapeRest = `},{"id":"b","kind":"function","name":"b"}],"edges":[{"id":"e","kind":"calls","source":"a","target":"b","evidence":[`
	shapeSite = `{"lane":"symbolic","backend":"shape","provenance":"a.go:%d:1"}`
	shapeTail = "]}]}\n"
)

// writeEvidence writes a model with n evidence records on one edge.
func writeEvidence(w io.Writer, n int) error {
	out := bufio.NewWriter(w)
	out.WriteString(shapeHead + shapeRest)
	for i := range n {
		comma(out, i)
		fmt.Fprintf(out, shapeSite, i+1)
	}
	out.WriteString(shapeTail)
	return out.Flush()
}

// writeLongRecord writes a model with a node of n bytes.
func writeLongRecord(w io.Writer, n int) error {
	out := bufio.NewWriter(w)
	out.WriteString(shapeHead + `,"attributes":{"lines":[""`)
	line := `,"` + strings.Repeat("word \\u00e9 ", 9) + `"`
	for size := 0; size < n; size += len(line) {
		out.WriteString(line)
	}
	out.WriteString("]}" + shapeRest)
	fmt.Fprintf(out, shapeSite, 1)
	out.WriteString(shapeTail)
	return out.Flush()
}
