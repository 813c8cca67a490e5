package golang

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// unitLinks gathers the links of one unit.
type unitLinks struct {
	c         *checked
	links     links
	contracts map[string]int
	types     []namedType
	seen      map[*types.TypeName]bool
}

// A namedType is one that the unit's todo declares, or declares a method of.
type namedType struct {
	obj *types.TypeName
	id  string // of the definition, or its key after keyMark
}

func newUnitLinks(c *checked) *unitLinks {
	l := &unitLinks{c: c, contracts: map[string]int{}, seen: map[*types.TypeName]bool{}}
	for _, p := range sortedKeys(c.imports) {
		if inTestdata(c.dir) {
			break // it isn't built
		}
		if d := c.imports[p]; d.path == "" && p != "C" && p != "unsafe" {
			l.links.Missing = append(l.links.Missing, p)
		}
	}
	return l
}

// contract gives the index of a contract, which is added when it is new.
func (l *unitLinks) contract(c contract) int {
	key := fmt.Sprintf("%q", c)
	i, ok := l.contracts[key]
	if !ok {
		i = len(l.links.Contracts)
		l.contracts[key] = i
		l.links.Contracts = append(l.links.Contracts, c)
	}
	return i
}

// typ adds a type that is declared.
func (l *unitLinks) typ(obj types.Object, name, key, id string) {
	tn, ok := obj.(*types.TypeName)
	if !ok || tn.IsAlias() {
		return
	}
	if t, ok := tn.Type().Underlying().(*types.Interface); ok {
		if c, ok := contractOf(t); ok {
			c.Name, c.Key = name, key
			l.contract(c)
		}
		return
	}
	if key != "" {
		id = keyMark + key
	}
	l.add(tn, id)
}

func (l *unitLinks) add(tn *types.TypeName, id string) {
	if !l.seen[tn] {
		l.seen[tn] = true
		l.types = append(l.types, namedType{tn, id})
	}
}

// receiver adds the type that a method is declared of.
func (l *unitLinks) receiver(method types.Object) {
	f, ok := method.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return
	}
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() == l.c.pkg && !types.IsInterface(n) {
		tn := n.Origin().Obj()
		l.add(tn, keyMark+l.c.path+"\x00"+tn.Name())
	}
}

// finish finds what methods the types have.
func (l *unitLinks) finish() {
	for _, t := range l.types {
		l.methods(t.obj.Type(), t.id)
	}
	for _, f := range l.c.files {
		declared := map[ast.Expr]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				declared[n.Type] = true
			case *ast.StructType:
				if t := l.c.info.Types[n].Type; t != nil && !declared[n] && embeds(n) {
					l.methods(t, "")
				}
			}
			return true
		})
	}
}

func embeds(s *ast.StructType) bool {
	return s.Fields != nil && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return len(f.Names) == 0 })
}

// methods adds the methods of a type, those of a pointer to it among them.
func (l *unitLinks) methods(t types.Type, id string) {
	c := concrete{Open: embedsUnknown(t, map[types.Type]bool{})}
	if id != "" {
		c.IDs = []string{id}
	}
	set := t
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer {
		set = types.NewPointer(t)
	}
	for s := range types.NewMethodSet(set).Methods() {
		f := s.Obj().(*types.Func)
		m := implementation{signature: signatureOf(f)}
		if f.Pkg() != nil && inCheckout(f.Pkg().Path()) {
			m.Key = keyOf(f)
		}
		c.Methods = append(c.Methods, m)
	}
	if len(c.Methods) > 0 {
		l.links.Types = append(l.links.Types, c)
	}
}

// embedsUnknown says whether a struct embeds something that isn't known.
func embedsUnknown(t types.Type, seen map[types.Type]bool) bool {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	t = types.Unalias(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return !ok && !known(t.Underlying())
	}
	seen[t] = true
	for f := range s.Fields() {
		if f.Embedded() && embedsUnknown(f.Type(), seen) {
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, cmp.Compare)
	return list
}
