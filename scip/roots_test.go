package scip

import (
	"slices"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

func TestPrefixes(t *testing.T) {
	for _, c := range []struct {
		source string
		roots  []string
		want   []string
	}{
		{"", []string{"file:///src/shop"}, []string{""}},
		{"/src/shop", []string{"file:///src/shop"}, []string{""}},
		{"/src/shop", []string{"file:///src/shop/web"}, []string{"web"}},
		{"/elsewhere", []string{"file:///src/shop/web"}, []string{""}},
		{"/src/shop", []string{"file:///src/shop", "file:///src/shop/web/"}, []string{"", "web"}},
		{"", []string{"file:///src/shop/web", "file:///src/shop"}, []string{"web", ""}},
		{"/elsewhere", []string{"file:///src/shop/web", "file:///src/shop/go/x"}, []string{"web", "go/x"}},
		{"", []string{"file:///a/shop", "file:///b/shop"}, []string{"", ""}},
		{"", []string{"file:///src/shop", "file:///src/shopping"}, []string{"shop", "shopping"}},
		{"", []string{"", "file:///src/shop"}, []string{"", ""}},
	} {
		var indexes []*indexFile
		for _, root := range c.roots {
			indexes = append(indexes, &indexFile{metadata: &pb.Metadata{ProjectRoot: root}})
		}
		findPrefixes(indexes, c.source)
		var got []string
		for _, x := range indexes {
			got = append(got, x.prefix)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("source %q, roots %q: prefixes %q, want %q", c.source, c.roots, got, c.want)
		}
	}
}
