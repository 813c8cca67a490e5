package scip

import (
	"unicode/utf8"

	"brick/model"
)

// An emitter hands the model's records to a sink, and counts them. After an
// error of the sink it hands over nothing.
type emitter struct {
	sink model.Sink
	err  error

	nodes, edges int
}

func (m *emitter) node(n *model.Node) {
	m.nodes++
	for _, text := range []*string{&n.ID, &n.Kind, &n.Name, &n.QualifiedName, &n.Language, &n.Path} {
		*text = mended(*text)
	}
	for name, value := range n.Attributes {
		n.Attributes[name] = mendedValue(value)
	}
	if m.err == nil {
		m.err = m.sink.Node(n)
	}
}

func (m *emitter) edge(e *edge) {
	m.edges++
	out := &model.Edge{
		ID: mended(model.EdgeID(e.kind, e.source, e.target)), Kind: e.kind, Source: mended(e.source), Target: mended(e.target),
		Evidence: make([]model.Evidence, len(e.evidence)),
	}
	for i, v := range e.evidence {
		out.Evidence[i] = model.Evidence{Lane: v.lane, Backend: mended(v.backend), Provenance: mended(v.provenance)}
		if v.attribute != "" {
			out.Evidence[i].Attributes = map[string]any{v.attribute: mended(v.value)}
		}
		if v.second != "" {
			out.Evidence[i].Attributes[v.second] = mended(v.secondValue)
		}
	}
	if m.err == nil {
		m.err = m.sink.Edge(out)
	}
}

// mended is a text that is UTF-8. Texts that come from the sources and names
// of files need not be; what isn't is replaced, byte by byte.
func mended(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

func mendedValue(value any) any {
	switch value := value.(type) {
	case string:
		return mended(value)
	case []string:
		for i := range value {
			value[i] = mended(value[i])
		}
	}
	return value
}

// placed is a span as models have it, from 1; zero when it is out of their
// bounds.
func (s span) placed() model.Span {
	const most = 1<<31 - 2
	for _, v := range []int32{s.start.line, s.start.column, s.end.line, s.end.column} {
		if v < 0 || v > most {
			return model.Span{}
		}
	}
	return model.Span{StartLine: int(s.start.line) + 1, StartColumn: int(s.start.column) + 1, EndLine: int(s.end.line) + 1, EndColumn: int(s.end.column) + 1}
}
