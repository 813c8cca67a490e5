package jsonmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"brick/model"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

var compiledSchema = sync.OnceValue(func() *jsonschema.Schema {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(model.Schema))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("brick", schema); err != nil {
		panic(err)
	}
	return compiler.MustCompile("brick")
})

// schemaAccepts validates a document against the JSON Schema.
func schemaAccepts(t testing.TB, document string) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.TrimPrefix(document, "\xEF\xBB\xBF")))
	if err != nil {
		return err
	}
	return compiledSchema().Validate(instance)
}

// Each of these documents has one fault, of a kind that the schema can see.
func TestSchema(t *testing.T) {
	sound := `{"schema_version":4.0,"generator":{"name":"g","version":"1"},"root":".","repositories":[{"id":"r"}],"scope":{},"metrics":{"resolution":{"go":{}}},` +
		`"nodes":[{"id":"n","kind":"k","name":"x","qualified_name":"","language":"","path":"","span":{"start_line":3.0,"start_column":1,"end_line":3e0,"end_column":2},"repository_id":"r","attributes":{}}],` +
		`"edges":[{"id":"e","kind":"calls","source":"n","target":"n","evidence":[{"lane":"Symbolic","backend":"b","confidence":0.9,"provenance":"p","attributes":{}}],"attributes":{}}]}`
	if got := readText(t, sound); got.total != 0 {
		t.Fatal(got.faults)
	}
	if err := schemaAccepts(t, sound); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`4.0`, `5`}, {`4.0`, `"4"`}, {`"schema_version"`, `"x"`},
		{`{"name":"g","version":"1"}`, `[]`}, {`"g"`, `1`}, {`"version":"1"`, `"version":1`},
		{`"."`, `""`}, {`"."`, `1`}, {`"root"`, `"x"`},
		{`[{"id":"r"}]`, `[]`}, {`[{"id":"r"}]`, `{}`}, {`[{"id":"r"}]`, `[{"id":"r"},{"id":"s"}]`}, {`{"id":"r"}`, `{}`}, {`{"id":"r"}`, `{"id":1}`}, {`"repositories"`, `"x"`},
		{`"scope":{}`, `"scope":[]`}, {`"scope"`, `"x"`},
		{`"metrics":{"resolution":{"go":{}}}`, `"metrics":1`}, {`{"go":{}}`, `[]`}, {`{"go":{}}`, `{"go":1}`},
		{`"nodes":[`, `"nodes":[1,`}, {`"nodes"`, `"x"`}, {`"edges":[`, `"edges":[[],`}, {`"edges"`, `"x"`},
		{`"id":"n"`, `"id":""`}, {`"id":"n"`, `"id":1`}, {`"id":"n"`, `"x":1`}, {`"id":"n"`, `"id":"` + strings.Repeat("x", 4097) + `"`},
		{`"kind":"k"`, `"kind":""`}, {`"kind":"k"`, `"kind":[]`}, {`"kind":"k"`, `"x":1`},
		{`"name":"x"`, `"name":null`}, {`"name":"x"`, `"x":1`},
		{`"qualified_name":""`, `"qualified_name":0`}, {`"language":""`, `"language":0`}, {`"path":""`, `"path":0`}, {`"repository_id":"r"`, `"repository_id":0`},
		{`"attributes":{}}],"edges"`, `"attributes":[]}],"edges"`},
		{`"start_line":3.0`, `"start_line":3.1`}, {`"start_line":3.0`, `"start_line":0`}, {`"start_line":3.0`, `"x":0`}, {`"start_column":1`, `"start_column":2147483648`},
		{`"end_line":3e0`, `"end_line":"3"`}, {`"end_column":2`, `"end_column":-2`},
		{`"id":"e"`, `"id":""`}, {`"id":"e"`, `"x":""`}, {`"kind":"calls"`, `"kind":""`}, {`"kind":"calls"`, `"x":""`},
		{`"source":"n"`, `"source":""`}, {`"source":"n"`, `"source":1`}, {`"source":"n"`, `"x":1`}, {`"target":"n"`, `"target":null`}, {`"target":"n"`, `"x":null`},
		{`"lane":"Symbolic"`, `"lane":"ſymbolic"`}, {`"lane":"Symbolic"`, `"lane":1`}, {`"lane":"Symbolic"`, `"x":1`},
		{`"backend":"b"`, `"backend":""`}, {`"backend":"b"`, `"x":""`}, {`"confidence":0.9`, `"confidence":true`}, {`"provenance":"p"`, `"provenance":1`},
		{`"attributes":{}}],"attributes"`, `"attributes":""}],"attributes"`}, {`],"attributes":{}}]}`, `],"attributes":1}]}`},
	} {
		document := strings.Replace(sound, change[0], change[1], 1)
		if document == sound {
			t.Fatalf("%s is not in the document", change[0])
		}
		if got := readText(t, document); got.total != 1 {
			t.Errorf("%s for %s: %d faults, want 1: %v", change[1], change[0], got.total, got.faults)
		}
		if err := schemaAccepts(t, document); err == nil {
			t.Errorf("%s for %s: the schema accepts it", change[1], change[0])
		}
	}
}

