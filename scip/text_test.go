package scip

import (
	"strings"
	"testing"

	"brick/internal/lex"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// In each text the name NAME is looked at.
func TestCalledAt(t *testing.T) {
	for _, c := range []struct {
		language *language
		text     string
		want     bool
	}{
		{golang, "NAME()", true},
		{golang, "NAME (1)", true},
		{golang, "NAME /* why */ (1)", true},
		{golang, "NAME[int](1)", true},
		{golang, "NAME[map[string]int, []T](1)", true},
		{golang, "NAME", false},
		{golang, "NAME\n(f)()", false},
		{golang, "NAME, g()", false},
		{golang, "NAME[int]", false},
		{golang, "x := NAME // (", false},
		{golang, "Run: NAME}", false},
		{python, "NAME(1)", true},
		{python, "NAME \\\n(1)", true},
		{python, "NAME\n(1)", false},
		{python, "map(NAME, x)", false},
		{python, "f'{NAME(1)}'", true},
		{typescript, "NAME()", true},
		{typescript, "NAME\n  (1)", true},
		{typescript, "NAME?.(1)", true},
		{typescript, "NAME!(1)", true},
		{typescript, "NAME<string, Map<K, () => void>>(1)", true},
		{typescript, "NAME`x`", true},
		{typescript, "`${NAME(1)}`", true},
		{typescript, "NAME < b && (c)", false},
		{typescript, "NAME != (1)", false},
		{typescript, "on(NAME)", false},
		{typescript, "NAME?.x()", false},
		{rust, "NAME::<T>(1)", true},
		{rust, "NAME!(1)", true},
		{rust, "NAME![1]", true},
		{rust, "NAME! { x }", true},
		{rust, "iter.map(NAME)", false},
		{rust, "NAME != (1)", false},
	} {
		s := newSource([]byte(c.text), c.language)
		at := strings.Index(c.text, "NAME") + len("NAME")
		if got := s.calledAt(at); got != c.want {
			t.Errorf("%s: calledAt in %q is %t, want %t", c.language.name, c.text, got, c.want)
		}
	}
}

// What is no code in the text is dots.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		language    *language
		text, codes string // codes is the text without line ends and with dots
	}{
		{golang, "a // b\nc", "a ....c"},
		{golang, `a "b\"c" d`, "a ...... d"},
		{golang, "a `b\"` c", "a .... c"},
		{golang, "a '\"' b", "a ... b"},
		{golang, "a /* \" */ b", "a ....... b"},
		{python, "a # b\nc", "a ...c"},
		{python, "a '''b\n\"''' c", "a ......... c"},
		{python, "a \"b\nc", "a ..c"},
		{typescript, "a = /\"/; b", "a = ...; b"},
		{typescript, "a / b; '\"'", "a / b; ..."},
		{rust, "a<'b> \"c\"", "a<'b> ..."},
		{rust, "a r#\"b\"c\"# d", "a ........ d"},
		{rust, "a '\\'' b", "a .... b"},
		{rust, "a /* /* b */ */ c", "a ............. c"},
	} {
		s := newSource([]byte(c.text), c.language)
		var got strings.Builder
		for i, b := range []byte(c.text) {
			switch {
			case s.classes[i] != lex.Code:
				got.WriteByte('.')
			case b != '\n':
				got.WriteByte(b)
			}
		}
		want := strings.ReplaceAll(c.codes, "\n", "")
		if got.String() != want {
			t.Errorf("%s: %q has the code %q, want %q", c.language.name, c.text, got.String(), want)
		}
	}
}

// A place is found whatever units the producer counts in.
func TestEncodings(t *testing.T) {
	for _, encoding := range []pb.PositionEncoding{
		pb.PositionEncoding_UTF8CodeUnitOffsetFromLineStart,
		pb.PositionEncoding_UTF16CodeUnitOffsetFromLineStart,
		pb.PositionEncoding_UTF32CodeUnitOffsetFromLineStart,
	} {
		d := testDocument{
			path: "a.go", language: "go", encoding: encoding,
			text: "package ex\n\nfunc g() {}\n\nvar x = \"Ä𝄞\" + f(g())\n",
			marks: []mark{
				{name: "g()", symbol: own("g()."), define: true, from: "func", to: "}"},
				{name: "f", nth: 2, symbol: "scip-go gomod other v1 other/f()."},
				{name: "g", nth: 3, symbol: own("g().")},
			},
		}
		d.marks[0].name = "g"
		d.marks[0].nth = 2
		file, source := writeIndex(t, d)
		m := importModel(t, Options{Source: source}, file)
		if got, want := m.edge(calls, "file:a.go", ownID("g().")), "imported a.go:5:22"; got != want {
			t.Errorf("%v: %q, want %q", encoding, got, want)
		}
	}
}

