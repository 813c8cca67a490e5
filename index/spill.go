package index

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/extsort"
	"brick/model"
	"brick/store"
)

// spill is the Sink of one worker: it puts the records into the sorters that
// bring nodes into the order of their ids, and edges into the order of their
// numbers (see package store).
type spill struct {
	nodes, edges *extsort.Writer
	hash         *idHash
	refused      map[hash128]struct{} // ids that were refused
	nodeKinds    kindCount
	edgeKinds    kindCount
	key, head    []byte
	sites        []byte
}

func newSpill(nodes, edges *extsort.Sorter, hash *idHash) *spill {
	return &spill{
		nodes: nodes.Writer(), edges: edges.Writer(), hash: hash,
		refused:   map[hash128]struct{}{},
		nodeKinds: kindCount{}, edgeKinds: kindCount{},
	}
}

func (s *spill) close() error {
	if err := s.nodes.Close(); err != nil {
		return err
	}
	return s.edges.Close()
}

// kindCount counts records by kind. The counts are behind pointers because
// adding to a map's value replaces its key, and a record's kind is not ours to
// keep.
type kindCount map[string]*int

func (c kindCount) add(kind string) {
	n := c[kind]
	if n == nil {
		n = new(int)
		c[strings.Clone(kind)] = n
	}
	*n++
}

// Edge classes, the order of edges with the same target.
const (
	classCalls = iota
	classImports
	classInherits
	classOther
)

func edgeClass(kind string) byte {
	switch kind {
	case "calls":
		return classCalls
	case "imports":
		return classImports
	case "inherits":
		return classInherits
	}
	return classOther
}

// Bits of a spilled record's first byte.
const (
	spilledFaulty = 1 << iota
	spilledImported
	spilledUnresolvedCall
	spilledNameReference
	spilledSource // has a source of legal form
	spilledTarget
	spilledContainment
)

// Node implements Sink.
func (s *spill) Node(n *model.NodeRecord) error {
	for _, id := range n.RefusedIDs {
		s.refused[s.hash.of(id)] = struct{}{}
	}
	if n.ID == "" {
		return nil
	}
	var bits byte
	if n.Faulty {
		bits |= spilledFaulty
	} else {
		s.nodeKinds.add(n.Kind)
	}
	b := binary.BigEndian.AppendUint64(s.head[:0], uint64(n.IDPlace.Offset))
	b = append(b, bits)
	b = appendPlace(b, n.IDPlace)
	b = binary.AppendUvarint(b, uint64(n.Index))
	for _, text := range []string{n.Kind, n.Name, n.QualifiedName, n.Language, n.Path} {
		b = appendString(b, text)
	}
	for _, number := range []int{n.Span.StartLine, n.Span.StartColumn, n.Span.EndLine, n.Span.EndColumn} {
		b = binary.AppendUvarint(b, uint64(number))
	}
	b = binary.AppendUvarint(b, uint64(linesOf(n)))
	b = binary.AppendUvarint(b, uint64(figure(n.Figures.Cyclomatic)))
	b = binary.AppendUvarint(b, uint64(len(n.Flags)))
	for _, f := range n.Flags {
		b = append(b, byte(f.Flag))
		b = appendString(b, f.Value)
	}
	b = append(b, n.Digest[:]...)
	b = binary.AppendUvarint(b, uint64(n.IDOffset))
	s.head = b
	s.key = append(s.key[:0], n.ID...)
	return s.nodes.Add(s.key, b, n.Record)
}

// Edge implements Sink.
func (s *spill) Edge(e *model.EdgeRecord) error {
	var bits byte
	if e.Faulty {
		bits |= spilledFaulty
	} else {
		s.edgeKinds.add(e.Kind)
	}
	if e.Imported {
		bits |= spilledImported
	}
	switch e.Kind {
	case "unresolved_call":
		bits |= spilledUnresolvedCall
	case "name_reference":
		bits |= spilledNameReference
	case "contains", "defines":
		bits |= spilledContainment
	}
	source, target := s.hash.of(e.Source), s.hash.of(e.Target)
	if e.Source != "" {
		bits |= spilledSource
	}
	if e.Target != "" {
		bits |= spilledTarget
	}
	b := binary.BigEndian.AppendUint64(s.head[:0], uint64(e.IDPlace.Offset))
	b = append(b, bits)
	b = appendPlace(b, e.IDPlace)
	b = binary.AppendUvarint(b, uint64(e.Index))
	b = binary.AppendUvarint(b, uint64(len(e.ID)))
	b = appendPlace(b, e.SourcePlace)
	b = appendPlace(b, e.TargetPlace)
	b = source.append(b)
	b = target.append(b)
	b = append(b, e.Digest[:]...)
	b = binary.AppendUvarint(b, uint64(e.IDOffset))
	b = binary.AppendUvarint(b, uint64(e.Evidence)<<4|uint64(e.Lanes))
	s.sites = appendSites(s.sites[:0], e.Sites)
	b = appendString(b, s.sites)
	s.head = b
	s.key = appendOrdered(s.key[:0], e.Target)
	s.key = append(s.key, edgeClass(e.Kind))
	s.key = append(s.key, e.ID...)
	record := e.Record
	if e.Faulty {
		record = ends(e) // enough for messages
	}
	return s.edges.Add(s.key, b, record)
}

// ends writes a record of nothing but an edge's ends.
func ends(e *model.EdgeRecord) []byte {
	b, _ := jsontext.AppendQuote([]byte(`{"source":`), e.Source)
	b = append(b, `,"target":`...)
	b, _ = jsontext.AppendQuote(b, e.Target)
	return append(b, '}')
}

