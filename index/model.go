package index

// Header is what a model says about itself outside its nodes and edges.
// Every []byte member is in canonical form and owned by the Header.
type Header struct {
	Generator    []byte // the generator object, or nil
	Root         string
	RepositoryID string // the sole repository's id
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

// Place is where a value stands in the document.
type Place struct {
	Offset int64 // bytes from the start of the document, a byte order mark counts
	Line   int   // from 1
	Column int   // from 1, in bytes
}

// Node is one checked node. It and everything it refers to are valid only
// until the call that it was passed to returns.
type Node struct {
	Index  int      // its place in the nodes array, from 0
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

// Span is where a node is in its file. Lines and columns count from 1; one
// that is not given is 0.
type Span struct{ StartLine, StartColumn, EndLine, EndColumn uint32 }

// IsFunction reports whether the caller queries treat n as a function.
func (n *Node) IsFunction() bool { return n.Kind == "function" || n.Kind == "method" }

// Flag names an attribute that gives a reason to a caller report.
type Flag uint8

// The order is that of the reasons in a caller report.
const (
	FlagVirtual Flag = iota
	FlagTraitImpl
	FlagExternalBase
	FlagFrameworkAttribute
	FlagImplicitInvocation
	FlagOutsideClassMember
	FlagParseIncomplete
	FlagEntryPoint
	FlagTestCode
	FlagExported
	FlagExternalLinkage
	flagCount
)

// FlagValue is a flag that holds, with the attribute's value in canonical form.
type FlagValue struct {
	Flag  Flag
	Value []byte
}

// Figures are the metrics of a node, each -1 when unknown.
type Figures struct {
	Lines, Cyclomatic, Parameters, Nesting int64
}

// Edge is one checked edge. It and everything it refers to are valid only
// until the call that it was passed to returns.
type Edge struct {
	Index  int      // its place in the edges array, from 0
	Record []byte   // the canonical record
	Digest [32]byte // SHA-256 of Record

	// Faulty says that the record itself has faults (already collected). Then
	// ID, Source and Target and their places are set where they are of legal
	// form, else zero: Read itself reports endpoints that cannot be an id.
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
	Lanes          byte // of the evidence: bit i for store.LaneNames[i]
	// Sites describes the evidence of an unresolved_call or name_reference
	// edge; it is nil for every other kind, and for an unresolved_call all of
	// whose sites are excluded.
	Sites *Sites
}

// Sites sums up call sites, or places where a function is named.
type Sites struct {
	Count    int            // records that count
	ByReason map[string]int // unresolved_call only: reason → records
	Examples []string       // up to 5 distinct provenances, the first in byte order, sorted
}

// A Sink takes the records of a model as they are read. Each worker has its
// own, so its methods are not called concurrently.
//
// A record with faults of its own is passed too, with Faulty set, so that its
// id counts as used and edges to it are not reported as dangling.
type Sink interface {
	Node(*Node) error
	Edge(*Edge) error
}
