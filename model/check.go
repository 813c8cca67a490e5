package model

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
	"brick/internal/number"
	"brick/internal/show"
)

// Checked makes a producer of checked records of a producer of a model. It
// checks all that a document is checked for, with the same words. A fault has
// no place in a document but an origin, where in the sources its record is of.
//
// It works in the goroutine of the producer, in time linear in the records, and
// holds one of them.
func Checked(p Producer) RecordProducer { return checked{p} }

type checked struct{ Producer }

// ProduceRecords implements RecordProducer.
func (c checked) ProduceRecords(ctx context.Context, newSink func() RecordSink, faults *Faults) (*RecordHeader, error) {
	r := &recorder{sink: newSink(), faults: faults}
	header, err := c.Produce(ctx, r)
	if err != nil {
		return nil, err
	}
	return r.header(header), nil
}

// A recorder is the Sink that checks records and makes canonical ones of them.
type recorder struct {
	sink   RecordSink
	faults *Faults

	count        int64 // records so far
	nodes, edges int
	encoder      encoder
	node         NodeRecord
	edge         EdgeRecord
	sites        []Site
	sum          SiteSum

	// Of the record that is checked.
	faulty bool
	id     string
	origin origin
}

// An origin is what a fault is about.
type origin struct {
	node *Node
	edge *Edge
}

// String is where that is in the sources.
func (o origin) String() string {
	switch {
	case o.node != nil && o.node.Span.StartLine > 0:
		return fmt.Sprintf("%s:%d", o.node.Path, o.node.Span.StartLine)
	case o.node != nil:
		return o.node.Path
	case o.edge != nil && len(o.edge.Evidence) > 0:
		return o.edge.Evidence[0].Provenance
	}
	return ""
}

// start begins the check of a record.
func (r *recorder) start(id string, of origin) {
	r.count++
	r.faulty, r.origin = false, of
	if r.id = id; len(id) > MaxID {
		r.id = ""
	}
	r.encoder = encoder{out: r.encoder.out[:0]}
}

func (r *recorder) place() Place { return Place{Offset: r.count} }

func (r *recorder) report(format string, args ...any) {
	r.faulty = true
	if r.faults.Wants(r.count) {
		r.faults.Add(Fault{Place: r.place(), Origin: r.origin.String(), ID: r.id, Message: fmt.Sprintf(format, args...)})
	}
}

// Node implements Sink.
func (r *recorder) Node(n *Node) error {
	r.start(n.ID, origin{node: n})
	e := &r.encoder
	e.node(n)
	r.checkEncoding()
	out := &r.node
	*out = NodeRecord{
		Index: r.nodes, RefusedIDs: out.RefusedIDs[:0], Flags: out.Flags[:0],
		Kind: n.Kind, Name: n.Name, QualifiedName: n.QualifiedName, Language: n.Language, Path: n.Path, Span: n.Span,
		Figures: Figures{
			Lines: r.figure(figureLines), Cyclomatic: r.figure(figureCyclomatic),
			Parameters: r.figure(figureParameters), Nesting: r.figure(figureNesting),
		},
	}
	r.nodes++
	if r.checkID(n.ID) {
		out.ID, out.IDPlace, out.IDOffset = n.ID, r.place(), e.idAt
	} else {
		out.RefusedIDs = append(out.RefusedIDs, n.ID)
	}
	r.checkFilled("kind", n.Kind)
	r.checkSpan(n.Span)
	if out.Faulty = r.faulty; out.Faulty {
		return r.sink.Node(out)
	}
	for flag, at := range e.flags {
		if value := e.out[at.start:at.end]; holds(value) {
			out.Flags = append(out.Flags, FlagValue{Flag(flag), value})
		}
	}
	out.Record, out.Digest = e.out, sha256.Sum256(e.out)
	return r.sink.Node(out)
}

// Edge implements Sink.
func (r *recorder) Edge(edge *Edge) error {
	r.start(edge.ID, origin{edge: edge})
	e := &r.encoder
	e.edge(edge)
	r.checkEncoding()
	out := &r.edge
	*out = EdgeRecord{Index: r.edges, Kind: edge.Kind, Evidence: len(edge.Evidence)}
	r.edges++
	if r.checkID(edge.ID) {
		out.ID, out.IDPlace, out.IDOffset = edge.ID, r.place(), e.idAt
	}
	r.checkFilled("kind", edge.Kind)
	if r.checkEnd("source", edge.Source) {
		out.Source, out.SourcePlace = edge.Source, r.place()
	}
	if r.checkEnd("target", edge.Target) {
		out.Target, out.TargetPlace = edge.Target, r.place()
	}
	r.checkEvidence(edge.Evidence)
	for i := range edge.Evidence {
		out.Lanes |= LaneOf(edge.Evidence[i].Lane)
	}
	out.Imported = out.Lanes&LaneImported != 0
	out.Sites = r.sum.Of(edge.Kind, r.sites)
	if out.Faulty = r.faulty; !out.Faulty {
		out.Record, out.Digest = e.out, sha256.Sum256(e.out)
	}
	return r.sink.Edge(out)
}

func (r *recorder) checkEncoding() {
	if err := r.encoder.err; err != nil {
		r.report("%s", err)
	}
}

