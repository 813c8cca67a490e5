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
	skipped []skipped
}

// skipped is a file that has no facts.
type skipped struct{ path, reason string }

// parse parses a unit's files.
func (u *unit) parse() *checked {
	own := *u
	c := &checked{unit: &own, fset: token.NewFileSet()}
	var todo []*source
	for _, s := range u.todo {
		f, n := s.parse(c.fset, parser.ParseComments)
		if f == nil || tooDeep(f) {
			c.skipped = append(c.skipped, skipped{s.path, "its syntax is nested too deeply"})
			continue
		}
		todo = append(todo, s)
		c.files = append(c.files, f)
		c.errs = append(c.errs, n)
	}
	c.todo = todo
	for _, s := range u.context {
		if f, _ := s.parse(c.fset, 0); f != nil && !tooDeep(f) {
			c.context = append(c.context, withoutBodies(f))
		}
	}
	return c
}

// check checks a unit. Errors in it are tolerated: what is not known then has
// no entry in info.
func (c *checked) check(find importerFunc) {
	c.bound(find)
	if c.try(find, func(int) bool { return true }) == nil {
		return
	}
	broken := make([]bool, len(c.files))
	for i := range c.files {
		broken[i] = c.try(find, func(j int) bool { return i == j }) != nil
	}
	if c.try(find, func(i int) bool { return !broken[i] }) != nil {
		for i := range broken {
			broken[i] = true
		}
	}
	c.drop(broken, "the type checker failed on it")
}

// bound leaves out the files with constants that are too large.
func (c *checked) bound(find importerFunc) {
	long := longTexts(slices.Concat(c.files, c.context), find)
	n := len(c.files)
	c.drop(long[:n], "a constant text in it is too long")
	kept := c.context[:0]
	for i, f := range c.context {
		if !long[n+i] {
			kept = append(kept, f)
		}
	}
	c.context = kept
}

// drop leaves out some of the files, and says why.
func (c *checked) drop(which []bool, reason string) {
	var todo []*source
	var files []*ast.File
	var errs []int
	for i, f := range c.files {
		switch {
		case !which[i]:
			files = append(files, f)
			if i < len(c.todo) { // an augmented package has none
				todo, errs = append(todo, c.todo[i]), append(errs, c.errs[i])
			}
		case i < len(c.todo):
			c.skipped = append(c.skipped, skipped{c.todo[i].path, reason})
		}
	}
	c.todo, c.files, c.errs = todo, files, errs
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
		if a.pkg == nil {
			a.bound(findForIt)
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
