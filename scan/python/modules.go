package python

import (
	"path"
	"slices"
	"strings"

	"brick/scan/facts"
	"brick/scan/resolve"
)

// modules says which file a module's name means: what sys.path would be, read
// from where packages lie and what projects declare.
type modules struct {
	paths   map[string]int32 // units by path
	files   []string         // paths by unit
	folders map[string]bool  // with a Python file in them or below
	bases   map[string]bool  // names of modules and folders, wherever
	roots   []string         // folders from which names are counted, sorted
	named   []facts.Module   // by unit
	list    []string         // folders by the index of a Package
	index   map[string]int32
	top     map[string]place2
}

// place2 is what a top-level name means from a folder.
type place2 struct {
	path  string
	known bool // false when it may be several
	found bool
}

func newModules(files []string, projects []metadata) *modules {
	m := &modules{
		paths: map[string]int32{}, files: files, folders: map[string]bool{}, bases: map[string]bool{},
		index: map[string]int32{}, top: map[string]place2{},
	}
	for i, f := range files {
		m.paths[f] = int32(i)
		m.bases[strings.TrimSuffix(path.Base(f), path.Ext(f))] = true
		for d := path.Dir(f); !m.folders[d]; d = path.Dir(d) {
			m.folders[d] = true
			m.bases[path.Base(d)] = true
			if d == "." {
				break
			}
		}
	}
	m.findRoots(projects)
	m.name()
	return m
}

// findRoots finds the folders in which top-level modules lie.
func (m *modules) findRoots(projects []metadata) {
	roots := map[string]bool{".": true}
	for _, p := range projects {
		roots[p.folder] = true
		for _, s := range append([]string{"src", "lib", "python"}, p.sources...) {
			if d := path.Join(p.folder, s); m.folders[d] && !m.isPackage(d) {
				roots[d] = true
			}
		}
	}
	if m.folders["src"] && !m.isPackage("src") {
		roots["src"] = true
	}
	for _, f := range m.files {
		if d := path.Dir(f); m.isPackage(d) {
			for m.isPackage(d) && d != "." {
				d = path.Dir(d)
			}
			roots[d] = true
		}
	}
	for r := range roots {
		m.roots = append(m.roots, r)
	}
	slices.Sort(m.roots)
}

// isPackage says whether a folder is a regular package.
func (m *modules) isPackage(folder string) bool {
	_, ok := m.file(path.Join(folder, "__init__"))
	return ok
}

// file is the unit of a path without its extension.
func (m *modules) file(stem string) (int32, bool) {
	for _, ext := range []string{".py", ".pyw", ".pyi"} {
		if u, ok := m.paths[stem+ext]; ok {
			return u, true
		}
	}
	return 0, false
}

// name gives each file the name by which it is imported.
func (m *modules) name() {
	seen := map[string]int{}
	names := make([]string, len(m.files))
	roots := make([]string, len(m.files))
	for i, f := range m.files {
		names[i], roots[i] = m.moduleName(f)
		seen[names[i]]++
	}
	m.named = make([]facts.Module, len(m.files))
	for i, n := range names {
		id := n
		if seen[n] > 1 { // several projects, or a stub beside its module
			id = m.files[i]
		}
		m.named[i] = facts.Module{ID: facts.NewModule("python", id), Name: n}
	}
}

