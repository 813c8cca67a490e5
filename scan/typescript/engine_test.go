package typescript

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"brick/project"
	"brick/scan"
	"brick/scan/cache"
	"brick/scan/facts"
)

// checkout writes files into a folder of the test's.
func checkout(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// scanned is what a scan says.
type scanned struct {
	files   []*facts.File // by path
	skipped map[string]string
}

// failer is a test, of testing or of rapid.
type failer interface {
	Helper()
	Fatal(...any)
}

func scanDir(t failer, dir string, workers int, c *cache.Cache) scanned {
	t.Helper()
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	all, _, err := tree.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	s := scanned{skipped: map[string]string{}}
	job := &scan.Job{
		Tree: tree, Workers: workers, Cache: c,
		Emit: func(f *facts.File) error {
			mu.Lock()
			defer mu.Unlock()
			s.files = append(s.files, f)
			return nil
		},
		Skip: func(path, reason string) {
			mu.Lock()
			defer mu.Unlock()
			s.skipped[path] = reason
		},
	}
	for _, f := range all {
		if slices.Contains(New().Languages(), project.LanguageOf(f.Path)) {
			job.Files = append(job.Files, f)
		}
	}
	if err := New().Scan(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(s.files, func(a, b *facts.File) int { return cmp.Compare(a.Path, b.Path) })
	return s
}

// sites are the call sites, a line each: where, the name, and what it calls or
// why that isn't known. "~" is before what a dispatch may reach.
func (s scanned) sites() []string {
	var lines []string
	for _, f := range s.files {
		for _, site := range f.Sites {
			line := fmt.Sprintf("%s:%d %s", f.Path, site.At.Line, site.Name)
			var to []string
			for _, target := range site.Targets {
				to = append(to, short(target))
			}
			slices.Sort(to)
			if len(to) == 0 {
				to = []string{"? " + string(site.Reason)}
			}
			lines = append(lines, line+" -> "+strings.Join(to, " "))
		}
	}
	return lines
}

func short(t facts.Target) string {
	if t.External != "" {
		return "ext:" + t.External
	}
	_, id, _ := strings.Cut(t.ID, ":")
	if t.Lane == heuristic {
		return "~" + id
	}
	return id
}

// references are the places where functions are named.
func (s scanned) references() []string {
	var lines []string
	for _, f := range s.files {
		for _, r := range f.References {
			to := "? " + r.Name
			if r.Name == "" {
				to = short(r.Target)
			}
			lines = append(lines, fmt.Sprintf("%s:%d %s", f.Path, r.At.Line, to))
		}
	}
	return lines
}

func (s scanned) definitions() map[string]*facts.Definition {
	all := map[string]*facts.Definition{}
	for _, f := range s.files {
		for i := range f.Definitions {
			_, id, _ := strings.Cut(f.Definitions[i].ID, ":")
			all[id] = &f.Definitions[i]
		}
	}
	return all
}

// flags are the attributes of a definition that are true, without "source.".
func flags(d *facts.Definition) string {
	var on []string
	for _, k := range slices.Sorted(maps.Keys(d.Attributes)) {
		if d.Attributes[k] == true {
			on = append(on, strings.TrimPrefix(k, "source."))
		}
	}
	return strings.Join(on, " ")
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: missing %s", what, w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s: not wanted: %s", what, g)
		}
	}
	if !t.Failed() && len(got) != len(want) {
		t.Errorf("%s: %d, want %d: %q", what, len(got), len(want), got)
	}
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\t", ""), "\n"), func(l string) bool { return l == "" })
}

