package query_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
	"brick/query"
	"brick/store"
)

// Names that match each other in every way.
var (
	findNames = []string{
		"get", "Get", "GET", "getById", "get_by_id", "GetByID", "getter", "target", "doGet", "HTTPServer", "httpserver2", "serverHTTP",
		"a", "A", "ab", "abc", "_", "", "x y", "naïve", "NAÏVE", "😀", "\x01ab", "a\x00b", "İd", "Kg", "ſet",
	}
	findQualified = []string{
		"", "pkg.Get", "pkg.(*Bucket).Get", "ns::Bucket::get", "a/b#get", "Bucket->Get", "pkg.Bucket", "get", "(*)", "...", "x.y.z.Get.", "PKG.get",
	}
	findPaths = []string{"", "a/get.go", "a/b/c.go", "a/b/getter_test.go", "src/Bucket/x.cc", "a", "a/", "B.go"}
	findTexts = []string{
		"g", "ge", "get", "Get", "gBy", "get by", "by id", "byid", "id", "pkg.Get", "Bucket.Get", "Bucket::Get", "(*Bucket).Get", "bucket->get", "/get",
		".", "..", "a", "b", "ab", "et", "go", ".go", "a/b", "_", " ", "server", "http s", "naï", "ï", "😀", "zzz", "\x01", "\x00", "gb", "Server2", "k", "i", "n0", "N1",
	}
)

// findModel draws a model of nodes that are alike.
func findModel(t *rapid.T) []byte {
	type object = map[string]any
	pick := func(list []string) string { return rapid.SampledFrom(list).Draw(t, "pick") }
	var nodes, edges []object
	for i := range rapid.IntRange(1, 25).Draw(t, "nodes") {
		n := object{"id": fmt.Sprintf("%s%d", pick([]string{"n", "N", "get"}), i), "kind": pick([]string{"function", "class", "file"}), "name": pick(findNames)}
		for name, value := range map[string]string{"qualified_name": pick(findQualified), "path": pick(findPaths), "language": pick([]string{"", "go", "c"})} {
			if value != "" {
				n[name] = value
			}
		}
		nodes = append(nodes, n)
	}
	for i := range rapid.IntRange(0, 30).Draw(t, "edges") {
		end := func() any { return nodes[rapid.IntRange(0, len(nodes)-1).Draw(t, "end")]["id"] }
		edges = append(edges, object{"id": fmt.Sprint("e", i), "kind": pick([]string{"calls", "imports", "defines"}), "source": end(), "target": end(),
			"evidence": []object{{"lane": "symbolic", "backend": "b"}}})
	}
	document, err := json.Marshal(object{"schema_version": 4, "root": ".", "repositories": []object{{"id": "r"}}, "scope": object{}, "nodes": nodes, "edges": append([]object{}, edges...)})
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// TestFind compares what is found in random models, on every page, with what
// an implementation straight from the contract finds.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		document := findModel(t)
		ix, err := store.Open(testbuild.File(t, dir, document))
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		model, err := naive.Load(document)
		if err != nil {
			t.Fatal(err)
		}
		for range 15 {
			q := randmodel.Query{Tool: "brick_find", Args: map[string]any{
				"text": rapid.SampledFrom(slices.Concat(findTexts, findNames[:15], findQualified[1:], findPaths[1:])).Draw(t, "text"),
			}}
			if rapid.IntRange(0, 3).Draw(t, "limited") > 0 {
				q.Args["limit"] = rapid.Int64Range(0, 9).Draw(t, "limit")
			} else {
				q.Args["limit"] = int64(20)
			}
			for name, values := range map[string][]string{
				"kind": {"function", "class", "file"}, "language": {"go", "c", "unspecified"},
				"path": {"a/**", "**/*.go", "*.go", "a/*", "**", "src/*/x.?c", "a/b/[bc].go", "a/**/*.go"},
			} {
				if rapid.IntRange(0, 3).Draw(t, "filter") == 0 {
					q.Args[name] = rapid.SampledFrom(values).Draw(t, name)
				}
			}
			if _, err := answerJSON(ix, q.Tool, q.Args); err != nil {
				// What no node has is an error, and there is no other.
				if !errors.As(err, new(*query.NotFoundError)) || q.Args["kind"] == nil && q.Args["language"] == nil && q.Args["path"] == nil {
					t.Fatalf("%v: %v", q.Args, err)
				}
				continue
			}
			followPages(t, ix, model, q)
		}
	})
}

