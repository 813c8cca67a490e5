package golang

import (
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// A source is one Go file: its text, and what its beginning says.
type source struct {
	path string // relative to the checkout, with slashes
	text []byte
	sum  [sha256.Size]byte
	limits
	pkg     string // the name in its package clause
	imports []string
	test    bool // its name ends in _test.go

	declared map[string]bool // see names; nil when they were not asked for
}

// newSource reads the beginning of a file. ok is false when it has no package
// clause.
func newSource(name string, text []byte) (s *source, ok bool) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly|parser.SkipObjectResolution)
	s = &source{
		path: name, text: text, sum: sha256.Sum256(text),
		limits: limitsOf(path.Base(name), text), test: strings.HasSuffix(name, "_test.go"),
	}
	if f == nil || f.Name == nil || f.Name.Name == "" || f.Name.Name == "_" {
		return s, false
	}
	s.pkg = f.Name.Name
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p != "" {
			s.imports = append(s.imports, p)
		}
	}
	return s, true
}

// inTestdata says whether a folder holds data of tests, which the go command
// does not build.
func inTestdata(dir string) bool { return strings.Contains("/"+dir+"/", "/testdata/") }

func (s *source) dir() string { return path.Dir(s.path) }

// maxDepth is how deep the syntax of a file may be nested. The type checker
// recurses, and a stack that is too large ends the process.
const maxDepth = 2000

// parse reads a whole file. It gives the number of syntax errors.
func (s *source) parse(fset *token.FileSet, mode parser.Mode) (f *ast.File, errors int) {
	f, err := parser.ParseFile(fset, s.path, s.text, mode|parser.SkipObjectResolution|parser.AllErrors)
	switch list := err.(type) {
	case nil:
	case scanner.ErrorList:
		errors = len(list)
	default:
		errors = 1
	}
	return f, errors
}

// tooDeep says whether a file's syntax is nested deeper than maxDepth.
func tooDeep(f *ast.File) bool {
	depth, deep := 0, false
	ast.Inspect(f, func(n ast.Node) bool {
		switch {
		case n == nil:
			depth--
			return false
		case deep || depth == maxDepth:
			deep = true
			return false
		}
		depth++
		return true
	})
	return deep
}

// withoutBodies is a file whose functions have no bodies, so that only its
// declarations are checked.
func withoutBodies(f *ast.File) *ast.File {
	c := *f
	c.Decls = make([]ast.Decl, len(f.Decls))
	for i, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			bare := *fn
			bare.Body = nil
			d = &bare
		}
		c.Decls[i] = d
	}
	return &c
}

// declared are the names that a file declares for its whole package, but for
// methods.
func declared(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	delete(names, "_")
	return names
}
