package scip

import (
	"reflect"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

const virtual = pb.SymbolInformation_MethodSpecification

// TestRules: what gives a function a reason, a rule a case.
func TestRules(t *testing.T) {
	function := func(symbol, signature string) *pb.SymbolInformation {
		return &pb.SymbolInformation{Symbol: symbol, SignatureDocumentation: &pb.Signature{Text: signature}}
	}
	documented := func(symbol, code string) *pb.SymbolInformation {
		return &pb.SymbolInformation{Symbol: symbol, Documentation: []string{"```x\n" + code + "\n```"}}
	}
	ts := func(d string) string { return "scip-typescript npm ex 1 `a.ts`/" + d }
	py := func(d string) string { return "scip-python python ex 1 ex/" + d }
	rs := func(d string) string { return "rust-analyzer cargo ex 1 " + d }
	for _, c := range []struct {
		name     string
		document testDocument
		id       string
		want     map[string]any // attributes; nil for one that must not be there
	}{
		{
			"Go: a method of an interface",
			testDocument{path: "a.go", text: "package ex\ntype I interface{ Run() }\n",
				symbols: []*pb.SymbolInformation{{Symbol: own("I#Run."), Kind: virtual}}, marks: []mark{
					{name: "I", symbol: own("I#"), define: true}, {name: "Run", symbol: own("I#Run."), define: true}}},
			ownID("I#Run."), map[string]any{"source.virtual": true, "source.trait-impl": nil},
		},
		{
			"Go: an implementation of an interface inside a function",
			testDocument{path: "a.go", text: "package ex\nfunc (t T) run() {}\nfunc f() { type i interface{ run() } }\n",
				symbols: []*pb.SymbolInformation{{Symbol: "local 1", Kind: virtual, DisplayName: "run"}}, marks: []mark{
					{name: "run", symbol: own("T#run()."), define: true, from: "func", to: "}"}}},
			ownID("T#run()."), map[string]any{"source.trait-impl": "an interface whose implementations the producer does not list, in a.go"},
		},
		{
			"Go: an implementation of a generic interface",
			testDocument{path: "a.go", text: "package ex\ntype I[T any] interface{ run() }\nfunc (t T) run() {}\n",
				symbols: []*pb.SymbolInformation{
					{Symbol: own("I#"), Kind: pb.SymbolInformation_Interface},
					{Symbol: own("I#run."), Kind: virtual, SignatureDocumentation: &pb.Signature{Text: "func (I[T any]).run()"}}},
				marks: []mark{
					{name: "I", symbol: own("I#"), define: true}, {name: "run", symbol: own("I#run."), define: true},
					{name: "run", nth: 2, symbol: own("T#run()."), define: true, from: "func", to: "}"}}},
			ownID("T#run()."), map[string]any{"source.trait-impl": "an interface whose implementations the producer does not list, in a.go"},
		},
		{
			"Go: exported by a capital, also outside ASCII",
			testDocument{path: "a.go", text: "package ex\nfunc Ähnlich() {}\n", marks: []mark{
				{name: "Ähnlich", symbol: own("`Ähnlich`()."), define: true, from: "func", to: "}"}}},
			ownID("`Ähnlich`()."), map[string]any{"source.exported": true, "source.entry-point": nil},
		},
		{
			"Go: not exported",
			testDocument{path: "a.go", text: "package ex\nfunc f() {}\n", marks: []mark{
				{name: "f", nth: 2, symbol: own("f()."), define: true, from: "func", to: "}"}}},
			ownID("f()."), map[string]any{"source.exported": nil, "metrics.lines": 1.0},
		},
		{
			"Go: main",
			testDocument{path: "a.go", text: "package ex\nfunc main() {}\n", marks: []mark{
				{name: "main", symbol: own("main()."), define: true, from: "func", to: "}"}}},
			ownID("main()."), map[string]any{"source.entry-point": true},
		},
		{
			"Go: init",
			testDocument{path: "a.go", text: "package ex\nfunc init() {}\n", marks: []mark{
				{name: "init", symbol: own("init()."), define: true, from: "func", to: "}"}}},
			ownID("init(). a.go"), map[string]any{"source.entry-point": true},
		},
		{
			"Go: a method that encoders call",
			testDocument{path: "a.go", text: "package ex\nfunc (T) MarshalJSON() {}\n", marks: []mark{
				{name: "MarshalJSON", symbol: own("T#MarshalJSON()."), define: true, from: "func", to: "}"}}},
			ownID("T#MarshalJSON()."), map[string]any{"source.implicit-invocation": "encoding"},
		},
		{
			"Go: a method that a template names",
			testDocument{path: "a.go", text: "package ex\nfunc (T) Total() {}\nvar s = `{{.Cart.Total}}`\n", marks: []mark{
				{name: "Total", symbol: own("T#Total()."), define: true, from: "func", to: "}"}}},
			ownID("T#Total()."), map[string]any{"source.implicit-invocation": "a template names it: a.go:3:18"},
		},
		{
			"Go: a method in a package that has templates",
			testDocument{path: "a.go", text: "package ex\nimport \"text/template\"\nfunc (T) Total() {}\n", marks: []mark{
				{name: "ex", symbol: own(""), define: true},
				{name: "text/template", symbol: "scip-go gomod std v1 `text/template`/"},
				{name: "Total", symbol: own("T#Total()."), define: true, from: "func", to: "}"}}},
			ownID("T#Total()."), map[string]any{"source.implicit-invocation": "its package uses text/template"},
		},
		{
			"Go: linkname",
			testDocument{path: "a.go", text: "package ex\n//go:linkname f other.f\nfunc f() {}\n", marks: []mark{
				{name: "f", nth: 3, symbol: own("f()."), define: true}}},
			ownID("f()."), map[string]any{"source.framework-attribute": "//go:linkname f other.f"},
		},
		{
			"the Test role",
			testDocument{path: "a.go", text: "package ex\nfunc g() {}\n", marks: []mark{
				{name: "g", nth: 2, symbol: own("g()."), define: true, roles: pb.SymbolRole_Test, from: "func", to: "}"}}},
			ownID("g()."), map[string]any{"source.test-code": true},
		},
		{
			"Go: the file of a test",
			testDocument{path: "a_test.go", text: "package ex\n"},
			"file:a_test.go", map[string]any{"source.test-code": true},
		},
		{
			"Python: a leading underscore",
			testDocument{path: "a.py", language: "python", text: "def _f():\n    pass\n", marks: []mark{
				{name: "_f", symbol: py("_f()."), define: true, from: "def", to: "pass"}}},
			"scip-python python ex ex/_f().", map[string]any{"source.exported": nil, "metrics.parameters": 0.0},
		},
		{
			"Python: a decorator that registers",
			testDocument{path: "a.py", language: "python", text: "@app.route('/')\ndef f():\n    pass\n",
				symbols: []*pb.SymbolInformation{documented(py("f()."), "@app.route('/')\ndef f():")},
				marks:   []mark{{name: "f", nth: 2, symbol: py("f()."), define: true, from: "", to: ""}}},
			"scip-python python ex ex/f().", map[string]any{"source.framework-attribute": "@app.route('/')", "source.exported": true},
		},
		{
			"Python: a decorator that calls nothing",
			testDocument{path: "a.py", language: "python", text: "class C:\n    @property\n    def f(self):\n        pass\n",
				symbols: []*pb.SymbolInformation{documented(py("C#f()."), "@property\ndef f(\n  self\n):")},
				marks: []mark{
					{name: "f", symbol: py("C#f()."), define: true},
					{name: "self", symbol: py("C#f().(self)"), define: true}}},
			"scip-python python ex ex/C#f().", map[string]any{"source.framework-attribute": nil, "metrics.parameters": 0.0},
		},
		{
			"Python: an abstract method",
			testDocument{path: "a.py", language: "python", text: "class C:\n    def f(self, x): ...\n",
				symbols: []*pb.SymbolInformation{documented(py("C#f()."), "@abstractmethod\ndef f(\n  self\n):")},
				marks: []mark{
					{name: "f", symbol: py("C#f()."), define: true}, {name: "x", symbol: py("C#f().(x)"), define: true}}},
			"scip-python python ex ex/C#f().", map[string]any{"source.virtual": true, "metrics.parameters": 1.0},
		},
		{
			"Python: a method of the language's protocol",
			testDocument{path: "a.py", language: "python", text: "class C:\n    def __len__(self): ...\n", marks: []mark{
				{name: "__len__", symbol: py("C#__len__()."), define: true}}},
			"scip-python python ex ex/C#__len__().", map[string]any{"source.implicit-invocation": "Python's protocol __len__"},
		},
		{
			"Python: the file of a test",
			testDocument{path: "pkg/test_a.py", language: "python", text: "\n"},
			"file:pkg/test_a.py", map[string]any{"source.test-code": true},
		},
		{
			"TypeScript: exported",
			testDocument{path: "a.ts", text: "export function f() {}\n", marks: []mark{
				{name: "f", nth: 2, symbol: ts("f()."), define: true, from: "export", to: "}"}}},
			"scip-typescript npm ex `a.ts`/f().", map[string]any{"source.exported": true, "metrics.parameters": 0.0},
		},
		{
			"TypeScript: a private method",
			testDocument{path: "a.ts", text: "class C {\n  private go() {}\n}\n", marks: []mark{
				{name: "go", symbol: ts("C#go()."), define: true, from: "private", to: "}"}}},
			"scip-typescript npm ex `a.ts`/C#go().", map[string]any{"source.exported": nil},
		},
		{
			"TypeScript: a decorated method",
			testDocument{path: "a.ts", text: "class C {\n  @Get('/x')\n  go() {}\n}\n", marks: []mark{
				{name: "go", symbol: ts("C#go()."), define: true, from: "@Get", to: "}"}}},
			"scip-typescript npm ex `a.ts`/C#go().", map[string]any{"source.framework-attribute": "@Get", "source.exported": true},
		},
		{
			"TypeScript: an interface's method",
			testDocument{path: "a.ts", text: "interface I {\n  go(): void;\n}\n",
				symbols: []*pb.SymbolInformation{documented(ts("I#"), "interface I")}, marks: []mark{
					{name: "I", symbol: ts("I#"), define: true}, {name: "go", symbol: ts("I#go()."), define: true}}},
			"scip-typescript npm ex `a.ts`/I#go().", map[string]any{"source.virtual": true},
		},
		{
			"TypeScript: toJSON",
			testDocument{path: "a.ts", text: "class C {\n  toJSON() {}\n}\n", marks: []mark{
				{name: "toJSON", symbol: ts("C#toJSON()."), define: true, from: "toJSON", to: "}"}}},
			"scip-typescript npm ex `a.ts`/C#toJSON().", map[string]any{"source.implicit-invocation": "JSON.stringify"},
		},
		{
			"TypeScript: the file of a test",
			testDocument{path: "a.spec.ts", text: "\n"},
			"file:a.spec.ts", map[string]any{"source.test-code": true},
		},
		{
			"Rust: pub",
			testDocument{path: "src/lib.rs", text: "pub fn f(a: u8) {}\n",
				symbols: []*pb.SymbolInformation{function(rs("f()."), "pub fn f(a: u8)")}, marks: []mark{
					{name: "f", symbol: rs("f()."), define: true}}},
			"rust-analyzer cargo ex f().", map[string]any{"source.exported": true, "metrics.parameters": 1.0},
		},
		{
			"Rust: pub(crate)",
			testDocument{path: "src/lib.rs", text: "pub(crate) fn g() {}\n",
				symbols: []*pb.SymbolInformation{function(rs("g()."), "pub(crate) fn g()")}, marks: []mark{
					{name: "g", symbol: rs("g()."), define: true}}},
			"rust-analyzer cargo ex g().", map[string]any{"source.exported": nil},
		},
		{
			"Rust: an implementation of a trait",
			testDocument{path: "src/lib.rs", text: "impl Run for T { fn go(&self) {} }\n",
				symbols: []*pb.SymbolInformation{function(rs("impl#[T][Run]go()."), "fn go(&self)")}, marks: []mark{
					{name: "go", symbol: rs("impl#[T][Run]go()."), define: true}}},
			"rust-analyzer cargo ex impl#[T][Run]go().", map[string]any{"source.trait-impl": "Run", "metrics.parameters": 0.0},
		},
		{
			"Rust: drop",
			testDocument{path: "src/lib.rs", text: "impl Drop for T { fn drop(&mut self) {} }\n", marks: []mark{
				{name: "drop", symbol: rs("impl#[T][Drop]drop()."), define: true}}},
			"rust-analyzer cargo ex impl#[T][Drop]drop().", map[string]any{"source.implicit-invocation": "Drop"},
		},
		{
			"Rust: an attribute",
			testDocument{path: "src/lib.rs", text: "#[inline]\n#[no_mangle]\nfn f() {}\n", marks: []mark{
				{name: "f()", symbol: rs("f()."), define: true}}},
			"rust-analyzer cargo ex f().", map[string]any{"source.framework-attribute": "#[no_mangle]"},
		},
		{
			"Rust: a test",
			testDocument{path: "src/lib.rs", text: "#[test]\nfn works() {}\n", marks: []mark{
				{name: "works", symbol: rs("works()."), define: true}}},
			"rust-analyzer cargo ex works().", map[string]any{"source.test-code": true, "source.framework-attribute": nil},
		},
		{
			"another language: not exported when private",
			testDocument{path: "A.java", language: "Java", text: "class A {\n  private void f() {}\n}\n", marks: []mark{
				{name: "f()", symbol: "scip-java maven ex 1 A#f().", define: true}}},
			"scip-java maven ex A#f().", map[string]any{"source.exported": nil},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, source := writeIndex(t, c.document)
			m := importModel(t, Options{Source: source}, file)
			for name, value := range c.want {
				if got := m.attribute(t, c.id, name); !reflect.DeepEqual(got, value) {
					t.Errorf("%s is %v, want %v", name, got, value)
				}
			}
		})
	}
}

func TestErrorDiagnostics(t *testing.T) {
	d := goDocument().document(t)
	d.Occurrences[0].Diagnostics = []*pb.Diagnostic{{Severity: pb.Severity_Error, Message: "no"}}
	m := importModel(t, Options{}, writeMessage(t, &pb.Index{Metadata: &pb.Metadata{}, Documents: []*pb.Document{d}}))
	if m.attribute(t, "file:a.go", "source.parse-incomplete") == nil {
		t.Error("no source.parse-incomplete")
	}
}
