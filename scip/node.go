package scip

import (
	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A node is what is known of a symbol. The first pass over the indexes fills
// it from what the producers declare, the second one from the sources.
type node struct {
	symbol  symbol
	id      string
	from    place        // in the first pass: where this is said
	indexes []*indexFile // those that say something of it
	kind    string
	name    string
	lang    *language

	definitions []definition
	children    int // parameters that have symbols of their own

	// Declared by the producer.
	declared    bool
	declaration string // of functions and types: what the rules of a language look at
	decorators  []string
	virtual     bool
	test        bool
	parameters  int      // in the signature; -1 for unknown
	implements  []string // symbols
	enclosing   string   // the symbol that encloses it; "" for that of the descriptors

	parent *node
	needed bool // an edge leads to it, whether it has a definition or not
	called bool // a call leads to it

	// From the text.
	span       span // what metrics.lines and the node's span are of
	exact      bool // whether the span is the whole definition
	attributes map[string]any
}

// A definition is a place where a symbol is defined.
type definition struct {
	path      string
	name      span
	enclosing span // of the whole definition; zero where it isn't given
}

func (n *node) defined() bool  { return len(n.definitions) > 0 }
func (n *node) function() bool { return isFunctionKind(n.kind) }

// path is the path of the document that defines a node, "" for none.
func (n *node) path() string {
	if !n.defined() {
		return ""
	}
	return n.definitions[0].path
}

// set sets an attribute, unless it has a value already.
func (n *node) set(name string, value any) {
	if n.attributes == nil {
		n.attributes = map[string]any{}
	}
	if _, there := n.attributes[name]; !there {
		n.attributes[name] = value
	}
}

// A span is a half-open range of a document, in the producer's characters or
// in bytes.
type span struct{ start, end position }

// A position is a place in a document, lines and characters from 0.
type position struct{ line, column int32 }

func (p position) before(q position) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

func (s span) isZero() bool             { return s == span{} }
func (s span) contains(p position) bool { return !p.before(s.start) && p.before(s.end) }

func spanOf(r pb.Range) span {
	return span{position{r.Start.Line, r.Start.Character}, position{r.End.Line, r.End.Character}}
}

func (s span) valid() bool {
	return s.start.line >= 0 && s.start.column >= 0 && s.end.column >= 0 && !s.end.before(s.start)
}
