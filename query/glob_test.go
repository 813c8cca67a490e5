package query

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGlobWalk compares the walk with the glob's regular expression.
func TestGlobWalk(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "ab", "/", "/", ".", "é", "*", "*", "**", "**/", "?", "[a-b]", "[!a]", "[a/]", "[é]", "{", ",", "}", `\*`})
	char := rapid.SampledFrom([]string{"a", "a", "b", "/", ".", "é", "*"})
	for _, separators := range []string{"/", "."} {
		rapid.Check(t, func(t *rapid.T) {
			pattern := strings.Join(rapid.SliceOfN(part, 0, 9).Draw(t, "pattern"), "")
			g, err := compileGlob(pattern, separators)
			if err != nil {
				return
			}
			for range 20 {
				text := strings.Join(rapid.SliceOfN(char, 0, 9).Draw(t, "text"), "")
				if got, want := g.match(text), g.re.MatchString(text); got != want {
					t.Fatalf("glob %q, separators %q, text %q: %v, want %v", pattern, separators, text, got, want)
				}
			}
		})
	}
}

// TestGlobBraces has more alternatives than a walk tries, and braces in
// braces.
func TestGlobBraces(t *testing.T) {
	for pattern, texts := range map[string][2]string{
		strings.Repeat("{a,b}", 6) + "c": {"ababbac", "ababbc"},
		"x/{a,b{c,d*}}.go":               {"x/bdd.go", "x/b.go"},
	} {
		g, err := compileGlob(pattern, "/")
		if err != nil {
			t.Fatal(err)
		}
		if !g.match(texts[0]) || g.match(texts[1]) {
			t.Errorf("%s: %q %v, %q %v", pattern, texts[0], g.match(texts[0]), texts[1], g.match(texts[1]))
		}
	}
}
