package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
	"brick/query"
	"brick/store"
)

// ask answers a question given as an MCP client gives it.
func ask(ix *store.Index, tool string, arguments []byte) ([]byte, error) {
	t := query.Lookup(tool)
	a, err := t.ParseArguments(arguments)
	if err != nil {
		return nil, err
	}
	answer, err := t.Answer(context.Background(), ix, a)
	return comparable(answer), err
}

// comparable is an answer as the naive implementation has it: what is in a
// cursor is for nobody to know, and what a text that was not found resembles
// is tested by itself.
func comparable(answer []byte) []byte {
	return nearest.ReplaceAll(cursors.ReplaceAll(answer, []byte(`"next_cursor":"…"}`)), []byte("}"))
}

// nearest is what the answer of a search ends with that found nothing.
var nearest = regexp.MustCompile(`,"nearest":\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\]}$`)

// cursors are what an answer ends with where more is there. What is in them
// is for nobody to know.
var cursors = regexp.MustCompile(`"next_cursor":"[A-Za-z0-9_-]+"}$`)

// TestGolden compares answers with those written by hand from the contract.
func TestGolden(t *testing.T) {
	goldens, err := naive.Goldens("../testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	if len(goldens) == 0 {
		t.Fatal("no golden answers")
	}
	indexes := map[string]*store.Index{}
	dir := t.TempDir()
	for _, g := range goldens {
		ix := indexes[string(g.Document)]
		if ix == nil {
			ix = testbuild.Open(t, dir, g.Document)
			defer ix.Close()
			indexes[string(g.Document)] = ix
		}
		t.Run(g.Name, func(t *testing.T) {
			got, err := ask(ix, g.Tool, g.RawArgs)
			if g.Want == nil {
				if _, ok := err.(*query.NotFoundError); !ok {
					t.Fatalf("got %s, error %v; want a NotFoundError", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, g.Want) {
				t.Errorf("got  %s\nwant %s", got, g.Want)
			}
		})
	}
}

// TestRandomModels compares every answer about random models with that of an
// implementation straight from the contract, and the files of a model and of
// the same model written in another order.
func TestRandomModels(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		doc := randmodel.Gen(randmodel.Options{}).Draw(rt, "model")
		path := testbuild.File(rt, dir, doc.JSON())
		shuffled := doc.Shuffled(rapid.Uint64().Draw(rt, "seed"))
		if !bytes.Equal(read(rt, path), read(rt, testbuild.File(rt, dir, shuffled))) {
			rt.Fatalf("another order gives another file: %s", shuffled)
		}
		want, err := naive.Load(doc.JSON())
		if err != nil {
			rt.Fatalf("naive: %v", err)
		}
		ix, err := store.Open(path)
		if err != nil {
			rt.Fatalf("open: %v", err)
		}
		defer ix.Close()
		for _, q := range append(randmodel.EveryQuery(doc), randmodel.GenQuery(doc).Draw(rt, "query")) {
			compare(rt, ix, want, q)
		}
	})
}

func compare(t testbuild.TB, ix *store.Index, model *naive.Model, q randmodel.Query) {
	t.Helper()
	arguments, err := json.Marshal(q.Args)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want, wantErr := model.Answer(q.Tool, q.Args)
	got, err := ask(ix, q.Tool, arguments)
	if (err != nil) != (wantErr != nil) || !bytes.Equal(got, want) {
		t.Fatalf("%s %s\ngot  %s, error %v\nwant %s, error %v", q.Tool, arguments, got, err, want, wantErr)
	}
}

func read(t testbuild.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}