// Read and the schema agree on a document in which one value was replaced or
// removed: no rule is left here that only Read knows.
func TestSchemaProperty(t *testing.T) {
	const sound = `{"schema_version":4,"generator":{"name":"g","version":"1"},"root":".","repositories":[{"id":"r","x":1}],"scope":{"x":[]},` +
		`"metrics":{"x":1,"resolution":{"go":{"x":1}}},"x":[{}],` +
		`"nodes":[{"id":"n","kind":"k","name":"x","qualified_name":"q","language":"go","path":"p","attributes":{"source.exported":true,"metrics.lines":1},"x":{},` +
		`"span":{"start_line":3,"start_column":1,"end_line":3,"end_column":2,"x":0}}],` +
		`"edges":[{"id":"e","kind":"calls","source":"n","target":"n","attributes":{},"x":1,` +
		`"evidence":[{"lane":"symbolic","backend":"b","confidence":0.9,"provenance":"p","attributes":{"source.unresolved-reason":"macro"},"x":[]},{"lane":"imported","backend":"b"}]}]}`
	values := rapid.SampledFrom([]string{"null", "true", "false", "0", "-1", "1", "4.00", "400e-2", "1.5", "2147483647", "2147483648", "1e3", "1e30",
		`""`, `"x"`, `"4"`, `"imported"`, `"HEURISTIC"`, "[]", "[1]", "[{}]", "[[]]", "{}", `{"x":1}`, `{"id":"r"}`, `[{"id":"r"}]`, `{"start_line":1}`})
	rapid.Check(t, func(t *rapid.T) {
		var document any
		if err := json.Unmarshal([]byte(sound), &document); err != nil {
			t.Fatal(err)
		}
		change(t, document, json.RawMessage(values.Draw(t, "value")))
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		r := newRecorder()
		faults := model.NewFaults(1)
		if _, err := Read(bytes.NewReader(text), Options{Workers: 1}).ProduceRecords(context.Background(), func() model.RecordSink { return r }, faults); err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		refusal := compiledSchema().Validate(instance)
		if (faults.Total() == 0) != (refusal == nil) {
			t.Fatalf("%s:\nRead: %v\nschema: %v", text, faults.List(), refusal)
		}
	})
}

// change replaces or removes one value at any depth of a document.
func change(t *rapid.T, document any, value json.RawMessage) {
	deeper := func(child any) bool {
		switch child.(type) {
		case map[string]any, []any:
			return rapid.IntRange(0, 3).Draw(t, "deeper") > 0
		}
		return false
	}
	switch d := document.(type) {
	case map[string]any:
		if len(d) == 0 {
			return
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(d))).Draw(t, "name")
		switch child := d[name]; {
		case deeper(child):
			change(t, child, value)
		case rapid.IntRange(0, 5).Draw(t, "remove") == 0:
			delete(d, name)
		default:
			d[name] = value
		}
	case []any:
		if len(d) == 0 {
			return
		}
		i := rapid.IntRange(0, len(d)-1).Draw(t, "index")
		if deeper(d[i]) {
			change(t, d[i], value)
		} else {
			d[i] = value
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, document := range []string{
		"", " ", "{}", "[]", "\xEF\xBB\xBF{}", "\xFF\xFE{\x00",
		text("", ""),
		text(node(`,"span":{"start_line":1},"attributes":{"source.exported":[ ],"metrics.lines":1e0},"repository_id":"q"`), edgeWith(evidenceText)),
		text(`{"id":"","kind":"","name":"\u0041\ud83d\ude00","\n":1,"\n":2}`, edgeWith(`{"lane":"x"}`)),
		"{\"nodes\":[\r\n{\"id\":\"a\"}, ],\"x\":{\"a\":[{}],\"a\":0}}",
		`{"edges":[{"kind":"unresolved_call","id":"e","source":"","target":"n","evidence":[{"lane":"Imported","backend":"b","provenance":"p","attributes":{"source.unresolved-reason":"macro"}}]}]}`,
	} {
		f.Add(document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		got := readWith(t, document, 1)
		if again := readWith(t, document, 3); !reflect.DeepEqual(got, again) {
			t.Fatalf("1 worker and 3 workers differ:\n%+v\n%+v", got, again)
		}
		if len(got.faults) != min(got.total, testLimit) {
			t.Errorf("%d faults kept of %d", len(got.faults), got.total)
		}
		for _, fault := range got.faults {
			checkPlace(t, document, fault.Place)
			if line := fault.Line("-"); strings.ContainsAny(line, "\n\r\x1b") {
				t.Errorf("%q is not one line", line)
			}
		}
		for _, n := range got.nodes {
			checkRecord(t, n.Record, n.Faulty)
		}
		for _, e := range got.edges {
			checkRecord(t, e.Record, e.Faulty)
		}
		if !json.Valid([]byte(strings.TrimPrefix(document, "\xEF\xBB\xBF"))) && !got.header.Syntax {
			t.Error("no syntax fault, and no JSON")
		}
		if got.total == 0 {
			if err := schemaAccepts(t, document); err != nil {
				t.Errorf("accepted, but not by the schema: %v", err)
			}
		}
	})
}

func checkPlace(t *testing.T, document string, p model.Place) {
	t.Helper()
	if p.Offset < 0 || p.Offset > int64(len(document)) {
		t.Fatalf("%+v is not in the document", p)
	}
	before := document[:p.Offset]
	line := 1 + strings.Count(before, "\n")
	column := len(before) - strings.LastIndex(before, "\n")
	if p.Line != line || p.Column != column {
		t.Errorf("%+v is at line %d, column %d", p, line, column)
	}
}

func checkRecord(t *testing.T, record []byte, faulty bool) {
	t.Helper()
	if faulty {
		return
	}
	if form := formByLibrary(t, string(record)); form != string(record) {
		t.Errorf("%s is not canonical: %s is", record, form)
	}
}
