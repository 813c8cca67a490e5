package golang

import (
	"maps"
	"reflect"
	"testing"
)

// TestAttributes checks what is said of functions besides their calls.
func TestAttributes(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, unpack(`
-- go.mod --
module example.com/a
-- a.go --
package main

import "sort"

func main() {}
func init() {}
func Exported() {}

type byName []string

func (b byName) Len() int           { return len(b) }
func (b byName) Less(i, j int) bool { return b[i] < b[j] }
func (b byName) Swap(i, j int)      {}
func (b byName) String() string     { return "" }
func (b byName) other()             {}

type Doer interface{ Do() }

//go:linkname linked example.com/x.y
func linked()

//export Called
func Called() {}

func assembly(x, y int, _ ...string)

func busy(a int) {
	for range a {
		switch {
		case a > 1 && a < 3 || a == 5:
		case a > 2:
		default:
		}
		if a == 1 {
		} else if a == 2 {
			func() {
				if a == 3 {
				}
			}()
		}
	}
}

var _ = sort.Sort
-- t/a.go --
package t

import "text/template"

type Page struct{}

func (Page) Title() {}
func (Page) hidden() {}

var _ template.Template
-- a_test.go --
package main

import "testing"

func TestA(t *testing.T) {}
func Testify() {}
`))
	a := scanFolder(t, New(), dir, nil, 1)
	got := map[string]map[string]any{}
	for _, f := range a.files {
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if d.IsFunction() {
				m := maps.Clone(d.Attributes)
				maps.DeleteFunc(m, func(k string, _ any) bool { return len(k) > 8 && k[:8] == "metrics." })
				got[short(d.ID)] = m
			}
		}
	}
	sorting := map[string]any{"source.exported": true, "source.implicit-invocation": "sort", "source.trait-impl": []string{"sort.Interface"}}
	for id, want := range map[string]map[string]any{
		"a.go#main":          {"source.entry-point": true},
		"a.go#init":          {"source.entry-point": true},
		"a.go#Exported":      {"source.exported": true},
		"a.go#byName.Len":    sorting,
		"a.go#byName.Less":   sorting,
		"a.go#byName.Swap":   sorting,
		"a.go#byName.String": {"source.exported": true, "source.implicit-invocation": "fmt", "source.trait-impl": []string{"fmt.Stringer"}},
		"a.go#byName.other":  {},
		"a.go#Doer.Do":       {"source.exported": true, "source.virtual": true},
		"a.go#linked":        {"source.external-linkage": true, "source.framework-attribute": "//go:linkname linked example.com/x.y"},
		"a.go#Called":        {"source.exported": true, "source.external-linkage": true, "source.framework-attribute": "//export Called"},
		"a.go#assembly":      {"source.external-linkage": true},
		"t/a.go#Page.Title":  {"source.exported": true, "source.implicit-invocation": "its package uses text/template"},
		"t/a.go#Page.hidden": {},
		"a_test.go#TestA":    {"source.exported": true, "source.entry-point": true, "source.test-code": true},
		"a_test.go#Testify":  {"source.exported": true},
	} {
		if !reflect.DeepEqual(got[id], want) {
			t.Errorf("%s: %v, want %v", id, got[id], want)
		}
	}
	if !a.files["a_test.go"].Test || a.files["a.go"].Test {
		t.Error("which file is a test's is not told")
	}
	for id, want := range map[string][4]any{
		// lines, McCabe's complexity, nesting, parameters
		"a.go#busy":     {16, 9, 4, 1},
		"a.go#assembly": {1, 1, 0, 3},
		"a.go#Doer.Do":  {1, 1, 0, 0},
	} {
		for _, f := range a.files {
			for _, d := range f.Definitions {
				m := d.Attributes
				have := [4]any{m["metrics.lines"], m["metrics.cyclomatic"], m["metrics.nesting"], m["metrics.parameters"]}
				if short(d.ID) == id && have != want {
					t.Errorf("%s: figures %v, want %v", id, have, want)
				}
			}
		}
	}
}
