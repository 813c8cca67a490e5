package randmodel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
)

func load(t interface{ Fatalf(string, ...any) }, document []byte) *naive.Model {
	m, err := naive.Load(document)
	if err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	return m
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	schema, err := jsonschema.NewCompiler().Compile("../../../model/brick-v4.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, document []byte) error {
	document = bytes.TrimPrefix(document, []byte("\uFEFF"))
	// Strict about duplicate names and UTF-8, unlike encoding/json.
	if v := jsontext.Value(document); !v.IsValid() {
		return errors.New("not valid JSON")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func TestDocumentsAreValid(t *testing.T) {
	schema := compileSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		d := randmodel.Gen(randmodel.Options{}).Draw(t, "doc")
		seed := rapid.Uint64().Draw(t, "seed")
		if err := validate(schema, d.JSON()); err != nil {
			t.Fatal(err)
		}
		if err := validate(schema, d.Shuffled(seed)); err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, id := range append(d.NodeIDs(), d.EdgeIDs()...) {
			if id == "" || len(id) > 4096 || ids[id] {
				t.Fatalf("id %q", id)
			}
			ids[id] = true
		}
	})
}

func TestGoldenModelsAreValid(t *testing.T) {
	schema := compileSchema(t)
	goldens, err := naive.Goldens("../../../testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range goldens {
		if err := validate(schema, g.Document); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}

func TestJSONIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := randmodel.Gen(randmodel.Options{}).Draw(t, "doc")
		document := bytes.TrimSuffix(d.JSON(), []byte("\n"))
		canonical := jsontext.Value(bytes.Clone(document))
		err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(canonical, document) {
			t.Fatalf("%s\nis canonically\n%s", document, canonical)
		}
	})
}

func TestShuffledIsTheSameModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := randmodel.Gen(randmodel.Options{}).Draw(t, "doc")
		a := load(t, d.JSON())
		b := load(t, d.Shuffled(rapid.Uint64().Draw(t, "seed")))
		if x, y := bytes.Join(a.NodeRecords(), []byte("\n")), bytes.Join(b.NodeRecords(), []byte("\n")); !bytes.Equal(x, y) {
			t.Fatalf("nodes\n%s\n%s", x, y)
		}
		if x, y := bytes.Join(a.EdgeRecords(), []byte("\n")), bytes.Join(b.EdgeRecords(), []byte("\n")); !bytes.Equal(x, y) {
			t.Fatalf("edges\n%s\n%s", x, y)
		}
		q := randmodel.GenQuery(d)
		for range 10 {
			q := q.Draw(t, "query")
			x, errX := a.Answer(q.Tool, q.Args)
			y, errY := b.Answer(q.Tool, q.Args)
			if (errX == nil) != (errY == nil) || !bytes.Equal(x, y) {
				t.Fatalf("%s %s\n%s %v\n%s %v", q.Tool, q.JSON(), x, errX, y, errY)
			}
		}
	})
}

// TestEverythingOccurs makes sure that what the generator is for does come up.
func TestEverythingOccurs(t *testing.T) {
	seen := map[string]int{}
	errs := 0
	rapid.Check(t, func(t *rapid.T) {
		d := randmodel.Gen(randmodel.Options{}).Draw(t, "doc")
		m := load(t, d.JSON())
		q := randmodel.GenQuery(d).Draw(t, "query")
		seen[q.Tool]++
		if _, err := m.Answer(q.Tool, q.Args); err != nil {
			errs++
		}
		for _, id := range m.FunctionIDs() {
			b, err := m.Answer("brick_callers", map[string]any{"node_id": id})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct {
				Report struct {
					Status        string
					Basis         string
					RecursiveOnly bool `json:"recursive_only"`
					Reasons       []struct {
						Reason string
						Counts map[string]int `json:"by_unresolved_reason"`
					}
				}
			}
			if err := json.Unmarshal(b, &answer); err != nil {
				t.Fatal(err)
			}
			r := answer.Report
			seen[r.Status]++
			seen[r.Basis]++
			seen[fmt.Sprint("recursive_only ", r.RecursiveOnly)]++
			for _, reason := range r.Reasons {
				seen[reason.Reason]++
				if len(reason.Counts) > 1 {
					seen["several unresolved reasons"]++
				}
			}
			if len(r.Reasons) > 3 {
				seen["several reasons"]++
			}
		}
		for _, tool := range []string{"brick_cycles", "brick_bridges"} {
			b, err := m.Answer(tool, nil)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(b, []byte(`"id":"cycle:`)) || bytes.Contains(b, []byte(`"bridges":[{`)) {
				seen["not empty "+tool]++
			}
		}
	})
	if os.Getenv("RANDMODEL_COUNTS") != "" {
		t.Log(seen, errs)
	}
	if errs == 0 {
		t.Error("no query of something that isn't there")
	}
	for _, what := range []string{
		"brick_impact", "brick_cycles", "brick_bridges", "brick_evidence", "brick_callers", "brick_uncalled",
		"resolved", "unknown", "unreferenced", "compiler", "heuristic", "recursive_only true",
		"unresolved-call-sites", "referenced-by-name", "virtual", "trait-impl", "external-base",
		"framework-attribute", "implicit-invocation", "outside-class-member", "parse-incomplete",
		"entry-point", "test-code", "exported", "external-linkage",
		"several unresolved reasons", "several reasons", "not empty brick_cycles", "not empty brick_bridges",
	} {
		if seen[what] == 0 {
			t.Errorf("never: %s", what)
		}
	}
}

func TestShapes(t *testing.T) {
	schema := compileSchema(t)
	for _, s := range randmodel.Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			for _, n := range []int{1, 2, 7} {
				var document bytes.Buffer
				if err := s.Write(&document, n); err != nil {
					t.Fatal(err)
				}
				if err := validate(schema, document.Bytes()); err != nil {
					t.Fatal(err)
				}
				if len(load(t, document.Bytes()).NodeIDs()) == 0 {
					t.Error("no nodes")
				}
			}
			if s.Name == "complete" {
				return
			}
			if err := s.Write(io.Discard, 100_000); err != nil {
				t.Fatal(err)
			}
		})
	}
}
