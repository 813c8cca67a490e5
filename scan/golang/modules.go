package golang

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"brick/project"
)

// A goModule is a module of the checkout.
type goModule struct {
	dir, path string // dir is relative to the checkout, "." for its root
	local     []replacement
}

// A replacement leads a module's path to a folder of the checkout.
type replacement struct{ path, dir string }

// modules are those of the checkout, and which versions of others they build
// with.
type modules struct {
	tree    *project.Tree
	list    []*goModule // by folder
	folders map[string]*goModule
	near    map[string]*goModule // by folder: the nearest, nil for none
	sources map[string]bool      // folders with Go files
	vendors []string             // folders named vendor
	wanted  map[string]string    // version, by the path of a module outside of the checkout
	moved   map[string]module.Version
	gopath  string // the path by which the root is likely to be imported where there is no module; "" for unknown
}

const maxModFile = 1 << 20 // bytes of a go.mod or go.work

// newModules finds the modules of the folders that have Go files.
func newModules(t *project.Tree, folders []string) *modules {
	m := &modules{
		tree: t, folders: map[string]*goModule{}, near: map[string]*goModule{}, sources: map[string]bool{},
		wanted: map[string]string{}, moved: map[string]module.Version{},
	}
	for _, dir := range folders {
		m.sources[dir] = true
	}
	m.work()
	for _, dir := range folders {
		m.nearest(dir)
	}
	slices.SortFunc(m.list, func(a, b *goModule) int { return cmp.Compare(a.dir, b.dir) })
	return m
}

// nearest is the module that a folder is in. It reads the go.mod of each
// folder at most once.
func (m *modules) nearest(dir string) *goModule {
	if n, ok := m.near[dir]; ok {
		return n
	}
	n := m.read(dir)
	if n == nil && dir != "." {
		n = m.nearest(path.Dir(dir))
	}
	m.near[dir] = n
	return n
}

// read reads a folder's go.mod. One that isn't well-formed still says its
// module's path.
func (m *modules) read(dir string) *goModule {
	text, err := m.tree.Read(path.Join(dir, "go.mod"), maxModFile)
	if err != nil {
		return nil
	}
	n := &goModule{dir: dir, path: modfile.ModulePath(text)}
	if n.path == "" {
		return nil
	}
	m.list = append(m.list, n)
	m.vendored(dir)
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return n
	}
	if full, err := modfile.Parse("go.mod", text, nil); err == nil {
		f = full // ParseLax leaves replacements out
	}
	for _, r := range f.Require {
		m.want(r.Mod)
	}
	n.local = m.replaced(dir, f.Replace)
	return n
}

// work reads the go.work in the root. Its modules are found where they lie,
// as all are; its replacements count for all of them.
func (m *modules) work() {
	m.vendored(".")
	text, err := m.tree.Read("go.work", maxModFile)
	if err != nil {
		return
	}
	f, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return
	}
	if local := m.replaced(".", f.Replace); len(local) > 0 {
		m.list = append(m.list, &goModule{dir: ".", local: local})
	}
}

func (m *modules) vendored(dir string) {
	if v := path.Join(dir, "vendor"); !slices.Contains(m.vendors, v) {
		m.vendors = append(m.vendors, v)
	}
}

// want asks for a version at least. One version of each module is used for
// the whole checkout: the newest that is asked for.
func (m *modules) want(v module.Version) bool {
	if old, ok := m.wanted[v.Path]; ok && semver.Compare(old, v.Version) >= 0 {
		return false
	}
	m.wanted[v.Path] = v.Version
	return true
}

// replaced notes the replacements by other versions, and gives those by
// folders of the checkout.
func (m *modules) replaced(dir string, list []*modfile.Replace) []replacement {
	var local []replacement
	for _, r := range list {
		switch {
		case r.New.Version != "":
			m.moved[r.Old.Path] = r.New
		case !path.IsAbs(r.New.Path):
			if to := path.Join(dir, strings.ReplaceAll(r.New.Path, `\`, "/")); to != ".." && !strings.HasPrefix(to, "../") {
				local = append(local, replacement{r.Old.Path, to})
			}
		}
	}
	return local
}

// importPath is the path by which a folder's package is imported.
func (m *modules) importPath(dir string) string {
	n := m.near[dir]
	switch {
	case n == nil && dir == ".":
		return ""
	case n == nil:
		return dir
	case n.dir == ".":
		return path.Join(n.path, dir)
	}
	return n.path + strings.TrimPrefix(dir, n.dir)
}

// find is the folder of the checkout that an import in a folder means, "" when
// it lies outside. An own module comes first, then what replaces others, then
// all other modules by their paths, the nearest first: that another version of
// them may be asked for makes no other functions of them.
func (m *modules) find(importPath, from string) string {
	if strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "../") {
		if dir := path.Join(from, importPath); m.sources[dir] {
			return dir
		}
		return ""
	}
	if dir := m.findInGOPATH(importPath, from); dir != "" {
		return dir
	}
	own := m.near[from]
	if own != nil {
		if dir := m.in(own.dir, own.path, importPath); dir != "" {
			return dir
		}
		for _, r := range own.local {
			if dir := m.in(r.dir, r.path, importPath); dir != "" {
				return dir
			}
		}
	}
	if dir, _ := m.findWithoutModule(importPath, from); dir != "" {
		return dir
	}
	best, bestShared := "", -1
	for _, n := range m.list {
		if !visible(n.dir, from) {
			continue
		}
		for _, r := range n.local {
			if dir := m.in(r.dir, r.path, importPath); dir != "" && bestShared < 0 {
				best = dir
			}
		}
		if dir := m.in(n.dir, n.path, importPath); dir != "" {
			if s := shared(n.dir, from); s > bestShared {
				best, bestShared = dir, s
			}
		}
	}
	return best
}

// in is the folder of a package in a module at a folder, "" when there are no
// Go files.
func (m *modules) in(dir, modulePath, importPath string) string {
	if modulePath == "" {
		return ""
	}
	rest, ok := strings.CutPrefix(importPath, modulePath)
	if !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	found := path.Join(dir, rest)
	if !m.sources[found] {
		return ""
	}
	// A module further down has its own packages.
	if n := m.near[found]; n != nil && n.dir != dir && n.path != importPath && !strings.HasPrefix(importPath, n.path+"/") && len(n.dir) > len(dir) {
		return ""
	}
	return found
}

// findInGOPATH finds packages in the folder src above, as the tests of many
// tools keep them: testdata/src/a is imported as "a".
func (m *modules) findInGOPATH(importPath, from string) string {
	const src = "testdata/src/"
	i := strings.LastIndex("/"+from+"/", "/"+src)
	if i < 0 {
		return ""
	}
	if dir := from[:i] + src + importPath; m.sources[dir] {
		return dir
	}
	return ""
}

// visible says whether a module can be imported from a folder: one in the
// data of tests only from there.
func visible(module, from string) bool {
	i := strings.Index("/"+module+"/", "/testdata/")
	return i < 0 || strings.HasPrefix(from+"/", module[:i]+"testdata/")
}

// shared is how many elements two folders have in common at their beginning.
func shared(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
