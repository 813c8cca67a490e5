package scip

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"
)

// goDocument is a document of Go with most of what the mapping is about.
func goDocument() testDocument {
	return testDocument{
		path: "a.go", language: "Go",
		text: `package ex

import "fmt"

type T struct{}

func (t T) Run(a, b int) { fmt.Println(help) }

func help() { T{}.Run(1, 2) }

var x = help()
`,
		symbols: []*pb.SymbolInformation{
			{Symbol: own(""), Kind: pb.SymbolInformation_Package},
			{Symbol: own("T#"), Kind: pb.SymbolInformation_Struct, Relationships: []*pb.Relationship{
				{Symbol: "scip-go gomod std v2 std/Runner#", IsImplementation: true}}},
			{
				Symbol: own("T#Run()."), Kind: pb.SymbolInformation_Method,
				SignatureDocumentation: &pb.Signature{Text: "func (T).Run(a int, b int)"},
				Relationships:          []*pb.Relationship{{Symbol: "scip-go gomod std v2 std/Runner#Run.", IsImplementation: true}},
			},
			{Symbol: own("help()."), Kind: pb.SymbolInformation_Function, SignatureDocumentation: &pb.Signature{Text: "func help()"}},
			{Symbol: own("x."), Kind: pb.SymbolInformation_Variable},
		},
		marks: []mark{
			{name: "ex", symbol: own(""), define: true},
			{name: "fmt", symbol: "scip-go gomod std v2 fmt/"},
			{name: "T", symbol: own("T#"), define: true, from: "type", to: "{}"},
			{name: "Run", symbol: own("T#Run()."), define: true, from: "func", to: "}"},
			{name: "fmt", nth: 2, symbol: "scip-go gomod std v2 fmt/"},
			{name: "Println", symbol: "scip-go gomod std v2 fmt/Println()."},
			{name: "help", symbol: own("help().")},
			{name: "help", nth: 2, symbol: own("help()."), define: true, from: "func", to: "2) }"},
			{name: "T", nth: 3, symbol: own("T#")},
			{name: "Run", nth: 2, symbol: own("T#Run().")},
			{name: "x", nth: 2, symbol: own("x."), define: true},
			{name: "help", nth: 3, symbol: own("help().")},
		},
	}
}

func TestModel(t *testing.T) {
	file, source := writeIndex(t, goDocument())
	m := importModel(t, Options{Source: source, Repository: "repo:ex"}, file)
	m.wantRecords(t,
		`{"id":"repo:ex","kind":"repository","name":"ex"}`,
		`{"id":"file:a.go","kind":"file","name":"a.go","language":"go","path":"a.go"}`,
		`{"id":"scip-go gomod ex ex/","kind":"module","name":"ex","qualified_name":"ex","language":"go","path":"a.go",
		  "span":{"start_line":1,"start_column":9,"end_line":1,"end_column":11}}`,
		`{"id":"scip-go gomod ex ex/T#","kind":"struct","name":"T","qualified_name":"ex.T","language":"go","path":"a.go",
		  "span":{"start_line":5,"start_column":1,"end_line":5,"end_column":16}}`,
		`{"id":"scip-go gomod ex ex/T#Run().","kind":"method","name":"Run","qualified_name":"ex.T.Run","language":"go","path":"a.go",
		  "span":{"start_line":7,"start_column":1,"end_line":7,"end_column":47},
		  "attributes":{"metrics.lines":1,"metrics.parameters":2,"source.exported":true,
		   "source.trait-impl":"scip-go gomod std v2 std/Runner#Run."}}`,
		`{"id":"scip-go gomod ex ex/help().","kind":"function","name":"help","qualified_name":"ex.help","language":"go","path":"a.go",
		  "span":{"start_line":9,"start_column":1,"end_line":9,"end_column":30},
		  "attributes":{"metrics.lines":1,"metrics.parameters":0}}`,
		`{"id":"scip-go gomod ex ex/x.","kind":"variable","name":"x","qualified_name":"ex.x","language":"go","path":"a.go",
		  "span":{"start_line":11,"start_column":5,"end_line":11,"end_column":6}}`,
		`{"id":"scip-go gomod std v2 fmt/Println().","kind":"external","name":"Println","qualified_name":"fmt.Println","language":"go"}`,
		`{"id":"scip-go gomod std v2 fmt/","kind":"external","name":"fmt","qualified_name":"fmt","language":"go"}`,

		`{"kind":"contains","source":"repo:ex","target":"file:a.go","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go"}]}`,
		`{"kind":"contains","source":"scip-go gomod ex ex/","target":"file:a.go","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:1:9"}]}`,
		`{"kind":"defines","source":"file:a.go","target":"scip-go gomod ex ex/T#","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:5:6"}]}`,
		`{"kind":"defines","source":"scip-go gomod ex ex/T#","target":"scip-go gomod ex ex/T#Run().","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:7:12"}]}`,
		`{"kind":"inherits","source":"scip-go gomod ex ex/T#","target":"scip-go gomod std v2 std/Runner#","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:5:6"}]}`,
		`{"kind":"imports","source":"file:a.go","target":"scip-go gomod std v2 fmt/","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:3:9"}]}`,
		`{"kind":"calls","source":"scip-go gomod ex ex/T#Run().","target":"scip-go gomod std v2 fmt/Println().","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:7:32"}]}`,
		`{"kind":"name_reference","source":"scip-go gomod ex ex/T#Run().","target":"scip-go gomod ex ex/help().","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:7:40"}]}`,
		`{"kind":"calls","source":"scip-go gomod ex ex/help().","target":"scip-go gomod ex ex/T#Run().","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:9:19"}]}`,
		`{"kind":"calls","source":"file:a.go","target":"scip-go gomod ex ex/help().","evidence":[{"lane":"imported","backend":"test 1","provenance":"a.go:11:9"}]}`,
	)
	want := map[string]any{
		"references": 4.0, "in_functions": 3.0, "calls": 3.0, "name_references": 1.0,
		"guessed_extents": 0.0, "unresolved": nil, "unresolved_seen": 0.0,
	}
	if got := m.Metrics.Resolution["go"]; !reflect.DeepEqual(got, want) {
		t.Errorf("resolution %v, want %v", got, want)
	}
}

