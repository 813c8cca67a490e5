// Package store keeps an index in one file: its layout, the writer and the
// reader.
//
// # The file
//
// An index is a bbolt file (https://go.etcd.io/bbolt) of pages of 4 KiB. Its
// root bucket holds one bucket named "manifest" and buckets whose names are
// five bytes: a section's number and, big-endian, a part's. A section is a
// sequence of blocks numbered from 0; consecutive blocks make an extent of
// about 2 MiB; up to four extents make a part. In a part's bucket the keys
// are the extents' numbers within the section (four bytes, big-endian) and
// the values the extents. Few large values keep the B+tree to a root and one
// leaf a part, small enough to be read and checked whole when the file is
// opened. The writer is bbolt; the reader reads the pages by itself (tree.go):
// bbolt would walk a damaged page without a word, in circles, or off the end
// of the map, and it locks the file.
//
// An extent is a table of n+1 offsets (uint32, little-endian like all
// numbers here) from the extent's start, and its n blocks, the i-th from
// offset i to offset i+1. A block is a byte that says how it is packed, its
// payload, and eight bytes of checksum. Packing 0: the payload as it is; 1:
// its length (uint32) and an LZ4 block. LZ4 rather than zstd because small
// blocks unpack four times faster (2.4 against 9.4 µs for sixteen edges of
// Kubernetes' model) for a third more bytes; rather than S2 because the S2
// encoder's output depends on the processor's architecture, and the same
// model must give the same bytes everywhere.
//
// The checksum is the XXH64 of packing and payload, seeded by the index (the
// first eight bytes of the model's digest), the section and the block's
// number. A block that was damaged, exchanged with another, or brought in
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
//	EdgeRecords  the same for edges
//	Reports      an item a function, in the order of node numbers: a Report
//	             in MessagePack
//	Chunks       the long items of all three
//
// Table sections hold rows of uint32 columns, as many as fit into 4 KiB to a
// block, not packed (columns that grow by small steps do not get smaller):
//
//	Nodes        a NodeRow a node, and one more that ends the last lists
//	Edges        an EdgeRow an edge
//	OutEdges     edge numbers by source, dependency edges first, ascending in
//	             each half: the graph's outgoing adjacency
//	Uncalled     node numbers of functions that nothing calls: for each
//	             language and for all together, four lists (see UncalledLists)
//	Cycles       a CycleRow a cycle, in order, and one more that ends the
//	             last lists
//	CycleNodes   the cycles' nodes, ascending in each cycle
//	CycleEdges   the cycles' edges, in each cycle in the order of their ids
//	Bridges      the bridges' edge numbers, in the order of their ids
//
// Lookup sections have one block a hash bucket, of pairs of uint32: a part of
// the hash, and a value; by hash, then value. A key's bucket is the high half of hash times
// number of buckets, where hash is the key's XXH64; the part is its low half.
//
//	IDs          every node's id (value: twice its number) and edge's id
//	             (twice its number, plus one)
//	Names        every node's name in lower case (value: its number)
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
const FormatVersion = 1

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
	Names
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
	Names:       "names",
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
	Nodes:      7,
	Edges:      3,
	OutEdges:   1,
	Uncalled:   1,
	Cycles:     4,
	CycleNodes: 1,
	CycleEdges: 1,
	Bridges:    1,
}

// itemsPerBlock is the number of items of a record section's block.
var itemsPerBlock = [sectionEnd]int{
	NodeRecords: 16,
	EdgeRecords: 16,
	Reports:     32,
	Chunks:      1,
}

const (
	pageSize       = 4096
	tableBlockSize = 4080       // payload bytes of a table's block: with packing and checksum it fits a page
	extentSize     = 2 << 20    // an extent ends with the block that reaches this
	partExtents    = 4          // extents of a part: bbolt never splits a leaf of four keys
	manifestPages  = 16         // the most pages that the manifest adds besides its own length: the root's, bbolt's list of free pages
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
)

// rowsPerBlock is the number of rows of a table section's block.
func rowsPerBlock(s Section) int { return tableBlockSize / (4 * columns[s]) }

// NodeRow is what the graph knows of a node. Incoming edges are the edges
// with numbers from In to the next row's In: calls up to InCalls, dependency
// edges (calls included) up to InDeps. Outgoing edges are the rows of
// OutEdges from Out to the next row's Out: dependency edges up to OutDeps.
type NodeRow struct {
	In, InCalls, InDeps, InEnd uint32
	Out, OutDeps, OutEnd       uint32
	Function                   uint32 // the number of its report, NoFunction when it is no function
	Cycle                      uint32 // the number of its cycle, NoCycle when it is in none
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
	Compiler      bool   // basis compiler, else heuristic
	Resolution    int    // index into Manifest.ResolutionOf of the function's language, or -1
	Closed        int    // bytes of Reasons that are left with a closed world
	Reasons       []byte // the reasons with an open world: JSON objects with commas between them
}
