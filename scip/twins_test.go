package scip

import "testing"

// The repository's own modules, seen from outside by an engine: as installed,
// as built, as vendored. In each case the second document calls NAME of the
// first one by a symbol that nothing defines.
func TestTwins(t *testing.T) {
	const bound = "heuristic scip.bound=module path "
	for _, c := range []struct {
		name                                 string
		path, symbol, module                 string // of the definition
		user, called                         string // of the call
		id, want                             string
		language, definition, call, from, to string
	}{
		{
			name: "Python: an installed twin of the src layout",
			path: "src/shop/cart.py", module: "scip-python python shop 1 `src.shop.cart`/__init__:", symbol: "scip-python python shop 1 `src.shop.cart`/NAME().",
			user: "tests/test_cart.py", called: "scip-python python Shop 0.9 `shop.cart`/NAME().",
			id: "scip-python python shop `src.shop.cart`/NAME().", want: bound + "tests/test_cart.py:1:1",
			language: "python", definition: "def NAME(): pass\n", call: "NAME()\n", from: "def", to: "pass",
		},
		{
			name: "Python: another package with a module of that name",
			path: "tests/yaml.py", module: "scip-python python shop 1 `tests.yaml`/__init__:", symbol: "scip-python python shop 1 `tests.yaml`/NAME().",
			user: "tests/test_cart.py", called: "scip-python python PyYAML 6 yaml/NAME().",
			id: "scip-python python shop `tests.yaml`/NAME().", want: "",
			language: "python", definition: "def NAME(): pass\n", call: "NAME()\n", from: "def", to: "pass",
		},
		{
			name: "npm: a workspace by what is built of it",
			path: "packages/a/src/index.ts", module: "scip-typescript npm @x/a 1.0.0 src/`index.ts`/", symbol: "scip-typescript npm @x/a 1.0.0 src/`index.ts`/NAME().",
			user: "packages/b/main.ts", called: "scip-typescript npm @x/a 1.0.0 dist/esm/`index.d.ts`/NAME().",
			id: "scip-typescript npm @x/a src/`index.ts`/NAME().", want: bound + "packages/b/main.ts:1:1",
			definition: "export function NAME() {}\n", call: "NAME()\n", from: "export", to: "}",
		},
		{
			name: "npm: a file of that path in another package",
			path: "packages/a/src/index.ts", module: "scip-typescript npm @x/a 1.0.0 src/`index.ts`/", symbol: "scip-typescript npm @x/a 1.0.0 src/`index.ts`/NAME().",
			user: "packages/b/main.ts", called: "scip-typescript npm other 1.0.0 dist/`index.d.ts`/NAME().",
			id: "scip-typescript npm @x/a src/`index.ts`/NAME().", want: "",
			definition: "export function NAME() {}\n", call: "NAME()\n", from: "export", to: "}",
		},
		{
			name: "Go: a package of a module that is replaced under another name",
			path: "lib/lib.go", module: "scip-go gomod example.com/lib . `example.com/lib`/", symbol: "scip-go gomod example.com/lib . `example.com/lib`/NAME().",
			user: "app/main.go", called: "scip-go gomod example.com/vendored v1 `example.com/lib`/NAME().",
			id: "scip-go gomod example.com/lib `example.com/lib`/NAME().", want: bound + "app/main.go:1:18",
			definition: "package lib\nfunc NAME() {}\n", call: "package a; var x NAME()\n", from: "func", to: "}",
		},
		{
			name: "Rust: a crate of the workspace in another version",
			path: "lib/src/lib.rs", module: "rust-analyzer cargo lib 1.0.0 crate/", symbol: "rust-analyzer cargo lib 1.0.0 NAME().",
			user: "app/src/main.rs", called: "rust-analyzer cargo lib 0.9.0 NAME().",
			id: "rust-analyzer cargo lib NAME().", want: "imported app/src/main.rs:1:1",
			language: "rust", definition: "pub fn NAME() {}\n", call: "NAME()\n", from: "pub", to: "}",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, source := writeIndex(t,
				testDocument{path: c.path, language: c.language, text: c.definition, marks: []mark{
					{name: c.definition[:1], symbol: c.module, define: true},
					{name: "NAME", symbol: c.symbol, define: true, from: c.from, to: c.to}}},
				testDocument{path: c.user, language: c.language, text: c.call, marks: []mark{{name: "NAME", symbol: c.called}}})
			m := importModel(t, Options{Source: source}, file)
			if got := m.edge(calls, "file:"+c.user, c.id); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What a file imports from a module that the producer did not find: Python's
// src layout, and nothing installed.
func TestImportsOfUnresolvedModules(t *testing.T) {
	py := func(d string) string { return "scip-python python shop 1 " + d }
	cart := testDocument{path: "src/shop/cart.py", language: "python", text: "def total(): pass\nclass Cart:\n    def __init__(self): pass\n", marks: []mark{
		{name: "def", symbol: py("`src.shop.cart`/__init__:"), define: true},
		{name: "total", symbol: py("`src.shop.cart`/total()."), define: true, from: "def", to: "pass"},
		{name: "Cart", symbol: py("`src.shop.cart`/Cart#"), define: true, from: "class", to: "pass"},
		{name: "__init__", symbol: py("`src.shop.cart`/Cart#__init__()."), define: true, from: "def", to: "pass"}}}
	test := testDocument{path: "tests/test_cart.py", language: "python", text: "from shop.cart import total, Cart\nfrom other import gone\n\ntotal()\nCart()\ngone()\n", marks: []mark{
		{name: "shop.cart", symbol: py("`shop.cart`/__init__:")}, {name: "total", symbol: "local 0"}, {name: "Cart", symbol: "local 1"},
		{name: "other", symbol: "local 2"}, {name: "gone", symbol: "local 3"},
		{name: "total", nth: 2, symbol: "local 0"}, {name: "Cart", nth: 2, symbol: "local 1"}, {name: "gone", nth: 2, symbol: "local 3"}}}
	file, source := writeIndex(t, cart, test)
	m := importModel(t, Options{Source: source}, file)
	m.wantEdges(t, "scip-python python shop `src.shop.cart`/", []wantEdge{
		{calls, "file:tests/test_cart.py", "total().", "heuristic scip.bound=import statement tests/test_cart.py:4:1"},
		{calls, "file:tests/test_cart.py", "Cart#__init__().", "heuristic scip.bound=import statement tests/test_cart.py:5:1"},
		{imports, "file:tests/test_cart.py", "__init__:", "heuristic scip.bound=module path tests/test_cart.py:1:6"},
	})
}