// Without the sources a mention can't be told from a call.
func TestWithoutSource(t *testing.T) {
	file, _ := writeIndex(t, goDocument())
	m := importModel(t, Options{}, file)
	for _, c := range []struct{ source, target, want string }{
		{ownID("T#Run()."), ownID("help()."), "heuristic scip.call-syntax=unknown a.go:7:40"},
		{ownID("help()."), ownID("T#Run()."), "heuristic scip.call-syntax=unknown a.go:9:19"},
		{"file:a.go", ownID("help()."), "heuristic scip.call-syntax=unknown a.go:11:9"},
	} {
		if got := m.edge(calls, c.source, c.target); got != c.want {
			t.Errorf("calls %s → %s: %q, want %q", c.source, c.target, got, c.want)
		}
	}
	m.wantRecords(t, `{"id":"repo:ex","kind":"repository","name":"ex"}`)
}

// The ids of a repository's own symbols don't depend on the version.
func TestVersions(t *testing.T) {
	one, two := goDocument(), goDocument()
	for i := range two.marks {
		two.marks[i].symbol = string(bytes.ReplaceAll([]byte(two.marks[i].symbol), []byte("ex v1"), []byte("ex v2")))
	}
	for _, s := range two.symbols {
		s.Symbol = string(bytes.ReplaceAll([]byte(s.Symbol), []byte("ex v1"), []byte("ex v2")))
	}
	fileOne, sourceOne := writeIndex(t, one)
	fileTwo, sourceTwo := writeIndex(t, two)
	a := importModel(t, Options{Source: sourceOne, Repository: "r"}, fileOne)
	b := importModel(t, Options{Source: sourceTwo, Repository: "r"}, fileTwo)
	if !bytes.Equal(a.text, b.text) {
		t.Errorf("another version, another model:\n%s\n%s", a.text, b.text)
	}
}

// The order of documents, symbols and occurrences doesn't matter, nor how
// often they come.
func TestDeterminism(t *testing.T) {
	a := goDocument()
	b := testDocument{
		path: "b.go", language: "go", text: "package ex\n\nfunc other() { help() }\n",
		symbols: []*pb.SymbolInformation{{Symbol: own("other()."), Kind: pb.SymbolInformation_Function}},
		marks: []mark{
			{name: "ex", symbol: own(""), define: true},
			{name: "other", symbol: own("other()."), define: true, from: "func", to: "}"},
			{name: "help", symbol: own("help().")},
		},
	}
	file, source := writeIndex(t, a, b)
	want := importModel(t, Options{Source: source, Repository: "r"}, file)
	if got := want.edge(calls, ownID("other()."), ownID("help().")); got != "imported b.go:3:16" {
		t.Errorf("other calls help: %q", got)
	}

	reversed := &pb.Index{Metadata: &pb.Metadata{ToolInfo: &pb.ToolInfo{Name: "test", Version: "1"}, ProjectRoot: "file:///src/ex"}}
	for _, d := range []testDocument{b, a} {
		doc := d.document(t)
		for i, j := 0, len(doc.Occurrences)-1; i < j; i, j = i+1, j-1 {
			doc.Occurrences[i], doc.Occurrences[j] = doc.Occurrences[j], doc.Occurrences[i]
		}
		for i, j := 0, len(doc.Symbols)-1; i < j; i, j = i+1, j-1 {
			doc.Symbols[i], doc.Symbols[j] = doc.Symbols[j], doc.Symbols[i]
		}
		reversed.Documents = append(reversed.Documents, doc)
	}
	other := writeMessage(t, reversed)
	if got := importModel(t, Options{Source: source, Repository: "r"}, other); !bytes.Equal(got.text, want.text) {
		t.Errorf("in another order:\n%s\nwant\n%s", got.text, want.text)
	}

	// An index whose documents overlap with another's is merged, not doubled.
	twice := importModel(t, Options{Source: source, Repository: "r"}, file, other)
	if len(twice.Nodes) != len(want.Nodes) || len(twice.Edges) != len(want.Edges) {
		t.Errorf("both: %d nodes, %d edges, want %d and %d", len(twice.Nodes), len(twice.Edges), len(want.Nodes), len(want.Edges))
	}
	if got := twice.edge(calls, ownID("other()."), ownID("help().")); got != "imported b.go:3:16" {
		t.Errorf("both: other calls help: %q", got)
	}
}

