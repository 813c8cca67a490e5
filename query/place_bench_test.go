package query_test

import (
	"context"
	"os"
	"testing"

	"brick/query"
	"brick/store"
)

// BenchmarkPlace asks what is at places of bbolt's files, or, with
// BRICK_INDEX and BRICK_PLACE, at a place of another index's.
func BenchmarkPlace(b *testing.B) {
	ix, _ := bbolt(b)
	asked := "internal/freelist/shared.go:70:3"
	if path := os.Getenv("BRICK_INDEX"); path != "" {
		other, err := store.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer other.Close()
		ix, asked = other, os.Getenv("BRICK_PLACE")
	}
	for _, test := range []struct {
		tool     string
		argument string
	}{{"brick_find", "text"}, {"brick_impact", "node_id"}} {
		b.Run(test.tool, func(b *testing.B) {
			tool := query.Lookup(test.tool)
			b.ReportAllocs()
			for b.Loop() {
				arguments := query.Arguments{test.argument: asked, "max_depth": int64(0), "limit": int64(20)}
				if _, err := tool.Answer(context.Background(), ix, arguments); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
