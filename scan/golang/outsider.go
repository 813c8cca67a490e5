package golang

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
	"golang.org/x/tools/go/gcexportdata"

	"brick/scan/cache"
)

// An outsider is a package from outside of the checkout.
type outsider struct {
	Path       string
	Imports    []string // paths of outsiders
	Export     []byte   // export data
	Digest     [sha256.Size]byte
	Interfaces []contract        // that it declares and exports
	Dir        string            // in the checkout, "" for one elsewhere
	Sum        [sha256.Size]byte // of its files, of one in the checkout

	dir      folder
	fset     *token.FileSet
	files    []*ast.File
	resolved map[string]string // path of an outsider, by path as it is written
	pkg      *types.Package
}

// outsiders are all that the checkout needs, by path.
type outsiders struct {
	library *library
	by      map[string]*outsider
}

// loadOutsiders finds packages and all that they need. They come from the
// cache when all of them are there, else all are made again from their
// sources, so that each has one identity. Those that are nowhere are left out.
func loadOutsiders(ctx context.Context, l *library, paths []string, c *cache.Cache, universe *universe, workers int) (*outsiders, error) {
	o := &outsiders{library: l, by: map[string]*outsider{}}
	dirs := map[string]folder{}
	for _, p := range paths {
		if dir := l.find(p); dir.dir != "" {
			dirs[p] = dir
		}
	}
	key := cache.NewKey(version, []byte("outside"), l.digest())
	if o.cached(c, key, dirs) {
		for p := range o.by {
			universe.exports[p] = o.by[p].Export
		}
		return o, nil
	}
	o.by = map[string]*outsider{}
	if err := o.discover(ctx, dirs, workers); err != nil {
		return nil, err
	}
	if err := o.check(ctx, universe, workers); err != nil {
		return nil, err
	}
	if c != nil {
		list := make([]*outsider, 0, len(o.by))
		for _, p := range slices.Sorted(maps.Keys(o.by)) {
			list = append(list, o.by[p])
		}
		if value, err := msgpack.Marshal(list); err == nil {
			c.Put(key, value)
		}
	}
	return o, nil
}

func (o *outsiders) cached(c *cache.Cache, key cache.Key, dirs map[string]folder) bool {
	value, ok := c.Get(key)
	if !ok {
		return false
	}
	var list []*outsider
	if msgpack.Unmarshal(value, &list) != nil {
		return false
	}
	for _, p := range list {
		o.by[p.Path] = p
		if p.Dir != "" || dirs[p.Path].tree != nil {
			now := outsider{dir: folder{o.library.modules.tree, p.Dir}}
			if now.read(); p.Dir == "" || now.Sum != p.Sum {
				return false
			}
		}
	}
	for p := range dirs {
		if o.by[p] == nil {
			return false
		}
	}
	return true
}

// discover reads the packages, and those that they import.
func (o *outsiders) discover(ctx context.Context, dirs map[string]folder, workers int) error {
	level := dirs
	for len(level) > 0 {
		list := make([]*outsider, 0, len(level))
		for _, p := range slices.Sorted(maps.Keys(level)) {
			n := &outsider{Path: p, dir: level[p]}
			o.by[p] = n
			list = append(list, n)
		}
		if err := each(ctx, workers, list, func(n *outsider) { n.read() }); err != nil {
			return err
		}
		level = map[string]folder{}
		for _, n := range list {
			std := o.library.GOROOT != "" && n.dir.tree == nil && strings.HasPrefix(n.dir.dir, o.library.GOROOT+string(filepath.Separator))
			for written := range n.resolved {
				p := written
				if std && !isStandard(written) {
					p = "vendor/" + written
				}
				if o.by[p] != nil {
					n.resolved[written] = p
					continue
				}
				dir := o.library.find(p)
				if dir.dir == "" {
					delete(n.resolved, written)
					continue
				}
				n.resolved[written] = p
				level[p] = dir
			}
		}
	}
	for _, n := range o.by {
		n.Imports = slices.Compact(slices.Sorted(maps.Values(n.resolved)))
	}
	return nil
}

// read parses the package's files without their functions' bodies.
func (n *outsider) read() {
	n.resolved = map[string]string{}
	n.fset = token.NewFileSet()
	byName := map[string][]*ast.File{}
	h := sha256.New()
	for _, name := range n.dir.names() {
		text, err := n.dir.read(name)
		if err != nil {
			continue
		}
		if n.dir.tree != nil {
			n.Dir = n.dir.dir
			fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(text))
		}
		if !limitsOf(name, text).hold(outside) {
			continue
		}
		f, err := parser.ParseFile(n.fset, name, text, parser.SkipObjectResolution)
		if err != nil || f == nil || f.Name.Name == "documentation" || n.dir.tree != nil && tooDeep(f) {
			continue
		}
		if slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` }) {
			continue
		}
		f = withoutBodies(f)
		f.Comments = nil
		byName[f.Name.Name] = append(byName[f.Name.Name], f)
	}
	h.Sum(n.Sum[:0])
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if len(byName[name]) > len(n.files) {
			n.files = byName[name]
		}
	}
	for _, f := range n.files {
		for _, s := range f.Imports {
			if p, err := strconv.Unquote(s.Path.Value); err == nil && p != "unsafe" && p != "C" {
				n.resolved[p] = ""
			}
		}
	}
}

// check checks the packages, each after those that it imports.
func (o *outsiders) check(ctx context.Context, u *universe, workers int) error {
	list := make([]*task, 0, len(o.by))
	tasks := map[string]*task{}
	for _, p := range slices.Sorted(maps.Keys(o.by)) {
		n := o.by[p]
		tasks[p] = &task{run: func() { n.check(u, o) }}
		list = append(list, tasks[p])
	}
	for _, p := range slices.Sorted(maps.Keys(o.by)) {
		for _, d := range o.by[p].Imports {
			tasks[p].after(tasks[d])
		}
	}
	return runTasks(ctx, workers, list)
}

func (n *outsider) check(u *universe, o *outsiders) {
	conf := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {},
		Importer: importerFunc(func(p string) (*types.Package, error) {
			if d := o.by[n.resolved[p]]; d != nil && d.pkg != nil {
				return d.pkg, nil
			}
			return missing(p)
		}),
	}
	if n.dir.tree != nil {
		long := longTexts(n.files, conf.Importer.(importerFunc))
		for i := len(long) - 1; i >= 0; i-- {
			if long[i] {
				n.files = slices.Delete(n.files, i, i+1)
			}
		}
	}
	pkg, err := safely(func() *types.Package {
		pkg, _ := conf.Check(n.Path, n.fset, n.files, nil)
		return pkg
	})
	n.files, n.fset = nil, nil
	if err != nil || pkg == nil {
		pkg = types.NewPackage(n.Path, path.Base(n.Path))
	}
	pkg.MarkComplete()
	n.pkg = pkg
	n.Interfaces = exportedContracts(pkg)
	var out bytes.Buffer
	if gcexportdata.Write(&out, nil, pkg) == nil {
		n.Export = out.Bytes()
	}
	n.Digest = sha256.Sum256(n.Export)
	u.set(n.Path, pkg)
}