// Where a producer gives no enclosing ranges, the text does, and without a
// text the next definition on the same level.
func TestExtents(t *testing.T) {
	rs := func(d string) string { return "rust-analyzer cargo ex 1 " + d }
	id := func(d string) string { return "rust-analyzer cargo ex " + d }
	info := func(d string, kind pb.SymbolInformation_Kind) *pb.SymbolInformation {
		return &pb.SymbolInformation{Symbol: rs(d), Kind: kind}
	}
	// As rust-analyzer 1.85 writes it: kinds, nothing enclosing.
	d := testDocument{
		path: "src/lib.rs", language: "rust",
		text: `pub trait Run {
    fn run(&self) -> u8;
}

struct T;

impl Run for T {
    fn run(&self) -> u8 {
        help('{') // }
    }
}

fn help<'a>(c: char) -> u8 {
    if c == '}' { inner() } else { 0 }
}

static X: u8 = help('x');

fn inner() -> u8 {
    0
}
`,
		symbols: []*pb.SymbolInformation{
			info("Run#", pb.SymbolInformation_Trait), info("Run#run().", pb.SymbolInformation_TraitMethod),
			info("T#", pb.SymbolInformation_Struct), info("impl#[T][Run]run().", pb.SymbolInformation_Method),
			info("help().", pb.SymbolInformation_Function), info("inner().", pb.SymbolInformation_Function),
			info("X.", pb.SymbolInformation_StaticVariable),
		},
		marks: []mark{
			{name: "Run", symbol: rs("Run#"), define: true},
			{name: "run", symbol: rs("Run#run()."), define: true},
			{name: "T", nth: 1, symbol: rs("T#"), define: true},
			{name: "Run", nth: 2, symbol: rs("Run#")},
			{name: "run", nth: 2, symbol: rs("impl#[T][Run]run()."), define: true},
			{name: "help", symbol: rs("help().")},
			{name: "help", nth: 2, symbol: rs("help()."), define: true},
			{name: "inner", symbol: rs("inner().")},
			{name: "X", symbol: rs("X."), define: true},
			{name: "help", nth: 3, symbol: rs("help().")},
			{name: "inner", nth: 2, symbol: rs("inner()."), define: true},
		},
	}
	file, source := writeIndex(t, d)
	m := importModel(t, Options{Source: source}, file)
	m.wantRecords(t,
		`{"id":"rust-analyzer cargo ex help().","kind":"function","name":"help","qualified_name":"help","language":"rust","path":"src/lib.rs",
		  "span":{"start_line":13,"start_column":1,"end_line":15,"end_column":2},"attributes":{"metrics.lines":3}}`)
	for _, c := range []struct{ source, target, want string }{
		{id("impl#[T][Run]run()."), id("help()."), "heuristic src/lib.rs:9:9"},
		{id("help()."), id("inner()."), "heuristic src/lib.rs:14:19"},
		{"file:src/lib.rs", id("help()."), "imported src/lib.rs:17:16"},
	} {
		if got := m.edge(calls, c.source, c.target); got != c.want {
			t.Errorf("calls %s → %s: %q, want %q", c.source, c.target, got, c.want)
		}
	}
	if got := m.Metrics.Resolution["rust"]["guessed_extents"]; got != 2.0 {
		t.Errorf("%v guessed extents, want 2", got)
	}

	m = importModel(t, Options{}, file)
	for _, c := range []struct{ source, target, want string }{
		{id("impl#[T][Run]run()."), id("help()."), "heuristic scip.extent=guessed src/lib.rs:9:9"},
		{id("help()."), id("inner()."), "heuristic scip.extent=guessed src/lib.rs:14:19"},
		{"file:src/lib.rs", id("help()."), "heuristic scip.call-syntax=unknown src/lib.rs:17:16"},
	} {
		if got := m.edge(calls, c.source, c.target); got != c.want {
			t.Errorf("without source, calls %s → %s: %q, want %q", c.source, c.target, got, c.want)
		}
	}
}

func TestExtentOfIndentation(t *testing.T) {
	s := newSource([]byte("class C:\n    def f(self,\n          x):\n        a = '''\nb'''\n\n        return a\n\n    # next\n    def g(self): pass\n"), python)
	got := s.extentAt(span{position{1, 8}, position{1, 9}})
	if want := (span{position{1, 4}, position{6, 16}}); got != want {
		t.Errorf("extent %v, want %v", got, want)
	}
}

// What encloses what is the producer's word: a circle is no trap.
func TestEnclosingCircle(t *testing.T) {
	d := testDocument{
		path: "a.rs", language: "rust", text: "fn a() {}\nfn b() {}\n",
		symbols: []*pb.SymbolInformation{
			{Symbol: own("a()."), EnclosingSymbol: own("b().")}, {Symbol: own("b()."), EnclosingSymbol: own("a().")},
		},
		marks: []mark{{name: "a", symbol: own("a()."), define: true}, {name: "b", symbol: own("b()."), define: true}},
	}
	file, _ := writeIndex(t, d)
	importModel(t, Options{}, file)
}

func TestEndOfText(t *testing.T) {
	s := newSource([]byte("ab\ncd"), golang)
	for _, c := range []struct {
		in, want position
		ok       bool
	}{
		{position{1, 2}, position{1, 2}, true},
		{position{2, 0}, position{1, 2}, true},
		{position{1, 3}, position{1, 3}, false},
		{position{2, 1}, position{1, 2}, false},
		{position{3, 0}, position{1, 2}, false},
	} {
		got, ok := s.bytesOf(c.in, pb.PositionEncoding_UTF8CodeUnitOffsetFromLineStart)
		if got != c.want || ok != c.ok {
			t.Errorf("%v is %v, %t, want %v, %t", c.in, got, ok, c.want, c.ok)
		}
	}
}
