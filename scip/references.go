package scip

import (
	"slices"
	"sort"
	"strconv"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A body is a document that is being turned into records.
type body struct {
	*document
	fileID      string
	source      *source // nil where there is none
	occurrences []occurrence
	silent      []occurrence // with a source: those of local symbols that nothing defines
	covered     []int        // with a source: the offsets at which occurrences start, in order
	extents     []extent
	imports     []span // with a source: its import statements
	modules     map[*node]bool
	edges       *edges

	// By offset, for the mentions of names.
	imported     map[int]bool  // a function that is imported
	meant        map[int]*node // the function that is meant
	unresolvedAt map[int]bool  // what has an edge to all functions of its name
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
		v := evidence{lane: imported, backend: o.index.backend, provenance: provenance(b.path, o.span.start)}
		list := im.table.nodesOf(o.symbol, b.lang, b.place(o))
		if i > 0 && o.repeats(&b.occurrences[i-1]) && slices.Equal(list, im.table.nodesOf(o.symbol, b.lang, b.place(&b.occurrences[i-1]))) {
			continue // another index says the same
		}
		if len(list) == 1 && !list[0].defined() {
			if own := im.table.twinsOf(list[0], b.place(o)); len(own) > 0 {
				list = own
				v.lane = heuristic
				v.attribute, v.value = "scip.bound", "module path"
			}
		}
		if o.bound {
			v.lane = heuristic
			v.attribute, v.value = "scip.bound", "import statement"
		}
		if len(list) > 1 {
			im.ambiguous(b, list, outer, o, v)
			continue
		}
		n := list[0]
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
			if n.function() && b.source != nil {
				b.imported[b.source.offset(o.span.start)] = true
			}
		case n.function():
			im.reference(b, n, outer, o, v, r)
		case n.kind == "field":
			if b.source != nil && b.called(o) {
				im.structural(b, n, sourceOf(b, outer), v)
			}
		case n.kind == "class" && b.lang == python:
			// The call of a class is one of its __init__.
			init := im.member(n, "__init__")
			if init != nil && b.source != nil && b.called(o) {
				im.reference(b, init, outer, o, v, r)
			}
		}
	}
}

// ambiguous adds the edges of a mention of a symbol that several nodes have:
// one of them is meant, and nothing says which.
func (im *importer) ambiguous(b *body, list []*node, outer *extent, o *occurrence, v evidence) {
	v.lane = heuristic
	v.attribute, v.value = "scip.equal-symbols", strconv.Itoa(len(list))
	called := b.source != nil && b.called(o)
	for _, n := range list {
		switch {
		case n.kind == kindModule:
			im.link(b.edges, imports, b.fileID, n, v)
		case n.function() && called:
			v := v
			v.attribute, v.value = "source.unresolved-reason", "equal-symbols"
			b.edges.add(unresolvedCall, sourceOf(b, outer), im.unresolvedSymbol(n.lang, n.name), v)
		case n.function():
			im.link(b.edges, nameReference, sourceOf(b, outer), n, v)
		}
	}
}

// member is the method of a class, nil for none.
func (im *importer) member(class *node, name string) *node {
	if !class.defined() {
		return nil
	}
	list := im.table.find(class.symbol.child(name, pb.Descriptor_Method).text(), class.place())
	if len(list) == 0 || !list[0].defined() {
		return nil
	}
	return list[0]
}

// place is where an occurrence is.
func (b *body) place(o *occurrence) place { return place{o.index, b.path} }

// sourceOf is the id of what a reference is in: a function, else the file, so
// that initialisers count.
func sourceOf(b *body, outer *extent) string {
	if outer != nil {
		return outer.node.id
	}
	return b.fileID
}

// called says whether an occurrence is a call.
func (b *body) called(o *occurrence) bool {
	return b.isCall(b.source.offset(o.span.start), b.source.offset(o.span.end))
}

const roleImport = 2 // pb.SymbolRole_Import

// reference adds the edge of a reference to a function.
func (im *importer) reference(b *body, n *node, outer *extent, o *occurrence, v evidence, r *resolution) {
	if b.source != nil && b.tagAt(b.source.offset(o.span.start)) == closing {
		return // the element was opened
	}
	r.references++
	if b.source != nil {
		b.meant[b.source.offset(o.span.start)] = n
	}
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
	case b.called(o):
	case b.wrappedBy(b.source.offset(o.span.start)) != "":
		v.lane = heuristic
		v.attribute, v.value = "scip.wrapped", b.wrappedBy(b.source.offset(o.span.start))
	case outer != nil && n.parent == outer.node && n.isLocalFunction():
		// What is done in a function that is passed on counts for the function
		// around it, as with one that has no name.
		v.lane = heuristic
		v.attribute, v.value = "scip.closure", "passed on"
	default:
		kind = nameReference
	}
	if kind == calls {
		r.calls++
		im.structural(b, n, source, v)
	} else {
		r.nameReferences++
	}
	if kind == nameReference && source == n.id {
		return // what names itself is no reason to expect a call
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
