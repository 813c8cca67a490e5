package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
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

var cursorValue = regexp.MustCompile(`"next_cursor":"([A-Za-z0-9_-]+)"}$`)

// mainList is the list that limit bounds.
var mainList = map[string]string{
	"brick_impact": "nodes", "brick_cycles": "cycles", "brick_bridges": "bridges", "brick_evidence": "edges",
	"brick_uncalled": "unreferenced", "brick_find": "matches", "brick_files": "files", "brick_file": "definitions", "brick_hotspots": "hotspots",
}

// TestPages follows the pages of answers about random models, for random
// limits: each is what an implementation straight from the contract gives, and
// joined they are the whole list.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		doc := randmodel.Gen(randmodel.Options{MaxNodes: 12, MaxEdges: 30}).Draw(rt, "model")
		ix, err := store.Open(testbuild.File(rt, dir, doc.JSON()))
		if err != nil {
			rt.Fatalf("%v", err)
		}
		defer ix.Close()
		model, err := naive.Load(doc.JSON())
		if err != nil {
			rt.Fatalf("%v", err)
		}
		for range 12 {
			q := randmodel.GenQuery(doc).Draw(rt, "query")
			q.Args["limit"] = rapid.Int64Range(0, 7).Draw(rt, "limit")
			if rapid.Bool().Draw(rt, "brief") {
				q.Args["records"] = rapid.SampledFrom([]string{"brief", "names"}).Draw(rt, "records")
			}
			followPages(rt, ix, model, q)
		}
	})
}

func followPages(t testbuild.TB, ix *store.Index, model *naive.Model, q randmodel.Query) {
	t.Helper()
	var joined []json.RawMessage
	limit := int(q.Args["limit"].(int64))
	var from []int
	args := maps.Clone(q.Args)
	for page := 0; ; page++ {
		got, err := answerJSON(ix, q.Tool, args)
		want, wantErr := model.AnswerFrom(q.Tool, q.Args, from...)
		if (err != nil) != (wantErr != nil) || !bytes.Equal(comparable(got), want) {
			t.Fatalf("%s %v from %v\ngot  %s, error %v\nwant %s, error %v", q.Tool, q.Args, from, got, err, want, wantErr)
		}
		if err != nil {
			return
		}
		var lists map[string]json.RawMessage
		if err := json.Unmarshal(got, &lists); err != nil {
			t.Fatalf("%v", err)
		}
		var list []json.RawMessage
		if text := lists[mainList[q.Tool]]; text != nil {
			if err := json.Unmarshal(text, &list); err != nil {
				t.Fatalf("%v", err)
			}
		}
		joined = append(joined, list...)
		next := cursorValue.FindSubmatch(got)
		if next == nil || limit == 0 {
			if total := lists["total"]; next == nil && total != nil && lists[mainList[q.Tool]] != nil && string(total) != itoa(len(joined)) {
				t.Fatalf("%s %v: %d entries joined, total %s", q.Tool, q.Args, len(joined), total)
			}
			return
		}
		if page > 200 {
			t.Fatalf("%s %v: the pages don't end", q.Tool, q.Args)
		}
		args["cursor"] = string(next[1])
		from = slices.Repeat([]int{(page + 1) * limit}, 4) // as many as a tool has lists
	}
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func answerJSON(ix *store.Index, tool string, args map[string]any) ([]byte, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	t := query.Lookup(tool)
	a, err := t.ParseArguments(text)
	if err != nil {
		return nil, err
	}
	return t.Answer(context.Background(), ix, a)
}

// TestCursors gives cursors that are not the question's.
func TestCursors(t *testing.T) {
	ix, _ := bbolt(t)
	other := testbuild.Open(t, t.TempDir(), []byte(`{"schema_version":4,"root":"/","repositories":[{"id":"r"}],"scope":{},"nodes":[],"edges":[]}`))
	defer other.Close()
	first, err := answerJSON(ix, "brick_bridges", map[string]any{"limit": 3})
	if err != nil {
		t.Fatal(err)
	}
	cursor := string(cursorValue.FindSubmatch(first)[1])
	for _, test := range []struct {
		name, tool string
		ix         *store.Index
		args       map[string]any
		want       string // in the error; "" for none
	}{
		{"the question's own", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": cursor}, ""},
		{"a default that is said", "brick_bridges", ix, map[string]any{"limit": 3.0, "cursor": cursor}, ""},
		{"another limit", "brick_bridges", ix, map[string]any{"limit": 4, "cursor": cursor}, "is not of this question"},
		{"no limit", "brick_bridges", ix, map[string]any{"cursor": cursor}, "is not of this question"},
		{"other records", "brick_bridges", ix, map[string]any{"limit": 3, "records": "brief", "cursor": cursor}, "is not of this question"},
		{"another tool", "brick_cycles", ix, map[string]any{"limit": 3, "cursor": cursor}, "is not of this question"},
		{"another index", "brick_bridges", other, map[string]any{"limit": 3, "cursor": cursor}, "is not of this question"},
		{"a changed letter", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": flip(cursor)}, "is damaged"},
		{"cut off", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": cursor[:len(cursor)-2]}, "is damaged"},
		{"padded", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": cursor + "="}, "is damaged"},
		{"none at all", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": "x"}, "is damaged"},
		{"empty", "brick_bridges", ix, map[string]any{"limit": 3, "cursor": ""}, "must not be empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := answerJSON(test.ix, test.tool, test.args)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var argument *query.ArgumentError
			if !errors.As(err, &argument) || argument.Argument != "cursor" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want an ArgumentError with %q", err, test.want)
			}
		})
	}
}

func flip(cursor string) string {
	letter := byte('A')
	if cursor[4] == letter {
		letter = 'B'
	}
	return cursor[:4] + string(letter) + cursor[5:]
}
