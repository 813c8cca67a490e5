package scip

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A goIndex finds the functions of Go packages by name, for files that the
// indexer did not see: behind build tags, in assembly, in a module of their
// own.
type goIndex struct {
	packages map[string]map[string]*node // import path → name → function
	folders  map[string][]string         // folder → import paths of its packages
	methods  map[string][]*node          // of all packages, by name
}

func (im *importer) goFunctions() *goIndex {
	if im.goIndex != nil {
		return im.goIndex
	}
	g := &goIndex{packages: map[string]map[string]*node{}, folders: map[string][]string{}, methods: map[string][]*node{}}
	im.goIndex = g
	for _, id := range sortedKeys(im.table.nodes) {
		n := im.table.nodes[id]
		if n.lang != golang || !n.defined() {
			continue
		}
		if n.kind == kindMethod {
			g.methods[n.name] = append(g.methods[n.name], n)
		}
		if n.kind != kindFunction {
			continue
		}
		parent, ok := n.symbol.parent()
		if !ok || parent.last().Suffix != pb.Descriptor_Namespace {
			continue
		}
		pkg := parent.last().Name
		if g.packages[pkg] == nil {
			g.packages[pkg] = map[string]*node{}
			dir := path.Dir(n.path())
			g.folders[dir] = append(g.folders[dir], pkg)
		}
		g.packages[pkg][n.name] = n
	}
	return g
}

// inFolder are the functions of a name in the packages of a file's folder.
func (g *goIndex) inFolder(file, name string) []*node {
	var list []*node
	for _, pkg := range g.folders[path.Dir(file)] {
		if n := g.packages[pkg][name]; n != nil {
			list = append(list, n)
		}
	}
	return list
}

// goFile adds what a Go file says that is not in the index. Names are
// resolved as far as the file itself tells: its own package's and those of
// the packages that it imports; methods only by name.
func (im *importer) goFile(b *body) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, b.path, b.source.text, parser.SkipObjectResolution)
	if file == nil || err != nil && len(file.Decls) == 0 {
		return
	}
	g := im.goFunctions()
	imported := map[string]string{}
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			imported[importName(spec, p)] = p
		}
	}
	called := map[ast.Expr]bool{}
	names := map[*ast.Ident]bool{file.Name: true} // declared here, or selected
	at := func(p token.Pos) evidence {
		place := b.source.position(fset.PositionFor(p, false).Offset)
		return evidence{lane: syntactic, backend: ownBackend, provenance: provenance(b.path, place)}
	}
	mention := func(list []*node, e ast.Expr) {
		for _, n := range list {
			b.unresolvedAt[fset.PositionFor(nameOf(e).Pos(), false).Offset] = true
			kind := nameReference
			if called[e] {
				kind = calls
			}
			im.link(b.edges, kind, b.fileID, n, at(e.Pos()))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.CallExpr:
			called[calleeOf(e.Fun)] = true
		case *ast.FuncDecl:
			names[e.Name] = true
		case *ast.SelectorExpr:
			names[e.Sel] = true
			if x, ok := e.X.(*ast.Ident); ok && imported[x.Name] != "" {
				names[x] = true
				if n := g.packages[imported[x.Name]][e.Sel.Name]; n != nil {
					mention([]*node{n}, e)
				}
				return false
			}
			// Of a method only the name is known. Where another call is known,
			// this one would add nothing but doubt.
			for _, n := range g.methods[e.Sel.Name] {
				if !n.called {
					b.unresolvedAt[fset.PositionFor(e.Sel.Pos(), false).Offset] = true
					im.link(b.edges, nameReference, b.fileID, n, at(e.Sel.Pos()))
				}
			}
		case *ast.Ident:
			if !names[e] {
				mention(g.inFolder(b.path, e.Name), e)
			}
		}
		return true
	})
}

// nameOf is the name that an expression selects.
func nameOf(e ast.Expr) ast.Node {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel
	}
	return e
}

// calleeOf is what a call calls, without parentheses and type arguments.
func calleeOf(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return e
		}
	}
}

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// importName is the name by which a file refers to a package: a guess where
// it gives none.
func importName(spec *ast.ImportSpec, importPath string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(importPath)
	if versionElement.MatchString(base) {
		base = path.Base(path.Dir(importPath))
	}
	base, _, _ = strings.Cut(strings.TrimPrefix(base, "go-"), ".")
	return base
}

var assemblyName = regexp.MustCompile(`·([\p{L}_][\p{L}\p{N}_]*)`)

// goAssembly adds the Go functions that an assembly file names.
func (im *importer) goAssembly(b *body) {
	g := im.goFunctions()
	for _, m := range assemblyName.FindAllSubmatchIndex(b.source.text, -1) {
		for _, n := range g.inFolder(b.path, string(b.source.text[m[2]:m[3]])) {
			im.link(b.edges, nameReference, b.fileID, n,
				evidence{lane: syntactic, backend: ownBackend, provenance: provenance(b.path, b.source.position(m[2]))})
		}
	}
}
