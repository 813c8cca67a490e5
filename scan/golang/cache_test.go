package golang

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"brick/scan/cache"
)

// rules are all files of testdata/rules, each archive in a folder.
func rules(t testing.TB) map[string]string {
	archives, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no rules: ", err)
	}
	files := map[string]string{}
	for _, name := range archives {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for p, text := range unpack(string(text)) {
			files[strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+p] = text
		}
	}
	return files
}

// An editor makes random edits.
type editor struct {
	*rand.Rand
	files map[string]string
}

func (e *editor) pick() string { return one(e.Rand, slices.Sorted(maps.Keys(e.files))) }

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// edit changes, renames, removes or adds a file, and gives its name.
func (e *editor) edit() string {
	name := e.pick()
	text := e.files[name]
	lines := strings.SplitAfter(text, "\n")
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' && r < 'A' || r > 'z' })
	}
	switch e.IntN(8) {
	case 0: // a line more
		i := e.IntN(len(lines))
		e.files[name] = strings.Join(slices.Insert(lines, i, "// more\n"), "")
	case 1: // a line less
		i := e.IntN(len(lines))
		e.files[name] = strings.Join(slices.Delete(lines, i, i+1), "")
	case 2: // a line of another file
		other := strings.SplitAfter(e.files[e.pick()], "\n")
		e.files[name] = strings.Join(slices.Insert(lines, e.IntN(len(lines)), one(e.Rand, other)), "")
	case 3: // another name
		delete(e.files, name)
		e.files[strings.Replace(name, ".go", one(e.Rand, []string{"_windows.go", "_test.go", "2.go", ".go"}), 1)] = text
	case 4: // gone
		delete(e.files, name)
	default: // a word for another
		if list := words(text); len(list) > 0 {
			e.files[name] = strings.Replace(text, one(e.Rand, list), one(e.Rand, list), 1+e.IntN(3))
		}
	}
	return name
}

// TestCacheChangesNothing edits a checkout at random. What is found with a
// cache and several workers is what is found without, by one.
func TestCacheChangesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		e     *Engine
		edits int
	}{{"without a distribution", NewAt(Places{}), 80}, {"with one", New(), 3}} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 11))
			e := &editor{r, rules(t)}
			kept := cache.Open(t.TempDir())
			for i := range c.edits {
				if i > 0 {
					e.edit()
				}
				if len(e.files) < 20 {
					maps.Copy(e.files, rules(t))
				}
				dir := t.TempDir()
				lay(t, dir, e.files)
				cold := scanFolder(t, c.e, dir, nil, 1)
				warm := scanFolder(t, c.e, dir, kept, 3)
				if !reflect.DeepEqual(cold, warm) {
					t.Fatalf("edit %d: %s", i, difference(cold, warm))
				}
				os.RemoveAll(dir)
			}
		})
	}
}

func difference(a, b *answer) string {
	for _, p := range sortedKeys(a.files) {
		if !reflect.DeepEqual(a.files[p], b.files[p]) {
			var out bytes.Buffer
			x := (&answer{files: a.files}).lines()
			y := (&answer{files: b.files}).lines()
			for _, l := range x {
				if !slices.Contains(y, l) {
					fmt.Fprintln(&out, "-", l)
				}
			}
			for _, l := range y {
				if !slices.Contains(x, l) {
					fmt.Fprintln(&out, "+", l)
				}
			}
			return fmt.Sprintf("%s\n%s%+v\n%+v", p, &out, a.files[p], b.files[p])
		}
	}
	return fmt.Sprint(a.skipped, b.skipped)
}

// TestOnlyWhatChangesIsChecked checks that what doesn't change what a package
// declares leaves those that import it as they were kept.
func TestOnlyWhatChangesIsChecked(t *testing.T) {
	files := unpack(`
-- go.mod --
module example.com/a
-- lib/lib.go --
package lib

func F() int { return g() }
func g() int { return 1 }
-- main.go --
package main

import "example.com/a/lib"

func main() { lib.F() }
`)
	kept := cache.Open(t.TempDir())
	checked := func(edit func(string) string) []string {
		files["lib/lib.go"] = edit(files["lib/lib.go"])
		dir := t.TempDir()
		lay(t, dir, files)
		var list []string
		onCheck = func(u *unit) { list = append(list, u.path) }
		defer func() { onCheck = nil }()
		scanFolder(t, NewAt(Places{}), dir, kept, 1)
		return list
	}
	for _, c := range []struct {
		name string
		edit func(string) string
		want []string
	}{
		{"all is new", func(s string) string { return s }, []string{"./lib", "./."}},
		{"nothing", func(s string) string { return s }, nil},
		{"a body and all places after it", func(s string) string { return strings.Replace(s, "return g()", "\n\treturn 1 + g()", 1) }, []string{"./lib"}},
		{"something private", func(s string) string { return s + "func h() {}\n" }, []string{"./lib"}},
		{"a result's type", func(s string) string { return strings.Replace(s, "F() int", "F() any", 1) }, []string{"./lib", "./."}},
	} {
		if got := checked(c.edit); !slices.Equal(got, c.want) {
			t.Errorf("%s: checked %q, want %q", c.name, got, c.want)
		}
	}
}
