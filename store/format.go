// Package store keeps an index in one file: its layout, the writer and the
// reader.
//
// # The file
//
// An index is a bbolt file (https://go.etcd.io/bbolt) of pages of 4 KiB. Its
// root bucket holds one bucket named "manifest" and buckets whose names are
// five bytes: a section's number and, big-endian, an extent's. A section is a
// sequence of blocks numbered from 0; consecutive blocks make an extent of
// about 2 MiB. The bucket of an extent has one key, the extent's number (four
// bytes, big-endian), whose value is the extent. So the root bucket says where
// every extent is: in a bucket's page, or in the root's for a small one, the
// value of the first key has one place. Opening reads the root bucket and the
// manifest, and of the extents nothing. The writer is bbolt; the reader reads
// the pages by itself (tree.go): bbolt would walk a damaged page without a
// word, in circles, or off the end of the map, and it locks the file.
//
// An extent is a table of n+1 offsets (uint32, little-endian like all
// numbers here) from the extent's start, and its n blocks, the i-th from
// offset i to offset i+1. A block is a byte that says how it is packed, its
// payload, and eight bytes of checksum. Packing 0: the payload as it is; 1:
// its length (uint32) and an LZ4 block; 2: narrow columns, see below.
//
// LZ4 rather than zstd because small blocks unpack four times faster (2.4
// against 9.4 µs for sixteen edges of Kubernetes' model) for a third more
// bytes; rather than S2 because the S2 encoder's output depends on the
// processor's architecture, and the same model must give the same bytes
// everywhere.
//
// The checksum is the XXH64 of packing and payload, seeded by the index (the
// first eight bytes of the model's digest, and of the source's where there is
// a snapshot, one XOR the other), the section and the block's number. A block that was damaged, exchanged with another, or brought in
// from the index of another model does not pass. Blocks are copied out of
// the map before they are checked, so that a file overwritten in place gives
// an error, never half of a new answer.
//
// Absence is proven, never inferred from a failed look-up in the B+tree: the
// manifest says how many extents and blocks each section has, so that a
// missing one is damage; items have dense numbers; an id that is not in its
// hash bucket's block, which passed its checksum, is not in the model.
//
// # Numbers of nodes and edges
//
// Nodes are numbered from 0 in the byte order of their ids. Edges are
// numbered from 0 in the order of their target's number, then their class
// (calls, imports, inherits, all others), then their id. So the incoming edges
// of a node stand together, its callers foremost: a caller report of 18,000
// call sites is one run of bytes of the file, and the rows of section Edges
// are at once the graph's incoming adjacency in CSR form. Edge.Rank is the
// edge's place in the order of ids, which is the order of answers.
//
// # Sections
//
// Record sections hold items of any length, itemsPerBlock to a block: the
// items' lengths as uvarints shifted left by one, then their bytes. An item
// longer than maxInline is kept in section Chunks, in consecutive blocks of
// chunkSize bytes; in its place stand the number of its first chunk and its
// length as uvarints, and the low bit of its length here is 1.
//
//	NodeRecords  an item a node: the offset of its id's string literal in the
//	             record as a uvarint, then the canonical record
//	EdgeRecords  the same for edges, but before the record a uvarint: the
//	             number of its evidence records times 16, and a bit for each
//	             lane that they have (see LaneNames)
//	Reports      an item a function, in the order of node numbers: a Report
//	             in MessagePack
//	Chunks       the long items of all record sections
//	Terms        the distinct names of nodes, in the order of their lower
//	             case, then of their bytes
//	Paths        the distinct paths of nodes, in the order of their bytes
//	Qualified    the distinct qualified names, in the order of symbol.Key
//	             (from the last part to the first), then of their bytes
//	TermGrams    for each row of TermGramKeys the terms that have the gram:
//	             their numbers as uvarints, each less the one before
//	PathGrams    the same for paths
//	Sources      an item a path, when the index has a snapshot of the source:
//	             a SourceFile in MessagePack
//	Texts        the text of each source that is there, in the order of Sources
//
// Table sections hold rows of uint32 columns, as many as fit into 4 KiB to a
// block. Most numbers of a block's column are near each other or small, so
// columns are kept narrow: the number of rows (uint32); for each column its
// width in bytes, 0 to 4, and its least number (uint32); then column by column
// what each number is above the least. The bit 0x80 of a width says that the
// greatest number that is so wide stands for 0xFFFFFFFF, "there is none",
// which does not count as a number of the column; of a column that has no
// other, 0xFFFFFFFF is the least number. That is a third of the bytes of
// Nodes, and no more than LZ4 leaves of any table. A block of which nothing
// is saved has packing 0.
//
//	Nodes        a NodeRow a node, and one more that ends the last lists
//	Edges        an EdgeRow an edge
//	OutEdges     edge numbers by source, dependency edges first, ascending in
//	             each half: the graph's outgoing adjacency
//	Uncalled     node numbers of functions that nothing calls, or only test
//	             code: for each language and for all together, five lists (see
//	             UncalledLists)
//	Cycles       a CycleRow a cycle, in order, and one more that ends the
//	             last lists
//	CycleNodes   the cycles' nodes, ascending in each cycle
//	CycleEdges   the cycles' edges, in each cycle in the order of their ids
//	Bridges      the bridges' edge numbers, in the order of their ids
//	Facts        a FactsRow a node
//	Ranked       a RankedRow a node, in the order of ranks: by the number of
//	             dependents, most first, then by number
//	TermRows     a row a term, and one more: where in TermRanks its nodes begin
//	TermRanks    the ranks of the nodes of each term, ascending in each
//	PathRows     a PathRow a path, and one more that ends the last list
//	PathRanks    as TermRanks, of paths
//	QualifiedRows, QualifiedRanks  the same of qualified names
//	SortRanks    the same of sorts (see Manifest.Sorts)
//	TermGramKeys, PathGramKeys  the grams that occur, ascending, and how many
//	             terms or paths have each
//	Files        a FileRow a file (a path that a file node or a function has),
//	             in the order of paths, and one more that ends the last lists
//	FileUses     for each file the files that it depends on: a FileUse each
//	FileUsers    for each file those that depend on it
//	Largest      a LargestRow a function, most lines first, then by number
//	Complex      rows of Largest, of functions whose complexity is known, most
//	             complex first, then by number
//	Contained    the pairs of different nodes that a contains or defines edge
//	             joins, its source and its target, ascending
//	ModuleUses   a ModuleUse for each pair of modules between which there are
//	             dependency edges, in the order of the pairs
//	ModuleUsers  the rows of ModuleUses in the order of what they lead to, then
//	             of where they come from
//	ModuleCycles the cycles of modules: a ModuleCycleRow for each node of one,
//	             ascending; first those by all dependency edges, then those by
//	             imports alone
//	Spans        a SpanRow for each node with path and span that is no file,
//	             module or other container of a file's size, no variable and no
//	             part of a type (see index/spans.go): by path, start, the later
//	             end first, functions last, the greater number first
//
// Lookup sections have one block a hash bucket, of pairs of uint32: a part of
// the hash, and a value; by hash, then value. A key's bucket is the high half of hash times
// number of buckets, where hash is the key's XXH64; the part is its low half.
//
//	IDs          every node's id (value: twice its number) and edge's id
//	             (twice its number, plus one)
//	FoldedIDs    the id of every node in lower case, where that is another
//	             text (value: its number)
//
// What a text finds is in Terms, Paths and Qualified, which have a few per
// cent of the nodes' bytes: a name that is equal, without regard to case or
// not, and one that begins with the text, are one range of Terms; one that
// ends with the text's parts is one range of Qualified; substrings and
// beginnings of words come from the grams. The nodes of each are ranks, so
// that lists merge in the order of answers, and a search that has found
// enough ends.
//
// # The manifest
//
// The bucket "manifest" has the one key "manifest". Its value is the eight
// bytes "BRICKIDX", the format version (uint32), a Manifest in MessagePack,
// and the XXH64 of all that (eight bytes). This much stays the same in every
// format version, so that a program can refuse another's file by name.
package store

// FormatVersion is the version of the file layout that this package writes
// and the only one that it reads.
const FormatVersion = 4

// Section names a part of the index.
type Section uint8

// The sections. Their numbers are part of the format.
const (
	NodeRecords Section = 1 + iota
	EdgeRecords
	Reports
	Chunks
	Nodes
	Edges
	OutEdges
	Uncalled
	Cycles
	CycleNodes
	CycleEdges
	Bridges
	IDs
	FoldedIDs
	Facts
	Ranked
	Terms
	TermRows
	TermRanks
	Paths
	PathRows
	PathRanks
	Qualified
	QualifiedRows
	QualifiedRanks
	SortRanks
	TermGramKeys
	TermGrams
	PathGramKeys
	PathGrams
	Files
	FileUses
	FileUsers
	Largest
	Complex
	Sources
	Texts
	Contained
	ModuleUses
	ModuleUsers
	ModuleCycles
	Spans
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
	ModuleUses:     6,
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
