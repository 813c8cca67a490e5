package index

import (
	"cmp"
	"slices"

	"brick/store"
)

// unplaced are the kinds whose nodes do not answer what is at a place: they
// are as large as a file or larger, are not in the repository, or are within
// what is asked for.
var unplaced = []string{
	"repository", "directory", "module", "package", "namespace", "file", "external", "unresolved_symbol",
	"variable", "constant", "field", "property", "parameter",
}

// spanTable are the rows of section Spans.
type spanTable struct {
	rows   []store.SpanRow
	starts []uint32 // of each path, and the end of the last
}

// spansOfPaths finds what is where: O(n log n) in the number of nodes.
func (b *builder) spansOfPaths() spanTable {
	c := &b.nodes
	t := spanTable{starts: make([]uint32, len(b.paths)+1)}
	placed := map[uint32]bool{} // by kind
	for kind, text := range c.kinds.texts() {
		placed[uint32(kind)] = !slices.Contains(unplaced, text)
	}
	pathOf := func(r store.SpanRow) uint32 { return b.pathOf(r.Node) }
	for v, span := range c.spans {
		if span.StartLine > 0 && b.pathOf(uint32(v)) != store.Unknown && placed[c.kind[v]] {
			t.rows = append(t.rows, spanRow(span, uint32(v)))
		}
	}
	slices.SortFunc(t.rows, func(x, y store.SpanRow) int {
		return cmp.Or(
			cmp.Compare(pathOf(x), pathOf(y)),
			cmp.Compare(x.StartLine, y.StartLine), cmp.Compare(x.StartColumn, y.StartColumn),
			cmp.Compare(y.EndLine, x.EndLine), cmp.Compare(y.EndColumn, x.EndColumn),
			// Of functions and others of one place the functions are inner.
			cmp.Compare(functionLast(c.class[x.Node]), functionLast(c.class[y.Node])),
			cmp.Compare(y.Node, x.Node),
		)
	})
	var open []uint32 // rows of a path that end later and later, from the last to the first
	path := uint32(0)
	for i := range t.rows {
		r := &t.rows[i]
		for ; path <= pathOf(*r); path++ {
			t.starts[path] = uint32(i)
			open = open[:0]
		}
		for len(open) > 0 && endsBefore(t.rows[open[len(open)-1]], *r) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			r.Outer = open[len(open)-1]
		}
		open = append(open, uint32(i))
	}
	for ; int(path) < len(t.starts); path++ {
		t.starts[path] = uint32(len(t.rows))
	}
	return t
}

// spanRow is a node's row. A span without an end, or that ends before it
// starts, is its first line.
func spanRow(s span, node uint32) store.SpanRow {
	r := store.SpanRow{
		StartLine: s.StartLine, StartColumn: max(s.StartColumn, 1),
		EndLine: s.EndLine, EndColumn: s.EndColumn, Node: node, Outer: store.Unknown,
	}
	if s.EndLine < s.StartLine {
		r.EndLine, r.EndColumn = s.StartLine, 0
	}
	if r.EndColumn == 0 || r.EndLine == r.StartLine && r.EndColumn < r.StartColumn {
		r.EndColumn = store.Unknown
	}
	return r
}

func endsBefore(x, y store.SpanRow) bool {
	return cmp.Or(cmp.Compare(x.EndLine, y.EndLine), cmp.Compare(x.EndColumn, y.EndColumn)) < 0
}

func functionLast(class nodeClass) int {
	if class == functionNode {
		return 1
	}
	return 0
}

func (t *spanTable) write(out *store.TableWriter) {
	for _, r := range t.rows {
		out.Row(r.StartLine, r.StartColumn, r.EndLine, r.EndColumn, r.Node, r.Outer)
	}
}