// TestFindScan does the same in a model of so many nodes that not all which
// may match are looked at: what is on the pages is the same.
func TestFindScan(t *testing.T) {
	compareFinds(t, manyNodes(func(i int) int { return i % 80 }),
		map[string]any{"text": "get"}, map[string]any{"text": "et"}, map[string]any{"text": "get by"}, map[string]any{"text": "p7.get"}, map[string]any{"text": "get.go"},
		map[string]any{"text": "get", "kind": "class"}, map[string]any{"text": "e", "path": "d7/**"}, map[string]any{"text": "g", "path": "**/nothing.go"})
}

// TestFindRare has filters that leave hardly anything of a great many nodes,
// or only nodes that come late.
func TestFindRare(t *testing.T) {
	compareFinds(t, manyNodes(func(i int) int { return i / 120 }),
		map[string]any{"text": "get", "kind": "rare"}, map[string]any{"text": ".go", "kind": "rare"}, map[string]any{"text": "other", "kind": "rare"},
		map[string]any{"text": "e", "path": "d7[0-9]/g*.go"}, map[string]any{"text": "together", "path": "d*[7]4/*.go", "kind": "method"},
		map[string]any{"text": "get", "path": "*/*.go", "kind": "rare"}, map[string]any{"text": "get", "path": "d[67]?/*", "language": "unspecified"})
}

const manyNodesCount = 9000

// manyNodes is a model of many nodes, each in the folder of a number.
func manyNodes(folder func(i int) int) []byte {
	var b strings.Builder
	b.WriteString(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[`)
	const n = manyNodesCount
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name := []string{"get", "Get", "getById", "doGet", "together", "other"}[i%6]
		kind := []string{"function", "method", "class"}[i%7%3]
		if i%6 == 4 && i%700 > 650 {
			kind = "rare"
		}
		fmt.Fprintf(&b, `{"id":"n%d","kind":"%s","name":"%s","qualified_name":"p%d.%s","path":"d%d/get.go"}`, i, kind, name, i%50, name, folder(i))
	}
	b.WriteString(`],"edges":[`)
	for i := range 500 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"e%d","kind":"calls","source":"n%d","target":"n%d","evidence":[{"lane":"symbolic","backend":"b"}]}`, i, i*17%n, i*i%n)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

// compareFinds compares the pages of questions, joined, with the whole answer
// of the implementation from the contract.
func compareFinds(t *testing.T, document []byte, questions ...map[string]any) {
	ix := testbuild.Open(t, t.TempDir(), document)
	defer ix.Close()
	model, err := naive.Load(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range questions {
		whole := map[string]any{"limit": int64(manyNodesCount), "records": "brief"}
		paged := map[string]any{"limit": int64(1500), "records": "brief"}
		for name, value := range args {
			whole[name], paged[name] = value, value
		}
		want, wantErr := model.Answer("brick_find", whole)
		if wantErr != nil {
			if _, err := answerJSON(ix, "brick_find", paged); !errors.As(err, new(*query.NotFoundError)) {
				t.Errorf("%v: error %v, want %v", args, err, wantErr)
			}
			continue
		}
		var wanted, got struct {
			Matches []json.RawMessage `json:"matches"`
			Total   int               `json:"total"`
			AtLeast int               `json:"total_at_least"`
			Next    string            `json:"next_cursor"`
		}
		if err := json.Unmarshal(want, &wanted); err != nil {
			t.Fatal(err)
		}
		var joined []json.RawMessage
		for page := 0; ; page++ {
			answer, err := answerJSON(ix, "brick_find", paged)
			if errors.As(err, new(*query.NotFoundError)) && len(wanted.Matches) == 0 {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got.Matches, got.Next, got.Total, got.AtLeast = nil, "", 0, 0
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			joined = append(joined, got.Matches...)
			if got.Total > 0 && got.Total != wanted.Total || got.AtLeast > wanted.Total {
				t.Errorf("%v: total %d, or at least %d; want %d", args, got.Total, got.AtLeast, wanted.Total)
			}
			if got.Next != "" && got.Total == 0 && got.AtLeast < len(joined)+1 {
				t.Errorf("%v: at least %d, with %d on the pages so far and another one", args, got.AtLeast, len(joined))
			}
			if got.Next == "" {
				if got.Total != wanted.Total {
					t.Errorf("%v: the last page says that there are %d, want %d", args, got.Total, wanted.Total)
				}
				break
			}
			paged["cursor"] = got.Next
		}
		if !slices.EqualFunc(joined, wanted.Matches, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%v: %d matches joined, want %d", args, len(joined), len(wanted.Matches))
		}
	}
}
