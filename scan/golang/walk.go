package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"brick/scan/facts"
)

// A walker goes through what one function, or the file outside of functions,
// says.
type walker struct {
	*extractor
	from   int
	within string // the function's name within the file
}

func (w *walker) walkField(l *ast.FieldList) {
	if l != nil {
		w.walk(l)
	}
}

// walk adds the call sites and references in a part of the syntax.
func (w *walker) walk(root ast.Node) {
	done := map[ast.Node]bool{} // names that a call site or selection was made of, or that refer to nothing
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			w.call(n, done)
		case *ast.GenDecl:
			if n.Tok != token.TYPE {
				break
			}
			for _, spec := range n.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					w.typeSpec(n, s, w.from, cmp.Or(w.within, "_"))
				}
			}
			return false
		case *ast.CompositeLit:
			w.keys(n, done)
		case *ast.LabeledStmt:
			done[n.Label] = true
		case *ast.BranchStmt:
			if n.Label != nil {
				done[n.Label] = true
			}
		case *ast.Field:
			for _, name := range n.Names {
				done[name] = true
			}
		case *ast.SelectorExpr:
			if !done[n] {
				w.selected(n)
			}
			done[n.Sel] = true
		case *ast.Ident:
			if !done[n] {
				w.named(n)
			}
		}
		return true
	})
}

// keys marks the field names in a literal of a type that isn't known.
func (w *walker) keys(lit *ast.CompositeLit, done map[ast.Node]bool) {
	if lit.Type == nil || !w.foreignType(lit.Type) {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if name, ok := kv.Key.(*ast.Ident); ok && w.info.Uses[name] == nil {
				done[name] = true
			}
		}
	}
}

// callee is what a call calls, without parentheses and type arguments.
func (w *walker) callee(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.IndexExpr:
			if w.isFunction(x.X) {
				e = x.X
				continue
			}
		case *ast.IndexListExpr:
			e = x.X
			continue
		}
		return e
	}
}

// isFunction says whether an expression names a function.
func (w *walker) isFunction(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := w.info.Uses[x].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := w.info.Uses[x.Sel].(*types.Func)
		if !ok && w.info.Uses[x.Sel] == nil {
			if id, isIdent := x.X.(*ast.Ident); isIdent {
				_, ok = w.info.Uses[id].(*types.PkgName)
			}
		}
		return ok
	}
	return false
}

// call adds a call site, unless it is a conversion or calls a builtin.
func (w *walker) call(c *ast.CallExpr, done map[ast.Node]bool) {
	if tv, ok := w.info.Types[c.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return
	}
	site := facts.Site{From: w.from}
	switch fun := w.callee(c.Fun).(type) {
	case *ast.Ident:
		switch obj := w.info.Uses[fun].(type) {
		case *types.Builtin, *types.TypeName:
			return
		case *types.Func:
			w.bind(&site, obj, nil)
		case nil:
			site.Reason = facts.UnknownReceiver
		default:
			site.Reason = facts.Dynamic
		}
		done[fun] = true
		site.At, site.Name = w.place(fun.Pos()), fun.Name
	case *ast.SelectorExpr:
		site.At, site.Name = w.place(fun.Sel.Pos()), fun.Sel.Name
		if !w.selection(&site, fun) {
			return
		}
		done[fun] = true
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return
	case *ast.StarExpr:
		if tv, ok := w.info.Types[fun]; (!ok || !tv.IsValue()) && w.foreignType(fun.X) {
			return
		}
		site.At, site.Reason = w.place(c.Lparen), facts.Dynamic
	default:
		site.At, site.Reason = w.place(c.Lparen), facts.Dynamic
	}
	w.addSite(site)
}

func (w *walker) addSite(s facts.Site) {
	w.rec.File.Sites = append(w.rec.File.Sites, s)
}

// bind sets what a call site calls. iface is the interface that the method is
// called through, nil for none.
func (w *walker) bind(s *facts.Site, f *types.Func, iface *types.Interface) {
	t, ok := w.target(f)
	if ok {
		s.Targets = []facts.Target{t}
	} else {
		s.Reason = facts.Dynamic // unless something implements it
	}
	if iface == nil || t.External != "" {
		return
	}
	if c, ok := contractOf(iface); ok {
		w.rec.Dispatch = append(w.rec.Dispatch, dispatch{len(w.rec.File.Sites), w.links.contract(c)})
	}
}

