package python

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"brick/scan/cache"
	"brick/scan/treesitter"
)

// edits are what a random edit puts into a file.
var edits = []string{
	"def f(): pass\n", "class A:\n    def f(self): self.g()\n", "from b import f\n", "from p import *\n", "f()\n", "A().f()\n",
	"class B(A):\n    def g(self): super().f()\n", "import p.b as b\n", "b.f()\n", "A.g = f\n", "x = A()\nx.f()\n", "    return f\n", "(", "'''",
}

// What is found is that of the checkout alone: the same from the cache, after
// edits, renames and deletions, and with any number of workers.
func TestColdAndKeptAreEqual(t *testing.T) {
	kept := cache.Open(t.TempDir())
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	names := []string{"a.py", "b.py", "p/__init__.py", "p/b.py", "q/c.py", "tests/test_a.py"}
	for step := range 12 {
		name := filepath.Join(dir, filepath.FromSlash(names[random.IntN(len(names))]))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		switch old, err := os.ReadFile(name); {
		case err == nil && random.IntN(5) == 0:
			err = os.Remove(name)
			if err != nil {
				t.Fatal(err)
			}
		default:
			text := string(old)
			cut := random.IntN(len(text) + 1)
			if !strings.HasSuffix(text[:cut], "\n") {
				cut = 0
			}
			text = text[:cut] + edits[random.IntN(len(edits))] + text[cut:]
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		warm, skippedWarm := scanDir(t, dir, kept, 3)
		cold, skippedCold := scanDir(t, dir, cache.Open(grammarsOnly(t, step)), 1)
		if !reflect.DeepEqual(warm, cold) || !reflect.DeepEqual(skippedWarm, skippedCold) {
			t.Fatalf("step %d: the facts differ", step)
		}
	}
}

// grammarsOnly is a cache that has the machine code of the grammar alone.
func grammarsOnly(t *testing.T, step int) string {
	dir := filepath.Join(t.TempDir(), fmt.Sprint(step))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(grammars(), "grammars"), filepath.Join(dir, "grammars")); err != nil {
		t.Skip(err)
	}
	return dir
}

func TestHostileFilesLoseThemselvesOnly(t *testing.T) {
	list, skipped := scanFiles(t, map[string]string{
		"good.py":   "def f(): pass\nf()\n",
		"deep.py":   "x = " + strings.Repeat("a + ", 20_000) + "a\n",
		"binary.py": "a\x00b",
		"latin.py":  "# caf\xe9\n",
		"utf16.py":  "\xff\xfea\x00",
		"bom.py":    "\ufefff()\r\ng()\r\n",
		"broken.py": "def f(:\n  x = = 1\nclass\nf(\n",
	}, cache.Open(grammars()), 2)
	var read []string
	for _, f := range list {
		read = append(read, f.Path+" "+f.Incomplete)
	}
	want := []string{"bom.py ", "broken.py " + list[1].Incomplete, "good.py "}
	if !reflect.DeepEqual(read, want) || list[1].Incomplete == "" {
		t.Errorf("read %q, want %q", read, want)
	}
	for path, reason := range map[string]string{
		"deep.py": treesitter.ErrDepth.Error(), "binary.py": "it is binary", "latin.py": "it is not UTF-8 text", "utf16.py": "it is UTF-16, not UTF-8",
	} {
		if skipped[path] != reason {
			t.Errorf("%s is skipped because %q, want %q", path, skipped[path], reason)
		}
	}
	if at := list[0].Sites[0].At; at.Line != 1 || at.Column != 4 {
		t.Errorf("after a byte order mark: %v", at)
	}
}

// FuzzLower lowers and binds any bytes: every name is bound or not, and each
// call is a site once.
func FuzzLower(f *testing.F) {
	g, err := openGrammar(context.Background(), filepath.Join(grammars(), "grammars"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = g.Close(context.Background()) })
	for _, e := range edits {
		f.Add([]byte(e))
	}
	f.Add([]byte("match x:\n    case A(b=1, c) | {'k': d, **e} if f(): pass\nasync def g(*a, **k) -> 'B[int]': yield [i async for i in h(j := k)]\n"))
	f.Add([]byte("@a.b(1)\n@property\nclass C(D, metaclass=E): x: int = lambda y, *z: y()\ntry: pass\nexcept* F as e: del e, e.x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tree treesitter.Tree
		if g.Parse(context.Background(), text, &tree) != nil {
			return
		}
		u := lower(g, &tree)
		calls := 0
		for n := range tree.Nodes {
			if role(g.query.Roles(tree.Nodes[n].Kind))&isCall != 0 {
				calls++
			}
		}
		if tree.Faults == 0 && len(u.Sites) < calls {
			t.Errorf("%d calls, %d sites: %q", calls, len(u.Sites), text)
		}
		bindOne(t, u)
	})
}
