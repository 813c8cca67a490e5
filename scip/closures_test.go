package scip

import (
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

type tsSymbol struct{ symbol, declaration string }

// tsDocument is a document as scip-typescript 0.4.0 writes it: symbols with
// their declarations, local symbols in functions, the module at the start.
func tsDocument(path, text string, symbols []tsSymbol, marks ...mark) testDocument {
	d := testDocument{path: path, text: text, marks: marks}
	for _, s := range symbols {
		d.symbols = append(d.symbols, &pb.SymbolInformation{Symbol: s.symbol, Documentation: []string{"```ts\n" + s.declaration + "\n```"}})
	}
	module := ts(path, "")
	d.marks = append([]mark{{name: text[:1], symbol: module, define: true, from: text[:1], to: text[len(text)-2:]}}, d.marks...)
	return d
}

func ts(path, descriptors string) string {
	return "scip-typescript npm ex 1 `" + path + "`/" + descriptors
}
func tsID(path, descriptors string) string {
	return "scip-typescript npm ex `" + path + "`/" + descriptors
}

func TestElements(t *testing.T) {
	button := ts("b.ts", "Button().")
	for _, c := range []struct{ name, path, text, call, mention string }{
		{"an element", "a.tsx", "const x = <Button/>;\n", "a.tsx:1:12", ""},
		{"one with content", "a.tsx", "const x = <Button a={1}>text</Button>;\n", "a.tsx:1:12", ""},
		{"one after another", "a.tsx", "const x = <><b c={1}/><Button/></>;\n", "a.tsx:1:24", ""},
		{"of a namespace", "a.jsx", "const x = <UI.Button/>;\n", "a.jsx:1:15", ""},
		{"in JavaScript", "a.js", "return <Button/>;\n", "a.js:1:9", ""},
		{"only closed here", "a.tsx", "x</Button>;\n", "", ""},
		{"less than", "a.tsx", "if (x<Button) f();\n", "", "a.tsx:1:7"},
		{"a type assertion", "a.ts", "const x = <Button>y;\n", "", "a.ts:1:12"},
		{"as a value", "a.tsx", "const x = [Button];\n", "", "a.tsx:1:12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := testDocument{path: c.path, text: c.text}
			for n := 1; nth(c.text, "Button", n) >= 0; n++ {
				d.marks = append(d.marks, mark{name: "Button", nth: n, symbol: button})
			}
			file, source := writeIndex(t, d, testDocument{path: "b.ts", text: "export function Button() {}\n", marks: []mark{
				{name: "Button", symbol: button, define: true, from: "export", to: "}"}}})
			m := importModel(t, Options{Source: source}, file)
			for kind, place := range map[string]string{calls: c.call, nameReference: c.mention} {
				want := ""
				if place != "" {
					want = "imported " + place
				}
				if got := m.edge(kind, "file:"+c.path, tsID("b.ts", "Button().")); got != want {
					t.Errorf("%s: %q, want %q", kind, got, want)
				}
			}
		})
	}
}

