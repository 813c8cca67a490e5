package query_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
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
		for _, q := range append(bboltQueries(model, 25), otherQueries...) {
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
	for _, q := range append(bboltQueries(model, 1), otherQueries...) {
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

// otherQueries are questions to the tools beside the six.
var otherQueries = func() (qs []randmodel.Query) {
	for _, q := range []randmodel.Query{
		{Tool: "brick_find", Args: map[string]any{"text": "seek"}},
		{Tool: "brick_find", Args: map[string]any{"text": "e", "limit": int64(3)}},
		{Tool: "brick_find", Args: map[string]any{"text": "db.go:1230:3"}},
		{Tool: "brick_callers", Args: map[string]any{"node_id": "freelist/shared.go:60"}},
		{Tool: "brick_impact", Args: map[string]any{"node_id": "db.go:1230", "max_depth": int64(2)}},
		{Tool: "brick_impact", Args: map[string]any{"node_id": "db.go", "level": "module"}},
		{Tool: "brick_impact", Args: map[string]any{"node_id": "db.go", "limit": int64(2)}},
		{Tool: "brick_impact", Args: map[string]any{"node_id": "go:unresolved:Free"}},
		{Tool: "brick_evidence", Args: map[string]any{"entity_id": "db.go:1230", "limit": int64(2)}},
		{Tool: "brick_path", Args: map[string]any{"from": "db.go:905", "to": "db.go:1230"}},
		{Tool: "brick_cycles", Args: map[string]any{"level": "module"}},
		{Tool: "brick_files", Args: map[string]any{}},
		{Tool: "brick_file", Args: map[string]any{"path": "db.go"}},
		{Tool: "brick_file", Args: map[string]any{"path": "db.go", "limit": int64(2)}},
		{Tool: "brick_hotspots", Args: map[string]any{}},
		{Tool: "brick_calls", Args: map[string]any{"pattern": "*.Close", "limit": int64(2)}},
		{Tool: "brick_path", Args: map[string]any{"from": "go:(*go.etcd.io/bbolt.DB).Update", "to": "go:(*go.etcd.io/bbolt.DB).grow"}},
		{Tool: "brick_path", Args: map[string]any{"to": "go:(*go.etcd.io/bbolt.DB).Update", "from": "go:(*go.etcd.io/bbolt.DB).grow"}},
		{Tool: "brick_impact", Args: map[string]any{"node_id": "go:(*go.etcd.io/bbolt.DB).grow", "max_depth": int64(3), "limit": int64(2)}},
		{Tool: "brick_callers", Args: map[string]any{"node_id": "go:(*go.etcd.io/bbolt.DB).grow", "limit": int64(0)}},
		{Tool: "brick_bridges", Args: map[string]any{"limit": int64(2)}},
		{Tool: "brick_cycles", Args: map[string]any{"limit": int64(2)}},
		{Tool: "brick_uncalled", Args: map[string]any{"include_unknown": true, "limit": int64(2)}},
		{Tool: "brick_evidence", Args: map[string]any{"entity_id": "go:(*go.etcd.io/bbolt.DB).grow", "limit": int64(2)}},
	} {
		qs = append(qs, q)
		for _, records := range []string{"brief", "names"} {
			small := randmodel.Query{Tool: q.Tool, Args: maps.Clone(q.Args)}
			small.Args["records"] = records
			qs = append(qs, small)
		}
		if q.Tool != "brick_path" && q.Tool != "brick_file" && q.Args["level"] == nil {
			grouped := randmodel.Query{Tool: q.Tool, Args: maps.Clone(q.Args)}
			grouped.Args["group_by"], grouped.Args["path"] = "package", "."
			qs = append(qs, grouped)
		}
	}
	return append(qs,
		randmodel.Query{Tool: "brick_summary", Args: map[string]any{}},
		randmodel.Query{Tool: "brick_reload", Args: map[string]any{}})
}()
