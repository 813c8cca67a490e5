// Package store keeps an index in one file: its layout, the writer and the
// reader.
//
// docs/format.md is the layout, byte for byte, with the reasons. In short: an
// index is a bbolt file whose root bucket has a bucket "manifest" and one for
// each extent of each section. A section is one kind of data, a sequence of
// blocks, each packed and under a checksum that binds it to its place. There
// are sections of records (items of any length), tables (rows of numbers) and
// lookups (hash buckets). bbolt writes the file; the reader reads the pages by
// itself (tree.go) and believes nothing that no checksum covers.
//
// Nodes are numbered in the byte order of their ids, edges by their target,
// then calls, imports, inherits and all others, then their id: so the callers
// of a node are one run of rows, and the rows of section Edges are at once the
// incoming adjacency of the graph.
package store

// FormatVersion is the version of the file layout that this package writes
// and the only one that it reads.
const FormatVersion = 4

// Section names a part of the index.
type Section uint8

// The sections. Their numbers are part of the format, and docs/format.md says
// what each holds.
const (
	NodeRecords Section = 1 + iota // canonical records
	EdgeRecords                    // canonical records, with their number of evidence records and lanes (LaneNames)
	Reports                        // a Report a function
	Chunks                         // the long items of all record sections
	Nodes                          // a NodeRow a node, and one more
	Edges                          // an EdgeRow an edge
	OutEdges                       // the outgoing adjacency
	Uncalled                       // see UncalledLists
	Cycles                         // a CycleRow a cycle, and one more
	CycleNodes
	CycleEdges
	Bridges
	IDs
	FoldedIDs
	Facts  // a FactsRow a node
	Ranked // a RankedRow a node
	Terms
	TermRows
	TermRanks
	Paths
	PathRows // a PathRow a path, and one more
	PathRanks
	Qualified
	QualifiedRows
	QualifiedRanks
	SortRanks // see Manifest.Sorts
	TermGramKeys
	TermGrams
	PathGramKeys
	PathGrams
	Files     // a FileRow a file, and one more
	FileUses  // a FileUse a pair of files
	FileUsers // the same, by the other file
	Largest   // a LargestRow a function
	Complex   // rows of Largest
	Sources   // a SourceFile a path
	Texts
	Contained    // pairs of nodes
	ModuleUses   // a ModuleUse a pair of modules
	ModuleUsers  // rows of ModuleUses
	ModuleCycles // a ModuleCycleRow a node of a cycle
	Spans        // a SpanRow a node that is at a place
	sectionEnd
)

var sectionNames = [sectionEnd]string{
	NodeRecords: "node records",
	EdgeRecords: "edge records",
	Reports:     "caller reports",
	Chunks:      "long records",
	Nodes:       "nodes",
	Edges:       "edges",
	OutEdges:    "outgoing edges",
	Uncalled:    "uncalled functions",
	Cycles:      "cycles",
	CycleNodes:  "nodes of cycles",
	CycleEdges:  "edges of cycles",
	Bridges:     "bridges",
	IDs:         "ids",
	FoldedIDs:   "ids in lower case",

	Facts:          "facts of nodes",
	Ranked:         "nodes by rank",
	Terms:          "distinct names",
	TermRows:       "rows of names",
	TermRanks:      "nodes of names",
	Paths:          "distinct paths",
	PathRows:       "rows of paths",
	PathRanks:      "nodes of paths",
	Qualified:      "distinct qualified names",
	QualifiedRows:  "rows of qualified names",
	QualifiedRanks: "nodes of qualified names",
	SortRanks:      "nodes of sorts",
	TermGramKeys:   "grams of names",
	TermGrams:      "names of grams",
	PathGramKeys:   "grams of paths",
	PathGrams:      "paths of grams",
	Files:          "files",
	FileUses:       "uses of files",
	FileUsers:      "users of files",
	Largest:        "largest functions",
	Complex:        "most complex functions",
	Sources:        "sources",
	Texts:          "texts of sources",

	Contained:    "contained nodes",
	ModuleUses:   "uses of modules",
	ModuleUsers:  "users of modules",
	ModuleCycles: "cycles of modules",
	Spans:        "spans",
}

