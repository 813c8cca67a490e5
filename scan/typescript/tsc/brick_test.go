package brick

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// texts are files by path.
type texts map[string]string

func (t texts) Read(name string) (string, bool) { text, ok := t[name]; return text, ok }
func (t texts) IsFile(name string) bool         { _, ok := t[name]; return ok }
func (t texts) Real(name string) string         { return name }
func (t texts) IsFolder(name string) bool {
	for f := range t {
		if strings.HasPrefix(f, strings.TrimSuffix(name, "/")+"/") {
			return true
		}
	}
	return false
}

func (t texts) List(name string) (files, folders []string) {
	for f := range t {
		rest, ok := strings.CutPrefix(f, strings.TrimSuffix(name, "/")+"/")
		if first, _, deeper := strings.Cut(rest, "/"); ok && deeper {
			folders = append(folders, first)
		} else if ok {
			files = append(files, path.Base(f))
		}
	}
	slices.Sort(folders)
	return files, slices.Compact(folders)
}

// TestReliedOn is what the engine takes for granted of the compiler: each call
// is bound to the declaration that it is written for.
func TestReliedOn(t *testing.T) {
	files := texts{
		"/tsconfig.json":                 `{"extends": "./base.json", "include": ["src"]}`,
		"/base.json":                     `{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}`,
		"/src/main.ts":                   "import { f } from '~/f';\nimport { w } from 'w';\nimport { d } from 'dep';\nimport { lost } from 'lost';\nconst js = require('./js');\nf(1); new f.C().m(); [1].map(x => x.toFixed()); w(); d(); lost();",
		"/src/f.ts":                      "export function f(x: string): void; export function f(x: number): void; export function f(x: any) {}\nexport namespace f { export class C { m() {} } }",
		"/src/js.js":                     "const other = require('./other'); other.g(); module.exports.h = function () { require('./other').g(); };",
		"/src/other.js":                  "exports.g = function () {};",
		"/packages/w/source.ts":          "export const w = () => {};",
		"/node_modules/dep/package.json": `{"name": "dep", "types": "d.d.ts"}`,
		"/node_modules/dep/d.d.ts":       "export declare function d(): void;",
		"/elsewhere.ts":                  "",
	}
	c := New(files)
	config, err := c.ReadConfig("/tsconfig.json")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/src/f.ts", "/src/main.ts"}; !slices.Equal(slices.Sorted(slices.Values(config.Files)), want) {
		t.Fatalf("files %q, want %q", config.Files, want)
	}
	if !slices.Contains(config.Sources, "/base.json") {
		t.Errorf("the configuration is of %q", config.Sources)
	}
	roots := append(config.Files, "/src/js.js")
	p, err := c.Load(config, roots, []Mapping{{"w", []string{"/packages/w/source.ts"}}})
	if err != nil {
		t.Fatal(err)
	}
	checker, err := p.Checker()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"/src/main.ts", "/src/js.js"} {
		file := p.GetSourceFile(name)
		var visit func(n *Node) bool
		visit = func(n *Node) bool {
			if n.Kind == CallExpression || n.Kind == NewExpression {
				checker.GetResolvedSignature(n)
				callee := n.Expression()
				if callee.Kind == PropertyAccessExpression {
					callee = callee.Name()
				}
				to := "?"
				s := checker.GetSymbolAtLocation(callee)
				if s != nil && s.Flags&SymbolAlias != 0 {
					s = checker.GetAliasedSymbol(s)
				}
				if s != nil && !checker.IsUnknownSymbol(s) && len(s.Declarations) > 0 {
					to = SourceFileOf(s.Declarations[0]).FileName()
				}
				got = append(got, callee.Text()+" "+to)
			}
			n.ForEachChild(visit)
			return false
		}
		file.AsNode().ForEachChild(visit)
	}
	want := []string{
		"require ?", "f /src/f.ts", "m /src/f.ts", "C /src/f.ts", "map bundled:///libs/lib.es5.d.ts", "toFixed bundled:///libs/lib.es5.d.ts",
		"w /packages/w/source.ts", "d /node_modules/dep/d.d.ts", "lost ?",
		"require ?", "g /src/other.js", "g /src/other.js", "require ?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls\n%q, want\n%q", got, want)
	}
	if p.GetSourceFile("/elsewhere.ts") != nil {
		t.Error("a file that nothing names is in the program")
	}
}

// TestParse is that what the parser can't do is an error of that file.
func TestParse(t *testing.T) {
	c := New(texts{"/deep.ts": strings.Repeat("a.", 5000) + "b", "/fault.ts": "function ( {"})
	if _, err := c.Parse(Loose(), "/deep.ts", false); err == nil {
		t.Error("a file that nests too deep is parsed")
	}
	file, err := c.Parse(Loose(), "/fault.ts", false)
	if err != nil || SyntaxErrors(file) == 0 {
		t.Errorf("%d faults, error %v", SyntaxErrors(file), err)
	}
	if err := Guard(func() { panic("x") }); err == nil {
		t.Error("a panic is no error")
	}
}
