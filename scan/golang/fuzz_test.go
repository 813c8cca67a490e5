package golang

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// FuzzScan scans a file of any bytes in a package with another, which it may
// break, but whose calls stay call sites.
func FuzzScan(f *testing.F) {
	for _, text := range rules(f) {
		f.Add([]byte(text))
	}
	for _, name := range []string{"walk.go", "unit.go", "contract.go", "cache_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		r := rand.New(rand.NewPCG(1, 2))
		for range 8 {
			mutated := append([]byte(nil), text...)
			for range 4 {
				i, j := r.IntN(len(mutated)), r.IntN(len(mutated))
				n := min(r.IntN(40), len(mutated)-max(i, j))
				copy(mutated[i:i+n], text[j:j+n])
			}
			f.Add(mutated)
		}
	}
	f.Add([]byte("package p\nvar x = " + strings.Repeat("(", 100_000)))
	f.Add([]byte("package p\nvar x = " + strings.Repeat("-", 100_000) + "1"))
	f.Add([]byte("package p\nvar x = 1" + strings.Repeat("+1", 100_000)))
	f.Add([]byte("package p\ntype T " + strings.Repeat("[]", 100_000) + "int"))
	f.Add([]byte("package p\ntype T struct{ T }\ntype I interface{ I }\ntype A = A\nvar v = v"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		lay(t, dir, map[string]string{
			"go.mod": "module example.com/a\n", "fuzzed.go": string(text),
			"other.go": "package a\n\nfunc Other() { called() }\n",
		})
		a := scanFolder(t, NewAt(Places{}), dir, nil, 1)
		if other := a.files["other.go"]; other == nil || len(other.Sites) != 1 || other.Sites[0].Name != "called" {
			t.Errorf("the other file is lost: %v", a.skipped)
		}
	})
}
