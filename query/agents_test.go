package query_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestByHand compares answers about bbolt's model with what its source says,
// read by hand (v1.5.0).
func TestByHand(t *testing.T) {
	ix, _ := bbolt(t)
	type node struct{ ID, Path string }
	answer := func(tool string, args map[string]any, into any) {
		t.Helper()
		args["records"] = "brief"
		text, err := answerJSON(ix, tool, args)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}

	// Each line of the source with ".seek(" in it: bucket.go 97, 174, 238,
	// 295, 364 and 383 (one function), 434, 482, 519, 774; cursor.go 123.
	var found struct{ Matches []struct{ Node node } }
	answer("brick_find", map[string]any{"text": "(*Cursor).seek"}, &found)
	var callers struct {
		Report struct {
			Status      string
			CallerEdges []struct{ Source string } `json:"caller_edges"`
		}
	}
	answer("brick_callers", map[string]any{"node_id": found.Matches[0].Node.ID}, &callers)
	var got []string
	for _, e := range callers.Report.CallerEdges {
		got = append(got, e.Source)
	}
	var want []string
	for _, name := range []string{"Bucket", "CreateBucket", "CreateBucketIfNotExists", "Delete", "DeleteBucket", "Get", "MoveBucket", "Put", "spill"} {
		want = append(want, "go:(*go.etcd.io/bbolt.Bucket)."+name)
	}
	want = append(want, "go:(*go.etcd.io/bbolt.Cursor).Seek")
	if !slices.Equal(got, want) {
		t.Errorf("callers of seek: %q, want %q", got, want)
	}

	// tx.go 105: (*Tx).Inspect calls it, and nothing else does.
	answer("brick_find", map[string]any{"text": "Bucket.Inspect"}, &found)
	answer("brick_callers", map[string]any{"node_id": found.Matches[0].Node.ID}, &callers)
	if e := callers.Report.CallerEdges; callers.Report.Status != "resolved" || len(e) != 1 || e[0].Source != "go:(*go.etcd.io/bbolt.Tx).Inspect" {
		t.Errorf("callers of Bucket.Inspect: %+v", callers.Report)
	}

	// db.go 905: Update calls Commit; tx.go 235: Commit calls grow.
	var path struct{ Nodes []node }
	answer("brick_path", map[string]any{"from": "go:(*go.etcd.io/bbolt.DB).Update", "to": "go:(*go.etcd.io/bbolt.DB).grow"}, &path)
	if n := path.Nodes; len(n) != 3 || n[1].ID != "go:(*go.etcd.io/bbolt.Tx).Commit" {
		t.Errorf("from Update to grow: %+v", n)
	}

	// logger.go has one type with a method set, one interface and a function
	// besides, in this order of lines.
	var file struct {
		Definitions []struct {
			Node    node
			Callers *int
		}
		Total int
	}
	answer("brick_file", map[string]any{"path": "logger.go", "limit": 4}, &file)
	var defined []string
	for _, d := range file.Definitions {
		defined = append(defined, d.Node.ID[strings.LastIndexByte(d.Node.ID, '.')+1:])
	}
	if want := []string{"Logger", "getDiscardLogger", "DefaultLogger", "EnableTimestamps"}; !slices.Equal(defined, want) {
		t.Errorf("logger.go defines first %q, want %q", defined, want)
	}

	// db.go 736: the lock file's Close is of package os, so it is not resolved.
	var calls struct {
		Unresolved []struct {
			Caller node
			Sites  []struct{ Provenance, Reason string }
		}
	}
	answer("brick_calls", map[string]any{"pattern": "*.Close", "path": "db.go"}, &calls)
	if c := calls.Unresolved; len(c) != 1 || c[0].Caller.ID != "go:(*go.etcd.io/bbolt.DB).close" || c[0].Sites[0].Provenance != "db.go:736:13" || c[0].Sites[0].Reason != "foreign-receiver" {
		t.Errorf("unresolved calls of Close in db.go: %+v", c)
	}
}

// TestSchemasNamed checks that every tool has its schema's file.
func TestSchemasNamed(t *testing.T) {
	files, err := filepath.Glob("schema/*.json")
	if err != nil || len(files) != 15 {
		t.Fatalf("%d schemas, error %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); !strings.Contains(string(text), `"brick_`+name+`"`) {
			t.Errorf("%s is not of brick_%s", file, name)
		}
	}
}