func (s Section) String() string {
	if s < sectionEnd && sectionNames[s] != "" {
		return sectionNames[s]
	}
	return "unknown section"
}

// columns is the number of uint32 columns of a table section's rows, 0 for
// the other sections.
var columns = [sectionEnd]int{
	Nodes:      8,
	Edges:      3,
	OutEdges:   1,
	Uncalled:   1,
	Cycles:     4,
	CycleNodes: 1,
	CycleEdges: 1,
	Bridges:    1,

	Facts:          9,
	Ranked:         5,
	TermRows:       1,
	TermRanks:      1,
	PathRows:       3,
	PathRanks:      1,
	QualifiedRows:  1,
	QualifiedRanks: 1,
	SortRanks:      1,
	TermGramKeys:   2,
	PathGramKeys:   2,
	Files:          11,
	FileUses:       4,
	FileUsers:      4,
	Largest:        5,
	Complex:        1,
	Contained:      2,
	ModuleUses:     7,
	ModuleUsers:    1,
	ModuleCycles:   3,
	Spans:          6,
}

// itemsPerBlock is the number of items of a record section's block.
var itemsPerBlock = [sectionEnd]int{
	NodeRecords: 16,
	EdgeRecords: 16,
	Reports:     32,
	Chunks:      1,
	Terms:       64,
	Paths:       64,
	Qualified:   64,
	TermGrams:   4,
	PathGrams:   4,
	Sources:     16,
	Texts:       1,
}

const (
	pageSize       = 4096
	tableBlockSize = 4080       // payload bytes of a table's block: with packing and checksum it fits a page
	extentSize     = 2 << 20    // an extent ends with the block that reaches this
	extentKeySize  = 4          // bytes of the key of an extent
	manifestPages  = 16         // the most pages that the manifest adds besides its own length and one a bucket: the root's, bbolt's list of free pages
	maxInline      = 16 << 10   // longer items go to Chunks
	chunkSize      = 64 << 10   // bytes of a chunk
	bucketEntries  = 64         // mean entries of a hash bucket
	none           = ^uint32(0) // a number that stands for "there is none"

	manifestBucket = "manifest"
	manifestMagic  = "BRICKIDX"
)

const (
	packedRaw byte = iota
	packedLZ4
	packedNarrow
)

// rowsPerBlock is the number of rows of a table section's block.
func rowsPerBlock(s Section) int { return tableBlockSize / (4 * columns[s]) }

// NodeRow is what the graph knows of a node. Incoming edges are the edges
// with numbers from In to the next row's In: calls up to InCalls, imports from
// there up to InImports, inherits from there up to InDeps. Outgoing edges are the rows of
// OutEdges from Out to the next row's Out: dependency edges up to OutDeps.
type NodeRow struct {
	In, InCalls, InImports, InDeps, InEnd uint32
	Out, OutDeps, OutEnd                  uint32
	Function                              uint32 // the number of its report, NoFunction when it is no function
	Cycle                                 uint32 // the number of its cycle, NoCycle when it is in none
}

// NoFunction and NoCycle stand in a NodeRow for "there is none".
const (
	NoFunction = none
	NoCycle    = none
)

// EdgeRow is what the graph knows of an edge.
type EdgeRow struct {
	Source, Target uint32 // node numbers
	Rank           uint32 // place in the order of edge ids
}

// CycleRow is a strongly connected component that is a cycle: rows
// [Nodes, NodesEnd) of CycleNodes and [Edges, EdgesEnd) of CycleEdges.
type CycleRow struct {
	ID                               uint64 // the number in the cycle's id
	Nodes, NodesEnd, Edges, EdgesEnd uint32
}

// Report is a function's caller report, but for its caller edges, which are
// its incoming calls.
type Report struct {
	Resolved      bool
	RecursiveOnly bool
	TestsOnly     bool   // it is no test code, and all its callers but itself are
	Compiler      bool   // basis compiler, else heuristic
	Resolution    int    // index into Manifest.ResolutionOf of the function's language, or -1
	Closed        int    // bytes of Reasons that are left with a closed world
	Reasons       []byte // the reasons with an open world: JSON objects with commas between them
	// Also is, of a resolved function, which of the reasons hold that more calls
	// may reach it than those that are resolved: JSON objects as Reasons.
	Also []byte
}

