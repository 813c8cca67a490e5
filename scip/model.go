package scip

import (
	"bufio"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A modelWriter writes a Brick JSON document, a record a line: the edges as
// they come, then the nodes, which are known when all edges are.
type modelWriter struct {
	w     *bufio.Writer
	first bool // the array that is open has no record yet
	err   error

	nodes, edges int
}

func newModelWriter(w io.Writer) *modelWriter {
	return &modelWriter{w: bufio.NewWriterSize(w, 1<<18)}
}

// text writes what stands between the records.
func (m *modelWriter) text(text string) {
	if _, err := m.w.WriteString(text); err != nil && m.err == nil {
		m.err = err
	}
}

// The same model always gives the same bytes. Names of files may be no UTF-8;
// what isn't is replaced.
var recordOptions = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// value writes a value.
func (m *modelWriter) value(v any) {
	if err := json.MarshalWrite(m.w, v, recordOptions); err != nil && m.err == nil {
		m.err = err
	}
}

// array starts a member of the document.
func (m *modelWriter) array(name string) {
	m.text("\"" + name + "\":[")
	m.first = true
}

// record writes an element of the open array.
func (m *modelWriter) record(v any) {
	if m.first {
		m.text("\n")
		m.first = false
	} else {
		m.text(",\n")
	}
	m.value(v)
}

func (m *modelWriter) node(n nodeRecord) {
	m.nodes++
	m.record(n)
}

func (m *modelWriter) edge(e *edge) {
	m.edges++
	r := edgeRecord{ID: e.id(), Kind: e.kind, Source: e.source, Target: e.target, Evidence: make([]evidenceRecord, len(e.evidence))}
	for i, v := range e.evidence {
		r.Evidence[i] = evidenceRecord{Lane: v.lane, Backend: v.backend, Provenance: v.provenance}
		if v.attribute != "" {
			r.Evidence[i].Attributes = map[string]string{v.attribute: v.value}
		}
		if v.second != "" {
			r.Evidence[i].Attributes[v.second] = v.secondValue
		}
	}
	m.record(r)
}

func (m *modelWriter) close() error {
	if err := m.w.Flush(); err != nil && m.err == nil {
		m.err = err
	}
	return m.err
}

type nodeRecord struct {
	ID         string         `json:"id"`
	Kind       string         `json:"kind"`
	Name       string         `json:"name"`
	Qualified  string         `json:"qualified_name,omitempty"`
	Language   string         `json:"language,omitempty"`
	Path       string         `json:"path,omitempty"`
	Span       *spanRecord    `json:"span,omitzero"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

type spanRecord struct {
	StartLine   int `json:"start_line"`
	StartColumn int `json:"start_column"`
	EndLine     int `json:"end_line"`
	EndColumn   int `json:"end_column"`
}

type edgeRecord struct {
	ID       string           `json:"id"`
	Kind     string           `json:"kind"`
	Source   string           `json:"source"`
	Target   string           `json:"target"`
	Evidence []evidenceRecord `json:"evidence"`
}

type evidenceRecord struct {
	Lane       string            `json:"lane"`
	Backend    string            `json:"backend"`
	Provenance string            `json:"provenance,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// record is a span in Brick JSON, which counts from 1; nil when it is out of
// the bounds there.
func (s span) record() *spanRecord {
	const most = 1<<31 - 2
	for _, v := range []int32{s.start.line, s.start.column, s.end.line, s.end.column} {
		if v < 0 || v > most {
			return nil
		}
	}
	return &spanRecord{int(s.start.line) + 1, int(s.start.column) + 1, int(s.end.line) + 1, int(s.end.column) + 1}
}
