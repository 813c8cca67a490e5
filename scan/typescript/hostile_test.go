package typescript

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brick/project"
)

// TestPassedOver is that a file over a bound is named with the reason, and
// that the others are read.
func TestPassedOver(t *testing.T) {
	t.Parallel()
	s := scanDir(t, checkout(t, map[string]string{
		"good.ts":     "import { f } from './large'; import { g } from './deep';\nfunction h() {}\nh(); f(); g();\n",
		"large.ts":    "export function f() {}\n" + strings.Repeat("// long\n", 300_000),
		"deep.ts":     "export function g() {}\n" + strings.Repeat("[\n", 100_000),
		"chain.ts":    strings.Repeat("!\n", 100_000) + "1",
		"members.ts":  "x" + strings.Repeat(".a\n", 100_000),
		"else.ts":     strings.Repeat("if (a) {} else\n", 20_000) + "{}",
		"small.js":    strings.Repeat("a();", 50_000),
		"utf16.ts":    "\xff\xfef\x00(\x00",
		"binary.ts":   "f(\x00)",
		"notutf8.ts":  "f('\xe9')",
		"comma.ts":    strings.Repeat("a,\n", 100_000) + "a",
		"element.jsx": strings.Repeat("<a>\n", 100_000),
	}), 2, nil)
	for path, want := range map[string]string{
		"large.ts": "too large", "deep.ts": "too deep", "chain.ts": "too deep", "members.ts": "too deep", "else.ts": "too deep", "small.js": "minified",
		"utf16.ts": "UTF-16", "binary.ts": "binary", "notutf8.ts": "not UTF-8", "comma.ts": "too deep", "element.jsx": "too deep",
	} {
		if !strings.Contains(s.skipped[path], want) {
			t.Errorf("%s: %q, want that it is %s", path, s.skipped[path], want)
		}
	}
	if len(s.files) != 1 {
		t.Fatalf("%d files were read, want 1", len(s.files))
	}
	same(t, "site", s.sites(), lines(`
		good.ts:3 h -> good.ts#h
		good.ts:3 f -> ? unknown-receiver
		good.ts:3 g -> ? unknown-receiver`))
}

// TestOutside is that nothing outside of the checkout is read, however a file
// or a configuration asks for it.
func TestOutside(t *testing.T) {
	t.Parallel()
	outside := checkout(t, map[string]string{"secret.ts": "export function secret() {}", "tsconfig.json": `{"compilerOptions": {"paths": {"s": ["./secret.ts"]}}}`})
	up := "../" + filepath.Base(outside)
	dir := checkout(t, map[string]string{
		"a.ts":          "import { secret } from '" + up + "/secret';\nimport { secret as b } from '" + filepath.ToSlash(outside) + "/secret';\nimport { secret as c } from './link';\nsecret(); b(); c();\n",
		"tsconfig.json": `{"extends": "` + up + `/tsconfig.json", "files": ["a.ts", "` + up + `/secret.ts"]}`,
	})
	if err := os.Symlink(filepath.Join(outside, "secret.ts"), filepath.Join(dir, "link.ts")); err != nil {
		t.Skip(err)
	}
	for _, site := range scanDir(t, dir, 1, nil).sites() {
		if !strings.HasSuffix(site, "? unknown-receiver") {
			t.Error(site)
		}
	}
}

// TestLinked is that a link of a package manager to a package of the checkout
// leads to its source.
func TestLinked(t *testing.T) {
	t.Parallel()
	dir := checkout(t, map[string]string{
		"packages/a/package.json": `{"name": "a", "main": "index.ts"}`,
		"packages/a/index.ts":     "export function f() {}\n",
		"b/main.ts":               "import { f } from 'a';\nf();\n",
		"b/node_modules/x.txt":    "",
	})
	if err := os.Symlink("../../packages/a", filepath.Join(dir, "b", "node_modules", "a")); err != nil {
		t.Skip(err)
	}
	same(t, "site", scanDir(t, dir, 1, nil).sites(), []string{"b/main.ts:2 f -> packages/a/index.ts#f"})
}

// TestWorkers is that the facts are the same whatever the number of workers.
func TestWorkers(t *testing.T) {
	t.Parallel()
	dir := checkout(t, manyFiles())
	one := scanDir(t, dir, 1, nil)
	for range 3 {
		if many := scanDir(t, dir, 4, nil); !reflect.DeepEqual(one, many) {
			t.Fatal("four workers find something else than one")
		}
	}
}

// manyFiles are more than one checker gets.
func manyFiles() map[string]string {
	files := map[string]string{"base.ts": "export interface Base { run(x: number): string }\nexport abstract class Abstract implements Base { abstract run(x: number): string; twice(x: number) { return this.run(x) + this.run(x); } }\n"}
	previous := "base"
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z") {
		files[name+".ts"] = "import { Abstract } from './base';\nimport * as before from './" + previous + "';\nimport it from 'missing';\n" +
			"export class C extends Abstract { run(x: number) { return helper(x).toString(); } }\nfunction helper(x: number) { return [x].map(y => y + 1); }\n" +
			"it('works', () => { new C().twice(1); console.log(before); const all = { helper }; all.helper(2); });\n"
		previous = name
	}
	return files
}

// TestMutated changes real files: whatever comes of it, the scan ends, and says
// something of each file once. It is no fuzz target since the compiler takes
// ten minutes to build with coverage; -rapid.checks=N looks further.
func TestMutated(t *testing.T) {
	t.Parallel()
	texts := []string{
		manyFiles()["b.ts"],
		"@d class A<T extends A<T>> extends (class { static #x = super.y; }) { declare m?: this; get v() { return 1 } }",
		"export default { async *[Symbol.iterator]() { for await (const { x = y, ...z } of a?.[b]!) yield* x } }",
		"module.exports = exports = require('./c'); exports.y = exports['z'] = function y() { this.q = () => {} }",
		"enum E { A = f(), B = `x${A}` } declare global { var v: any } namespace N.M { export import X = E }",
		"const A = memo(forwardRef(function B(p) { return <A.B {...p} on={() => import('./a')}><C /></A.B> }));",
	}
	sample, err := filepath.Glob("../../testdata/scip/typescript/*/*.ts*")
	if err != nil || len(sample) == 0 {
		t.Fatal("no sample", err)
	}
	for _, name := range sample {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			other := rapid.SampledFrom(texts).Draw(t, "other")
			from := rapid.IntRange(0, len(other)).Draw(t, "from")
			part := other[from:min(len(other), from+rapid.IntRange(0, 40).Draw(t, "length"))]
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			text = text[:at] + part + text[min(len(text), at+rapid.IntRange(0, 40).Draw(t, "cut")):]
		}
		files := map[string]string{"a.ts": text, "b.tsx": text, "c.js": text, "d.ts": "import * as a from './a'; import * as c from './c'; a.x(); new c.y();"}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s := scanDir(t, dir, 2, nil)
		if got := len(s.files) + len(s.skipped); got != len(files) {
			t.Fatalf("%d files are told of, want %d", got, len(files))
		}
		for _, f := range s.files {
			for _, site := range f.Sites {
				if (len(site.Targets) == 0) != (site.Reason != "") || site.At.Line < 1 || site.At.Column < 1 || site.From >= len(f.Definitions) {
					t.Fatalf("%s: %+v", f.Path, site)
				}
			}
		}
		for path, reason := range s.skipped {
			// A failure of the compiler loses the file that it fails on, named.
			if reason != project.NotUTF8.Error() && !strings.HasPrefix(reason, "the compiler fails: ") {
				t.Fatalf("%s: %s", path, reason)
			}
		}
	})
}
