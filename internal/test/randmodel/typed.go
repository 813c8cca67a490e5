package randmodel

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"brick/model"
)

// Producer gives the document's model record by record, without the members
// that package model has no place for.
func (d *Doc) Producer() model.Producer { return producer{d} }

type producer struct{ *Doc }

// Produce implements model.Producer.
func (p producer) Produce(_ context.Context, sink model.Sink) (*model.Header, error) {
	for i, o := range p.Nodes {
		if i == len(p.Nodes)/2 { // in between, to see that the order is free
			if err := p.edges(sink); err != nil {
				return nil, err
			}
		}
		if err := sink.Node(typedNode(o)); err != nil {
			return nil, err
		}
	}
	if len(p.Nodes) == 0 {
		if err := p.edges(sink); err != nil {
			return nil, err
		}
	}
	top := Object(p.Top)
	repository, _ := top.Get("repositories").(Array)[0].(Object)
	h := &model.Header{Root: top.text("root"), RepositoryID: repository.text("id"), Scope: typedValue(top.Get("scope"))}
	if g, ok := top.Get("generator").(Object); ok {
		h.Generator = model.Generator{Name: g.text("name"), Version: g.text("version")}
	}
	if m, ok := top.Get("metrics").(Object); ok && m.has("resolution") {
		h.Resolution = typedValue(m.Get("resolution"))
	}
	return h, nil
}

func (p producer) edges(sink model.Sink) error {
	for _, o := range p.Edges {
		if err := sink.Edge(typedEdge(o)); err != nil {
			return err
		}
	}
	return nil
}

func typedNode(o Object) *model.Node {
	n := &model.Node{
		ID: o.text("id"), Kind: o.text("kind"), Name: o.text("name"), QualifiedName: o.text("qualified_name"),
		Language: o.text("language"), Path: o.text("path"), Attributes: typedAttributes(o),
	}
	if span, ok := o.Get("span").(Object); ok {
		// Spans may be written in odd ways: the line is what counts.
		n.Span = model.Span{StartLine: 1 + len(span), StartColumn: 1, EndLine: 9}
	}
	return n
}

func typedEdge(o Object) *model.Edge {
	e := &model.Edge{ID: o.text("id"), Kind: o.text("kind"), Source: o.text("source"), Target: o.text("target"), Attributes: typedAttributes(o)}
	list, _ := o.Get("evidence").(Array)
	for _, v := range list {
		v := v.(Object)
		evidence := model.Evidence{Lane: v.text("lane"), Backend: v.text("backend"), Provenance: v.text("provenance"), Attributes: typedAttributes(v)}
		if c := v.Get("confidence"); c != nil {
			evidence.Confidence = typedValue(c)
		}
		e.Evidence = append(e.Evidence, evidence)
	}
	return e
}

func typedAttributes(o Object) map[string]any {
	object, _ := o.Get("attributes").(Object)
	attributes := map[string]any{}
	for _, m := range object {
		attributes[m.Name] = typedValue(m.Value)
	}
	return attributes
}

// typedValue is a value as a Go program has it; numbers stay as they are
// written.
func typedValue(v Value) any {
	switch v := v.(type) {
	case Number:
		return jsontext.Value(v)
	case Array:
		list := []any{}
		for _, e := range v {
			list = append(list, typedValue(e))
		}
		return list
	case Object:
		object := map[string]any{}
		for _, m := range v {
			object[m.Name] = typedValue(m.Value)
		}
		return object
	}
	return v
}
