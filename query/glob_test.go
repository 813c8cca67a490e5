package query

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestGlob(t *testing.T) {
	for _, test := range []struct{ glob, yes, no string }{
		{"a.go", "a.go", "b/a.go a_go a.gox"},
		{"*.go", "a.go .go", "b/a.go a.goo"},
		{"**/*.go", "a.go b/a.go c/b/a.go", "a.g"},
		{"b/**", "b/ b/a b/c/a", "b bb/a"},
		{"b/**/a", "b/a b/c/a b/c/d/a", "ba b/ca"},
		{"a**/b", "a/b ac/b a/c/b", "ab"},
		{"a**b", "ab a/b a/c/b", "a"},
		{"***/b", "/b a/b a/c/b", "b"},
		{"?.go", "a.go", ".go /.go ab.go"},
		{"[a-c].go", "a.go c.go", "d.go -.go"},
		{"[!a-c].go", "d.go /.go", "a.go"},
		{"[^a-c].go", "d.go", "a.go"},
		{`[d\]].go`, "d.go ].go", `\.go`},
		{`[\*\\].go`, `*.go \.go`, "a.go"},
		{`[a\-c].go`, "a.go -.go c.go", "b.go"},
		{"[]].go", "].go", "a.go"},
		{"[[:x].go", "[.go :.go x.go", "a.go"},
		{"{a,b}.go", "a.go b.go", "c.go {a,b}.go"},
		{"{a,{b,c}d}.go", "a.go bd.go cd.go", "b.go d.go"},
		{"{,a}b", "b ab", "a"},
		{"{**/*_test.go}", "a_test.go b/a_test.go", "a.go"},
		{"{b/**,**/*_test.go}", "a_test.go b/x c/a_test.go", "a.go"},
		{"{a/,b}**/c", "a/c a/x/c b/c bx/c b/x/c", "ac bc"},
		{"{a,b/**/}c", "ac b/c b/x/c", "c bc"},
		{"{[{],x}y", "{y xy", "y"},
		{"a{*}*", "a abc ab/c", "b"},
		{`\*\{\[.go`, "*{[.go", "a.go"},
		{"a}b,c", "a}b,c", "ab"},
		{"é*", "é éa", "e"},
	} {
		g, err := compileGlob(test.glob, "/")
		if err != nil {
			t.Errorf("%s: %v", test.glob, err)
			continue
		}
		for _, text := range strings.Fields(test.yes) {
			if !g.match(text) {
				t.Errorf("%s does not match %s (%s)", test.glob, text, g.re)
			}
		}
		for _, text := range strings.Fields(test.no) {
			if g.match(text) {
				t.Errorf("%s matches %s (%s)", test.glob, text, g.re)
			}
		}
	}
}

func TestGlobFaults(t *testing.T) {
	for glob, want := range map[string]string{
		"{a":                        "a { is not closed",
		"{a,{b}":                    "a { is not closed",
		"[a":                        "a [ is not closed",
		"[]":                        "a [ is not closed",
		`[\]`:                       "a [ is not closed",
		`a\`:                        `it ends with a \ that nothing follows`,
		"[b-a]":                     "a range in [ ] goes backwards",
		"[a-]":                      "a - in [ ] stands for no range",
		strings.Repeat("*a", 65):    "it has more than 64 wildcards",
		strings.Repeat("{a,b}", 9):  "its braces stand for more than 256 globs",
		strings.Repeat("{a,b}", 40): "its braces stand for more than 256 globs",
	} {
		if _, err := compileGlob(glob, "/"); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", glob, err, want)
		}
	}
}

// What every match has is what every match has.
func TestGlobContains(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "ab", "/", "*", "**", "**/", "?", "[ab]", "{a,b}", "{a/b,b}", "{,ab}", "{**/a,a}"})
	part := rapid.SampledFrom([]string{"a", "b", "ab", "/", "c"})
	rapid.Check(t, func(t *rapid.T) {
		glob := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "glob"), "")
		text := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "text"), "")
		g, err := compileGlob(glob, "/")
		if err != nil {
			t.Fatal(err)
		}
		matches := g.re.MatchString(text)
		if matches && (!strings.HasPrefix(text, g.prefix) || !strings.HasSuffix(text, g.suffix) || !strings.Contains(text, g.literal)) {
			t.Fatalf("%s matches %s, which should have prefix %q, suffix %q, part %q", glob, text, g.prefix, g.suffix, g.literal)
		}
		if g.match(text) != matches || matches != naiveGlob(glob, text) {
			t.Fatalf("%s and %s: %t, %t, naively %t", glob, text, g.match(text), matches, naiveGlob(glob, text))
		}
	})
}

// naiveGlob matches by trying everything: the first braces' alternatives, then
// what each star may take.
func naiveGlob(glob, text string) bool {
	if open := strings.IndexByte(glob, '{'); open >= 0 {
		end := open + strings.IndexByte(glob[open:], '}')
		for _, one := range strings.Split(glob[open+1:end], ",") {
			if naiveGlob(glob[:open]+one+glob[end+1:], text) {
				return true
			}
		}
		return false
	}
	var match func(i int, text string, begun bool) bool // the star at i has taken something
	match = func(i int, text string, begun bool) bool {
		rest := glob[i:]
		stars := len(rest) - len(strings.TrimLeft(rest, "*"))
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case rest == "":
			return text == ""
		case stars == 2 && strings.HasPrefix(rest, "**/") && (i == 0 || glob[i-1] == '/') && !begun && match(i+3, text, false):
			return true
		case stars > 0:
			return match(i+stars, text, false) || size > 0 && (stars > 1 || r != '/') && match(i, text[size:], true)
		case size == 0:
			return false
		case rest[0] == '?':
			return r != '/' && match(i+1, text[size:], false)
		case strings.HasPrefix(rest, "[ab]"):
			return (r == 'a' || r == 'b') && match(i+4, text[size:], false)
		}
		return rest[0] == text[0] && match(i+1, text[1:], false)
	}
	return match(0, text, false)
}
