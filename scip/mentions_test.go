package scip

import (
	"path/filepath"
	"strings"
	"testing"
)

// Where a name stands, and what that is for a function without a caller.
func TestMentions(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 shop/" + d }
	python := func(text string) testDocument {
		return testDocument{path: "shop.py", language: "python", text: text, marks: []mark{
			{name: "total", nth: strings.Count(text[:strings.Index(text, "def total")], "total") + 1, symbol: py("total()."), define: true, from: "def", to: "return 1"}}}
	}
	const function = "def total():\n    return 1\n"
	golang := func(text string) testDocument {
		return testDocument{path: "shop.go", text: text + "\nfunc total() {}\n", marks: []mark{
			{name: "total", nth: strings.Count(text, "total") + 1, symbol: own("total()."), define: true, from: "func", to: "}"}}}
	}
	typescript := func(text string) testDocument {
		return testDocument{path: "shop.ts", text: text + "\nfunction total() {}\n", marks: []mark{
			{name: "total", nth: strings.Count(text, "total") + 1, symbol: "scip-typescript npm ex 1 `shop.ts`/total().", define: true, from: "function", to: "}"}}}
	}
	file := func(path, text string) map[string]string { return map[string]string{path: text} }
	for _, c := range []struct {
		name     string
		document testDocument
		files    map[string]string // besides the document
		want     string            // the edge from where the name stands
		from     string            // "" for the document
	}{
		{"nowhere else", python(function), nil, "", ""},
		{"in a string", python(function + `x = "total"` + "\n"), nil, "heuristic source.mention=string shop.py:3:6", ""},
		{"in code of Python", python(function + "x = [total]\n"), nil, "heuristic source.mention=code shop.py:3:6", ""},
		{"in a comment of Python", python(function + "\n\nx = 1  # total\n"), nil, "heuristic source.mention=document shop.py:5:10", ""},
		{"in its own body", python("def total():\n    'total'\n    total\n    return 1\n"), nil, "", ""},
		{"in the comment above it", python("# total\n@total\ndef total():\n    return 1\n"), nil, "", ""},
		{"in another definition of the name", python(function + "\nclass total: pass\n"), nil, "", ""},
		{"in another word", python(function), file("README.md", "totals, subtotal, total_2, totalled\n"), "", "README.md"},
		{"in documentation", python(function), file("README.md", "# Shop\n\nCall `total`.\n"), "heuristic source.mention=document README.md:3:7", "README.md"},
		{"in configuration", python(function), file("setup.cfg", "run = shop:total\n"), "heuristic source.mention=document setup.cfg:1:12", "setup.cfg"},
		{"in a hidden folder", python(function), file(".github/ci.yml", "run: total\n"), "heuristic source.mention=document .github/ci.yml:1:6", ".github/ci.yml"},
		{"in a template", python(function), file("page.html", "{{ cart.total }}\n"), "heuristic source.mention=template page.html:1:9", "page.html"},
		{"in a source of another language", python(function), file("run.sh", "python -c 'total'\n"), "heuristic source.mention=code run.sh:1:12", "run.sh"},
		{"in a string of a file that was not indexed", python(function), file("other.py", "x = 'total'\n"), "heuristic source.mention=string other.py:1:6", "other.py"},
		{"in an ignored file", python(function), map[string]string{".gitignore": "out\n", "out/a.txt": "total\n"}, "", "out/a.txt"},

		{"Go: in code that the compiler resolved", golang("package ex\ntype y struct{ total int }\n"), nil, "", ""},
		{"Go: in a comment", golang("package ex\n// total\nvar x int\n"), nil, "", ""},
		{"Go: in a string", golang("package ex\nvar x = `total`\n"), nil, "heuristic source.mention=string shop.go:2:10", ""},
		{"Go: in a directive", golang("package ex\n//go:linkname other ex.total\nfunc other()\n"), nil, "heuristic source.mention=document shop.go:2:24", ""},
		{"TypeScript: in code that the compiler resolved", typescript("const x = { total: 1 };"), nil, "", ""},
		{"TypeScript: in a template", typescript("const x = `total ${ total }`;"), nil, "heuristic source.mention=string shop.ts:1:12", ""},
		{"TypeScript: in JSX of a file that was not indexed", typescript(""), file("view.js", "export const V = total;\n"), "heuristic source.mention=code view.js:1:18", "view.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			index, source := writeIndex(t, c.document)
			for path, text := range c.files {
				writeFile(t, filepath.Join(source, path), text)
			}
			m := importModel(t, Options{Source: source}, index)
			from := c.from
			if from == "" {
				from = c.document.path
			}
			language := map[string]string{"shop.py": "python", "shop.go": "go", "shop.ts": "typescript"}[c.document.path]
			if got := m.edge(nameReference, "file:"+from, "unresolved:"+language+":total"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What stands in a function's own text counts for the others of its name.
func TestMentionsOfNamesakes(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 " + d }
	id := func(d string) string { return "scip-python python ex " + d }
	file := func(path, body string) testDocument {
		return testDocument{path: path + ".py", language: "python", text: "def run():\n    " + body + "\n    return 1\n", marks: []mark{
			{name: "run", symbol: py(path + "/run()."), define: true, from: "def", to: "return 1"}}}
	}
	index, source := writeIndex(t, file("a", "'run'"), file("b", "pass"))
	m := importModel(t, Options{Source: source}, index)
	m.wantEdges(t, "", []wantEdge{
		{nameReference, "file:a.py", id("b/run()."), "heuristic source.mention=string a.py:2:6"},
		{nameReference, "file:a.py", id("a/run()."), ""},
	})
	for _, e := range m.Edges {
		if e["target"] == "unresolved:python:run" {
			t.Errorf("%s counts for a.run too", e["id"])
		}
	}
}

// A function that has a caller needs no other reason.
func TestMentionsOfCalled(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 shop/" + d }
	index, source := writeIndex(t, testDocument{path: "shop.py", language: "python", text: "def total(): return 1\ntotal()\nx = 'total'\n", marks: []mark{
		{name: "total", symbol: py("total()."), define: true, from: "def", to: "return 1"}, {name: "total", nth: 2, symbol: py("total().")}}})
	m := importModel(t, Options{Source: source}, index)
	for _, e := range m.Edges {
		if e["kind"] == nameReference {
			t.Errorf("an edge %s → %s", e["source"], e["target"])
		}
	}
}

// An import that nothing uses names its function all the same.
func TestMentionsInImports(t *testing.T) {
	ts := func(d string) string { return "scip-typescript npm ex 1 " + d }
	index, source := writeIndex(t,
		testDocument{path: "a.ts", text: "export function total() {}\n", marks: []mark{{name: "total", symbol: ts("`a.ts`/total()."), define: true, from: "export", to: "}"}}},
		testDocument{path: "b.ts", text: "import { total } from './a';\n", marks: []mark{{name: "total", symbol: ts("`a.ts`/total().")}}})
	m := importModel(t, Options{Source: source}, index)
	if got, want := m.edge(nameReference, "file:b.ts", "unresolved:typescript:total"), "heuristic source.mention=code b.ts:1:10"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of a name that stands in a file again and again the first places are listed,
// and one more record says how many there are.
func TestManyMentions(t *testing.T) {
	for count, want := range map[int]struct {
		records int
		rest    any
	}{20: {20, nil}, 21: {21, nil}, 22: {21, "2"}, 500: {21, "480"}} {
		index, source := writeIndex(t, testDocument{path: "shop.py", language: "python", text: "def total(): return 1\n", marks: []mark{
			{name: "total", symbol: "scip-python python ex 1 shop/total().", define: true, from: "def", to: "return 1"}}})
		writeFile(t, filepath.Join(source, "data.csv"), strings.Repeat("total\n", count))
		m := importModel(t, Options{Source: source}, index)
		for _, e := range m.Edges {
			if e["kind"] != nameReference {
				continue
			}
			list := e["evidence"].([]any)
			last := list[len(list)-1].(map[string]any)["attributes"].(map[string]any)
			if len(list) != want.records || last["source.mentions"] != want.rest {
				t.Errorf("%d mentions: %d records, the last stands for %v, want %v", count, len(list), last["source.mentions"], want)
			}
		}
	}
}
