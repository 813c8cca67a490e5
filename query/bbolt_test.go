package query_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"brick/internal/test/naive"
	"brick/internal/test/randmodel"
	"brick/internal/test/testbuild"
	"brick/internal/test/testenv"
	"brick/store"
)

// TestBbolt compares answers about the model of a real repository with those
// of an implementation straight from the contract.
func TestBbolt(t *testing.T) {
	ix, model := bbolt(t)
	every := 1
	if testenv.Race() {
		every = 30
	}
	for _, q := range bboltQueries(model, every) {
		if len(q.Args) == 0 || q.Tool == "brick_uncalled" {
			if testenv.Race() {
				continue // a minute of the naive implementation
			}
		}
		compare(t, ix, model, q)
	}
}

// bboltQueries are questions about everything in the model, or about every
// so-many-th thing.
func bboltQueries(model *naive.Model, every int) []randmodel.Query {
	r := rand.New(rand.NewPCG(1, 1))
	some := func(ids []string, every int) []string {
		if every == 1 {
			return ids
		}
		picked := make([]string, 0, len(ids)/every+1)
		for range len(ids)/every + 1 {
			picked = append(picked, ids[r.IntN(len(ids))])
		}
		return picked
	}
	qs := []randmodel.Query{
		{Tool: "brick_cycles", Args: map[string]any{}},
		{Tool: "brick_bridges", Args: map[string]any{}},
	}
	for _, args := range []map[string]any{
		{},
		{"include_unknown": true, "limit": int64(1<<31 - 1)},
		{"include_unknown": true, "limit": int64(1<<31 - 1), "assume_closed_world": true},
		{"assume_closed_world": true, "limit": int64(0)},
		{"language": "go", "include_unknown": true, "limit": int64(7)},
		{"language": "unspecified"},
		{"language": "rust", "include_unknown": true, "assume_closed_world": true},
	} {
		qs = append(qs, randmodel.Query{Tool: "brick_uncalled", Args: args})
	}
	for _, id := range some(model.FunctionIDs(), every) {
		for _, closed := range []bool{false, true} {
			qs = append(qs, randmodel.Query{Tool: "brick_callers", Args: map[string]any{"node_id": id, "assume_closed_world": closed}})
		}
	}
	for _, id := range some(model.NodeIDs(), 10*every) {
		for _, direction := range []string{"dependents", "dependencies"} {
			for depth := int64(1); depth <= 3; depth++ {
				qs = append(qs, randmodel.Query{Tool: "brick_impact", Args: map[string]any{"node_id": id, "direction": direction, "max_depth": depth}})
			}
		}
	}
	for _, id := range slices.Concat(some(model.NodeIDs(), 10*every), some(model.EdgeIDs(), 40*every)) {
		qs = append(qs, randmodel.Query{Tool: "brick_evidence", Args: map[string]any{"entity_id": id}})
	}
	return qs
}

var bboltModel = sync.OnceValues(func() ([]byte, error) {
	return testenv.Unpack("../testdata/bbolt.brick.json.zst")
})

var bboltNaive = sync.OnceValues(func() (*naive.Model, error) {
	document, err := bboltModel()
	if err != nil {
		return nil, err
	}
	return naive.Load(document)
})

// bbolt is the model of a real repository, and its index.
func bbolt(t testing.TB) (*store.Index, *naive.Model) {
	t.Helper()
	document, err := bboltModel()
	if err != nil {
		t.Fatal(err)
	}
	model, err := bboltNaive()
	if err != nil {
		t.Fatal(err)
	}
	ix := testbuild.Open(t, t.TempDir(), document)
	t.Cleanup(func() { ix.Close() })
	return ix, model
}