// Indexes of two languages in folders of one repository are one model.
func TestMerge(t *testing.T) {
	a := goDocument()
	goIndex := &pb.Index{Metadata: &pb.Metadata{ToolInfo: &pb.ToolInfo{Name: "scip-go"}, ProjectRoot: "file:///src/ex"}, Documents: []*pb.Document{a.document(t)}}
	web := testDocument{
		path: "main.ts", text: "export function start() {}\nstart();\n",
		marks: []mark{
			{name: "start", symbol: "scip-typescript npm web 1 `main.ts`/start().", define: true, from: "export", to: "}"},
			{name: "start", nth: 2, symbol: "scip-typescript npm web 1 `main.ts`/start()."},
		},
	}
	webIndex := &pb.Index{Metadata: &pb.Metadata{ToolInfo: &pb.ToolInfo{Name: "scip-typescript"}, ProjectRoot: "file:///src/ex/web"}, Documents: []*pb.Document{web.document(t)}}
	source := t.TempDir()
	writeFile(t, filepath.Join(source, "a.go"), a.text)
	writeFile(t, filepath.Join(source, "web/main.ts"), web.text)
	m := importModel(t, Options{Source: source}, writeMessage(t, webIndex), writeMessage(t, goIndex))
	if got := m.edge(calls, "file:web/main.ts", "scip-typescript npm web `main.ts`/start()."); got != "imported web/main.ts:2:1" {
		t.Errorf("start is called: %q", got)
	}
	if got := m.edge(calls, "file:a.go", ownID("help().")); got != "imported a.go:11:9" {
		t.Errorf("help is called: %q", got)
	}
	if got := m.Scope["producers"]; !reflect.DeepEqual(got, []any{"scip-typescript", "scip-go"}) {
		t.Errorf("producers %v", got)
	}
	if m.Metrics.Resolution["go"] == nil || m.Metrics.Resolution["typescript"] == nil {
		t.Errorf("resolution %v", m.Metrics.Resolution)
	}
}

// Strings that are not UTF-8 are mended, and counted.
func TestMend(t *testing.T) {
	d := goDocument()
	d.symbols[3].Documentation = []string{"XYZ"}
	file, source := writeIndex(t, d)
	message := readFile(t, file)
	writeFile(t, file, string(bytes.Replace(message, []byte("XYZ"), []byte("X\xFFZ"), 1)))
	var model bytes.Buffer
	s, err := Import(t.Context(), []string{file}, Options{Source: source}, &model)
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, model.Bytes())
	if s.Mended != 1 {
		t.Errorf("%d strings mended, want 1", s.Mended)
	}
}

// Test mains in the Go build cache are not the repository's.
func TestBuildCache(t *testing.T) {
	d := goDocument()
	doc := proto.Clone(d.document(t)).(*pb.Document)
	doc.RelativePath = "../../.cache/go-build/0f/0f00000000000000000000000000000000000000000000000000000000000000-d"
	source := t.TempDir()
	writeFile(t, filepath.Join(source, "a.go"), d.text)
	file := writeMessage(t, &pb.Index{Metadata: &pb.Metadata{}, Documents: []*pb.Document{d.document(t), doc}})
	m := importModel(t, Options{Source: source}, file)
	if got := m.Scope["documents_of_the_build_cache"]; got != 1.0 {
		t.Errorf("%v documents left out, want 1", got)
	}
	if got := m.edge(calls, "file:a.go", ownID("help().")); got != "imported a.go:11:9" {
		t.Errorf("help is called: %q", got)
	}
}

// The repository is called what it declares, wherever it lies.
func TestRepositoryID(t *testing.T) {
	file, source := writeIndex(t, goDocument())
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "repo:ex"}, // the only package
		{Options{Source: source}, "repo:ex"},
		{Options{Source: source, Repository: "repo:mine"}, "repo:mine"},
	} {
		m := importModel(t, c.o, file)
		m.wantRecords(t, `{"id":"`+c.want+`","kind":"repository","name":"`+c.want[len("repo:"):]+`"}`)
	}
	writeFile(t, filepath.Join(source, "package.json"), `{"name":"@x/shop"}`)
	importModel(t, Options{Source: source}, file).wantRecords(t, `{"id":"repo:@x/shop","kind":"repository","name":"@x/shop"}`)
}
