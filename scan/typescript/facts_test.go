package typescript

import (
	"fmt"
	"slices"
	"testing"

	"brick/model"
	"brick/scan/facts"
)

// TestDefinitions is what is a definition, what it is called, and what is
// known of it.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	s := scanDir(t, checkout(t, map[string]string{
		"a.ts": `export function f() {}
const g = () => {}, data = 1;
export const { p, q: [r] } = any;
export default class { private secret() {} open() {} get v() { return 1; } set v(x) {} #h() {} field = 1; arrow = () => {}; constructor(public x: number) {} }
interface I { m(): void; f: (x: number) => void; n: number }
type T = { m(): void };
enum E { A }
namespace N { export const inner = () => {}; }
abstract class A { abstract m(): void; toJSON() {} [Symbol.iterator]() {} }
declare function outside(): void;
export const o = { m() {}, k: { z() {} }, 'quoted name'() {} };
call({ handler() {} });
function outer() { const local = 1; function inside() {} const held = () => {}; return function named() {}; }
@dec class D { m() {} }
`,
		"b.js": `exports.e = function () {};
function F() {}
F.prototype.m = function () {};
F.s = () => {};
`,
	}), 1, nil)
	var got []string
	for _, f := range s.files {
		for i := range f.Definitions {
			d := &f.Definitions[i]
			line := fmt.Sprintf("%s %s", d.Kind, d.Qualified)
			if on := flags(d); on != "" && d.IsFunction() {
				line += " [" + on + "]"
			}
			got = append(got, line)
		}
	}
	same(t, "definition", got, lines(`
		function f [exported]
		function g
		variable data
		variable p
		variable r
		class default
		method default.secret
		method default.open [exported]
		method default.v [exported]
		method default.v [exported]
		method default.#h
		field default.field
		method default.arrow [exported]
		method default.constructor [exported]
		field default.x
		interface I
		method I.m [virtual]
		method I.f [virtual]
		field I.n
		type T
		method T.m [virtual]
		enum E
		namespace N
		function N.inner [exported]
		class A
		method A.m [virtual]
		method A.toJSON [implicit-invocation]
		method A.[Symbol.iterator] [implicit-invocation]
		function outside [external-linkage]
		variable o
		method o.m [exported]
		method o.k.z [exported]
		method o.quoted name [exported]
		method handler [external-base virtual]
		function outer
		function outer.inside
		function outer.held
		function outer.named
		class D
		method D.m [framework-attribute]
		function e [exported]
		function F
		method F.m
		method F.s`))
}

// TestReferences is where a function is named without being called.
func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"as values", map[string]string{"a.ts": `function f() {}
class C { m() {} constructor() {} get v() { return 1 } set v(x) {} }
function g(c: C, any: any) {
	const o = { f, x: f };
	g.call(null, c.m);
	c.v; c.v = 1; c.v += 1;
	const { m } = c;
	any.m; any.unknown;
	return [C, c instanceof C, f];
}
class D extends C {}
`}, `
			a.ts:4 a.ts#f
			a.ts:4 a.ts#f
			a.ts:5 a.ts#g
			a.ts:5 a.ts#C.m
			a.ts:6 a.ts#C.v
			a.ts:6 a.ts#C.v~2
			a.ts:6 a.ts#C.v
			a.ts:6 a.ts#C.v~2
			a.ts:7 a.ts#C.m
			a.ts:8 ? m
			a.ts:9 a.ts#C.constructor
			a.ts:9 a.ts#f
			a.ts:11 a.ts#C.constructor`},
		{"whole modules, and members by computed names", map[string]string{
			"a.ts": "export function f() {}\nexport function g() {}\n",
			"b.ts": "import * as a from './a';\na.f;\nconsole.log(a);\nconst o = { k() {}, l() {} };\nfunction at(name: string, either: 'k' | 'l') { (o as any)[name]; o[either](); }\nimport('./a').then(x => x.f);\nregister(() => import('./a'));\n",
		}, `
			b.ts:2 a.ts#f
			b.ts:3 a.ts#f
			b.ts:3 a.ts#g
			b.ts:5 b.ts#o.k
			b.ts:5 b.ts#o.l
			b.ts:6 a.ts#f
			b.ts:7 a.ts#f
			b.ts:7 a.ts#g`},
		{"exports and types are no uses", map[string]string{
			"a.ts": "function f() {}\nexport { f };\nexport default f;\ntype T = typeof f;\n",
			"b.ts": "import { f } from './a';\nexport { f } from './a';\n",
			"c.js": "function g() {}\nmodule.exports = { g };\n",
		}, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			same(t, "reference", scanDir(t, checkout(t, c.files), 1, nil).references(), lines(c.want))
		})
	}
}

