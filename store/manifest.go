package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"github.com/vmihailenco/msgpack/v5"
)

// Manifest is what an index says of itself: the model's header, what was
// counted, and where the blocks of each section are.
type Manifest struct {
	Digest       []byte // SHA-256 of the model's content: docs/format.md says of what
	Generator    []byte // canonical JSON, or empty
	Root         string
	RepositoryID string
	Scope        []byte // canonical JSON
	Resolution   []byte // metrics.resolution, canonical JSON, or empty
	// ResolutionOf are the members of Resolution, in canonical order.
	ResolutionOf []NamedValue

	Nodes, Edges         int
	NodeKinds, EdgeKinds []KindCount // by kind
	Lanes                [4]int      // edges with evidence in each lane, as LaneNames
	Cycles, LargestCycle int
	Bridges              int
	Incomplete           int // files whose parse is incomplete

	// Sorts are what nodes have of kind, language and being test code. The
	// nodes of each are rows of SortRanks.
	Sorts []NodeSort
	// MostDependencies are the nodes that depend on most others, at most ten.
	MostDependencies []uint32
	// Source is the digest of the source's snapshot, empty when there is none.
	Source []byte

	// Functions counts all functions; Languages those of each language, in
	// canonical order (RFC 8785).
	Functions LanguageCounts
	Languages []LanguageCounts

	Pages int // of the file, before the manifest was added

	// Identity is the SHA-256 of the manifest as it is in the file: all that
	// is in the file follows from what the manifest says. It is not in itself.
	Identity []byte `msgpack:"-"`

	sections [sectionEnd]sectionInfo
	Layout   []sectionInfo // the sections that are not empty, by number
}

// NodeSort is a kind and a language, "" for none, of test code or other code: a
// node is test code by its own attribute or its file's.
type NodeSort struct {
	Kind, Language string
	Test           bool
	Nodes          Range
}

// NamedValue is a member of a JSON object.
type NamedValue struct {
	Name  string
	Value []byte
}

// KindCount counts the nodes or edges of a kind.
type KindCount struct {
	Kind  string
	Count int
}

// StatusCounts counts functions by the status of their report.
type StatusCounts struct {
	Resolved      int
	RecursiveOnly int // those of Resolved that only call themselves
	TestsOnly     int // those of Resolved that only test code calls: see Report
	Unknown       int
	Unreferenced  int
}

// LanguageCounts are the functions of a language.
type LanguageCounts struct {
	Name         string
	Open, Closed StatusCounts // with an open and a closed world
	// Uncalled are the lists of functions that nothing calls, or only test code, as rows of
	// section Uncalled, ordered by path, start line and node number.
	Uncalled UncalledLists
}

// UncalledLists says where five lists are in section Uncalled.
type UncalledLists struct {
	UnreferencedOpen, UnknownOpen, UnreferencedClosed, UnknownClosed Range
	TestsOnly                                                        Range
}

// Range is a half-open range of rows.
type Range struct {
	Start, End uint32
}

// Len is the number of rows of the range.
func (r Range) Len() int { return int(r.End - r.Start) }

type sectionInfo struct {
	Section Section
	Items   int // items, rows, or entries
	Bytes   int // of a record section's items, unpacked
	Blocks  int
	Extents []extentInfo
}

type extentInfo struct {
	First int // the number of its first block
	Size  int // bytes
}

// encode returns the manifest's value in the file.
func (m *Manifest) encode() ([]byte, error) {
	m.Layout = nil
	for s := range m.sections {
		if info := m.sections[s]; info.Blocks > 0 {
			info.Section = Section(s)
			m.Layout = append(m.Layout, info)
		}
	}
	var b bytes.Buffer
	b.WriteString(manifestMagic)
	b.Write(binary.LittleEndian.AppendUint32(nil, FormatVersion))
	packed, err := pack(m)
	if err != nil {
		return nil, fmt.Errorf("encode the manifest: %w", err)
	}
	b.Write(packed)
	identity := sha256.Sum256(b.Bytes())
	m.Identity = identity[:]
	return binary.LittleEndian.AppendUint64(b.Bytes(), xxhash.Sum64(b.Bytes())), nil
}

// pack encodes a struct in MessagePack, as an array of its fields.
func pack(v any) ([]byte, error) {
	var b bytes.Buffer
	e := msgpack.GetEncoder()
	defer msgpack.PutEncoder(e)
	e.Reset(&b)
	e.UseArrayEncodedStructs(true)
	err := e.Encode(v)
	return b.Bytes(), err
}

// manifestHead is the size of what stands before the MessagePack.
const manifestHead = len(manifestMagic) + 4

// checkManifestValue checks a manifest's value, but for its format.
func checkManifestValue(value []byte) error {
	if len(value) < manifestHead+8 || string(value[:len(manifestMagic)]) != manifestMagic {
		return damaged("the manifest", "it does not begin with %q", manifestMagic)
	}
	body := value[:len(value)-8]
	if xxhash.Sum64(body) != binary.LittleEndian.Uint64(value[len(body):]) {
		return damaged("the manifest", "its checksum does not match")
	}
	return nil
}

// decodeManifest checks and decodes a manifest's value.
func decodeManifest(value []byte) (*Manifest, error) {
	if err := checkManifestValue(value); err != nil {
		return nil, err
	}
	if v := binary.LittleEndian.Uint32(value[len(manifestMagic):]); v != FormatVersion {
		return nil, &VersionError{Format: v}
	}
	var m Manifest
	if err := msgpack.Unmarshal(value[manifestHead:len(value)-8], &m); err != nil {
		return nil, damaged("the manifest", "%v", err)
	}
	identity := sha256.Sum256(value[:len(value)-8])
	m.Identity = identity[:]
	if len(m.Digest) != 32 {
		return nil, damaged("the manifest", "its digest has %d bytes", len(m.Digest))
	}
	for _, info := range m.Layout {
		if info.Section == 0 || info.Section >= sectionEnd {
			return nil, damaged("the manifest", "it names section %d", info.Section)
		}
		m.sections[info.Section] = info
	}
	return &m, nil
}
