package scan

import (
	"fmt"

	"brick/model"
	"brick/scan/facts"
)

// edges are those that start in one file, in the order of their first
// evidence. Each kind, source and target has one edge.
type edges struct {
	list []*model.Edge
	by   map[edgeKey]*model.Edge
}

type edgeKey struct{ kind, source, target string }

func newEdges() *edges { return &edges{by: map[edgeKey]*model.Edge{}} }

func (es *edges) add(kind, source, target string, v model.Evidence) {
	key := edgeKey{kind, source, target}
	e := es.by[key]
	if e == nil {
		e = &model.Edge{ID: model.EdgeID(kind, source, target), Kind: kind, Source: source, Target: target}
		es.by[key] = e
		es.list = append(es.list, e)
	}
	e.Evidence = append(e.Evidence, v)
}

func (es *edges) has(kind, source, target string) bool {
	return es.by[edgeKey{kind, source, target}] != nil
}

// evidence is a record of what a place in the file shows.
func (f *fileModel) evidence(at facts.Place, lane string) model.Evidence {
	return model.Evidence{Lane: lane, Backend: f.backend, Provenance: fmt.Sprintf("%s:%d:%d", f.Path, at.Line, at.Column)}
}
