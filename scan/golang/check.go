package golang

import (
	"bytes"
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
)

// A checked is a unit's syntax, and what the type checker says of it.
type checked struct {
	*unit

	fset  *token.FileSet
	files []*ast.File // of todo
	errs  []int       // syntax errors of each
	pkg   *types.Package
	info  *types.Info

	context []*ast.File // without bodies
}

// parse parses a unit's files. skip is told of those that can't be checked.
func (u *unit) parse(skip func(path, reason string)) *checked {
	c := &checked{unit: u, fset: token.NewFileSet()}
	var todo []*source
	for _, s := range u.todo {
		f, n := s.parse(c.fset, parser.ParseComments)
		if f == nil || tooDeep(f) {
			skip(s.path, "its syntax is nested too deeply")
			continue
		}
		todo = append(todo, s)
		c.files = append(c.files, f)
		c.errs = append(c.errs, n)
	}
	u.todo = todo
	for _, s := range u.context {
		if f, _ := s.parse(c.fset, 0); f != nil && !tooDeep(f) {
			c.context = append(c.context, withoutBodies(f))
		}
	}
	return c
}

// check checks a unit. Errors in it are tolerated: what is not known then has
// no entry in info. skip is told of files that the type checker fails on.
func (c *checked) check(find importerFunc, skip func(path, reason string)) {
	if c.try(find, func(int) bool { return true }) == nil {
		return
	}
	var broken []int
	for i := range c.files {
		if c.try(find, func(j int) bool { return i == j }) != nil {
			broken = append(broken, i)
		}
	}
	if c.try(find, func(i int) bool { return !slices.Contains(broken, i) }) != nil {
		for _, s := range c.todo {
			skip(s.path, "the type checker failed on its package")
		}
		c.todo, c.files, c.errs = nil, nil, nil
		return
	}
	for n, i := range broken {
		skip(c.todo[i-n].path, "the type checker failed on it")
		c.todo = slices.Delete(c.todo, i-n, i-n+1)
		c.files = slices.Delete(c.files, i-n, i-n+1)
		c.errs = slices.Delete(c.errs, i-n, i-n+1)
	}
}

// try checks the files, with the bodies of functions in some of them.
func (c *checked) try(find importerFunc, bodies func(int) bool) error {
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	conf := types.Config{FakeImportC: true, Error: func(error) {}, Importer: find}
	var files []*ast.File
	for i, f := range c.files {
		if !bodies(i) {
			f = withoutBodies(f)
		}
		files = append(files, f)
	}
	files = append(files, c.context...)
	pkg, err := safely(func() *types.Package {
		pkg, _ := conf.Check(c.path, c.fset, files, c.info)
		return pkg
	})
	if err == nil {
		pkg.MarkComplete()
		c.pkg = pkg
	}
	return err
}

// importer gives what a unit's imports mean, an empty package for what isn't
// there.
func (c *checked) importer(all *universe) importerFunc {
	find := c.plainImporter(all)
	written, base := c.tested()
	if len(c.tests) == 0 || base == nil || !usesNames(c.files, c.tests) {
		return find
	}
	a := base.augmented(c.tests, c.imports, written)
	findForIt := a.plainImporter(all)
	return func(p string) (*types.Package, error) {
		if p != written {
			return find(p)
		}
		if a.pkg == nil && a.try(findForIt, func(int) bool { return false }) != nil {
			return find(p)
		}
		return a.pkg, nil
	}
}

func (c *checked) plainImporter(all *universe) importerFunc {
	var paths []string
	used := map[string]bool{}
	for _, d := range c.imports {
		if d.path != "" {
			paths = append(paths, d.path)
		} else if len(used) == 0 {
			used = qualifiers(c.files)
		}
	}
	slices.Sort(paths)
	all.ready(paths)
	return func(p string) (*types.Package, error) {
		if d := c.imports[p]; d != nil && d.path != "" {
			if pkg := all.get(d.path); pkg != nil {
				return pkg, nil
			}
		}
		return absent(p, used), nil
	}
}

// qualifiers are the names before a dot in files.
func qualifiers(files []*ast.File) map[string]bool {
	used := map[string]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// tested is the package that external tests test, and the path by which they
// import it.
func (u *unit) tested() (written string, base *unit) {
	for _, p := range sortedKeys(u.imports) {
		if d := u.imports[p]; d.unit != nil && d.unit.dir == u.dir {
			return p, d.unit
		}
	}
	return "", nil
}

// augmented is a package with the tests in it, as its external tests, which
// import it as written, see it.
func (u *unit) augmented(tests []*source, imports map[string]*dependency, written string) *checked {
	a := &checked{unit: &unit{path: u.path, imports: maps.Clone(u.imports)}, fset: token.NewFileSet()}
	for p, d := range imports {
		if p != written && a.imports[p] == nil {
			a.imports[p] = d
		}
	}
	for _, s := range slices.Concat(u.todo, u.context, tests) {
		if f, _ := s.parse(a.fset, 0); f != nil && !tooDeep(f) {
			a.files = append(a.files, f)
		}
	}
	return a
}

// usesNames says whether files select a name that others declare.
func usesNames(files []*ast.File, others []*source) bool {
	names := map[string]bool{}
	for _, s := range others {
		f, _ := s.parse(token.NewFileSet(), 0)
		if f == nil {
			continue
		}
		maps.Copy(names, declared(f))
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	}
	found := false
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && names[s.Sel.Name] {
				found = true
			}
			return !found
		})
	}
	return found
}

// export gives the export data of a package without places: they would make
// all that import it depend on where its definitions lie.
func (c *checked) export() (data, digest []byte) {
	if c.pkg == nil {
		return nil, nil
	}
	data, err := safely(func() []byte {
		var out bytes.Buffer
		if gcexportdata.Write(&out, nil, c.pkg) != nil {
			return nil
		}
		return out.Bytes()
	})
	if err != nil {
		data = nil
	}
	sum := sha256.Sum256(data)
	return data, sum[:]
}
