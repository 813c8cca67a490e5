package python

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	brick "brick/project"
	"brick/scan"
	"brick/scan/cache"
	"brick/scan/facts"
)

// grammars is where the tests keep the machine code of the grammar.
var grammars = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "brick-python")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(grammars())
	os.Exit(code)
}

// scanFiles gives the facts of files, and what was skipped.
func scanFiles(t testing.TB, files map[string]string, kept *cache.Cache, workers int) ([]*facts.File, map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return scanDir(t, dir, kept, workers)
}

func scanDir(t testing.TB, dir string, kept *cache.Cache, workers int) (list []*facts.File, skipped map[string]string) {
	t.Helper()
	tree, err := brick.Open(dir, brick.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	all, _, err := tree.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	job := &scan.Job{Tree: tree, Cache: kept, Workers: workers}
	for _, f := range all {
		if brick.LanguageOf(f.Path) == "python" {
			job.Files = append(job.Files, f)
		}
	}
	skipped = map[string]string{}
	var mu sync.Mutex
	job.Emit = func(f *facts.File) error {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, f)
		return nil
	}
	job.Skip = func(path, reason string) {
		mu.Lock()
		defer mu.Unlock()
		skipped[path] = reason
	}
	if err := New().Scan(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b *facts.File) int { return strings.Compare(a.Path, b.Path) })
	return list, skipped
}

// describeSites writes each call site of a file as "name → targets", with "~"
// before those of a dispatch, or "name ? reason".
func describeSites(f *facts.File) string {
	var lines []string
	for _, s := range f.Sites {
		var targets []string
		for _, t := range s.Targets {
			text := strings.TrimPrefix(t.ID, "python:")
			if t.External != "" {
				text = "external " + t.External
			}
			if t.Lane == "heuristic" {
				text = "~" + text
			}
			targets = append(targets, text)
		}
		if len(targets) > 0 {
			lines = append(lines, s.Name+" → "+strings.Join(targets, ", "))
		} else {
			lines = append(lines, s.Name+" ? "+string(s.Reason))
		}
	}
	return strings.Join(lines, "\n")
}

