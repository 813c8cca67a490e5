package index_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brick/index"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
	"brick/jsonmodel"
	"brick/model"
	"brick/scip"
	"brick/store"
)

// indexOf builds an index and returns its bytes.
func indexOf(t testbuild.TB, dir string, p model.RecordProducer) []byte {
	t.Helper()
	path := filepath.Join(dir, "x.idx")
	w, err := store.Create(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	_, _, err = index.Build(context.Background(), p, w, index.Options{})
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatalf("%v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return data
}

// documentOf is the JSON of a model.
func documentOf(t testbuild.TB, p model.Producer) []byte {
	t.Helper()
	var document bytes.Buffer
	if err := model.WriteJSON(context.Background(), &document, p); err != nil {
		t.Fatalf("%v", err)
	}
	return document.Bytes()
}

func checkSameIndex(t testbuild.TB, dir string, p func() model.Producer) {
	t.Helper()
	document := documentOf(t, p())
	if !bytes.Equal(indexOf(t, dir, model.Checked(p())), indexOf(t, dir, jsonmodel.Read(bytes.NewReader(document), jsonmodel.Options{}))) {
		t.Fatalf("the index of a model is not that of its JSON:\n%s", document)
	}
}

// The index of a model in memory and that of its JSON are the same bytes.
func TestIndexOfAModelIsThatOfItsJSON(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		d := randmodel.Gen(randmodel.Options{}).Draw(t, "model")
		checkSameIndex(t, dir, d.Producer)
	})
}

// So are those of the samples that SCIP indexers wrote.
func TestIndexOfSCIPIsThatOfItsJSON(t *testing.T) {
	const samples = "../testdata/scip"
	for _, language := range []string{"go", "typescript", "python"} {
		for _, source := range []string{filepath.Join(samples, language), ""} {
			checkSameIndex(t, t.TempDir(), func() model.Producer {
				return scip.New([]string{filepath.Join(samples, language+".scip")}, scip.Options{Source: source, Repository: "r"})
			})
		}
	}
}

// faultyModel has faults that only show between records, and one that doesn't.
type faultyModel struct{}

func (faultyModel) Produce(_ context.Context, sink model.Sink) (*model.Header, error) {
	evidence := []model.Evidence{{Lane: model.Symbolic, Backend: "b", Provenance: "a.go:7:2"}}
	var err error
	for _, n := range []*model.Node{
		{ID: "n", Kind: model.Function, Path: "a.go", Span: model.Span{StartLine: 3}},
		{ID: "n", Kind: model.Function, Path: "b.go", Span: model.Span{StartLine: 4}},
		{ID: "k", Path: "c.go"},
	} {
		err = errors.Join(err, sink.Node(n))
	}
	for _, e := range []*model.Edge{
		{ID: "e", Kind: model.Calls, Source: "n", Target: "none", Evidence: evidence},
		{ID: "f", Kind: model.Calls, Source: "none", Target: "k", Evidence: evidence},
		{ID: "e", Kind: model.UnresolvedCall, Source: "n", Target: "n", Evidence: evidence},
	} {
		err = errors.Join(err, sink.Edge(e))
	}
	return &model.Header{RepositoryID: "r"}, err
}

// What is wrong with a model in memory is found as in a document, and says
// where in the sources the records are of.
func TestFaultsOfAModelInMemory(t *testing.T) {
	_, _, err := index.Check(t.Context(), model.Checked(faultyModel{}), t.TempDir(), index.Options{})
	var refused *model.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("error %v", err)
	}
	var got []string
	for _, f := range refused.Faults {
		got = append(got, f.Line("scan"))
	}
	want := []string{
		`scan: b.go:4: the id is used twice, first at a.go:3 (id "n")`,
		`scan: c.go: kind must not be empty (id "k")`,
		`scan: a.go:7:2: target "none" is not the id of a node of this document (id "e")`,
		`scan: a.go:7:2: source "none" is not the id of a node of this document (id "f")`,
		`scan: a.go:7:2: the id is used twice, first at a.go:7:2 (id "e")`,
		`scan: a.go:7:2: the target of an unresolved_call must be a node of kind "unresolved_symbol", and "n" is none (id "e")`,
		`scan: the model: root must not be empty`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
