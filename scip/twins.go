package scip

import (
	"path"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// An engine may see the repository's own packages from outside: as installed
// beside it (Python's src layout), as built (a workspace of npm, by its dist/),
// as vendored. What it then mentions are symbols that nothing defines. Their
// twins are found by the path of the module, which is the same but for the
// folder that the sources are in.

// twins are the ways back to the repository's own modules.
type twins struct {
	python map[string][]symbol // importable name → modules
	npm    map[string][]symbol // package and path without folders of builds and extension → modules
	golang map[string][]symbol // import path → packages
	found  map[string][]*node  // by base
}

// pythonRoots are folders that hold packages and are none.
var pythonRoots = []string{"src", "lib", "python", "py", "source"}

// buildFolders are folders of sources and of what is built of them.
var buildFolders = map[string]bool{
	"src": true, "source": true, "lib": true, "dist": true, "build": true, "out": true, "es": true, "esm": true, "cjs": true,
	"umd": true, "types": true, "typings": true, "ts": true, "js": true, "module": true, "commonjs": true,
}

var npmExtensions = []string{
	".d.ts", ".d.mts", ".d.cts", ".tsx", ".mts", ".cts", ".ts", ".jsx", ".mjs", ".cjs", ".js",
}

func (t *table) collectTwins() *twins {
	w := &twins{python: map[string][]symbol{}, npm: map[string][]symbol{}, golang: map[string][]symbol{}, found: map[string][]*node{}}
	packages := map[string]bool{} // of Python, that have an __init__.py
	var modules []*node
	for _, id := range sortedKeys(t.nodes) {
		n := t.nodes[id]
		if n.kind != kindModule || !n.defined() {
			continue
		}
		modules = append(modules, n)
		if n.lang == python && path.Base(n.path()) == "__init__.py" {
			packages[n.symbol.descriptors[0].Name] = true
		}
	}
	for _, n := range modules {
		switch first := n.symbol.descriptors[0].Name; {
		case n.lang == python && n.symbol.isPythonModule():
			for i := 0; i < len(first); i++ {
				if root := first[:i]; first[i] == '.' && !packages[root] && slices.Contains(pythonRoots, root[strings.LastIndexByte(root, '.')+1:]) {
					w.python[first[i+1:]] = append(w.python[first[i+1:]], n.symbol)
				}
			}
			w.python[first] = append(w.python[first], n.symbol)
		case n.symbol.scheme == "scip-typescript" && !n.symbol.anonymous():
			if key, _, ok := npmModule(n.symbol); ok {
				w.npm[key] = append(w.npm[key], n.symbol)
			}
		case n.lang == golang:
			w.golang[first] = append(w.golang[first], n.symbol)
		}
	}
	return w
}

// npmModule is a file of a package without the folders that builds add, and
// how many descriptors name it.
func npmModule(s symbol) (key string, length int, ok bool) {
	var names []string
	for i, d := range s.descriptors {
		if d.Suffix != pb.Descriptor_Namespace {
			return "", 0, false
		}
		name := d.Name
		for _, e := range npmExtensions {
			if base, is := strings.CutSuffix(name, e); is {
				key = s.pkg + "\x00" + strings.Join(append(names, base), "/")
				return key, i + 1, true
			}
		}
		if len(names) > 0 || !buildFolders[name] {
			names = append(names, name)
		}
	}
	return "", 0, false
}

// twinsOf are the own nodes that a symbol without definition stands for.
func (t *table) twinsOf(n *node, from place) []*node {
	if t.twins == nil {
		t.twins = t.collectTwins()
	}
	if list, there := t.twins.found[n.id]; there {
		return list
	}
	var list []*node
	for _, s := range t.twins.candidates(n.symbol) {
		for _, twin := range t.find(s.text(), from) {
			if twin.defined() && twin.kind != "" && !slices.Contains(list, twin) {
				list = append(list, twin)
			}
		}
	}
	t.twins.found[n.id] = list
	return list
}

// candidates are the symbols that the twins of a symbol would have.
func (w *twins) candidates(s symbol) []symbol {
	var modules []symbol
	length := 1
	switch s.scheme {
	case "scip-python":
		modules = w.python[s.descriptors[0].Name]
	case "scip-typescript":
		key, n, ok := npmModule(s)
		if !ok {
			return nil
		}
		modules, length = w.npm[key], n
		// Sources are meant rather than what was built of them.
		if sources := slices.DeleteFunc(slices.Clone(modules), func(m symbol) bool { return strings.Contains(m.last().Name, ".d.") }); len(sources) > 0 {
			modules = sources
		}
	case "scip-go":
		modules = w.golang[s.descriptors[0].Name]
	}
	var list []symbol
	for _, m := range modules {
		own := m.descriptors
		if s.scheme == "scip-python" {
			own = own[:1] // without __init__:
		}
		m.descriptors = append(slices.Clone(own), s.descriptors[length:]...)
		list = append(list, m)
	}
	return list
}