// LaneNames are the lanes of evidence, in byte order; the number of a lane's
// bit is its place here.
var LaneNames = [4]string{"heuristic", "imported", "symbolic", "syntactic"}

// FactsRow is what briefs, lists and rankings need of a node. Figures are
// Unknown where the model has none.
type FactsRow struct {
	Rank         uint32 // its row in Ranked
	Line         uint32 // where its span starts, 0 when it has none
	Lines        uint32 // metrics.lines, else the lines of its span
	Complexity   uint32 // metrics.cyclomatic
	Dependents   uint32 // other nodes with a dependency edge to it
	Dependencies uint32 // other nodes that it has a dependency edge to
	Sort         uint32 // its kind, its language, and whether it is test code: see Manifest.Sorts
	Also         uint32 // 1 for a function that more calls may reach than those that are resolved
	Module       uint32 // the node that stands for its module: see ModuleUse
}

// Unknown stands for a figure that the model does not have, or none at all.
const Unknown = none

// RankedRow is what a search needs of a node. Path and Qualified are Unknown
// where it has none.
type RankedRow struct {
	Node, Term, Path, Qualified, Sort uint32
}

// PathRow is a path: its nodes are rows [Start, End) of PathRanks, and those
// with a span rows [Spans, SpansEnd) of Spans.
type PathRow struct {
	Start, End      uint32
	File            uint32 // its row in Files, Unknown when it is no file
	Spans, SpansEnd uint32
}

// SpanRow is where a function, type or the like is in its file: from the start
// on, up to and with the end. Unknown is the end of a line.
type SpanRow struct {
	StartLine, StartColumn, EndLine, EndColumn uint32
	Node                                       uint32
	// Outer is the last row before this one, of the same path, that ends no
	// earlier; Unknown when there is none. All rows between the two end before
	// this one does.
	Outer uint32
}

// ModuleCycleRow is a node of a cycle of modules. The cycles by one sort of
// edges are numbered from 0 in the order of their first nodes.
type ModuleCycleRow struct {
	By          uint32 // ByAll or ByImports
	Cycle, Node uint32
}

// What joins the modules of a cycle.
const (
	ByAll     = 0 // dependency edges of any kind
	ByImports = 1 // imports alone
)

// ModuleUse counts the dependency edges between nodes of one module and those
// of another. The module of a node is the nearest node of a module's kind
// that contains it, else the nearest file, else it stands for itself.
type ModuleUse struct {
	From, To                 uint32 // nodes
	Calls, Imports, Inherits uint32
	Edge                     uint32 // the first of them in the order of ids
	Import                   uint32 // the first that is an import; Unknown when there is none
}

// FileRow is a file: what it depends on are rows [Uses, UsesEnd) of FileUses,
// what depends on it rows [Users, UsersEnd) of FileUsers.
type FileRow struct {
	Path      uint32
	Node      uint32 // its first node of kind file, or Unknown
	Functions uint32
	Lines     uint32 // of its node, or Unknown
	// Its functions by status, with an open world. RecursiveOnly are of Resolved.
	Resolved, RecursiveOnly, Unknown, Unreferenced uint32
	TestsOnly                                      uint32 // of Resolved: see Report
	Uses, UsesEnd, Users, UsersEnd                 uint32
}

// FileUse counts the edges between nodes of one file and those of another.
type FileUse struct {
	File                     uint32
	Calls, Imports, Inherits uint32
}

// LargestRow is a function with its figures.
type LargestRow struct {
	Node, Lines, Complexity, Dependents, Dependencies uint32
}

// SourceFile is the snapshot of a file.
type SourceFile struct {
	Path   string
	Absent string // why there is no text; "" when there is one
	SHA256 []byte
	Size   int
	Text   int // the number of its item in Texts
}