// appendOrdered appends text so that the byte order of what follows it counts
// only among equal texts, as in the order of pairs.
func appendOrdered(b []byte, text string) []byte {
	for i := range len(text) {
		b = append(b, text[i])
		if text[i] == 0 {
			b = append(b, 0xFF)
		}
	}
	return append(b, 0, 0)
}

// linesOf is how long a node is: its metrics.lines, else what its span says.
func linesOf(n *model.NodeRecord) uint32 {
	lines := figure(n.Figures.Lines)
	if s := n.Span; lines == store.Unknown && s.StartLine > 0 && s.EndLine >= s.StartLine {
		lines = uint32(s.EndLine - s.StartLine + 1)
	}
	return lines
}

// figure is a figure as it is kept: one beyond all reason is unknown.
func figure(n int64) uint32 {
	if n < 0 || n > math.MaxInt32 {
		return store.Unknown
	}
	return uint32(n)
}

func appendPlace(b []byte, p model.Place) []byte {
	b = binary.AppendUvarint(b, uint64(p.Offset))
	b = binary.AppendUvarint(b, uint64(p.Line))
	return binary.AppendUvarint(b, uint64(p.Column))
}

func appendString[T string | []byte](b []byte, s T) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendSites(b []byte, s *model.Sites) []byte {
	if s == nil {
		return b
	}
	b = binary.AppendUvarint(b, uint64(s.Count))
	b = binary.AppendUvarint(b, uint64(len(s.ByReason)))
	reasons := make([]string, 0, len(s.ByReason))
	for reason := range s.ByReason {
		reasons = append(reasons, reason)
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		b = appendString(b, reason)
		b = binary.AppendUvarint(b, uint64(s.ByReason[reason]))
	}
	b = binary.AppendUvarint(b, uint64(len(s.Examples)))
	for _, example := range s.Examples {
		b = appendString(b, example)
	}
	return b
}

// fields reads back what the append functions wrote.
type fields []byte

func (f *fields) uvarint() int {
	v, n := binary.Uvarint(*f)
	*f = (*f)[n:]
	return int(v)
}

func (f *fields) bytes(n int) []byte {
	b := (*f)[:n]
	*f = (*f)[n:]
	return b
}

func (f *fields) byte() byte { return f.bytes(1)[0] }

func (f *fields) string() []byte { return f.bytes(f.uvarint()) }

func (f *fields) place() model.Place {
	return model.Place{Offset: int64(f.uvarint()), Line: f.uvarint(), Column: f.uvarint()}
}

// readSites reads what appendSites wrote of sites that were there.
func readSites(f fields) *model.Sites {
	s := &model.Sites{Count: f.uvarint()}
	for n := f.uvarint(); n > 0; n-- {
		if s.ByReason == nil {
			s.ByReason = map[string]int{}
		}
		reason := string(f.string())
		s.ByReason[reason] = f.uvarint()
	}
	for n := f.uvarint(); n > 0; n-- {
		s.Examples = append(s.Examples, string(f.string()))
	}
	return s
}

// A span is a model.Span in half the memory.
type span struct{ StartLine, StartColumn, EndLine, EndColumn uint32 }

// spilledNode is a node as it comes back from the sorter. Its memory is the
// sorter's until the next record.
type spilledNode struct {
	faulty                     bool
	place                      model.Place
	index                      int
	kind, name, language, path []byte
	qualified                  []byte
	span                       span
	lines, complexity          uint32
	flags                      []model.FlagValue
	digest                     []byte
	idOffset                   int
	record                     []byte
}

func (n *spilledNode) read(value []byte) {
	f := fields(value[8:])
	n.faulty = f.byte()&spilledFaulty != 0
	n.place = f.place()
	n.index = f.uvarint()
	n.kind, n.name, n.qualified, n.language, n.path = f.string(), f.string(), f.string(), f.string(), f.string()
	n.span = span{uint32(f.uvarint()), uint32(f.uvarint()), uint32(f.uvarint()), uint32(f.uvarint())}
	n.lines, n.complexity = uint32(f.uvarint()), uint32(f.uvarint())
	n.flags = n.flags[:0]
	for count := f.uvarint(); count > 0; count-- {
		n.flags = append(n.flags, model.FlagValue{Flag: model.Flag(f.byte()), Value: f.string()})
	}
	n.digest = f.bytes(32)
	n.idOffset = f.uvarint()
	n.record = f
}

// spilledEdge is an edge as it comes back from the sorter.
type spilledEdge struct {
	bits                            byte
	place, sourcePlace, targetPlace model.Place
	index                           int
	id                              []byte
	class                           byte
	source, target                  hash128
	digest                          []byte
	idOffset                        int
	claims                          uint64 // see store.EdgeRecords
	sites                           []byte // see readSites; empty when there are none
	record                          []byte
}

func (e *spilledEdge) read(key, value []byte) {
	f := fields(value[8:])
	e.bits = f.byte()
	e.place = f.place()
	e.index = f.uvarint()
	id := f.uvarint()
	e.id, e.class = key[len(key)-id:], key[len(key)-id-1]
	e.sourcePlace, e.targetPlace = f.place(), f.place()
	e.source, e.target = readHash(f.bytes(16)), readHash(f.bytes(16))
	e.digest = f.bytes(32)
	e.idOffset = f.uvarint()
	e.claims = uint64(f.uvarint())
	e.sites = f.string()
	e.record = f
}
