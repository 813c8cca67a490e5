package scip

import (
	"path/filepath"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// What no index has a document for still counts.
func TestUnindexedGo(t *testing.T) {
	file, source := writeIndex(t, goDocument())
	writeFile(t, filepath.Join(source, "a_plan9.go"), "package ex\n\nimport \"other/foreign\"\n\nfunc init() {\n\thelp()\n\tforeign.help()\n\tx.Run()\n}\n")
	writeFile(t, filepath.Join(source, "cmd/main.go"), "package main\n\nimport e \"ex\"\n\nvar f = e.help\n\nfunc help() { help() }\n")
	writeFile(t, filepath.Join(source, "a_amd64.s"), "TEXT ·asm(SB), 0, $0\n\tCALL ·help(SB)\n")
	writeFile(t, filepath.Join(source, "testdata/b.go"), "package ex\n\nvar y = help()\n")
	m := importModel(t, Options{Source: source}, file)
	for _, c := range []struct{ kind, source, target, want string }{
		{calls, "file:a_plan9.go", ownID("help()."), "syntactic a_plan9.go:6:2"},
		{nameReference, "file:a_plan9.go", ownID("T#Run()."), ""}, // it has a caller that is known
		{nameReference, "file:cmd/main.go", ownID("help()."), "syntactic cmd/main.go:5:9"},
		{calls, "file:cmd/main.go", ownID("help()."), ""},
		{nameReference, "file:a_amd64.s", ownID("help()."), "syntactic a_amd64.s:2:9"},
		{calls, "file:testdata/b.go", ownID("help()."), ""},
	} {
		if got := m.edge(c.kind, c.source, c.target); got != c.want {
			t.Errorf("%s %s → %s: %q, want %q", c.kind, c.source, c.target, got, c.want)
		}
	}
	if got := m.attribute(t, "file:cmd/main.go", "scip.indexed"); got != false {
		t.Errorf("scip.indexed is %v", got)
	}
}

// Calls that no occurrence is about are unresolved ones; names in strings,
// comments and keys are nothing.
func TestUnresolved(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 ex/" + d }
	d := testDocument{
		path: "a.py", language: "python",
		text: `import x.price
def price(): pass

def use(a, price2):
    a.price()  # price()
    print("price()", f"{a.price()}")
    call(price=1)
    return a.price
`,
		marks: []mark{
			{name: "price", nth: 2, symbol: py("price()."), define: true, from: "def", to: "pass"},
			{name: "use", symbol: py("use()."), define: true, from: "def", to: "return a.price"},
		},
	}
	file, source := writeIndex(t, d)
	writeFile(t, filepath.Join(source, "b.py"), "x.price()\n")
	m := importModel(t, Options{Source: source}, file)
	use, symbol := "scip-python python ex ex/use().", "unresolved:python:price"
	reason := "syntactic source.unresolved-reason=no-symbol "
	if got, want := m.edge(unresolvedCall, use, symbol), reason+"a.py:5:7, "+reason+"a.py:6:27"; got != want {
		t.Errorf("unresolved calls: %q, want %q", got, want)
	}
	if got, want := m.edge(nameReference, use, symbol), "syntactic a.py:8:14"; got != want {
		t.Errorf("mentions: %q, want %q", got, want)
	}
	if got, want := m.edge(unresolvedCall, "file:b.py", symbol), reason+"b.py:1:3"; got != want {
		t.Errorf("unresolved calls of a file without index: %q, want %q", got, want)
	}
	m.wantRecords(t, `{"id":"unresolved:python:price","kind":"unresolved_symbol","name":"price","language":"python"}`)
	if got := m.Metrics.Resolution["python"]["unresolved_seen"]; got != 3.0 {
		t.Errorf("%v unresolved calls seen, want 3", got)
	}
}

// To import a function is not to use it; to call a class is to call its
// __init__.
func TestImportsAndConstructors(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 ex/" + d }
	d := testDocument{
		path: "a.py", language: "python",
		text: "class C:\n    def __init__(self): pass\n\ndef f(): pass\n",
		marks: []mark{
			{name: "C", symbol: py("C#"), define: true},
			{name: "__init__", symbol: py("C#__init__()."), define: true, from: "def", to: "pass"},
			{name: "f()", symbol: py("f()."), define: true, from: "def", to: "pass"},
		},
	}
	user := testDocument{
		path: "b.py", language: "python",
		text: "from a import (\n    C,\n    f,\n)\n\nx = C()\n",
		marks: []mark{
			{name: "C", symbol: py("C#")},
			{name: "f,", symbol: py("f().")},
			{name: "C", nth: 2, symbol: py("C#")},
			{name: "x", symbol: py("x."), define: true},
		},
	}
	file, source := writeIndex(t, d, user)
	m := importModel(t, Options{Source: source}, file)
	f, init := "scip-python python ex ex/f().", "scip-python python ex ex/C#__init__()."
	if got, want := m.edge(imports, "file:b.py", f), "imported b.py:3:5"; got != want {
		t.Errorf("imports: %q, want %q", got, want)
	}
	if got := m.edge(nameReference, "file:b.py", f); got != "" {
		t.Errorf("mentions: %q, want none", got)
	}
	if got, want := m.edge(calls, "file:b.py", init), "imported b.py:6:5"; got != want {
		t.Errorf("calls of __init__: %q, want %q", got, want)
	}
}

// The Import role counts where a producer sets it, sources or not.
func TestImportRole(t *testing.T) {
	d := goDocument()
	d.path, d.marks = "b.go", []mark{{name: "help", symbol: own("help()."), roles: pb.SymbolRole_Import}}
	d.symbols = nil
	file, _ := writeIndex(t, goDocument(), d)
	m := importModel(t, Options{}, file)
	if got, want := m.edge(imports, "file:b.go", ownID("help().")), "imported b.go:7:40"; got != want {
		t.Errorf("imports: %q, want %q", got, want)
	}
}

// Where types are compared by what they have, the call of an interface's
// method may be one of any method of its name.
func TestStructural(t *testing.T) {
	ts := func(d string) string { return "scip-typescript npm ex 1 `a.ts`/" + d }
	id := func(d string) string { return "scip-typescript npm ex `a.ts`/" + d }
	d := testDocument{
		path:    "a.ts",
		text:    "interface I { go(): void }\nclass C { go() {} }\nclass D { run!: () => void; once() {} }\nclass E { run() {} }\nfunction f(i: I, d: D) { i.go(); d.run(); d.once(); }\n",
		symbols: []*pb.SymbolInformation{{Symbol: ts("I#"), Documentation: []string{"```ts\ninterface I\n```"}}},
		marks: []mark{
			{name: "I", symbol: ts("I#"), define: true}, {name: "go", symbol: ts("I#go()."), define: true},
			{name: "C", symbol: ts("C#"), define: true}, {name: "go", nth: 2, symbol: ts("C#go()."), define: true, from: "go", to: "}"},
			{name: "D", symbol: ts("D#"), define: true}, {name: "run", symbol: ts("D#run."), define: true},
			{name: "once", symbol: ts("D#once()."), define: true, from: "once", to: "}"},
			{name: "E", symbol: ts("E#"), define: true}, {name: "run", nth: 2, symbol: ts("E#run()."), define: true, from: "run", to: "}"},
			{name: "f", nth: 2, symbol: ts("f()."), define: true, from: "function", to: "once(); }"},
			{name: "go", nth: 3, symbol: ts("I#go().")}, {name: "run", nth: 3, symbol: ts("D#run.")}, {name: "once", nth: 2, symbol: ts("D#once().")},
		},
	}
	d.marks[0].nth, d.marks[2].nth = 1, 1
	file, source := writeIndex(t, d)
	m := importModel(t, Options{Source: source}, file)
	reason := "heuristic source.unresolved-reason=structural "
	for _, c := range []struct{ kind, target, want string }{
		{calls, id("I#go()."), "imported a.ts:5:28"},
		{unresolvedCall, "unresolved:typescript:go", reason + "a.ts:5:28"},
		{unresolvedCall, "unresolved:typescript:run", reason + "a.ts:5:36"},
		{unresolvedCall, "unresolved:typescript:once", ""},
	} {
		if got := m.edge(c.kind, id("f()."), c.target); got != c.want {
			t.Errorf("%s → %s: %q, want %q", c.kind, c.target, got, c.want)
		}
	}
}

// Methods of Python whose names may be computed.
func TestComputedNames(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 ex/" + d }
	d := testDocument{
		path: "a.py", language: "python",
		text: "class C:\n    def on_x(self): pass\n    def off(self): pass\n    def only(self): pass\n    def do_GET(self): pass\n" +
			"    def use(self, e):\n        getattr(self, 'on_' + e)()\n        getattr(self, 'off', None)()\n",
		marks: []mark{{name: "C", symbol: py("C#"), define: true}},
	}
	for _, name := range []string{"on_x", "off", "only", "do_GET", "use"} {
		d.marks = append(d.marks, mark{name: name, symbol: py("C#" + name + "()."), define: true})
	}
	file, source := writeIndex(t, d)
	m := importModel(t, Options{Source: source}, file)
	for name, want := range map[string]any{
		"on_x":   "getattr may be given its name: a.py:7:24",
		"off":    "getattr may be given its name: a.py:8:24",
		"only":   nil,
		"use":    nil,
		"do_GET": "dispatch by name: do_…",
	} {
		if got := m.attribute(t, "scip-python python ex ex/C#"+name+"().", "source.implicit-invocation"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
