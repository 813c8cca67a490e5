package jsonmodel

import (
	"crypto/sha256"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"brick/model"
)

func TestReadNode(t *testing.T) {
	got := readText(t, text(`{"path":"a/b.go","id":"n\u0031","kind":"method","name":"","qualified_name":"q","language":"go",`+
		`"span":{"start_line":3.0,"end_line":3e1,"start_column":2147483647},"repository_id":"r",`+
		`"attributes":{"source.exported":{"b":1, "a":"\u0041"},"metrics.lines":12,"source.virtual":true,"metrics.nesting":0}},`+
		`{"id":"m","kind":"k","name":"x","language":"","path":"","qualified_name":""}`, ""))
	if got.total != 0 {
		t.Fatal(got.faults)
	}
	record := `{"attributes":{"metrics.lines":12,"metrics.nesting":0,"source.exported":{"a":"A","b":1},"source.virtual":true},` +
		`"id":"n1","kind":"method","language":"go","name":"","path":"a/b.go","qualified_name":"q","repository_id":"r",` +
		`"span":{"end_line":3e1,"start_column":2147483647,"start_line":3.0}}`
	offset := strings.Index(text("", ""), `],"edges"`) + len(`{"path":"a/b.go","id":`)
	want := model.NodeRecord{
		Index: 0, Record: []byte(record), Digest: sha256.Sum256([]byte(record)),
		ID: "n1", IDPlace: model.Place{Offset: int64(offset), Line: 1, Column: offset + 1}, IDOffset: strings.Index(record, `"n1"`),
		Kind: "method", QualifiedName: "q", Language: "go", Path: "a/b.go", Span: model.Span{StartLine: 3, StartColumn: math.MaxInt32, EndLine: 30},
		Flags:   []model.FlagValue{{Flag: model.FlagVirtual, Value: []byte("true")}, {Flag: model.FlagExported, Value: []byte(`{"a":"A","b":1}`)}},
		Figures: model.Figures{Lines: 12, Cyclomatic: -1, Parameters: -1, Nesting: 0},
	}
	if !reflect.DeepEqual(got.nodes[0], want) {
		t.Errorf("\n got %+v\nwant %+v", got.nodes[0], want)
	}
	record = `{"id":"m","kind":"k","language":"","name":"x","path":"","qualified_name":""}`
	if n := got.nodes[1]; string(n.Record) != record || n.Language != "" || n.Path != "" || n.QualifiedName != "" || n.Span != (model.Span{}) || n.Flags != nil {
		t.Errorf("got %+v", n)
	}
}

func TestReadFlags(t *testing.T) {
	for _, test := range []struct {
		value string
		holds bool
	}{
		{"false", false}, {"null", false}, {`""`, false}, {"[]", false}, {"{}", false},
		{"[ ]", false}, {"{\n}", false},
		{"true", true}, {"0", true}, {"0.0", true}, {`"x"`, true}, {`" "`, true}, {`"false"`, true},
		{`"\u0000"`, true}, {"[null]", true}, {"[[]]", true}, {`{"":{}}`, true},
	} {
		got := readText(t, text(node(`,"attributes":{"source.test-code":`+test.value+`}`), ""))
		if holds := len(got.nodes[0].Flags) == 1; got.total != 0 || holds != test.holds {
			t.Errorf("%s: %v, want %v", test.value, holds, test.holds)
		}
	}

	// Every flag, in the order of a caller report whatever the order of names.
	names := []string{"virtual", "trait-impl", "external-base", "framework-attribute", "implicit-invocation",
		"outside-class-member", "parse-incomplete", "entry-point", "test-code", "exported", "external-linkage"}
	var attributes []string
	var want []model.FlagValue
	for i, name := range names {
		attributes = append([]string{fmt.Sprintf(`"source.%s":%d`, name, i)}, attributes...)
		want = append(want, model.FlagValue{Flag: model.Flag(i), Value: fmt.Append(nil, i)})
	}
	got := readText(t, text(node(`,"attributes":{`+strings.Join(attributes, ",")+`}`), ""))
	if !reflect.DeepEqual(got.nodes[0].Flags, want) {
		t.Errorf("got %v, want %v", got.nodes[0].Flags, want)
	}
}

func TestReadFigures(t *testing.T) {
	got := readText(t, text(
		node(`,"attributes":{"metrics.lines":1e2,"metrics.cyclomatic":9223372036854775807,"metrics.parameters":-0,"metrics.nesting":7.0}`)+","+
			node(`,"attributes":{"metrics.lines":-1,"metrics.cyclomatic":9223372036854775808,"metrics.parameters":"3","metrics.nesting":1.5}`), ""))
	if got.total != 0 {
		t.Fatal(got.faults)
	}
	if want := (model.Figures{Lines: 100, Cyclomatic: 9223372036854775807, Parameters: 0, Nesting: 7}); got.nodes[0].Figures != want {
		t.Errorf("got %v, want %v", got.nodes[0].Figures, want)
	}
	if want := (model.Figures{Lines: -1, Cyclomatic: -1, Parameters: -1, Nesting: -1}); got.nodes[1].Figures != want {
		t.Errorf("got %v, want %v", got.nodes[1].Figures, want)
	}
}

