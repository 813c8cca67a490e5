package scip

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		language, path string
		at             Place
		want           Binding // but for At and Backend
	}{
		{"go", "main.go", Place{59, 2}, Binding{Path: "main.go", Definition: Place{35, 6}}},
		{"go", "main.go", Place{60, 6}, Binding{External: "fmt.Println"}},
		{"typescript", "src/main.ts", Place{11, 12}, Binding{Path: "src/price.ts", Definition: Place{28, 17}}},
		{"typescript", "src/main.ts", Place{32, 37}, Binding{Path: "src/main.ts", Definition: Place{28, 10}}}, // after Ä𝄞
		{"python", "shop/__main__.py", Place{15, 42}, Binding{Path: "shop/price.py", Definition: Place{43, 5}}},
	} {
		all, _, err := Bindings(t.Context(), []string{filepath.Join(fixtures, c.language+".scip")}, Options{Source: filepath.Join(fixtures, c.language)})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all[c.path], func(b Binding) bool { return b.At == c.at })
		if i < 0 {
			t.Errorf("%s:%d:%d: no binding among %v", c.path, c.at.Line, c.at.Column, all[c.path])
			continue
		}
		got := all[c.path][i]
		if got.Backend == "" {
			t.Errorf("%s:%d:%d: no backend", c.path, c.at.Line, c.at.Column)
		}
		if got.Path != c.want.Path || got.Definition != c.want.Definition || got.External != c.want.External {
			t.Errorf("%s:%d:%d: %+v, want %+v", c.path, c.at.Line, c.at.Column, got, c.want)
		}
	}
}
