package jsonmodel

import (
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"brick/model"
)

func records(texts ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, text := range texts {
			if !yield([]byte(text), nil) {
				return
			}
		}
	}
}

// Records that are kept as texts say what they say in a document.
func TestStored(t *testing.T) {
	nodes := []string{node(`,"span":{"start_line":3}`), `{"attributes":{"source.virtual":1},"id":"m","kind":"method","name":"m"}`}
	edges := []string{edgeWith(evidenceText)}
	want := readWith(t, text(strings.Join(nodes, ","), strings.Join(edges, ",")), 1)
	got, faults := newRecorder(), model.NewFaults(testLimit)
	s := &Stored{Header: model.RecordHeader{Root: ".", RepositoryID: "r", Scope: []byte("{}")}, Nodes: records(nodes...), Edges: records(edges...)}
	header, err := s.ProduceRecords(t.Context(), func() model.RecordSink { return got }, faults)
	if err != nil || faults.Total() > 0 {
		t.Fatalf("error %v, faults %v", err, faults.List())
	}
	if !reflect.DeepEqual(header, want.header) {
		t.Errorf("header %+v, want %+v", header, want.header)
	}
	withoutPlaces(got)
	withoutPlaces(want.recorder)
	if !reflect.DeepEqual(got, want.recorder) {
		t.Errorf("\n got %+v\nwant %+v", got, want.recorder)
	}
}

func TestStoredFaults(t *testing.T) {
	faults := model.NewFaults(testLimit)
	s := &Stored{
		Header: model.RecordHeader{Root: ".", RepositoryID: "r", Scope: []byte("[]"), Generator: []byte("{"), Resolution: []byte(`{"go":1}`)},
		Nodes:  records(node(""), `{"id":`, node(`,"id":"n"`), node(`,"repository_id":"s"`)),
		Edges:  records(edgeWith(evidenceText), "", `[]`, edge("")),
	}
	if _, err := s.ProduceRecords(t.Context(), func() model.RecordSink { return newRecorder() }, faults); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults.List() {
		got = append(got, f.Line("records"))
	}
	slices.Sort(got)
	want := []string{
		`records: /edges/1: the record is no JSON`,
		`records: /edges/2: an edge must be an object, not an array`,
		`records: /edges/3: missing member "evidence": an edge has an array of at least one evidence record (id "e")`,
		`records: /generator: generator is no JSON`,
		`records: /metrics/go: the resolution of language "go" must be an object, not a number`,
		`records: /nodes/1: the record is no JSON`,
		`records: /nodes/2/id: duplicate name "id": the object has a member of this name already (id "n")`,
		`records: /nodes/3/repository_id: repository_id must be "r", the id of the sole repository, not "s" (id "n")`,
		`records: /scope: scope must be an object, not an array`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What can't be read is the machine's fault, not the model's.
func TestStoredError(t *testing.T) {
	broken := errors.New("broken")
	s := &Stored{
		Header: model.RecordHeader{Root: ".", RepositoryID: "r", Scope: []byte("{}")},
		Nodes:  func(yield func([]byte, error) bool) { yield(nil, broken) }, Edges: records(),
	}
	if _, err := s.ProduceRecords(t.Context(), func() model.RecordSink { return newRecorder() }, model.NewFaults(1)); err != broken {
		t.Errorf("error %v", err)
	}
}
