package query_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
	"brick/query"
	"brick/store"
)

// TestLists compares what the tools beside the six answer about random models,
// on every page, with an implementation straight from the contract.
func TestLists(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		doc := randmodel.Gen(randmodel.Options{MaxNodes: 14, MaxEdges: 35}).Draw(t, "model")
		document := doc.JSON()
		if rapid.Bool().Draw(t, "named") {
			document = findModel(t)
		}
		ix, err := store.Open(testbuild.File(t, dir, document))
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		model, err := naive.Load(document)
		if err != nil {
			t.Fatal(err)
		}
		ids := append(model.NodeIDs(), "none")
		for range 12 {
			q := randmodel.Query{Args: map[string]any{}}
			some := func(name string, values ...any) {
				if rapid.Bool().Draw(t, "given") {
					q.Args[name] = rapid.SampledFrom(values).Draw(t, name)
				}
			}
			id := rapid.SampledFrom(ids)
			q.Tool = rapid.SampledFrom([]string{"brick_files", "brick_file", "brick_hotspots", "brick_calls", "brick_path"}).Draw(t, "tool")
			switch q.Tool {
			case "brick_files":
				some("path", "**", "*.go", "a/**")
			case "brick_file":
				q.Args["path"] = rapid.SampledFrom([]string{"a.c", "b.go", "dir/a.c", "a/get.go", "a/b/c.go", "none", "😀"}).Draw(t, "path")
			case "brick_hotspots":
				some("min_lines", int64(0), int64(1), int64(3), int64(1<<31-1))
				some("min_complexity", int64(0), int64(2), int64(1<<31-1))
				some("sort", "lines", "complexity", "fan_in", "fan_out")
				some("path", "**", "*.go")
			case "brick_calls":
				q.Args["pattern"] = rapid.SampledFrom([]string{"*", "f", "g*", "*.f", "*.Get", "*.*", "pkg.*", "pkg.*.Get", "Bucket.*", "get", "get*", "*.get*", "p.f", "run", "x.y.z.Get", "p**", "pkg**", "pk**t", "*.G**", "**t", "x.**"}).Draw(t, "pattern")
				some("path", "**", "*.go", "a.c")
			case "brick_path":
				q.Args["from"], q.Args["to"] = id.Draw(t, "from"), id.Draw(t, "to")
				some("kinds", []string{"calls"}, []string{"imports", "inherits"}, []string{"calls", "imports"})
				some("max_depth", int64(0), int64(1), int64(2), int64(1<<31-1))
			}
			if q.Tool != "brick_path" {
				q.Args["limit"] = rapid.SampledFrom([]int64{0, 1, 2, 5, 1000}).Draw(t, "limit")
			} else {
				q.Args["limit"] = int64(0)
			}
			some("records", "brief", "full", "names")
			if q.Tool != "brick_path" {
				some("tests", "only", "without")
				if q.Tool != "brick_files" {
					some("kinds", []string{"function"}, []string{"method", "class"}, []string{"none"})
				}
				if q.Tool != "brick_file" {
					some("path", "dir", "a/", "./a/b", "*.go")
					some("group_by", "package", "file")
				}
			}
			args := q.Args
			if q.Tool == "brick_path" {
				delete(args, "limit")
				compare(t, ix, model, q)
				continue
			}
			if _, err := answerJSON(ix, q.Tool, args); errors.As(err, new(*query.NotFoundError)) {
				if _, err := model.Answer(q.Tool, args); err == nil {
					t.Fatalf("%s %v: there are such", q.Tool, args)
				}
				continue
			}
			followPages(t, ix, model, q)
		}
	})
}

// TestBboltLists does the same for some questions about the model of a real
// repository.
func TestBboltLists(t *testing.T) {
	ix, model := bbolt(t)
	for _, q := range []randmodel.Query{
		{Tool: "brick_files", Args: map[string]any{}},
		{Tool: "brick_hotspots", Args: map[string]any{"sort": "fan_in", "records": "brief"}},
		{Tool: "brick_calls", Args: map[string]any{"pattern": "*.Close", "limit": int64(1000)}},
		{Tool: "brick_calls", Args: map[string]any{"pattern": "Bucket.*", "path": "cmd/**"}},
		{Tool: "brick_path", Args: map[string]any{"from": "go:(*go.etcd.io/bbolt.DB).Update", "to": "go:(*go.etcd.io/bbolt.DB).grow"}},
		{Tool: "brick_path", Args: map[string]any{"from": "go:(*go.etcd.io/bbolt.DB).grow", "to": "go:(*go.etcd.io/bbolt.DB).Update"}},
		{Tool: "brick_find", Args: map[string]any{"text": "Bucket.Get"}},
		{Tool: "brick_find", Args: map[string]any{"text": "seek", "kind": "method"}},
		{Tool: "brick_find", Args: map[string]any{"text": "tx co", "limit": int64(100)}},
	} {
		compare(t, ix, model, q)
	}
}
