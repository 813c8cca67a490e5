package scip

import (
	"fmt"
)

// Kinds of edges.
const (
	calls          = "calls"
	contains       = "contains"
	defines        = "defines"
	imports        = "imports"
	inherits       = "inherits"
	nameReference  = "name_reference"
	unresolvedCall = "unresolved_call"
)

// Lanes.
const (
	imported  = "imported"
	syntactic = "syntactic"
	heuristic = "heuristic"
)

// ownBackend is the backend of what the importer itself reads in a text.
const ownBackend = "brick-index import scip"

// An edge is what is known of a pair of nodes, with a record a site.
type edge struct {
	kind, source, target string
	evidence             []evidence
}

type evidence struct {
	lane, backend, provenance string
	attribute, value          string // one attribute; "" for none
	second, secondValue       string // one more
}

// edges are those of a document, in the order of their first sites.
type edges struct {
	list []*edge
	by   map[[3]string]*edge
}

func newEdges() *edges { return &edges{by: map[[3]string]*edge{}} }

func (es *edges) add(kind, source, target string, v evidence) {
	key := [3]string{kind, source, target}
	e := es.by[key]
	if e == nil {
		e = &edge{kind: kind, source: source, target: target}
		es.by[key] = e
		es.list = append(es.list, e)
	}
	// Sites come in order: a repeated one follows the first.
	if n := len(e.evidence); n > 0 && e.evidence[n-1] == v {
		return
	}
	e.evidence = append(e.evidence, v)
}

func (es *edges) has(kind, source, target string) bool {
	return es.by[[3]string{kind, source, target}] != nil
}

func provenance(path string, p position) string {
	return fmt.Sprintf("%s:%d:%d", path, p.line+1, p.column+1)
}