// selection sets what x.f() calls. It is false when that is a conversion.
func (w *walker) selection(s *facts.Site, e *ast.SelectorExpr) bool {
	if sel := w.info.Selections[e]; sel != nil {
		if f, ok := sel.Obj().(*types.Func); ok {
			w.bind(s, f, dispatched(sel))
		} else {
			s.Reason = facts.Dynamic
		}
		return true
	}
	pkg := w.qualifier(e)
	switch obj := w.info.Uses[e.Sel].(type) {
	case *types.TypeName:
		return false
	case *types.Func:
		if obj.Exported() || obj.Pkg() == w.pkg {
			w.bind(s, obj, nil)
			return true
		}
	case *types.Var:
		s.Reason = facts.Dynamic
		return true
	}
	switch {
	case pkg != nil:
		if pkg.Imported().Path() == "C" && isTypeOfC(e.Sel.Name) {
			return false
		}
		if p := w.own(pkg); p != "" {
			// Perhaps it is there in another config: see linker.
			s.Targets = []facts.Target{{ID: keyMark + p + "\x00" + e.Sel.Name, Lane: symbolic}}
			s.Reason = facts.UnknownReceiver
		} else if w.perhaps(pkg) {
			s.Reason = facts.UnknownReceiver
		} else {
			s.Targets = []facts.Target{facts.NewExternal("go", pkg.Imported().Path()+"."+e.Sel.Name)}
		}
	case w.foreign(e.X, 0):
		s.Reason = facts.ForeignReceiver
	default:
		s.Reason = facts.UnknownReceiver
	}
	return true
}

// typesOfC are the names that cgo gives to C's own types.
var typesOfC = strings.Fields("char schar uchar short ushort int uint long ulong longlong ulonglong float double size_t" +
	" int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t")

func isTypeOfC(name string) bool {
	return slices.Contains(typesOfC, name) || strings.HasPrefix(name, "struct_") || strings.HasPrefix(name, "enum_") || strings.HasPrefix(name, "union_")
}

// qualifier is the package in pkg.Name, nil for another selection.
func (w *walker) qualifier(e *ast.SelectorExpr) *types.PkgName {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return nil
	}
	pkg, _ := w.info.Uses[id].(*types.PkgName)
	return pkg
}

// dispatched is the interface through which a method is selected, nil for
// none: the value's own type, or that of the embedded field that has it.
func dispatched(sel *types.Selection) *types.Interface {
	t := sel.Recv()
	index := sel.Index()
	for _, i := range index[:len(index)-1] {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := types.Unalias(t).Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return nil
		}
		t = s.Field(i).Type()
	}
	iface, _ := t.Underlying().(*types.Interface)
	return iface
}

// selected adds a reference for x.f that is not called.
func (w *walker) selected(e *ast.SelectorExpr) {
	if sel := w.info.Selections[e]; sel != nil {
		if f, ok := sel.Obj().(*types.Func); ok {
			w.refer(e.Sel, f)
		}
		return
	}
	pkg := w.qualifier(e)
	switch obj := w.info.Uses[e.Sel].(type) {
	case *types.Func:
		w.refer(e.Sel, obj)
		return
	case nil:
	default:
		return
	}
	switch {
	case pkg != nil:
		if w.own(pkg) != "" || w.perhaps(pkg) {
			w.reference(e.Sel, facts.Target{}, e.Sel.Name)
		}
	case !w.foreign(e.X, 0):
		w.reference(e.Sel, facts.Target{}, e.Sel.Name)
	}
}

// named adds a reference for a name that is not called.
func (w *walker) named(id *ast.Ident) {
	if id.Name == "_" {
		return
	}
	obj, ok := w.info.Uses[id]
	if f, isFunc := obj.(*types.Func); isFunc {
		w.refer(id, f)
		return
	}
	if ok {
		return
	}
	if _, ok := w.info.Defs[id]; !ok {
		w.reference(id, facts.Target{}, id.Name)
	}
}

func (w *walker) refer(at *ast.Ident, f *types.Func) {
	t, ok := w.target(f)
	switch {
	case t.External != "":
	case ok:
		w.reference(at, t, "")
	default:
		w.reference(at, facts.Target{}, f.Name())
	}
}

func (w *walker) reference(at *ast.Ident, t facts.Target, name string) {
	w.rec.File.References = append(w.rec.File.References, facts.Reference{At: w.place(at.Pos()), From: w.from, Target: t, Name: name})
}
