package query_test

import (
	"context"
	"testing"

	"brick/query"
)

// BenchmarkTools asks each tool about bbolt's model. go run . in internal/perf
// asks larger models, beside other programs.
func BenchmarkTools(b *testing.B) {
	ix, _ := bbolt(b)
	const function = "go:(*go.etcd.io/bbolt.Cursor).seek"
	for _, bench := range []struct {
		tool      string
		arguments query.Arguments
	}{
		{"brick_impact", query.Arguments{"node_id": function, "direction": "dependents", "max_depth": int64(2)}},
		{"brick_cycles", query.Arguments{}},
		{"brick_bridges", query.Arguments{}},
		{"brick_evidence", query.Arguments{"entity_id": function}},
		{"brick_callers", query.Arguments{"node_id": function}},
		{"brick_uncalled", query.Arguments{"limit": int64(20), "include_unknown": true}},
	} {
		b.Run(bench.tool, func(b *testing.B) {
			tool := query.Lookup(bench.tool)
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				answer, err := tool.Answer(context.Background(), ix, bench.arguments)
				if err != nil {
					b.Fatal(err)
				}
				size = len(answer)
			}
			b.SetBytes(int64(size))
		})
	}
}
