// Package model is a model of a repository in memory: what every producer
// hands over, and an index is compiled from. docs/brick-json.md says what its
// parts mean; the same model as text is Brick JSON.
package model

import "context"

// SchemaVersion is the version of Brick JSON that this is a model of.
const SchemaVersion = 4

// MaxID is the greatest length of an id, in bytes.
const MaxID = 4096

// A Header is what a model says about itself outside its nodes and edges.
type Header struct {
	Generator    Generator
	Root         string // as the producer wrote it, never opened; not empty
	RepositoryID string // not empty
	// Scope says what the model covers: something that json.Marshal makes an
	// object of. nil is the empty object.
	Scope any
	// Resolution is the producer's own count of what it resolved: something
	// that json.Marshal makes an object of, with an object for each language.
	// nil for none.
	Resolution any
}

// A Generator is the program that made a model, as far as it says.
type Generator struct{ Name, Version string }

// A Node is a thing of the repository, or outside of it, that edges lead to.
type Node struct {
	ID            string // not empty, at most MaxID bytes; no other record has it
	Kind          string // not empty
	Name          string
	QualifiedName string // "" for none
	Language      string // "" for none
	Path          string // relative to the root, with slashes; "" for none
	Span          Span   // the zero value for none
	// Attributes are values as JSON has them: string, bool, any integer or
	// finite float, nil, []string, []any, map[string]any, or whatever
	// json.Marshal takes.
	Attributes map[string]any
}

// A Span is where a node is in its file. Lines and columns count from 1,
// columns in bytes; one that is not known is 0, StartLine only in the zero
// value.
type Span struct{ StartLine, StartColumn, EndLine, EndColumn int }

// An Edge leads from one node to another: Source depends on Target.
type Edge struct {
	ID             string // not empty, at most MaxID bytes; no other record has it
	Kind           string // not empty
	Source, Target string // ids of nodes
	Evidence       []Evidence
	Attributes     map[string]any // as a Node's
}

// An Evidence says who claims an edge, and where it shows.
type Evidence struct {
	Lane       string // one of the constants
	Backend    string // who claims it, not empty
	Confidence any    // a number, a string, or nil for none
	Provenance string // "path:line:column"; "" for none
	Attributes map[string]any
}

// A Sink takes the records of a model. What it is given it does not keep: the
// caller may change it after the call returns. Its methods are not called
// concurrently.
type Sink interface {
	Node(*Node) error
	Edge(*Edge) error
}

// A Producer makes a model. It hands all records over to sink, in any order,
// and returns the header when there are no more. The same model is the same
// records, whatever their order. When the sink fails it returns that error as
// it is.
type Producer interface {
	Produce(ctx context.Context, sink Sink) (*Header, error)
}
