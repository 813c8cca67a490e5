package golang

import (
	"go/ast"
	"go/types"
)

// An origin is where a variable whose type is not known has it from: the
// expression of a type, or of a value.
type origin struct{ typ, value ast.Expr }

// maxForeign is how many steps are taken to see where a value comes from.
const maxForeign = 50

// foreign says whether a value is known to be of a type from outside of the
// checkout, though that type isn't known: what a package that isn't there
// declares, and what its functions give for values that can't be the
// checkout's. A function that is given a type of the checkout may give it back.
func (x *extractor) foreign(e ast.Expr, depth int) bool {
	if depth > maxForeign {
		return false
	}
	if tv, ok := x.info.Types[e]; ok && tv.IsValue() && known(tv.Type) {
		return foreignNamed(tv.Type)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.foreign(e.X, depth+1)
	case *ast.StarExpr:
		return x.foreign(e.X, depth+1)
	case *ast.UnaryExpr:
		return x.foreign(e.X, depth+1)
	case *ast.IndexExpr:
		return x.foreign(e.X, depth+1)
	case *ast.SliceExpr:
		return x.foreign(e.X, depth+1)
	case *ast.TypeAssertExpr:
		return e.Type != nil && x.foreignType(e.Type)
	case *ast.CompositeLit:
		return e.Type != nil && x.foreignType(e.Type)
	case *ast.SelectorExpr:
		return x.foreignName(e) || x.foreign(e.X, depth+1)
	case *ast.CallExpr:
		return x.foreignCall(e, depth+1)
	case *ast.Ident:
		o, ok := x.declarations()[x.info.Uses[e]]
		return ok && (o.typ != nil && x.foreignType(o.typ) || o.typ == nil && o.value != nil && x.foreign(o.value, depth+1))
	}
	return false
}

// foreignCall says whether a call gives something foreign.
func (x *extractor) foreignCall(c *ast.CallExpr, depth int) bool {
	if tv, ok := x.info.Types[c.Fun]; ok && tv.IsBuiltin() {
		return len(c.Args) > 0 && x.foreignType(c.Args[0]) // new(T), make(T)
	}
	if !x.foreign(c.Fun, depth) {
		return false
	}
	for _, a := range c.Args {
		tv, ok := x.info.Types[a]
		if ok && known(tv.Type) {
			if _, basic := tv.Type.Underlying().(*types.Basic); basic && (foreignNamed(tv.Type) || types.Unalias(tv.Type) == tv.Type.Underlying()) {
				continue
			}
		}
		if !x.foreign(a, depth) {
			return false
		}
	}
	return true
}

// foreignName says whether pkg.Name is from outside.
func (x *extractor) foreignName(e *ast.SelectorExpr) bool {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return false
	}
	pkg, ok := x.info.Uses[id].(*types.PkgName)
	if !ok {
		return false
	}
	return x.own(pkg) == "" && !x.perhaps(pkg)
}

// perhaps says whether an imported package may be one of the checkout.
func (x *extractor) perhaps(pkg *types.PkgName) bool {
	d := x.imports[pkg.Imported().Path()]
	return d != nil && d.perhaps
}

// own is the path of an imported package of the checkout, "" for one from
// outside.
func (x *extractor) own(pkg *types.PkgName) string {
	p := pkg.Imported().Path()
	if inCheckout(p) {
		return p
	}
	if d := x.imports[p]; d != nil && d.unit != nil {
		return d.unit.path
	}
	return ""
}

// foreignType says whether the expression of a type is of one from outside, a
// pointer to it, or a collection of such.
func (x *extractor) foreignType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.foreignType(e.X)
	case *ast.StarExpr:
		return x.foreignType(e.X)
	case *ast.Ellipsis:
		return x.foreignType(e.Elt)
	case *ast.ArrayType:
		return x.foreignType(e.Elt)
	case *ast.ChanType:
		return x.foreignType(e.Value)
	case *ast.MapType:
		return x.foreignType(e.Value)
	case *ast.SelectorExpr:
		return x.foreignName(e)
	}
	return false
}

// known says whether a type is known.
func known(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return t != nil && (!ok || b.Kind() != types.Invalid)
}

// foreignNamed says whether a type is one that a package outside declares, or
// a pointer to such.
func foreignNamed(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.TypeArgs().Len() == 0 && (n.Obj().Pkg() == nil || !inCheckout(n.Obj().Pkg().Path()))
}

// declarations finds where the file's variables whose types are not known
// have them from.
func (x *extractor) declarations() map[types.Object]origin {
	if x.decls != nil {
		return x.decls
	}
	x.decls = map[types.Object]origin{}
	note := func(e ast.Expr, o origin) {
		if id, ok := e.(*ast.Ident); ok {
			if obj := x.info.Defs[id]; obj != nil && !known(obj.Type()) {
				x.decls[obj] = o
			}
		}
	}
	for _, f := range x.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs[:min(len(n.Lhs), len(n.Lhs)*len(n.Rhs))] {
					note(l, origin{value: n.Rhs[min(i, len(n.Rhs)-1)]})
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					o := origin{typ: n.Type}
					if n.Type == nil && len(n.Values) > 0 {
						o.value = n.Values[min(i, len(n.Values)-1)]
					}
					note(name, o)
				}
			case *ast.Field:
				for _, name := range n.Names {
					note(name, origin{typ: n.Type})
				}
			case *ast.RangeStmt:
				if n.Value != nil {
					note(n.Value, origin{value: n.X})
				}
			}
			return true
		})
	}
	return x.decls
}