func TestReadEdge(t *testing.T) {
	before := text("", "")
	got := readText(t, text("", ` {"id":"e","kind":"calls","source":"a","target":"b","evidence":[{"lane":"Imported","backend":"b","confidence":0.90},`+evidenceText+`],"x":[1]}`))
	if got.total != 0 {
		t.Fatal(got.faults)
	}
	place := func(ahead string) model.Place {
		offset := len(before) - len(`]}`) + len(ahead)
		return model.Place{Offset: int64(offset), Line: 1, Column: offset + 1}
	}
	record := `{"evidence":[{"backend":"b","confidence":0.90,"lane":"Imported"},{"backend":"b","lane":"symbolic"}],"id":"e","kind":"calls","source":"a","target":"b","x":[1]}`
	want := model.EdgeRecord{
		Record: []byte(record), Digest: sha256.Sum256([]byte(record)),
		ID: "e", IDPlace: place(` {"id":`), IDOffset: strings.Index(record, `"e"`), Kind: "calls",
		Source: "a", SourcePlace: place(` {"id":"e","kind":"calls","source":`),
		Target: "b", TargetPlace: place(` {"id":"e","kind":"calls","source":"a","target":`),
		Imported: true, Evidence: 2, Lanes: model.LaneImported | model.LaneSymbolic,
	}
	if !reflect.DeepEqual(got.edges[0], want) {
		t.Errorf("\n got %+v\nwant %+v", got.edges[0], want)
	}
}

func TestReadSites(t *testing.T) {
	site := func(provenance, reason string) string {
		return `{"lane":"heuristic","backend":"b"` + provenance + `,"attributes":{"source.unresolved-reason":` + reason + `}}`
	}
	evidence := strings.Join([]string{
		site(`,"provenance":"f:9"`, `"dynamic"`),
		site(`,"provenance":"a"`, `"macro"`),
		site(`,"provenance":"b"`, `"foreign-receiver"`),
		site(`,"provenance":"f:1"`, `""`),
		site(`,"provenance":"f:1"`, `7`),
		site(``, `"dynamic"`),
		site(`,"provenance":"f:8"`, `"Macro"`),
		site(`,"provenance":"f:7"`, `"dynamic"`),
		site(`,"provenance":"f:70"`, `"dynamic"`),
		site(`,"provenance":"\u0066:6"`, `"dyn\u0061mic"`),
		`{"lane":"heuristic","backend":"b"}`,
	}, ",")
	edge := func(kind, evidence string) string {
		return `{"evidence":[` + evidence + `],"id":"e","kind":"` + kind + `","source":"a","target":"b"}`
	}
	for _, test := range []struct {
		name, edge string
		want       *model.Sites
	}{
		{"calls", edge("calls", evidence), nil},
		{"unresolved", edge("unresolved_call", evidence), &model.Sites{
			Count:    9,
			ByReason: map[string]int{"dynamic": 5, "unspecified": 3, "Macro": 1},
			Examples: []string{"f:1", "f:6", "f:7", "f:70", "f:8"},
		}},
		{"excluded", edge("unresolved_call", site("", `"macro"`)+","+site("", `"foreign-receiver"`)), nil},
		{"reference", edge("name_reference", evidence), &model.Sites{
			Count:    11,
			Examples: []string{"a", "b", "f:1", "f:6", "f:7"},
		}},
		{"no provenance", edge("name_reference", evidenceText), &model.Sites{Count: 1}},
	} {
		got := readText(t, text("", test.edge))
		if got.total != 0 || !reflect.DeepEqual(got.edges[0].Sites, test.want) {
			t.Errorf("%s: got %+v, want %+v", test.name, got.edges[0].Sites, test.want)
		}
	}
}

// Records with faults are passed on for the ids that they claim.
func TestReadFaultyRecords(t *testing.T) {
	long := strings.Repeat("x", 4097)
	got := readText(t, text(
		`{"id":"a","kind":"","name":"x"},{"id":"b","kind":"k","id":"c","name":"","id":7,"id":""},`+
			`{"id":"`+long+`","kind":"k","name":"x"},{"id":1,"kind":"k","name":"x"},5`,
		`{"id":"e","kind":"k","source":"a","target":1,"evidence":[]},{"id":"f","kind":"k","source":"","target":"b","evidence":[`+evidenceText+`]},[]`))
	nodes := []model.NodeRecord{
		{ID: "a", Name: "x"},
		{ID: "b", Kind: "k", RefusedIDs: []string{"c", ""}},
		{Kind: "k", Name: "x", RefusedIDs: []string{long}},
		{Kind: "k", Name: "x"},
		{},
	}
	for i, want := range nodes {
		n := got.nodes[i]
		if (n.IDPlace == model.Place{}) != (want.ID == "") {
			t.Errorf("node %d: id %q at %v", i, n.ID, n.IDPlace)
		}
		want.Index, want.Faulty, want.IDPlace, want.IDOffset, want.Figures = i, true, n.IDPlace, n.IDOffset, model.Figures{Lines: -1, Cyclomatic: -1, Parameters: -1, Nesting: -1}
		if !reflect.DeepEqual(n, want) {
			t.Errorf("\n got %+v\nwant %+v", n, want)
		}
	}
	for i, want := range []model.EdgeRecord{{ID: "e", Source: "a"}, {ID: "f", Target: "b"}, {}} {
		e := got.edges[i]
		if !e.Faulty || e.Index != i || e.ID != want.ID || e.Source != want.Source || e.Target != want.Target ||
			(e.SourcePlace == model.Place{}) != (want.Source == "") || (e.TargetPlace == model.Place{}) != (want.Target == "") {
			t.Errorf("got %+v", e)
		}
	}
}
