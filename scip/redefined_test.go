package scip

import (
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// Definitions of one function that a producer calls mentions, as scip-python
// 0.6.6 does with all but the first.
func TestRedefinitions(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 dump/" + d }
	id := func(d string) string { return "scip-python python ex dump/" + d }
	call := func(nth int) mark { return mark{name: "_slow", nth: nth, symbol: py("_slow().")} }
	for _, c := range []struct {
		name, text string
		marks      []mark
		target     string // has no caller and no name reference
		calls      string // of _slow by it
	}{
		{
			"the branches of a try", "try:\n    import fastjson\n    def _dump(x): return 1\nexcept ImportError:\n    def _dump(x): return _slow(x)\n\ndef _slow(x): return x\n",
			[]mark{
				{name: "_dump", symbol: py("_dump()."), define: true, from: "def", to: "return 1"},
				{name: "_dump", nth: 2, symbol: py("_dump().")}, call(1),
				{name: "_slow", nth: 2, symbol: py("_slow()."), define: true, from: "def", to: "return x"},
			},
			"_dump().", "heuristic dump.py:5:26",
		},
		{
			"overloads", "@overload\ndef _over(x: int): ...\n@overload\ndef _over(x: str): ...\ndef _over(x):\n    return _slow(x)\n\ndef _slow(x): return x\n",
			[]mark{
				{name: "_over", symbol: py("_over()."), define: true, from: "@overload\ndef", to: "..."},
				{name: "_over", nth: 2, symbol: py("_over().")}, {name: "_over", nth: 3, symbol: py("_over().")}, call(1),
				{name: "_slow", nth: 2, symbol: py("_slow()."), define: true, from: "def", to: "return x"},
			},
			"_over().", "heuristic dump.py:6:12",
		},
		{
			"a property with its setter", "class Box:\n    @property\n    def size(self):\n        return 1\n    @size.setter\n    def size(self, v):\n        _slow(v)\n\ndef _slow(x): return x\n",
			[]mark{
				{name: "Box", symbol: py("Box#"), define: true, from: "class", to: "(v)"},
				{name: "size", symbol: py("Box#size()."), define: true, from: "def", to: "return 1"},
				{name: "size", nth: 2, symbol: py("Box#size().")}, {name: "size", nth: 3, symbol: py("Box#size().")}, call(1),
				{name: "_slow", nth: 2, symbol: py("_slow()."), define: true, from: "def", to: "return x"},
			},
			"Box#size().", "heuristic dump.py:7:9",
		},
		{
			"a branch that the producer does not look at", "if TYPE_CHECKING:\n    def _typed(x: int) -> int: ...\nelse:\n    def _typed(x):\n        return _slow(x)\n\ndef _slow(x): return x\n",
			[]mark{
				{name: "_typed", symbol: py("_typed()."), define: true, from: "def", to: "..."},
				{name: "_typed", nth: 2, symbol: "local 0"}, call(1),
				{name: "_slow", nth: 2, symbol: py("_slow()."), define: true, from: "def", to: "return x"},
			},
			"_typed().", "heuristic dump.py:5:16",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, source := writeIndex(t, testDocument{path: "dump.py", language: "python", text: c.text, marks: c.marks})
			m := importModel(t, Options{Source: source}, file)
			if got := m.edge(calls, id(c.target), id("_slow().")); got != c.calls {
				t.Errorf("calls of _slow: %q, want %q", got, c.calls)
			}
			for _, e := range m.Edges {
				if e["target"] == id(c.target) && e["kind"] != defines {
					t.Errorf("a %s of %s from %s", e["kind"], c.target, e["source"])
				}
				if e["kind"] == unresolvedCall {
					t.Errorf("an unresolved call of %s", e["target"])
				}
			}
		})
	}
}

// The second definition of a name belongs to the class that it is in.
func TestRedefinitionsOfNamesakes(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 a/" + d }
	d := testDocument{
		path: "a.py", language: "python",
		text: "class A:\n    def go(self): pass\n\nclass B:\n    def go(self): pass\n    if X:\n        def go(self): zap()\n\ndef zap(): pass\n",
		marks: []mark{
			{name: "A", symbol: py("A#"), define: true, from: "class", to: "pass"},
			{name: "go", symbol: py("A#go()."), define: true, from: "def", to: "pass"},
			{name: "B", symbol: py("B#"), define: true, from: "class", to: "zap()"},
			{name: "go", nth: 2, symbol: py("B#go()."), define: true, from: "def", to: "pass"},
			{name: "zap", symbol: py("zap().")},
			{name: "zap", nth: 2, symbol: py("zap()."), define: true, from: "def", to: "pass"},
		},
	}
	file, source := writeIndex(t, d)
	m := importModel(t, Options{Source: source}, file)
	if got, want := m.edge(calls, "scip-python python ex a/B#go().", "scip-python python ex a/zap()."), "heuristic a.py:7:23"; got != want {
		t.Errorf("B.go calls zap: %q, want %q", got, want)
	}
}

// A local symbol that its document does not define is no word about a name:
// the producer could not resolve it.
func TestUnresolvedLocals(t *testing.T) {
	py := func(d string) string { return "scip-python python ex 1 " + d }
	test := testDocument{
		path: "tests/test_scale.py", language: "python", text: "from pantry.scale import _weigh\n\ndef test_weigh():\n    _weigh(1)\n    hide = _weigh\n    hide()\n",
		symbols: []*pb.SymbolInformation{{Symbol: "local 1"}},
		marks: []mark{
			{name: "_weigh", symbol: "local 0"},
			{name: "test_weigh", symbol: py("`tests.test_scale`/test_weigh()."), define: true, from: "def", to: "hide()"},
			{name: "_weigh", nth: 3, symbol: "local 0"},
			{name: "hide", symbol: "local 1", define: true}, {name: "hide", nth: 2, symbol: "local 1"},
		},
	}
	scale := testDocument{path: "src/pantry/scale.py", language: "python", text: "def _weigh(x): return x\ndef hide(): pass\n", marks: []mark{
		{name: "_weigh", symbol: py("`src.pantry.scale`/_weigh()."), define: true, from: "def", to: "return x"},
		{name: "hide", symbol: py("`src.pantry.scale`/hide()."), define: true, from: "def", to: "pass"}}}
	file, source := writeIndex(t, scale, test)
	m := importModel(t, Options{Source: source}, file)
	from := "scip-python python ex `tests.test_scale`/test_weigh()."
	if got, want := m.edge(unresolvedCall, from, "unresolved:python:_weigh"), "syntactic source.unresolved-reason=no-symbol tests/test_scale.py:4:5"; got != want {
		t.Errorf("_weigh: %q, want %q", got, want)
	}
	if got := m.edge(unresolvedCall, from, "unresolved:python:hide"); got != "" {
		t.Errorf("a variable of the document counts as the function of its name: %q", got)
	}
}
