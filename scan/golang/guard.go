package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"time"
)

// A few lines of Go can make the type checker take all memory, or forever:
// constants and types that double with each line. What is checked is bounded.

// maxText is how long a constant string may be, in bytes.
const maxText = 1 << 20

// A textMeter bounds the length of the constant strings in a package before
// they are computed.
type textMeter struct {
	consts map[string][]ast.Expr // what constants of a name are, wherever they are declared
	length map[string]int
	pkgs   func(name string) *types.Package
}

// longTexts says of each file whether it has a constant string that is too
// long.
func longTexts(files []*ast.File, find importerFunc) []bool {
	m := &textMeter{consts: map[string][]ast.Expr{}, length: map[string]int{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.ValueSpec); ok {
						for i, name := range s.Names {
							if i < len(s.Values) {
								m.consts[name.Name] = append(m.consts[name.Name], s.Values[i])
							}
						}
					}
				}
			}
			return true
		})
	}
	long := make([]bool, len(files))
	for i, f := range files {
		m.pkgs = importsByName(f, find)
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(*ast.BinaryExpr); ok && !long[i] {
				long[i] = m.measure(e) > maxText
				return false
			}
			return !long[i]
		})
	}
	return long
}

// importsByName gives the packages that a file imports by what it calls them.
func importsByName(f *ast.File, find importerFunc) func(string) *types.Package {
	paths := map[string][]string{}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil {
			for _, name := range likelyNames(p) {
				paths[name] = append(paths[name], p)
			}
			if s.Name != nil {
				paths[s.Name.Name] = append(paths[s.Name.Name], p)
			}
		}
	}
	return func(name string) *types.Package {
		for _, p := range paths[name] {
			if pkg, err := find.Import(p); err == nil && pkg != nil {
				return pkg
			}
		}
		return nil
	}
}

// measure is about how long the text of an expression is.
func (m *textMeter) measure(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BasicLit:
		return len(e.Value)
	case *ast.ParenExpr:
		return m.measure(e.X)
	case *ast.BinaryExpr:
		return min(m.measure(e.X)+m.measure(e.Y), 2*maxText)
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 {
			return m.measure(e.Args[0])
		}
	case *ast.Ident:
		return m.named(e.Name)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if pkg := m.pkgs(x.Name); pkg != nil {
				if c, ok := pkg.Scope().Lookup(e.Sel.Name).(*types.Const); ok && c.Val().Kind() == constant.String {
					return len(constant.StringVal(c.Val()))
				}
			}
		}
	}
	return 0
}

func (m *textMeter) named(name string) int {
	n, ok := m.length[name]
	if ok {
		return n
	}
	m.length[name] = 0 // for what refers to itself
	for _, e := range m.consts[name] {
		n = max(n, m.measure(e))
	}
	m.length[name] = n
	return n
}

// maxCheck is how long one set of files may be checked. It is far from what
// any real one takes, so that the same checkout gives the same facts.
const maxCheck = 3 * time.Minute

// inTime calls f. When that takes longer than limit it is left behind, and ok
// is false.
func inTime(limit time.Duration, f func()) (ok bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
