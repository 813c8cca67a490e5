package scip

import (
	"sort"
)

// A body is a document that is being turned into records.
type body struct {
	*document
	fileID      string
	source      *source // nil where there is none
	occurrences []occurrence
	covered     []int // with a source: the offsets at which occurrences start, in order
	extents     []extent
	imports     []span // with a source: its import statements
	modules     map[*node]bool
	edges       *edges
}

// references adds the edges of a document's references.
func (im *importer) references(b *body) {
	r := im.resolutionOf(b.lang)
	within := enclosing{extents: b.extents}
	for i := range b.occurrences {
		o := &b.occurrences[i]
		outer := within.at(o.span.start)
		if o.definition() {
			continue
		}
		n := im.table.node(o.symbol, b.lang)
		v := evidence{lane: imported, backend: o.index.backend, provenance: provenance(b.path, o.span.start)}
		switch {
		case n.kind == kindModule:
			im.noteReflection(b, n)
			if !b.modules[n] && !b.edges.has(imports, b.fileID, n.id) {
				im.link(b.edges, imports, b.fileID, n, v)
			}
		case o.roles&roleImport != 0 || outer == nil && b.isImport(o.span.start):
			if n.kind != "" && n.path() != b.path {
				im.link(b.edges, imports, b.fileID, n, v)
			}
		case n.function():
			im.reference(b, n, outer, o, v, r)
		case n.kind == "field":
			if b.source != nil && b.source.calledAt(b.source.offset(o.span.end)) {
				im.structural(b, n, sourceOf(b, outer), v)
			}
		case n.kind == "class" && b.lang == python:
			// The call of a class is one of its __init__.
			init := im.table.nodes[n.id+"__init__()."]
			if init != nil && b.source != nil && b.source.calledAt(b.source.offset(o.span.end)) {
				im.reference(b, init, outer, o, v, r)
			}
		}
	}
}

// sourceOf is the id of what a reference is in: a function, else the file, so
// that initialisers count.
func sourceOf(b *body, outer *extent) string {
	if outer != nil {
		return outer.node.id
	}
	return b.fileID
}

const roleImport = 2 // pb.SymbolRole_Import

// reference adds the edge of a reference to a function.
func (im *importer) reference(b *body, n *node, outer *extent, o *occurrence, v evidence, r *resolution) {
	r.references++
	source := sourceOf(b, outer)
	if outer != nil {
		r.inFunctions++
		switch outer.certainty {
		case fromText:
			v.lane = heuristic
			r.guessedExtents++
		case guessed:
			v.lane = heuristic
			v.attribute, v.value = "scip.extent", "guessed"
			r.guessedExtents++
		}
	}
	kind := calls
	switch {
	case b.source == nil:
		v.lane = heuristic
		if v.attribute == "" {
			v.attribute, v.value = "scip.call-syntax", "unknown"
		}
	case !b.source.calledAt(b.source.offset(o.span.end)):
		kind = nameReference
	}
	if kind == calls {
		r.calls++
		im.structural(b, n, source, v)
	} else {
		r.nameReferences++
	}
	im.link(b.edges, kind, source, n, v)
}

// link adds an edge to a symbol's node, which is an external one when nothing
// defines it.
func (im *importer) link(es *edges, kind, source string, n *node, v evidence) {
	n.needed = true
	n.called = n.called || kind == calls
	es.add(kind, source, n.id, v)
}

// enclosing finds the innermost extent of places in ascending order.
type enclosing struct {
	extents []extent
	next    int
	open    []*extent
}

func (w *enclosing) at(p position) *extent {
	for w.next < len(w.extents) && !p.before(w.extents[w.next].start) {
		w.open = append(w.open, &w.extents[w.next])
		w.next++
	}
	for i := len(w.open) - 1; i >= 0; i-- {
		if p.before(w.open[i].end) {
			w.open = w.open[:i+1]
			return w.open[i]
		}
	}
	w.open = w.open[:0]
	return nil
}

func (b *body) isImport(p position) bool {
	i := sort.Search(len(b.imports), func(i int) bool { return p.before(b.imports[i].end) })
	return i < len(b.imports) && b.imports[i].contains(p)
}
