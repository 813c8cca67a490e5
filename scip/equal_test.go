package scip

import (
	"path/filepath"
	"slices"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A testProject is an index of a folder of /src/ex.
type testProject struct {
	folder    string
	documents []testDocument // their paths are relative to the folder
}

// importProjects imports the indexes of several projects of one checkout.
func importProjects(t *testing.T, projects ...testProject) *testModel {
	t.Helper()
	source := t.TempDir()
	var files []string
	for _, p := range projects {
		index := &pb.Index{Metadata: &pb.Metadata{
			ToolInfo: &pb.ToolInfo{Name: "test", Version: "1"}, ProjectRoot: "file://" + filepath.Join(source, p.folder),
		}}
		for _, d := range p.documents {
			index.Documents = append(index.Documents, d.document(t))
			writeFile(t, filepath.Join(source, p.folder, d.path), d.text)
		}
		files = append(files, writeMessage(t, index))
	}
	return importModel(t, Options{Source: source, Repository: "repo:ex"}, files...)
}

// functions are the ids of a model's functions, in order.
func (m *testModel) functions() []string {
	var list []string
	for _, n := range m.Nodes {
		if isFunctionKind(n["kind"].(string)) {
			list = append(list, n["id"].(string))
		}
	}
	slices.Sort(list)
	return list
}

func wantFunctions(t *testing.T, m *testModel, want ...string) {
	t.Helper()
	if got := m.functions(); !slices.Equal(got, want) {
		t.Errorf("functions\n%q, want\n%q", got, want)
	}
}

// Two folders with a tsconfig.json each and one package.json above both: the
// producer knows no package, and writes the same symbols for both.
func TestEqualSymbolsOfProjectsWithoutPackage(t *testing.T) {
	ts := func(d string) string { return "scip-typescript npm . . src/`main.ts`/" + d }
	m := importProjects(t,
		testProject{"client", []testDocument{{
			path: "src/main.ts", text: "function setup(){return 1;}\nfunction onlyClient(){setup();}\nonlyClient();\nexport {};\n",
			marks: []mark{
				{name: "setup", symbol: ts("setup()."), define: true, from: "function", to: "}"},
				{name: "onlyClient", symbol: ts("onlyClient()."), define: true, from: "function", to: "}"},
				{name: "setup", nth: 2, symbol: ts("setup().")}, {name: "onlyClient", nth: 2, symbol: ts("onlyClient().")},
			},
		}}},
		testProject{"server", []testDocument{{
			path: "src/main.ts", text: "function setup(){return 2;}\nexport {};\n",
			marks: []mark{{name: "setup", symbol: ts("setup()."), define: true, from: "function", to: "}"}},
		}}},
	)
	id := func(project, d string) string { return "scip-typescript npm " + project + " src/`main.ts`/" + d }
	wantFunctions(t, m, id("client", "onlyClient()."), id("client", "setup()."), id("server", "setup()."))
	m.wantEdges(t, "", []wantEdge{
		{calls, id("client", "onlyClient()."), id("client", "setup()."), "imported client/src/main.ts:2:23"},
		{calls, "file:client/src/main.ts", id("client", "onlyClient()."), "imported client/src/main.ts:3:1"},
		{defines, "file:client/src/main.ts", id("client", "setup()."), "imported client/src/main.ts:1:10"},
		{defines, "file:server/src/main.ts", id("server", "setup()."), "imported server/src/main.ts:1:10"},
	})
}

// Two projects whose packages have the same name.
func TestEqualSymbolsOfPackagesOfOneName(t *testing.T) {
	py := func(d string) string { return "scip-python python app 1 `app.main`/" + d }
	project := func(folder, text string) testProject {
		return testProject{folder, []testDocument{{path: "app/main.py", language: "python", text: text, marks: []mark{
			{name: "setup", symbol: py("setup()."), define: true, from: "def", to: "pass"},
			{name: "setup", nth: 2, symbol: py("setup().")},
		}}}}
	}
	m := importProjects(t, project("one", "def setup(): pass\nsetup()\n"), project("two", "def setup():\n    pass\n\nsetup()\n"))
	id := func(project string) string { return "scip-python python " + project + "/app `app.main`/setup()." }
	wantFunctions(t, m, id("one"), id("two"))
	m.wantEdges(t, "", []wantEdge{
		{calls, "file:one/app/main.py", id("one"), "imported one/app/main.py:2:1"},
		{calls, "file:two/app/main.py", id("two"), "imported two/app/main.py:4:1"},
	})
}

// In one index too: the programs of a package are crates of their own, and
// their symbols are those of its library. What only one of them can mean is
// resolved; what both may mean is a reason, and no call.
func TestEqualSymbolsOfOneIndex(t *testing.T) {
	rs := func(d string) string { return "rust-analyzer cargo ex 1 " + d }
	file := func(path, text string, more ...mark) testDocument {
		return testDocument{path: path, language: "rust", text: text, symbols: []*pb.SymbolInformation{
			{Symbol: rs("help()."), Kind: pb.SymbolInformation_Function},
		}, marks: append([]mark{{name: "help", symbol: rs("help()."), define: true, from: "fn", to: "}"}}, more...)}
	}
	m := importProjects(t, testProject{"", []testDocument{
		file("src/lib.rs", "fn help() {}\n"),
		file("src/main.rs", "fn help() {}\nfn main() { help() }\n",
			mark{name: "main", symbol: rs("main()."), define: true, from: "fn", to: ") }"},
			mark{name: "help", nth: 2, symbol: rs("help().")}),
		{path: "src/util.rs", language: "rust", text: "fn f() { help(); g(help) }\n", marks: []mark{
			{name: "f", symbol: rs("util/f()."), define: true, from: "fn", to: ") }"},
			{name: "help", symbol: rs("help().")}, {name: "help", nth: 2, symbol: rs("help().")}}},
	}})
	main, lib := "rust-analyzer cargo ex help(). src/main.rs", "rust-analyzer cargo ex help(). src/lib.rs"
	wantFunctions(t, m, lib, main, "rust-analyzer cargo ex main().", "rust-analyzer cargo ex util/f().")
	m.wantEdges(t, "", []wantEdge{
		{calls, "rust-analyzer cargo ex main().", main, "imported src/main.rs:2:13"},
		{calls, "rust-analyzer cargo ex main().", lib, ""},
		{calls, "rust-analyzer cargo ex util/f().", lib, ""},
		{unresolvedCall, "rust-analyzer cargo ex util/f().", "unresolved:rust:help", "heuristic source.unresolved-reason=equal-symbols src/util.rs:1:10"},
		{nameReference, "rust-analyzer cargo ex util/f().", lib, "heuristic scip.equal-symbols=2 src/util.rs:1:20"},
		{nameReference, "rust-analyzer cargo ex util/f().", main, "heuristic scip.equal-symbols=2 src/util.rs:1:20"},
	})
}

// What the language says is one stays one.
func TestEqualSymbolsThatAreOne(t *testing.T) {
	t.Run("a stub and its module", func(t *testing.T) {
		py := func(d string) string { return "scip-python python app 1 app/" + d }
		m := importProjects(t, testProject{"", []testDocument{
			{path: "app.py", language: "python", text: "def f(): pass\n", marks: []mark{{name: "f", symbol: py("f()."), define: true}}},
			{path: "app.pyi", language: "python", text: "def f(): ...\n", marks: []mark{{name: "f", symbol: py("f()."), define: true}}},
		}})
		wantFunctions(t, m, "scip-python python app app/f().")
	})
	t.Run("a partial type", func(t *testing.T) {
		cs := func(d string) string { return "scip-dotnet nuget . . Ex/" + d }
		file := func(path, method string) testDocument {
			return testDocument{path: path, language: "C#", text: "partial class C { void " + method + "() {} }\n", marks: []mark{
				{name: "C", symbol: cs("C#"), define: true}, {name: method, symbol: cs("C#" + method + "()."), define: true}}}
		}
		m := importProjects(t, testProject{"", []testDocument{file("a.cs", "Go"), file("b.cs", "Stop")}})
		for _, c := range []struct{ method, path string }{{"Go", "a.cs"}, {"Stop", "b.cs"}} {
			if got := m.edge(defines, "scip-dotnet nuget . Ex/C#", "scip-dotnet nuget . Ex/C#"+c.method+"()."); got == "" {
				t.Errorf("C does not define %s in\n%s", c.method, m.text)
			}
		}
	})
	t.Run("a document of two indexes", func(t *testing.T) {
		d := testDocument{path: "a.go", text: "package ex\nfunc f() {}\n", marks: []mark{{name: "f()", symbol: own("f()."), define: true}}}
		m := importProjects(t, testProject{"", []testDocument{d}}, testProject{"", []testDocument{d}})
		wantFunctions(t, m, ownID("f()."))
	})
}

// Files of a package for different systems, each in the index of its system:
// each index's calls lead to its own.
func TestEqualSymbolsOfSystems(t *testing.T) {
	shared := testDocument{path: "a.go", text: "package ex\nfunc use() { open() }\n", marks: []mark{
		{name: "use", symbol: own("use()."), define: true, from: "func", to: "}"}, {name: "open", symbol: own("open().")}}}
	system := func(name string) testDocument {
		return testDocument{path: "open_" + name + ".go", text: "package ex\nfunc open() {}\n", marks: []mark{
			{name: "open", symbol: own("open()."), define: true, from: "func", to: "}"}}}
	}
	m := importProjects(t, testProject{"", []testDocument{shared, system("linux")}}, testProject{"", []testDocument{shared, system("windows")}})
	m.wantEdges(t, "", []wantEdge{
		{calls, ownID("use()."), ownID("open(). open_linux.go"), "imported a.go:2:14"},
		{calls, ownID("use()."), ownID("open(). open_windows.go"), "imported a.go:2:14"},
	})
}

// Each file's init of Go is a function of its own.
func TestGoInits(t *testing.T) {
	file := func(path, callee string) testDocument {
		return testDocument{path: path, text: "package ex\nfunc init() { " + callee + "() }\nfunc " + callee + "() {}\n", marks: []mark{
			{name: "init", symbol: own("init()."), define: true, from: "func", to: "}"},
			{name: callee, symbol: own(callee + "().")},
			{name: callee, nth: 2, symbol: own(callee + "()."), define: true, from: "func", to: "}"}}}
	}
	m := importProjects(t, testProject{"", []testDocument{file("a.go", "first"), file("b.go", "second")}})
	m.wantEdges(t, "", []wantEdge{
		{calls, ownID("init(). a.go"), ownID("first()."), "imported a.go:2:15"},
		{calls, ownID("init(). b.go"), ownID("second()."), "imported b.go:2:15"},
	})
}