func (r *recorder) checkID(id string) bool {
	switch {
	case id == "":
		r.report("id must not be empty")
	case len(id) > MaxID:
		r.report("id must have at most %d bytes, not %d: %s", MaxID, len(id), show.Quote(id))
	default:
		return true
	}
	return false
}

func (r *recorder) checkFilled(what, text string) {
	if text == "" {
		r.report("%s must not be empty", what)
	}
}

// checkEnd says whether an end of an edge can be the id of a node.
func (r *recorder) checkEnd(what, id string) bool {
	switch {
	case id == "":
		r.report("%s must be the id of a node, not empty", what)
	case len(id) > MaxID:
		r.report("%s must be the id of a node, of at most %d bytes, not %d: %s", what, MaxID, len(id), show.Quote(id))
	default:
		return true
	}
	return false
}

func (r *recorder) checkSpan(s Span) {
	if s == (Span{}) {
		return
	}
	for _, m := range []struct {
		name   string
		number int
	}{{"start_line", s.StartLine}, {"start_column", s.StartColumn}, {"end_line", s.EndLine}, {"end_column", s.EndColumn}} {
		if m.number < 0 || m.number > math.MaxInt32 {
			r.report("%s must be an integer from 1 to 2147483647, not %s", m.name, show.Number(strconv.AppendInt(nil, int64(m.number), 10)))
		}
	}
	if s.StartLine == 0 {
		r.report("missing member %s: %s", show.Quote("start_line"), "a span has an integer from 1 to 2147483647")
	}
}

// checkEvidence checks the evidence of an edge and keeps its sites.
func (r *recorder) checkEvidence(list []Evidence) {
	r.sites = r.sites[:0]
	if len(list) == 0 {
		r.report("evidence must have at least one record")
	}
	for i := range list {
		v := &list[i]
		if LaneOf(v.Lane) == 0 {
			r.report("lane must be one of %s, not %s", LaneNames, show.Quote(v.Lane))
		}
		r.checkFilled("backend", v.Backend)
		r.checkConfidence(v.Confidence)
		r.sites = append(r.sites, Site{textOf(v.Attributes[UnresolvedReason]), textOf(v.Attributes[Mention]), v.Provenance, v.Provenance != ""})
	}
}

func (r *recorder) checkConfidence(v any) {
	switch v.(type) {
	case nil, string, int, int64, float64, float32:
		return
	}
	text, err := canonicalJSON(v)
	if err != nil {
		return // reported already
	}
	wrong := map[byte]string{'{': "an object", '[': "an array", 't': "a boolean", 'f': "a boolean"}[text[0]]
	if wrong != "" {
		r.report("confidence must be a number, a string or null, not %s", wrong)
	}
}

// textOf is the text of a value that is a string in JSON, else "".
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := canonicalJSON(v)
	if err != nil || text.Kind() != '"' {
		return ""
	}
	plain, _ := jsontext.AppendUnquote(nil, text)
	return string(plain)
}

// checkLanguages checks that a resolution has an object for each language.
func (r *recorder) checkLanguages(resolution []byte) {
	var languages map[string]jsontext.Value
	if r.faulty || json.Unmarshal(resolution, &languages) != nil {
		return
	}
	for _, name := range canon.SortedNames(languages) {
		if kind := languages[name].Kind(); kind != '{' {
			r.report("the resolution of language %s must be an object, not %s", show.Quote(name), kind)
		}
	}
}

// holds says whether a flag with a value holds.
func holds(value []byte) bool {
	switch string(value) {
	case "", "false", "null", `""`, "[]", "{}":
		return false
	}
	return true
}

// figure is a metric of the node that is checked: an integer from 0, else -1.
func (r *recorder) figure(which int) int64 {
	at := r.encoder.figures[which]
	value := r.encoder.out[at.start:at.end]
	if len(value) == 0 || value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return -1
	}
	if n, ok := number.Integer(value); ok && n >= 0 {
		return n
	}
	return -1
}

// header checks a header and gives it in canonical form.
func (r *recorder) header(h *Header) *RecordHeader {
	r.start("", origin{})
	out := &RecordHeader{Root: h.Root, RepositoryID: h.RepositoryID, Generator: r.generator(h.Generator), Scope: []byte("{}")}
	r.checkFilled("root", h.Root)
	r.checkFilled("the repository's id", h.RepositoryID)
	if !utf8.ValidString(h.Root + h.RepositoryID) {
		r.report("%s", errNotUTF8)
	}
	if h.Scope != nil {
		out.Scope = r.object("scope", h.Scope)
	}
	if h.Resolution != nil {
		out.Resolution = r.object("metrics.resolution", h.Resolution)
		r.checkLanguages(out.Resolution)
	}
	return out
}

func (r *recorder) generator(g Generator) []byte {
	if g == (Generator{}) {
		return nil
	}
	e := encoder{out: []byte{'{'}}
	e.optional(0, "name", g.Name)
	e.optional(0, "version", g.Version)
	if e.err != nil {
		r.report("%s", e.err)
	}
	return append(e.out, '}')
}

// object is a value that must be an object, in canonical form.
func (r *recorder) object(what string, v any) []byte {
	text, err := canonicalJSON(v)
	switch {
	case err != nil:
		r.report("%s: %s", what, err)
	case text.Kind() != '{':
		r.report("%s must be an object, not %s", what, text.Kind())
	}
	return text
}