// TestDispatched is that a method which may be called as another type's is
// said to be, though nothing declares it.
func TestDispatched(t *testing.T) {
	t.Parallel()
	s := scanDir(t, checkout(t, map[string]string{"a.ts": `
interface Shape { area(): number }
class Square { area() { return 1 } only() {} }
function total(s: Shape) { return s.area(); }
total(new Square());
const handlers = { click() {} };
for (const k of Object.keys(handlers)) register(handlers);
const quiet = { hush() {} };
quiet.hush;
import { Base } from "missing";
class Own extends Base { called() {} }
`}), 1, nil)
	defs := s.definitions()
	for id, want := range map[string]string{
		"a.ts#Square.area":    "virtual",
		"a.ts#Square.only":    "",
		"a.ts#handlers.click": "virtual",
		"a.ts#quiet.hush":     "",
		"a.ts#Own.called":     "external-base",
	} {
		if defs[id] == nil {
			t.Errorf("no %s", id)
		} else if got := flags(defs[id]); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
}

// TestMetrics counts by hand: McCabe's decisions, and statements in others.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := scanDir(t, checkout(t, map[string]string{"a.ts": `function f(a, b = 1) {
  if (a && b) {
    for (const x of a) { while (x) {} }
  } else if (a || b) {
    try { a ? 1 : 2 } catch { }
  }
  switch (a) { case 1: break; case 2: break; default: }
  [1].map(x => x ?? 2);
  function other() { if (a) {} }
}
`}), 1, nil)
	a := s.definitions()["a.ts#f"].Attributes
	for name, want := range map[string]int{model.MetricCyclomatic: 12, model.MetricNesting: 3, model.MetricParameters: 2, model.MetricLines: 10} {
		if a[name] != want {
			t.Errorf("%s = %v, want %d", name, a[name], want)
		}
	}
}

// TestPlaces is that places are in bytes of the file, whatever its line ends
// and its byte order mark are.
func TestPlaces(t *testing.T) {
	t.Parallel()
	s := scanDir(t, checkout(t, map[string]string{
		"a.ts": "\ufefff();\r\n/* ä\u2028 */ f(); /** doc */\nfunction f() {}\n// one\n// two\nclass A {}",
	}), 1, nil)
	f := s.files[0]
	var at []facts.Place
	for _, site := range f.Sites {
		at = append(at, site.At)
	}
	if want := []facts.Place{{Line: 1, Column: 4}, {Line: 3, Column: 5}}; !slices.Equal(at, want) {
		t.Errorf("sites at %v, want %v", at, want)
	}
	if d := f.Definitions[0]; d.NameAt != (facts.Place{Line: 4, Column: 10}) || d.Span != (facts.Span{Start: facts.Place{Line: 4, Column: 1}, End: facts.Place{Line: 4, Column: 16}}) || d.Doc.Start != (facts.Place{Line: 3, Column: 10}) {
		t.Errorf("%+v", d)
	}
	if d := f.Definitions[1]; d.Doc != (facts.Span{Start: facts.Place{Line: 5, Column: 1}, End: facts.Place{Line: 6, Column: 7}}) {
		t.Errorf("doc of A: %+v", d.Doc)
	}
	if f.Lines != 7 {
		t.Errorf("%d lines, want 7", f.Lines)
	}
}
