package treesitter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func open(t testing.TB, language string) *Language {
	t.Helper()
	l, err := Open(context.Background(), language, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close(context.Background()) })
	return l
}

// show writes a node as tree-sitter's own tools do.
func show(t *Tree, n int) string {
	var b strings.Builder
	b.WriteString("(" + t.KindName(n))
	for c := range t.Children(n) {
		b.WriteByte(' ')
		if f := t.Nodes[c].Field; f != 0 {
			b.WriteString(t.Language.fields[f] + ": ")
		}
		b.WriteString(show(t, c))
	}
	return b.String() + ")"
}

func TestParseGivesTheTree(t *testing.T) {
	l := open(t, "python")
	var tree Tree
	text := "# é\ndef f(a):\n    return a.b\n"
	if err := l.Parse(context.Background(), []byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	want := "(module (function_definition name: (identifier) parameters: (parameters (identifier)) " +
		"body: (block (return_statement (attribute object: (identifier) attribute: (identifier))))))"
	if got := show(&tree, 0); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if tree.Lines() != 3 || tree.Faults != 0 {
		t.Errorf("%d lines, %d faults", tree.Lines(), tree.Faults)
	}
	for n := range tree.Nodes {
		if tree.KindName(n) == "attribute" {
			if s := tree.Span(n); tree.String(n) != "a.b" || s.Start.Line != 3 || s.Start.Column != 12 || s.End.Column != 15 {
				t.Errorf("%q at %v", tree.String(n), s)
			}
		}
	}
}

// checkTree says what of a tree's shape is wrong.
func checkTree(t *Tree) error {
	if len(t.Nodes) == 0 || int(t.Nodes[0].Next) != len(t.Nodes) {
		return errors.New("the root does not hold all nodes")
	}
	for i, n := range t.Nodes {
		p := t.Nodes[n.Parent]
		switch {
		case n.Start > n.End || int(n.End) > len(t.Text):
			return fmt.Errorf("node %d: bytes %d to %d", i, n.Start, n.End)
		case int(n.Next) <= i || n.Next > p.Next:
			return fmt.Errorf("node %d: next %d, its parent's %d", i, n.Next, p.Next)
		case i > 0 && int(n.Parent) >= i:
			return fmt.Errorf("node %d: parent %d", i, n.Parent)
		case int(n.Kind) >= t.Language.Kinds() && n.Kind != 0xffff:
			return fmt.Errorf("node %d: kind %d", i, n.Kind)
		}
	}
	return nil
}

func TestHostileTextLosesThatTextOnly(t *testing.T) {
	l := open(t, "python")
	var tree Tree
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"brackets":  {strings.Repeat("(", 100_000), nil},
		"chain":     {"x = " + strings.Repeat("a+", 20_000) + "a", ErrDepth},
		"bytes":     {strings.Repeat("\x00\xff\"'({:\n ", 2_000), nil},
		"not UTF-8": {"x = '\xff\xfe'\n", nil},
		"large":     {strings.Repeat("x\n", MaxBytes/2+1), ErrTooLarge},
		"empty":     {"", nil},
	} {
		err := l.Parse(context.Background(), []byte(c.text), &tree)
		if !errors.Is(err, c.want) || err != nil && c.want == nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err == nil {
			if err := checkTree(&tree); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := l.Parse(context.Background(), []byte("f()\n"), &tree); err != nil || show(&tree, 0) != "(module (expression_statement (call function: (identifier) arguments: (argument_list))))" {
			t.Errorf("after %s: %v", name, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	l := open(t, "python")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var tree Tree
	if err := l.Parse(ctx, []byte(strings.Repeat("f(x)\n", 10_000)), &tree); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestParsersAtTheSameTime(t *testing.T) {
	l := open(t, "python")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			var tree Tree
			for range 20 {
				err := l.Parse(context.Background(), []byte(strings.Repeat("f(x)\n", i+1)), &tree)
				if err != nil || len(slices.Collect(tree.Children(0))) != i+1 {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestModulesAreThoseOfTheirHashes(t *testing.T) {
	sums, err := modules.ReadFile("modules/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		want[name] = sum
	}
	entries, err := modules.ReadDir("modules")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, isModule := strings.CutSuffix(e.Name(), ".zst")
		if !isModule {
			continue
		}
		wasm, err := module(strings.TrimSuffix(name, ".wasm"))
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(wasm)
		if want[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s has the hash %x, SHA256SUMS says %q", name, sum, want[name])
		}
	}
}

func FuzzParse(f *testing.F) {
	l := open(f, "python")
	f.Add([]byte("class A(B):\n    @p\n    def f(self, *a, k=1) -> int:\n        return [x for x in a if x]\n"))
	f.Add([]byte("match x:\n    case {'a': [b, *_]}:\n        f'{x!r:>{w}}'\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tree Tree
		if err := l.Parse(context.Background(), text, &tree); err != nil {
			return
		}
		if err := checkTree(&tree); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(tree.Text, text) {
			t.Error("the tree is of another text")
		}
	})
}
