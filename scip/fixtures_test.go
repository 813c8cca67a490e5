package scip

import (
	"path/filepath"
	"testing"
)

// The samples in testdata/scip, through the real indexers. CONTRIBUTING.md
// says how their indexes are made.

const fixtures = "../testdata/scip"

func importFixture(t *testing.T, language string) *testModel {
	t.Helper()
	return importModel(t, Options{Source: filepath.Join(fixtures, language)}, filepath.Join(fixtures, language+".scip"))
}

type wantEdge struct{ kind, source, target, want string }

func (m *testModel) wantEdges(t *testing.T, prefix string, list []wantEdge) {
	t.Helper()
	full := func(id string) string {
		if len(id) > 5 && (id[:5] == "file:" || id[:5] == "scip-") {
			return id
		}
		return prefix + id
	}
	for _, c := range list {
		if got := m.edge(c.kind, full(c.source), full(c.target)); got != c.want {
			t.Errorf("%s %s → %s: %q, want %q", c.kind, c.source, c.target, got, c.want)
		}
	}
}

func TestGoFixture(t *testing.T) {
	m := importFixture(t, "go")
	m.wantEdges(t, "scip-go gomod example.com/shop `example.com/shop`/", []wantEdge{
		{calls, "main().", "fill().", "imported main.go:59:2"},
		{calls, "main().", "first().", "imported main.go:60:19"},
		{calls, "fill().", "container#hold.", "imported main.go:35:33"},
		{nameReference, "file:main.go", "runCheck().", "imported main.go:14:24"}, // a composite literal
		{calls, "file:main.go", "guard().", "imported main.go:45:2"},             // a blank function
		{calls, "file:main_plan9.go", "onlyElsewhere().", "syntactic main_plan9.go:3:15"},
		{nameReference, "helper().", "count().", "imported helper.go:17:41"},
		{calls, "helper().", "apply().", "imported helper.go:17:35"},
		{calls, "TestFirst().", "first().", "imported main_test.go:6:5"},
		{inherits, "names#", "scip-go gomod github.com/golang/go/src go1.26 flag/Value#", "imported main.go:19:6"},
	})
}

func TestTypeScriptFixture(t *testing.T) {
	m := importFixture(t, "typescript")
	m.wantEdges(t, "scip-typescript npm shop src/", []wantEdge{
		{calls, "`main.ts`/Cart#checkout().", "`price.ts`/format().", "imported src/main.ts:11:12"},
		{calls, "`main.ts`/Cart#checkout().", "`main.ts`/total().", "imported src/main.ts:11:19"},
		{nameReference, "`main.ts`/total().", "`main.ts`/priceOf().", "imported src/main.ts:21:20"},
		{calls, "`main.ts`/priceOf().", "`price.ts`/Priced#price().", "imported src/main.ts:25:16"},      // item?.price?.()
		{calls, "file:src/main.ts", "`main.ts`/first().", "imported src/main.ts:32:37"},                  // first<number>(…) after Ä𝄞
		{calls, "file:src/main.ts", "`price.ts`/double.", "imported src/main.ts:32:52"},                  // an arrow function
		{calls, "`price.ts`/double.", "`price.ts`/scale.", "imported src/price.ts:38:46"},                // a function expression
		{calls, "`main.ts`/main().", "`price.ts`/Book#`<constructor>`().", "imported src/main.ts:36:16"}, // new
		{calls, "`main.ts`/main().", "`main.ts`/Cart#checkout().", "imported src/main.ts:36:43"},         // columns in bytes
		{imports, "file:src/main.ts", "`price.ts`/format().", "imported src/main.ts:1:24"},
		{nameReference, "file:src/main.ts", "`price.ts`/format().", ""},
		{inherits, "`price.ts`/Book#", "`price.ts`/Article#", "imported src/price.ts:13:14"},
		{calls, "`price.ts`/Article#label().", "`price.ts`/Article#price().", "imported src/price.ts:9:41"},
	})
	for _, c := range []struct {
		id, attribute string
		want          any
	}{
		{"`price.ts`/Article#price().", "source.virtual", true},
		{"`price.ts`/Priced#price().", "source.virtual", true},
		{"`price.ts`/Book#toJSON().", "source.implicit-invocation", "JSON.stringify"},
		{"`price.ts`/Book#worn().", "source.exported", nil},
		{"`price.ts`/unused().", "source.exported", nil},
		{"`price.ts`/format().", "source.exported", true},
		{"`price.ts`/format().", "metrics.parameters", 1.0},
		{"`main.ts`/Cart#checkout().", "source.framework-attribute", "@logged"},
		{"`main.ts`/main().", "source.entry-point", true},
	} {
		if got := m.attribute(t, "scip-typescript npm shop src/"+c.id, c.attribute); got != c.want {
			t.Errorf("%s of %s is %v, want %v", c.attribute, c.id, got, c.want)
		}
	}
	if got := m.attribute(t, "file:src/price.test.ts", "source.test-code"); got != true {
		t.Errorf("source.test-code is %v", got)
	}
}

