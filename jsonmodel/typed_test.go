package jsonmodel

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brick/model"
)

// typedModel is a producer of a few records.
type typedModel struct {
	nodes []*model.Node
	edges []*model.Edge
}

func (m *typedModel) Produce(_ context.Context, sink model.Sink) (*model.Header, error) {
	for _, n := range m.nodes {
		if err := sink.Node(n); err != nil {
			return nil, err
		}
	}
	for _, e := range m.edges {
		if err := sink.Edge(e); err != nil {
			return nil, err
		}
	}
	return &model.Header{Root: ".", RepositoryID: "r"}, nil
}

var typedTexts = rapid.SampledFrom([]string{"", "a", "é\u2028\"\\\b\x7f", "\U0001F600", "\uE000", "<>&", strings.Repeat("x", model.MaxID), strings.Repeat("y", model.MaxID+1)})

var typedNumbers = rapid.SampledFrom([]int{0, 0, 1, 1, 7, math.MaxInt32, math.MaxInt32 + 1, -1})

// typedValues are values of attributes, as Go programs write them.
var typedValues = rapid.SampledFrom([]any{
	nil, true, false, "", "text", 0, 3, -3, int64(1) << 60, uint8(7), 0.5, 3.0, 1e300, float32(2), []string{}, []string{"b", "a"}, []any{}, []any{1, "x", nil},
	map[string]any{}, map[string]any{"\U0001F600": 1, "\uE000": 2, "a": []any{map[string]any{"b": 1}}}, map[string]int{"z": 1, "a": 2},
	struct {
		B int    `json:"b"`
		A string `json:"a,omitempty"`
	}{1, ""}, model.Span{StartLine: 1}, fmt.Stringer(nil), namedText("dynamic"), namedText(""),
})

type namedText string

var typedAttributes = rapid.Custom(func(t *rapid.T) map[string]any {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{
		model.Virtual, model.TraitImpl, model.Exported, model.ParseIncomplete, model.MetricLines, model.MetricNesting, model.UnresolvedReason, "other", "\uE000", "\U0001F600", "",
	}), 0, 5).Draw(t, "names")
	attributes := map[string]any{}
	for _, name := range names {
		attributes[name] = typedValues.Draw(t, "value")
	}
	return attributes
})

var typedNodes = rapid.Custom(func(t *rapid.T) *model.Node {
	text := func() string { return typedTexts.Draw(t, "text") }
	number := func() int { return typedNumbers.Draw(t, "number") }
	return &model.Node{
		ID: text(), Kind: text(), Name: text(), QualifiedName: text(), Language: text(), Path: text(),
		Span: model.Span{StartLine: number(), StartColumn: number(), EndLine: number(), EndColumn: number()}, Attributes: typedAttributes.Draw(t, "attributes"),
	}
})

var typedEdges = rapid.Custom(func(t *rapid.T) *model.Edge {
	text := func() string { return typedTexts.Draw(t, "text") }
	e := &model.Edge{ID: text(), Kind: rapid.SampledFrom([]string{"calls", "unresolved_call", "name_reference", ""}).Draw(t, "kind"), Source: text(), Target: text(), Attributes: typedAttributes.Draw(t, "attributes")}
	for range rapid.IntRange(0, 8).Draw(t, "evidence") {
		e.Evidence = append(e.Evidence, model.Evidence{
			Lane:    rapid.SampledFrom([]string{"imported", "Symbolic", "SYNTACTIC", "heuristic", "imported", "ſymbolic", ""}).Draw(t, "lane"),
			Backend: rapid.SampledFrom([]string{"b", "b", "c", ""}).Draw(t, "backend"), Confidence: typedValues.Draw(t, "confidence"),
			Provenance: rapid.SampledFrom([]string{"", "a:1:2", "b:1:2", "c:1", "d", "e", "f"}).Draw(t, "provenance"),
			Attributes: typedAttributes.Draw(t, "attributes"),
		})
	}
	return e
})

// messages are what is wrong, without the places.
func messages(faults []model.Fault) (list []string) {
	for _, f := range faults {
		list = append(list, f.Message+" "+f.ID)
	}
	slices.Sort(list)
	return list
}

// A record in memory says what its JSON says, and is refused for the same
// reasons in the same words.
func TestTypedRecordsAreTheirJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &typedModel{}
		var document string
		if rapid.Bool().Draw(t, "is an edge") {
			e := typedEdges.Draw(t, "edge")
			record, err := model.AppendEdge(nil, e)
			if err != nil {
				t.Fatal(err)
			}
			m.edges, document = append(m.edges, e), text("", string(record))
		} else {
			n := typedNodes.Draw(t, "node")
			record, err := model.AppendNode(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			m.nodes, document = append(m.nodes, n), text(string(record), "")
		}
		got, faults := newRecorder(), model.NewFaults(100)
		if _, err := model.Checked(m).ProduceRecords(t.Context(), func() model.RecordSink { return got }, faults); err != nil {
			t.Fatal(err)
		}
		want, wantFaults := newRecorder(), model.NewFaults(100)
		if _, err := Read(strings.NewReader(document), Options{Workers: 1}).ProduceRecords(t.Context(), func() model.RecordSink { return want }, wantFaults); err != nil {
			t.Fatal(err)
		}
		if got, want := messages(faults.List()), messages(wantFaults.List()); !slices.Equal(got, want) {
			t.Fatalf("faults\n%s\nof the JSON\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), document)
		}
		withoutPlaces(got)
		withoutPlaces(want)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("\n got %+v\nwant %+v", got, want)
		}
	})
}

// withoutPlaces drops what only a document has, and what is not defined of
// records with faults.
func withoutPlaces(r *recorder) {
	for i, n := range r.nodes {
		n.IDPlace = model.Place{}
		if n.Faulty {
			n = model.NodeRecord{Faulty: true, ID: n.ID, Kind: n.Kind, RefusedIDs: n.RefusedIDs}
		}
		r.nodes[i] = n
	}
	for i, e := range r.edges {
		e.IDPlace, e.SourcePlace, e.TargetPlace = model.Place{}, model.Place{}, model.Place{}
		if e.Faulty {
			e = model.EdgeRecord{Faulty: true, ID: e.ID, Kind: e.Kind, Source: e.Source, Target: e.Target}
		}
		r.edges[i] = e
	}
}
