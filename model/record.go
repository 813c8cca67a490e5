package model

import "context"

// A RecordHeader is a Header that was checked. Every []byte member is in
// canonical form and owned by it.
type RecordHeader struct {
	Generator    []byte // the generator object, or nil
	Root         string
	RepositoryID string
	Scope        []byte // the scope object
	Resolution   []byte // the metrics.resolution object, or nil

	// Syntax says that a syntax fault ended the document before its end; then
	// what stands after it is unknown.
	Syntax bool
	// NodesUnknown says that the nodes as a whole are missing, ill-typed,
	// repeated or cut off by a syntax fault: an edge to a node that was not
	// seen is then no fault of its own.
	NodesUnknown bool
}

// A NodeRecord is one checked node with its canonical record. It and
// everything it refers to are valid only until the call that it was passed to
// returns.
type NodeRecord struct {
	Index  int      // its place among the nodes of a document, from 0
	Record []byte   // the canonical record
	Digest [32]byte // SHA-256 of Record

	// Faulty says that the record itself has faults (already collected). Then
	// ID is still set when there is one of legal form, Kind is "" when it was
	// illegal, and the rest may be missing.
	Faulty bool
	// RefusedIDs are ids that the record claims but that were refused (empty,
	// too long, a second id member): an edge to one of them only follows from
	// that fault.
	RefusedIDs []string

	ID            string
	IDPlace       Place
	IDOffset      int // of the id's string literal in Record
	Kind          string
	Name          string
	QualifiedName string // "" when there is none
	Language      string // "" when there is none
	Path          string // "" when there is none
	Span          Span   // zero when there is none

	// Flags are the attributes of the caller contract that hold, in the
	// order of the constants of type Flag. On any kind of node.
	Flags []FlagValue
	// Figures are the metrics.* attributes; -1 where one is absent or ill-typed.
	Figures Figures
}

// IsFunction reports whether the caller queries treat n as a function.
func (n *NodeRecord) IsFunction() bool { return n.Kind == Function || n.Kind == Method }

// Figures are the metrics of a node, each -1 when unknown.
type Figures struct {
	Lines, Cyclomatic, Parameters, Nesting int64
}

// An EdgeRecord is one checked edge with its canonical record. It and
// everything it refers to are valid only until the call that it was passed to
// returns.
type EdgeRecord struct {
	Index  int      // its place among the edges of a document, from 0
	Record []byte   // the canonical record
	Digest [32]byte // SHA-256 of Record

	// Faulty says that the record itself has faults (already collected). Then
	// ID, Source and Target and their places are set where they are of legal
	// form, else zero: endpoints that cannot be an id are reported already.
	Faulty bool

	ID             string
	IDPlace        Place
	IDOffset       int // of the id's string literal in Record
	Kind           string
	Source, Target string
	SourcePlace    Place
	TargetPlace    Place
	Imported       bool // some evidence record is in lane "imported"
	Evidence       int  // number of evidence records
	Lanes          Lane // of the evidence
	// Sites describes the evidence of an unresolved_call or name_reference
	// edge; it is nil for every other kind, and for an unresolved_call all of
	// whose sites are excluded.
	Sites *Sites
}

// A RecordSink takes checked records. Each worker of a producer has its own,
// so its methods are not called concurrently.
//
// A record with faults of its own is passed too, with Faulty set, so that its
// id counts as used and edges to it are not reported as dangling.
type RecordSink interface {
	Node(*NodeRecord) error
	Edge(*EdgeRecord) error
}

// A RecordProducer hands over a model as checked records.
//
// ProduceRecords calls newSink once for each of its workers, before it hands
// anything over; which records a sink gets, and in which order, is not
// defined. What is wrong with the model goes into faults, all but what needs
// more than one record to see: ids used twice, endpoints that do not exist,
// and the kind of the target of an unresolved_call. The error is the
// machine's: that of what is read, of a sink, or of ctx, as it is.
type RecordProducer interface {
	ProduceRecords(ctx context.Context, newSink func() RecordSink, faults *Faults) (*RecordHeader, error)
}
