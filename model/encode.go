package model

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
)

// AppendNode appends the canonical record of a node: docs/brick-json.md says
// what that is. It does not check the node; the error is that a value in it is
// none that JSON has, and what is appended is then nothing to use.
func AppendNode(dst []byte, n *Node) ([]byte, error) {
	e := encoder{out: dst}
	e.node(n)
	return e.out, e.err
}

// AppendEdge appends the canonical record of an edge, as AppendNode does.
func AppendEdge(dst []byte, edge *Edge) ([]byte, error) {
	e := encoder{out: dst}
	e.edge(edge)
	return e.out, e.err
}

// maxLevels is how many arrays and objects may be open at once in a record: in
// a document two are open around it, of at most 1,000.
const maxLevels = 998

var (
	errTooDeep = errors.New("more than 1000 arrays and objects are open at once")
	errNotUTF8 = errors.New("a text is not UTF-8")
)

// An encoder writes one record in canonical form: the members of each object
// in the order of their names.
type encoder struct {
	out  []byte
	err  error // the first one
	idAt int   // where the record's id is in out
	// flags are where the values of a node's flags are in out, figures those
	// of its metrics; zero for none.
	flags   [FlagCount]extent
	figures [figureCount]extent
}

type extent struct{ start, end int }

// The figures of nodes, in the order of type Figures.
const (
	figureLines = iota
	figureCyclomatic
	figureParameters
	figureNesting
	figureCount
)

func figureOf(attribute string) int {
	switch attribute {
	case MetricLines:
		return figureLines
	case MetricCyclomatic:
		return figureCyclomatic
	case MetricParameters:
		return figureParameters
	case MetricNesting:
		return figureNesting
	}
	return figureCount
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) node(n *Node) {
	start := len(e.out)
	e.out = append(e.out, '{')
	if len(n.Attributes) > 0 {
		e.name(start, "attributes")
		e.nodeAttributes(n.Attributes)
	}
	e.id(start, n.ID)
	e.text(start, "kind", n.Kind)
	e.optional(start, "language", n.Language)
	e.text(start, "name", n.Name)
	e.optional(start, "path", n.Path)
	e.optional(start, "qualified_name", n.QualifiedName)
	if n.Span != (Span{}) {
		e.name(start, "span")
		e.span(n.Span)
	}
	e.out = append(e.out, '}')
}

func (e *encoder) nodeAttributes(attributes map[string]any) {
	start := len(e.out)
	e.out = append(e.out, '{')
	for _, name := range canon.SortedNames(attributes) {
		e.name(start, name)
		at := len(e.out)
		e.value(attributes[name], 2)
		if flag := FlagOf(name); flag != FlagCount {
			e.flags[flag] = extent{at, len(e.out)}
		} else if figure := figureOf(name); figure != figureCount {
			e.figures[figure] = extent{at, len(e.out)}
		}
	}
	e.out = append(e.out, '}')
}

func (e *encoder) span(s Span) {
	start := len(e.out)
	e.out = append(e.out, '{')
	for _, m := range []struct {
		name   string
		number int
	}{{"end_column", s.EndColumn}, {"end_line", s.EndLine}, {"start_column", s.StartColumn}, {"start_line", s.StartLine}} {
		if m.number != 0 {
			e.name(start, m.name)
			e.out = strconv.AppendInt(e.out, int64(m.number), 10)
		}
	}
	e.out = append(e.out, '}')
}

func (e *encoder) edge(edge *Edge) {
	start := len(e.out)
	e.out = append(e.out, '{')
	if len(edge.Attributes) > 0 {
		e.name(start, "attributes")
		e.value(edge.Attributes, 1)
	}
	e.name(start, "evidence")
	e.out = append(e.out, '[')
	for i := range edge.Evidence {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.evidence(&edge.Evidence[i])
	}
	e.out = append(e.out, ']')
	e.id(start, edge.ID)
	e.text(start, "kind", edge.Kind)
	e.text(start, "source", edge.Source)
	e.text(start, "target", edge.Target)
	e.out = append(e.out, '}')
}

func (e *encoder) evidence(v *Evidence) {
	start := len(e.out)
	e.out = append(e.out, '{')
	if len(v.Attributes) > 0 {
		e.name(start, "attributes")
		e.value(v.Attributes, 3)
	}
	e.text(start, "backend", v.Backend)
	if v.Confidence != nil {
		e.name(start, "confidence")
		e.value(v.Confidence, 3)
	}
	e.text(start, "lane", v.Lane)
	e.optional(start, "provenance", v.Provenance)
	e.out = append(e.out, '}')
}

// name begins a member of the object that starts at start.
func (e *encoder) name(start int, name string) {
	if len(e.out) > start+1 {
		e.out = append(e.out, ',')
	}
	e.string(name)
	e.out = append(e.out, ':')
}

func (e *encoder) text(start int, name, text string) {
	e.name(start, name)
	e.string(text)
}

func (e *encoder) optional(start int, name, text string) {
	if text != "" {
		e.text(start, name, text)
	}
}

func (e *encoder) id(start int, id string) {
	e.name(start, "id")
	e.idAt = len(e.out)
	e.string(id)
}

func (e *encoder) string(text string) {
	var err error
	if e.out, err = jsontext.AppendQuote(e.out, text); err != nil {
		e.fail(errNotUTF8)
	}
}

// value writes a value in which and around which levels objects and arrays
// are open.
func (e *encoder) value(v any, levels int) {
	switch v := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case string:
		e.string(v)
	case bool:
		e.out = strconv.AppendBool(e.out, v)
	case int:
		e.out = strconv.AppendInt(e.out, int64(v), 10)
	case int64:
		e.out = strconv.AppendInt(e.out, v, 10)
	case []string:
		e.elements(len(v), levels, func(i int) { e.string(v[i]) })
	case []any:
		e.elements(len(v), levels, func(i int) { e.value(v[i], levels+1) })
	case map[string]any:
		e.members(v, levels)
	default:
		e.marshalled(v, levels)
	}
}

func (e *encoder) elements(n, levels int, element func(i int)) {
	if levels >= maxLevels {
		e.fail(errTooDeep)
		return
	}
	e.out = append(e.out, '[')
	for i := range n {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		element(i)
	}
	e.out = append(e.out, ']')
}

func (e *encoder) members(object map[string]any, levels int) {
	if levels >= maxLevels {
		e.fail(errTooDeep)
		return
	}
	start := len(e.out)
	e.out = append(e.out, '{')
	for _, name := range canon.SortedNames(object) {
		e.name(start, name)
		e.value(object[name], levels+1)
	}
	e.out = append(e.out, '}')
}

// marshalled writes any other value that JSON can have.
func (e *encoder) marshalled(v any, levels int) {
	text, err := canonicalJSON(v)
	if err != nil {
		e.fail(err)
		return
	}
	if levels+nesting(text) > maxLevels {
		e.fail(errTooDeep)
	}
	e.out = append(e.out, text...)
}

// canonicalJSON is what json.Marshal makes of a value, in canonical form:
// numbers stay as they are written.
func canonicalJSON(v any) (jsontext.Value, error) {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("a value is none of JSON: %w", err)
	}
	value := jsontext.Value(text)
	err = value.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	return value, err
}

// nesting is how many arrays and objects are open at once in a text.
func nesting(text jsontext.Value) (most int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\' && quoted:
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			most = max(most, depth)
		case b == '}' || b == ']':
			depth--
		}
	}
	return most
}