func TestPythonFixture(t *testing.T) {
	m := importFixture(t, "python")
	m.wantEdges(t, "scip-python python shop ", []wantEdge{
		{calls, "`shop.__main__`/main().", "`shop.price`/show().", "imported shop/__main__.py:15:42, imported shop/__main__.py:16:17"},
		{calls, "`shop.__main__`/main().", "`shop.__main__`/total().", "imported shop/__main__.py:15:47"},
		{calls, "`shop.__main__`/main().", "`shop.price`/Book#__init__().", "imported shop/__main__.py:15:14"},
		{calls, "file:shop/__main__.py", "`shop.__main__`/main().", "imported shop/__main__.py:20:5"},
		{nameReference, "`shop.__main__`/total().", "`shop.__main__`/_price_of().", "imported shop/__main__.py:7:20"},
		{calls, "`shop.price`/Book#__init__().", "`shop.price`/Article#__init__().", "imported shop/price.py:32:17"},
		{calls, "`shop.price`/Article#label().", "`shop.price`/show().", "imported shop/price.py:24:32"},
		{imports, "file:shop/__main__.py", "`shop.price`/show().", "imported shop/__main__.py:2:38"},
		{imports, "file:test_price.py", "`shop.price`/__init__:", "imported test_price.py:1:6"},
		{inherits, "`shop.price`/Book#", "`shop.price`/Article#", "imported shop/price.py:30:7"},
		{unresolvedCall, "`shop.__main__`/_price_of().", "scip-", ""},
	})
	if got, want := m.edge(unresolvedCall, "scip-python python shop `shop.__main__`/_price_of().", "unresolved:python:price"),
		"syntactic source.unresolved-reason=no-symbol shop/__main__.py:11:20"; got != want {
		t.Errorf("unresolved call of price: %q, want %q", got, want)
	}
	for _, c := range []struct {
		id, attribute string
		want          any
	}{
		{"`shop.price`/Article#price().", "source.virtual", true},
		{"`shop.price`/Book#price().", "source.trait-impl", "scip-python python shop `shop.price`/Article#price()."},
		{"`shop.price`/Article#__repr__().", "source.implicit-invocation", "Python's protocol __repr__"},
		{"`shop.price`/_unused().", "source.exported", nil},
		{"`shop.price`/show().", "source.exported", true},
		{"`shop.price`/Book#__init__().", "metrics.parameters", 2.0},
		{"`shop.__main__`/total().", "source.framework-attribute", "@logged"},
	} {
		if got := m.attribute(t, "scip-python python shop "+c.id, c.attribute); got != c.want {
			t.Errorf("%s of %s is %v, want %v", c.attribute, c.id, got, c.want)
		}
	}
}