// Functions that scip-typescript has no symbols for, or does not call so.
func TestNamedFunctions(t *testing.T) {
	const path = "a.tsx"
	help := tsSymbol{ts(path, "help()."), "function help(): void"}
	for _, c := range []struct {
		name, text  string
		symbol      tsSymbol
		id          string // "" for no function
		attribute   string
		outer, call string // what calls or names it from outside, and where
	}{
		{
			name: "a constant in a function", text: "function App() {\n  const pick = () => help();\n  return pick;\n}\n",
			symbol: tsSymbol{"local 2", "var pick: () => void"}, id: "App().pick().",
			outer: "App().", call: "heuristic scip.closure=passed on a.tsx:3:10",
		},
		{
			name: "a function in a function", text: "function App() {\n  function pick() { help(); }\n  pick();\n}\n",
			symbol: tsSymbol{"local 2", "function pick(): void"}, id: "App().pick().",
			outer: "App().", call: "imported a.tsx:3:3",
		},
		{
			name: "a constant with a type", text: "function App() {\n  const pick: (a: number) => void = async function () { help(); };\n  pick();\n}\n",
			symbol: tsSymbol{"local 2", "var pick: (a: number) => void"}, id: "App().pick().",
			outer: "App().", call: "imported a.tsx:3:3",
		},
		{
			name: "a wrapped constant", text: "function App() {\n  const pick = React.useCallback<F>(async x => help(), []);\n  pick();\n}\n",
			symbol: tsSymbol{"local 2", "var pick: F"}, id: "App().pick().",
			outer: "App().", call: "imported a.tsx:3:3",
		},
		{
			name: "a method of an object", text: "function App() {\n  return { pick() { help(); } };\n}\n",
			symbol: tsSymbol{"local 2", "(method) pick(): void"}, id: "App().pick().", attribute: "a member of an object that may be passed on",
		},
		{
			name: "a property of an object", text: "function App() {\n  return { pick: () => help() };\n}\n",
			symbol: tsSymbol{ts(path, "pick0:"), "(property) pick: () => void"}, id: "pick0:", attribute: "a member of an object that may be passed on",
		},
		{
			name: "a value that is none", text: "function App() {\n  const pick = list.map(x => help());\n  return pick;\n}\n",
			symbol: tsSymbol{"local 2", "var pick: number[]"},
		},
		{
			name: "a value in parentheses", text: "function App() {\n  const pick = (help() + 1);\n  return pick;\n}\n",
			symbol: tsSymbol{"local 2", "var pick: number"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			marks := []mark{
				{name: "App", symbol: ts(path, "App()."), define: true, from: "function", to: "\n}"},
				{name: "pick", symbol: c.symbol.symbol, define: true},
				{name: "help", symbol: help.symbol},
			}
			if nth(c.text, "pick", 2) >= 0 {
				marks = append(marks, mark{name: "pick", nth: 2, symbol: c.symbol.symbol})
			}
			text := c.text + "function help() {}\n"
			marks = append(marks, mark{name: "help", nth: 2, symbol: help.symbol, define: true, from: "function", to: "}"})
			file, source := writeIndex(t, tsDocument(path, text, []tsSymbol{c.symbol, help}, marks...))
			m := importModel(t, Options{Source: source}, file)
			if c.id == "" {
				wantFunctions(t, m, tsID(path, "App()."), tsID(path, "help()."))
				return
			}
			if got := m.edge(calls, tsID(path, c.id), tsID(path, "help().")); got == "" {
				t.Errorf("the call of help is not its own; the functions are %q", m.functions())
			}
			if got := m.edge(calls, tsID(path, "App()."), tsID(path, "help().")); got != "" {
				t.Errorf("the call of help counts for App: %s", got)
			}
			if c.outer != "" {
				if got := m.edge(calls, tsID(path, c.outer), tsID(path, c.id)); got != c.call {
					t.Errorf("called: %q, want %q", got, c.call)
				}
			}
			var want any
			if c.attribute != "" {
				want = c.attribute
			}
			if got := m.attribute(t, tsID(path, c.id), "source.implicit-invocation"); got != want {
				t.Errorf("source.implicit-invocation is %v, want %v", got, want)
			}
		})
	}
}

// Two functions of one name in one place stay two, in the order of the text.
func TestNamedFunctionsOfOneName(t *testing.T) {
	const path = "a.ts"
	text := "function App() {\n  if (x) { const pick = () => 1; } else { const pick = () => 2; }\n}\n"
	file, source := writeIndex(t, tsDocument(path, text, []tsSymbol{{"local 2", "var pick: () => number"}, {"local 5", "var pick: () => number"}},
		mark{name: "App", symbol: ts(path, "App()."), define: true, from: "function", to: "\n}"},
		mark{name: "pick", symbol: "local 2", define: true}, mark{name: "pick", nth: 2, symbol: "local 5", define: true}))
	m := importModel(t, Options{Source: source}, file)
	wantFunctions(t, m, tsID(path, "App()."), tsID(path, "App().pick()."), tsID(path, "App().pick(+1)."))
}

// What is wrapped is called when the wrapper is.
func TestWrapped(t *testing.T) {
	const path = "a.tsx"
	text := "function Button() {}\nconst Wrapped = memo(Button);\nconst x = <Wrapped/>;\n"
	file, source := writeIndex(t, tsDocument(path, text,
		[]tsSymbol{{ts(path, "Button()."), "function Button(): void"}, {ts(path, "Wrapped."), "var Wrapped: MemoExoticComponent<typeof Button>"}, {ts(path, "x."), "var x: Element"}},
		mark{name: "Button", symbol: ts(path, "Button()."), define: true, from: "function", to: "}"},
		mark{name: "Wrapped", symbol: ts(path, "Wrapped."), define: true},
		mark{name: "Button", nth: 2, symbol: ts(path, "Button().")},
		mark{name: "x", nth: 1, symbol: ts(path, "x."), define: true},
		mark{name: "Wrapped", nth: 2, symbol: ts(path, "Wrapped.")}))
	m := importModel(t, Options{Source: source}, file)
	m.wantEdges(t, "scip-typescript npm ex `a.tsx`/", []wantEdge{
		{calls, "Wrapped.", "Button().", "heuristic scip.wrapped=memo a.tsx:2:22"},
		{calls, "file:a.tsx", "Wrapped.", "imported a.tsx:3:12"},
	})
}
