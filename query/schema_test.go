package query_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"brick/internal/naive"
	"brick/internal/testbuild"
	"brick/query"
	"brick/store"
)

// TestOutputSchema checks the answers about a real model and about the models
// of the golden answers against the schemas that clients are given.
func TestOutputSchema(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range query.Tools() {
		schemas[tool.Name] = compileSchema(t, tool.OutputSchema)
	}
	check := func(t *testing.T, tool string, arguments, answer []byte) {
		t.Helper()
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
		if err != nil {
			t.Fatalf("%s %s: the answer is not JSON: %v", tool, arguments, err)
		}
		if err := schemas[tool].Validate(instance); err != nil {
			t.Errorf("%s %s: %v", tool, arguments, err)
		}
	}
	t.Run("golden", func(t *testing.T) {
		goldens, err := naive.Goldens("../testdata/golden")
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		indexes := map[string]*store.Index{}
		for _, g := range goldens {
			if g.Want == nil {
				continue
			}
			check(t, g.Tool, g.RawArgs, g.Want)
			ix := indexes[string(g.Document)]
			if ix == nil {
				ix = testbuild.Open(t, dir, g.Document)
				defer ix.Close()
				indexes[string(g.Document)] = ix
			}
			answer, err := ask(ix, g.Tool, g.RawArgs)
			if err != nil {
				t.Fatalf("%s: %v", g.Name, err)
			}
			check(t, g.Tool, g.RawArgs, answer)
		}
	})
	t.Run("bbolt", func(t *testing.T) {
		ix, model := bbolt(t)
		for _, q := range bboltQueries(model, 25) {
			answer, err := ask(ix, q.Tool, q.JSON())
			if err != nil {
				t.Fatalf("%s %s: %v", q.Tool, q.JSON(), err)
			}
			check(t, q.Tool, q.JSON(), answer)
			if t.Failed() {
				return
			}
		}
	})
}

// TestOutputSchemaRefuses checks that the schemas say something: an answer
// that lacks a member, or has one too many, is none.
func TestOutputSchemaRefuses(t *testing.T) {
	ix, model := bbolt(t)
	seen := map[string]bool{}
	for _, q := range bboltQueries(model, 1) {
		if seen[q.Tool] {
			continue
		}
		seen[q.Tool] = true
		schema := compileSchema(t, query.Lookup(q.Tool).OutputSchema)
		answer, err := ask(ix, q.Tool, q.JSON())
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range [][2]string{
			{`"query":"brick_`, `"query":"brack_`},
			{`"query_schema_version":1`, `"query_schema_version":2`},
			{`"building_schema_version":4,`, ``},
			{`"root":"."`, `"root":null`},
			{`"root":"."`, `"root":".","more":1`},
		} {
			changed := strings.Replace(string(answer), change[0], change[1], 1)
			if changed == string(answer) {
				t.Fatalf("%s has no %s", q.Tool, change[0])
			}
			instance, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
			if err != nil {
				t.Fatal(err)
			}
			if schema.Validate(instance) == nil {
				t.Errorf("%s: the schema accepts %s", q.Tool, change[1])
			}
		}
	}
}
