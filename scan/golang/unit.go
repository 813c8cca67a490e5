package golang

import (
	"cmp"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// A unit is a set of files that are checked together. Each file is the todo
// of one unit: what is known of it was found there.
type unit struct {
	path    string // see packagePath
	display string // as its importers write it
	dir     string
	name    string
	todo    []*source
	context []*source // whose declarations the todo needs
	tests   []*source // of an external test: the tests in the package that it tests

	imports map[string]*dependency // by path as it is written
	result  *result
}

// A dependency is what an import means: a unit, a package outside, or neither
// when it isn't there.
type dependency struct {
	unit    *unit
	outside *outsider
	path    string
	perhaps bool // it may be a package of the checkout: which isn't known
}

// packagePath is the path that a package of the checkout has for the type
// checker. It differs from all paths outside, and is the same for all sets of
// files of one package. Those that can't be imported, as external tests, have
// their name in it.
func packagePath(dir, name string, importable bool) string {
	if importable {
		return "./" + dir
	}
	return "./" + dir + " [" + name + "]"
}

// inCheckout says whether a package's path is of the checkout.
func inCheckout(path string) bool { return strings.HasPrefix(path, "./") }

// group divides the files of one folder, sorted by path, into units. primary
// is the one that importers mean, nil when nothing can be imported.
func group(dir, display string, files []*source) (primary *unit, units []*unit) {
	g := &grouping{dir: dir, display: display}
	var rest []*source
	byName := map[string][]*source{}
	var tests []*source
	for _, f := range files {
		switch {
		case !f.hold(host):
			rest = append(rest, f)
		case f.test:
			tests = append(tests, f)
		default:
			byName[f.pkg] = append(byName[f.pkg], f)
		}
	}
	g.chooseName(byName)
	if base := byName[g.name]; len(base) > 0 {
		primary = g.add(g.name, base, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if name != g.name {
			g.add(name, byName[name], nil)
		}
	}
	g.testUnits(tests, byName)
	for len(rest) > 0 {
		var u *unit
		u, rest = g.variant(rest, files)
		if primary == nil && !u.todo[0].test {
			u.path, u.display = packagePath(dir, u.name, true), display
			g.name, primary = u.name, u
		}
	}
	return primary, g.units
}

// A grouping is one call of group.
type grouping struct {
	dir, display, name string // name is that of the folder's main package
	units              []*unit
}

// chooseName chooses the name that most files have.
func (g *grouping) chooseName(byName map[string][]*source) {
	names := slices.SortedFunc(maps.Keys(byName), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byName[b]), len(byName[a])), cmp.Compare(a, b))
	})
	if len(names) > 0 {
		g.name = names[0]
	}
}

func (g *grouping) add(name string, todo, context []*source) *unit {
	u := &unit{
		path: packagePath(g.dir, name, name == g.name), display: g.display, dir: g.dir, name: name,
		todo: todo, context: context,
	}
	if name != g.name {
		u.display = strings.TrimPrefix(u.display+"_test", "_test")
		if !strings.HasSuffix(name, "_test") {
			u.display = path.Join(g.display, name)
		}
	}
	g.units = append(g.units, u)
	return u
}

// testUnits adds the tests that are in packages, and those outside of them.
func (g *grouping) testUnits(tests []*source, byName map[string][]*source) {
	inside := map[string][]*source{}
	for _, f := range tests {
		inside[f.pkg] = append(inside[f.pkg], f)
	}
	if g.name == "" { // there are only tests
		for _, name := range slices.Sorted(maps.Keys(inside)) {
			if !strings.HasSuffix(name, "_test") {
				g.name = name
				break
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inside)) {
		u := g.add(name, inside[name], byName[name])
		if name == g.name+"_test" {
			u.tests = inside[g.name]
		}
	}
}

// variant adds a unit of files that this machine's config leaves out: of the
// first, and of those that are built with it. It gives the others.
func (g *grouping) variant(rest, files []*source) (*unit, []*source) {
	first := rest[0]
	c := first.config()
	taken := maps.Clone(first.names())
	todo := []*source{first}
	var others, context []*source
	with := func(f *source) bool { return c != nil && f.pkg == first.pkg && f.hold(c) }
	for _, f := range rest[1:] {
		if with(f) && f.test == first.test && !overlap(f.names(), taken) {
			maps.Copy(taken, f.names())
			todo = append(todo, f)
		} else {
			others = append(others, f)
		}
	}
	alone := false
	for _, f := range files {
		switch {
		case !with(f) || f.test && !first.test || slices.Contains(todo, f):
		case overlap(f.names(), taken):
			alone = true
		default:
			context = append(context, f)
		}
	}
	if !alone {
		return g.add(first.pkg, todo, context), others
	}
	// What declares the same as others of its config is no variant of a
	// package, but a program of its own, run by the name of its file.
	u := g.add(first.pkg, todo, nil)
	u.path = packagePath(g.dir, path.Base(first.path), false)
	u.display = path.Join(g.display, path.Base(first.path))
	return u, others
}

func overlap(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// names are those that a file declares for its package. It is asked only of
// the files of folders that have variants.
func (s *source) names() map[string]bool {
	if s.declared == nil {
		f, _ := s.parse(token.NewFileSet(), 0)
		s.declared = declared(f)
	}
	return s.declared
}