// TestSites is the language's rules: each case is a small checkout with its
// call sites.
func TestSites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"functions", map[string]string{
			"a.ts": "import { g } from './b';\nfunction f() { g(); h(); }\nconst h = () => f();\nexport default function () { f(); }\n",
			"b.ts": "import d from './a';\nexport function g() { d(); }\n",
		}, `
			a.ts:2 g -> b.ts#g
			a.ts:2 h -> a.ts#h
			a.ts:3 f -> a.ts#f
			a.ts:4 f -> a.ts#f
			b.ts:2 d -> a.ts#default`},
		{"exports by other names and through others", map[string]string{
			"a.ts":     "function f() {}\nexport { f as g };\n",
			"b.ts":     "export * from './a'; export * as ns from './a'; export { g as h } from './a';\n",
			"c/use.ts": "import { g, h, ns } from '../b'; import * as all from '../b';\ng(); h(); ns.g(); all.ns.g(); all['h']();\n",
		}, `
			c/use.ts:2 g -> a.ts#f
			c/use.ts:2 h -> a.ts#f
			c/use.ts:2 g -> a.ts#f
			c/use.ts:2 g -> a.ts#f
			c/use.ts:2 h -> a.ts#f`},
		{"classes", map[string]string{
			"a.ts": `class A { constructor(x: number) {} m() { this.n(); } n() {} static s() {} p = () => {}; private static q = new A(1); }
class B extends A { m() { super.m(); } }
class C extends B { constructor() { super(1); } n() {} }
class D {}
new A(1).m(); new B(1).p(); new C().m(); new D(); A.s(); B.s();
function f(b: B) { b?.n(); b!.m(); }
`}, `
			a.ts:1 n -> a.ts#A.n ~a.ts#C.n
			a.ts:1 A -> a.ts#A.constructor
			a.ts:2 m -> a.ts#A.m ~a.ts#B.m
			a.ts:3 super -> a.ts#A.constructor
			a.ts:5 A -> a.ts#A.constructor
			a.ts:5 m -> a.ts#A.m ~a.ts#B.m
			a.ts:5 B -> a.ts#A.constructor
			a.ts:5 p -> a.ts#A.p
			a.ts:5 C -> a.ts#C.constructor
			a.ts:5 m -> a.ts#B.m
			a.ts:5 D -> a.ts#D
			a.ts:5 s -> a.ts#A.s
			a.ts:5 s -> a.ts#A.s
			a.ts:6 n -> a.ts#A.n ~a.ts#C.n
			a.ts:6 m -> a.ts#B.m`},
		{"interfaces and unions", map[string]string{
			"a.ts": `interface I { m(): void; f: () => void }
class A implements I { m() {} f = () => {} }
class B implements I { m() {} f() {} }
class X { m() {} }
const o: I = { m() {}, f: () => {} };
function g(i: I, ab: A | X, n: A | null) { i.m(); i.f(); ab.m(); n?.m(); }
`}, `
			a.ts:6 m -> a.ts#I.m ~a.ts#A.m ~a.ts#B.m ~a.ts#o.m
			a.ts:6 f -> a.ts#I.f ~a.ts#A.f ~a.ts#B.f ~a.ts#o.f
			a.ts:6 m -> a.ts#A.m a.ts#X.m
			a.ts:6 m -> a.ts#A.m`},
		{"overloads and merging", map[string]string{
			"a.ts": `function f(x: string): void;
function f(x: number): void;
function f(x: any) {}
f(1); f("");
namespace N { export function g() {} }
namespace N { export function h() { g(); } }
N.g(); N.h();
interface M { a(): void }
interface M { b(): void }
function k(m: M) { m.a(); m.b(); }
`}, `
			a.ts:4 f -> a.ts#f
			a.ts:4 f -> a.ts#f
			a.ts:6 g -> a.ts#N.g
			a.ts:7 g -> a.ts#N.g
			a.ts:7 h -> a.ts#N.h
			a.ts:10 a -> a.ts#M.a
			a.ts:10 b -> a.ts#M.b`},
		{"values", map[string]string{
			"a.ts": `function f() {}
const c = f, o = { f, g: f, deep: { h() {} } };
let v = f;
function use(cb: () => void, list: (() => void)[], any: any) {
	cb(); list[0](); any.m(); any(); v(); c(); o.f(); o.g(); o.deep.h(); use.call(null); (() => {})(); f()();
	const { g } = o, { deep: { h } } = o; g(); h();
}
`}, `
			a.ts:5 cb -> ? dynamic
			a.ts:5  -> ? dynamic
			a.ts:5 m -> ? unknown-receiver
			a.ts:5 any -> ? dynamic
			a.ts:5 v -> ? dynamic
			a.ts:5 c -> a.ts#f
			a.ts:5 f -> a.ts#f
			a.ts:5 g -> a.ts#f
			a.ts:5 h -> a.ts#o.deep.h
			a.ts:5 call -> ext:CallableFunction.call
			a.ts:5  -> ? dynamic
			a.ts:5 f -> a.ts#f
			a.ts:5  -> ? dynamic
			a.ts:6 g -> a.ts#f
			a.ts:6 h -> a.ts#o.deep.h`},
		{"outside", map[string]string{
			"a.ts": `import def, { named } from "missing";
import * as ns from "@scope/missing/sub";
import { there } from "there";
import "./gone";
def(); named(); ns.deep.f(); there(); def.own(); def().x(); describe("x", () => {}); [1].map(String); new Map().get(1);
const made = def();
made.go(); expect(1).toBe(2); made.known();
class K { known() {} }
`,
			"node_modules/there/package.json": `{"name": "there", "types": "index.d.ts"}`,
			"node_modules/there/index.d.ts":   "export declare function there(): void;",
		}, `
			a.ts:5 def -> ext:missing
			a.ts:5 named -> ext:missing.named
			a.ts:5 f -> ext:@scope/missing/sub.deep.f
			a.ts:5 there -> ext:there.there
			a.ts:5 own -> ext:missing.own
			a.ts:5 def -> ext:missing
			a.ts:5 x -> ? foreign-receiver
			a.ts:5 describe -> ext:describe
			a.ts:5 map -> ext:Array.map
			a.ts:5 Map -> ext:Map
			a.ts:5 get -> ext:Map.get
			a.ts:6 def -> ext:missing
			a.ts:7 go -> ? foreign-receiver
			a.ts:7 expect -> ext:expect
			a.ts:7 toBe -> ? foreign-receiver
			a.ts:7 known -> ? unknown-receiver`},
		{"JSX", map[string]string{
			"a.tsx": `import { memo, Component } from "react";
function Button(props: { onClick(): void }) { return <div><b/></div>; }
const Fancy = memo(function FancyInner() { return <Button onClick={handle} />; });
class Old extends Component { render() { return <Fancy />; } }
function handle() {}
export const App = () => <><Old></Old><ns.Item /></>;
const ns = { Item: () => null };
`}, `
			a.tsx:3 memo -> ext:react.memo
			a.tsx:3 Button -> a.tsx#Button
			a.tsx:4 Fancy -> a.tsx#Fancy
			a.tsx:6 Old -> a.tsx#Old
			a.tsx:6 Item -> a.tsx#ns.Item`},
		{"decorators and templates", map[string]string{
			"a.ts": "function dec(x: any, c: any) {}\nfunction make() { return dec; }\nfunction tag(s: any, ...v: any[]) {}\n@dec class A { @make() m() {} }\ntag`x${tag``}`;\n",
		}, `
			a.ts:4 dec -> a.ts#dec
			a.ts:4 make -> a.ts#make
			a.ts:5 tag -> a.ts#tag
			a.ts:5 tag -> a.ts#tag`},
		{"CommonJS", map[string]string{
			"a.js":     "const b = require('./b'), { f } = require('./b');\nb.f(); f(); require('./one')(); require('./b').g(); const one = require('./one'); one();\n",
			"b.js":     "exports.f = function () {};\nmodule.exports.g = () => {};\n",
			"one.js":   "module.exports = function () { lost.f(); };\n",
			"third.js": "/** @param {Date} d */\nfunction h(d, x) { d.getDay(); x.y(); }\n",
		}, `
			a.js:1 require -> ext:require
			a.js:1 require -> ext:require
			a.js:2 f -> b.js#f
			a.js:2 f -> b.js#f
			a.js:2 require -> ext:require
			a.js:2 default -> one.js#default
			a.js:2 require -> ext:require
			a.js:2 g -> b.js#g
			a.js:2 require -> ext:require
			a.js:2 one -> one.js#default
			one.js:1 f -> ? unknown-receiver
			third.js:2 getDay -> ext:Date.getDay
			third.js:2 y -> ? unknown-receiver`},
		{"scripts of their own", map[string]string{
			"a.js": "function init() {}\ninit();\n",
			"b.js": "function init() {}\ninit();\n",
		}, `
			a.js:2 init -> a.js#init
			b.js:2 init -> b.js#init`},
		{"a workspace's packages without what they build", map[string]string{
			"package.json":                `{"name": "root", "workspaces": ["packages/*"]}`,
			"packages/a/package.json":     `{"name": "@w/a", "main": "dist/index.js", "exports": {".": {"import": "./dist/index.js"}, "./sub": "./dist/esm/sub/index.mjs", "./x/*": "./dist/x/*.js"}}`,
			"packages/a/src/index.ts":     "export const a = () => {};\n",
			"packages/a/src/sub/index.ts": "export function s() {}\n",
			"packages/a/src/x/y.ts":       "export function y() {}\n",
			"packages/b/package.json":     `{"name": "b"}`,
			"packages/b/tsconfig.json":    `{"compilerOptions": {"module": "nodenext"}}`,
			"packages/b/src/main.ts":      "import { a } from '@w/a';\nimport { s } from '@w/a/sub';\nimport { y } from '@w/a/x/y';\nimport { m } from 'b/other';\na(); s(); y(); m();\n",
			"packages/b/src/other.ts":     "export function m() {}\n",
			"test/fixture/package.json":   `{"name": "react"}`,
			"test/fixture/index.ts":       "export function useState() {}\n",
			"test/t.ts":                   "import { useState } from 'react';\nuseState();\n",
		}, `
			packages/b/src/main.ts:5 a -> packages/a/src/index.ts#a
			packages/b/src/main.ts:5 s -> packages/a/src/sub/index.ts#s
			packages/b/src/main.ts:5 y -> packages/a/src/x/y.ts#y
			packages/b/src/main.ts:5 m -> packages/b/src/other.ts#m
			test/t.ts:2 useState -> ext:react.useState`},
		{"configurations", map[string]string{
			"base.json":             `{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"]}}}`,
			"app/tsconfig.json":     `{"extends": "../base.json", "include": ["*.ts"]}`,
			"app/main.ts":           "import { f } from '@lib/f';\nimport { g } from 'lib/f';\nf(); g();\n",
			"lib/f.ts":              "export function f() {}\nexport function g() {}\n",
			"ref/tsconfig.json":     `{"files": [], "references": [{"path": "./tsconfig.app.json"}]}`,
			"ref/tsconfig.app.json": `{"compilerOptions": {"paths": {"~": ["./h.ts"]}}, "include": ["."]}`,
			"ref/h.ts":              "export function h() {}\n",
			"ref/use.ts":            "import { h } from '~';\nh();\n",
			"bad/tsconfig.json":     `{"compilerOptions": {`,
			"bad/x.ts":              "function x() {}\nx();\n",
		}, `
			app/main.ts:3 f -> lib/f.ts#f
			app/main.ts:3 g -> lib/f.ts#g
			ref/use.ts:2 h -> ref/h.ts#h
			bad/x.ts:2 x -> bad/x.ts#x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scanDir(t, checkout(t, c.files), 2, nil)
			same(t, "site", s.sites(), lines(c.want))
			if len(s.skipped) > 0 {
				t.Errorf("skipped: %v", s.skipped)
			}
		})
	}
}