func TestCallSites(t *testing.T) {
	kept := cache.Open(grammars())
	for _, c := range []struct {
		name, text, want string
		others           map[string]string
	}{
		{"a function of the module", "def f(): pass\nf()\n", "f → a.py#f", nil},
		{"a later definition of it", "def f(): pass\ndef f(): pass\nf()\n", "f → a.py#f~2", nil},
		{"in between", "def f(): pass\nf()\ndef f(): pass\n", "f → a.py#f", nil},
		{"used in a function, defined below", "def g(): f()\ndef f(): pass\n", "f → a.py#f", nil},
		{"one of two", "if x:\n    def f(): pass\nelse:\n    def f(): pass\nf()\n", "f → a.py#f~2, a.py#f", nil},
		{"in the other branch", "if x:\n    def f(): pass\nelse:\n    f()\n", "f ? dynamic", nil},
		{"a parameter of the same name", "def f(): pass\ndef g(f): f()\n", "f ? dynamic", nil},
		{"assigned something else", "def f(): pass\nf = h()\nf()\n", "h ? dynamic\nf ? dynamic", nil},
		{"assigned by another function", "def f(): pass\ndef g():\n    global f\n    f = h()\nf()\n", "h ? dynamic\nf ? dynamic", nil},
		{"an inner function", "def g():\n    def f(): pass\n    f()\n", "f → a.py#g.f", nil},
		{"nonlocal", "def g():\n    f = None\n    def h():\n        nonlocal f\n        f = k\n    f()\n", "f ? dynamic", nil},
		{"a class's names are not its methods'", "class A:\n    def f(self): pass\n    def g(self): f()\n", "f ? dynamic", nil},
		{"a class's names in its body", "class A:\n    def f(): pass\n    x = f()\n", "f → a.py#A.f", nil},
		{"a comprehension's own name", "def f(): pass\n[f() for f in x]\n", "f ? dynamic", nil},
		{"a comprehension's first iterable", "def f(): pass\n[f for f in f()]\n", "f → a.py#f", nil},
		{"a lambda with a name", "f = lambda: g()\ndef g(): pass\nf()\n", "g → a.py#g\nf → a.py#f", nil},
		{"a built-in", "print(len(x))\n", "print → external print\nlen → external len", nil},
		{"a built-in's name that is taken", "def len(x): pass\nlen(x)\n", "len → a.py#len", nil},
		{"what a call returns", "f()()\n", "f ? dynamic\n ? dynamic", nil},
		{"a member of anything", "def f(x): x.g()\nclass A:\n    def g(self): pass\n", "g ? unknown-receiver", nil},
		{"a member of a string", "'-'.join(x)\n", "join → external str.join", nil},
		{"a constructor", "class A:\n    def __init__(self): pass\nA()\n", "A → a.py#A.__init__", nil},
		{"a constructor that is not there", "class A: pass\nA()\n", "A → a.py#A", nil},
		{"an inherited constructor", "class A:\n    def __init__(self): pass\nclass B(A): pass\nB()\n", "B → a.py#A.__init__", nil},
		{"a data class's", "from dataclasses import dataclass\nclass A:\n    def __init__(self): pass\n@dataclass\nclass B(A):\n    x: int\nB(1)\n",
			"dataclass → external dataclasses.dataclass\nB → a.py#B", nil},
		{"self", "class A:\n    def f(self): self.g()\n    def g(self): pass\n", "g → a.py#A.g", nil},
		{"self, overridden", "class A:\n    def f(self): self.g()\n    def g(self): pass\nclass B(A):\n    def g(self): pass\n", "g → a.py#A.g, ~a.py#B.g", nil},
		{"self, only below", "class A:\n    def f(self): self.g()\nclass B(A):\n    def g(self): pass\n", "g → ~a.py#B.g", nil},
		{"self, replaced on the instance", "class A:\n    def __init__(self, g): self.g = g\n    def g(self): pass\n    def f(self): self.g()\n", "g ? dynamic", nil},
		{"a method that is replaced", "class A:\n    def g(self): pass\nA.g = h\nA().g()\n", "A → a.py#A\ng ? dynamic", nil},
		{"cls", "class A:\n    @classmethod\n    def f(cls): cls.g(); cls()\n    @staticmethod\n    def g(): pass\n", "classmethod → external classmethod\ng → a.py#A.g\ncls → a.py#A\nstaticmethod → external staticmethod", nil},
		{"super", "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): super().f()\n", "super → external super\nf → a.py#A.f", nil},
		{"super by C3", "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): super().f()\nclass C(A):\n    def f(self): pass\nclass D(B, C): pass\n",
			"super → external super\nf → a.py#A.f, ~a.py#C.f", nil},
		{"C3", "class A:\n    def f(self): pass\nclass B(A): pass\nclass C(A):\n    def f(self): pass\nclass D(B, C): pass\nD().f()\n", "D → a.py#D\nf → a.py#C.f", nil},
		{"a base from elsewhere", "import unittest\nclass T(unittest.TestCase):\n    def f(self): self.assertTrue(1); self.g()\n    def g(self): pass\n",
			"assertTrue → external unittest.TestCase.assertTrue\ng → a.py#T.g", nil},
		{"a base from elsewhere comes first", "import x\nclass A:\n    def f(self): pass\nclass B(x.Y, A): pass\nB().f()\n", "B → a.py#B\nf → ~a.py#A.f", nil},
		{"a class that is derived from itself", "class A(A): pass\nA().f()\n", "A → a.py#A\nf ? unknown-receiver", nil},
		{"an instance", "class A:\n    def f(self): pass\nx = A()\nx.f()\n", "A → a.py#A\nf → a.py#A.f", nil},
		{"another instance later", "class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\nx = A()\nx.f()\nx = B()\nx.f()\n", "A → a.py#A\nf → a.py#A.f\nB → a.py#B\nf → a.py#B.f", nil},
		{"an instance in a loop", "class A:\n    def f(self): pass\ndef g():\n    x = A()\n    while 1:\n        x.f()\n        x = h()\n", "A → a.py#A\nf ? unknown-receiver\nh ? dynamic", nil},
		{"an annotation", "class A:\n    def f(self): pass\ndef g(x: 'A', y: A = None):\n    x.f()\n    y.f()\n", "f → a.py#A.f\nf → a.py#A.f", nil},
		{"an optional one", "from typing import Optional\nclass A:\n    def f(self): pass\ndef g(x: Optional[A], y: A | None, z: 'A | None'):\n    x.f(); y.f(); z.f()\n", "f → a.py#A.f\nf → a.py#A.f\nf → a.py#A.f", nil},
		{"a protocol", "from typing import Protocol\nclass P(Protocol):\n    def f(self): ...\ndef g(x: P): x.f()\n", "f ? unknown-receiver", nil},
		{"what is declared to be returned", "class A:\n    def f(self): pass\ndef g() -> A: return h()\ng().f()\n", "h ? dynamic\ng → a.py#g\nf → a.py#A.f", nil},
		{"what is returned", "class A:\n    def f(self): pass\ndef g(): return A()\ng().f()\n", "A → a.py#A\ng → a.py#g\nf → a.py#A.f", nil},
		{"an attribute", "class A:\n    def f(self): pass\nclass B:\n    def __init__(self): self.a = A()\n    def g(self): self.a.f()\n", "A → a.py#A\nf → a.py#A.f", nil},
		{"an attribute that anyone may set", "class A:\n    def f(self): pass\nclass B:\n    def __init__(self): self.a = A()\n    def g(self): self.a.f()\ndef h(b): b.a = 1\n", "A → a.py#A\nf ? unknown-receiver", nil},
		{"a property", "class A:\n    def f(self): pass\nclass B:\n    @property\n    def a(self): return A()\n    def g(self): self.a.f()\n", "property → external property\nA → a.py#A\nf → a.py#A.f", nil},
		{"with", "class A:\n    def __enter__(self): return self\n    def f(self): pass\nwith A() as x:\n    x.f()\n", "A → a.py#A\nf → a.py#A.f", nil},
		{"an instance that is called", "class A:\n    def __call__(self): pass\nA()()\n", "A → a.py#A\n → a.py#A.__call__", nil},
		{"a decorator", "def d(f): return f\n@d\ndef f(): pass\nf()\n", "d → a.py#d\nf → a.py#f", nil},
		{"a decorator that wraps", "def d(f):\n    def w(): f()\n    return w\n@d\ndef f(): pass\nf()\n", "f ? dynamic\nd → a.py#d\nf → ~a.py#f", nil},
		{"a decorator from elsewhere", "import x\n@x.d(1)\ndef f(): pass\nf()\n", "d → external x.d\nf → ~a.py#f", nil},
		{"getattr", "class A:\n    def f(self): pass\ngetattr(A(), 'f')()\n", "getattr → external getattr\nA → a.py#A\n → a.py#A.f", nil},
		{"an import", "from b import f\nfrom c import g as h\nimport b\nf(); h(); b.f()\n", "f → b.py#f\nh → c.py#g\nf → b.py#f",
			map[string]string{"b.py": "def f(): pass\n", "c.py": "def g(): pass\n"}},
		{"an import that may fail", "try:\n    from b import f\nexcept ImportError:\n    from c import f\nf()\n", "f → c.py#f, b.py#f",
			map[string]string{"b.py": "def f(): pass\n", "c.py": "def f(): pass\n"}},
		{"a star import", "from b import *\nf(); _g(); h()\n", "f → b.py#f\n_g ? dynamic\nh ? dynamic",
			map[string]string{"b.py": "__all__ = ['f']\ndef f(): pass\ndef _g(): pass\ndef h(): pass\n"}},
		{"a name that a package gives on", "from p import f\nimport p.b\nf(); p.b.f(); p.c.g()\n", "f → p/b.py#f\nf → p/b.py#f\ng → p/c.py#g",
			map[string]string{"p/__init__.py": "from .b import f\nfrom . import c\n", "p/b.py": "def f(): pass\n", "p/c.py": "def g(): pass\n"}},
		{"an import from elsewhere", "import os.path\nfrom x import y\nos.path.join(); y(); y.z()\n", "join → external os.path.join\ny → external x.y\nz → external x.y.z", nil},
		{"a module that is in some folder", "import b\nb.f()\n", "f ? unknown-receiver", map[string]string{"q/r/b.py": "def f(): pass\n"}},
		{"a module that is replaced", "import b\nb.f = g\nb.f()\n", "f ? dynamic", map[string]string{"b.py": "def f(): pass\n"}},
	} {
		files := map[string]string{"a.py": c.text}
		for name, text := range c.others {
			files[name] = text
		}
		list, skipped := scanFiles(t, files, kept, 1)
		if len(skipped) > 0 {
			t.Errorf("%s: skipped %v", c.name, skipped)
		}
		if got := describeSites(list[0]); got != c.want {
			t.Errorf("%s:\n%s\ngot\n%s\nwant\n%s", c.name, c.text, got, c.want)
		}
	}
}