func (m *modules) moduleName(f string) (name, root string) {
	d := path.Dir(f)
	if m.isPackage(d) {
		for m.isPackage(d) && d != "." {
			d = path.Dir(d)
		}
	} else {
		for d != "." && !slices.Contains(m.roots, d) {
			d = path.Dir(d)
		}
	}
	name = f
	if d != "." {
		name = strings.TrimPrefix(f, d+"/")
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if name != "__init__" {
		name = strings.TrimSuffix(name, "/__init__")
	}
	return strings.ReplaceAll(name, "/", "."), d
}

// at is the module or package of a path without extension, the empty set for
// none.
func (m *modules) at(stem string) resolve.Set {
	if u, ok := m.file(path.Join(stem, "__init__")); ok {
		return resolve.Set{{Kind: resolve.Module, Unit: u}}
	}
	if u, ok := m.file(stem); ok {
		return resolve.Set{{Kind: resolve.Module, Unit: u}}
	}
	if m.folders[stem] {
		return resolve.Set{{Kind: resolve.Package, Index: m.folder(stem)}}
	}
	return nil
}

func (m *modules) folder(d string) int32 {
	i, ok := m.index[d]
	if !ok {
		i = int32(len(m.list))
		m.list = append(m.list, d)
		m.index[d] = i
	}
	return i
}

// sub is a module in another, the empty set for none.
func (m *modules) sub(v resolve.Value, name string) resolve.Set {
	switch v.Kind {
	case resolve.Package:
		return m.at(path.Join(m.list[v.Index], name))
	case resolve.Module:
		f := m.files[v.Unit]
		if base := path.Base(f); strings.HasPrefix(base, "__init__.") {
			return m.at(path.Join(path.Dir(f), name))
		}
	}
	return nil
}

// find is where a top-level name leads from a folder.
func (m *modules) find(folder, name string) place2 {
	key := folder + "\x00" + name
	p, ok := m.top[key]
	if !ok {
		p = m.search(folder, name)
		m.top[key] = p
	}
	return p
}

func (m *modules) search(folder, name string) place2 {
	// Regular packages and modules come before folders without __init__.py
	// (PEP 420).
	for _, regular := range []bool{true, false} {
		is := func(root string) bool {
			stem := path.Join(root, name)
			_, file := m.file(stem)
			return file || m.isPackage(stem) || !regular && m.folders[stem]
		}
		if regular && !m.isPackage(folder) && is(folder) {
			return place2{path.Join(folder, name), true, true} // beside a script
		}
		for d := folder; ; d = path.Dir(d) {
			if _, root := slices.BinarySearch(m.roots, d); root && is(d) {
				return place2{path.Join(d, name), true, true}
			}
			if d == "." {
				break
			}
		}
		var in []string
		for _, r := range m.roots {
			if is(r) {
				in = append(in, r)
			}
		}
		if len(in) > 0 {
			return place2{path.Join(in[0], name), len(in) == 1, true}
		}
	}
	return place2{}
}

// module is what the name of a module means in a unit, and what its first part
// does.
func (m *modules) module(p *resolve.Program, unit int32, im *resolve.Import) (first, whole resolve.Set) {
	folder := path.Dir(m.files[unit])
	parts := strings.Split(im.Module, ".")
	var at string
	switch {
	case im.Level > 0:
		for range im.Level - 1 {
			if folder == "." {
				return resolve.UnknownSet(), resolve.UnknownSet()
			}
			folder = path.Dir(folder)
		}
		if im.Module == "" {
			s := m.at(folder)
			return s, s
		}
		at = path.Join(folder, parts[0])
	default:
		top := m.find(folder, parts[0])
		switch {
		case standard[parts[0]] && !top.found:
			return p.Foreign(resolve.Foreign, parts[0]), p.Foreign(resolve.Foreign, im.Module)
		case standard[parts[0]], top.found && !top.known, !top.found && m.bases[parts[0]]:
			return resolve.UnknownSet(), resolve.UnknownSet()
		case !top.found:
			return p.Foreign(resolve.Foreign, parts[0]), p.Foreign(resolve.Foreign, im.Module)
		}
		at = top.path
	}
	first = m.at(at)
	whole = first
	for _, part := range parts[1:] {
		if len(whole) != 1 {
			return first, resolve.UnknownSet()
		}
		whole = m.sub(whole[0], part)
	}
	if len(whole) == 0 {
		whole = resolve.UnknownSet()
	}
	if len(first) == 0 {
		first = resolve.UnknownSet()
	}
	return first, whole
}

// entry is what an entry point of a project in a folder means.
func (m *modules) entry(p *resolve.Program, folder string, e entry) resolve.Set {
	parts := strings.Split(e.module, ".")
	top := m.find(folder, parts[0])
	if !top.found || !top.known {
		return nil
	}
	s := m.at(top.path)
	for _, part := range parts[1:] {
		if len(s) != 1 {
			return nil
		}
		s = m.sub(s[0], part)
	}
	for _, name := range strings.Split(e.function, ".") {
		s = p.Member(s, name)
	}
	return s
}
