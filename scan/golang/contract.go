package golang

import (
	"fmt"
	"go/types"
	"strings"
)

// A signature is what a method of an interface and its implementation have in
// common.
type signature struct {
	Name string // with its package when it isn't exported
	// Counts are those of parameters and results, and Types what they are. Types is
	// "" where it depends on type parameters, or isn't known: then the counts
	// decide.
	Counts, Types string
}

// matches says whether two methods may be the same.
func (s signature) matches(t signature) bool {
	return s.Name == t.Name && s.Counts == t.Counts && (s.Types == t.Types || s.Types == "" || t.Types == "")
}

// A contract is the methods of an interface.
type contract struct {
	Name    string // for people, "" for one without a name
	Key     string // its definition, "" for one without a name or from outside
	Methods []signature
}

// contractOf is that of an interface type; ok is false for one without methods.
func contractOf(t *types.Interface) (c contract, ok bool) {
	for m := range t.Methods() {
		c.Methods = append(c.Methods, signatureOf(m))
	}
	return c, len(c.Methods) > 0
}

// exportedContracts are those that a package declares for others.
func exportedContracts(pkg *types.Package) []contract {
	var list []contract
	if strings.Contains("/"+pkg.Path()+"/", "/internal/") {
		return nil
	}
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || tn.IsAlias() {
			continue
		}
		if t, ok := tn.Type().Underlying().(*types.Interface); ok {
			if c, ok := contractOf(t); ok {
				c.Name = pkg.Path() + "." + name
				list = append(list, c)
			}
		}
	}
	return list
}

func signatureOf(m *types.Func) signature {
	s := signature{Name: m.Name()}
	if !m.Exported() && m.Pkg() != nil {
		s.Name = m.Pkg().Path() + "." + s.Name
	}
	sig := m.Signature()
	s.Counts = fmt.Sprint(sig.Params().Len(), " ", sig.Results().Len(), " ", sig.Variadic())
	w := &typeWriter{}
	w.signature(sig)
	if !w.open {
		s.Types = w.b.String()
	}
	return s
}

// A typeWriter writes types so that equal texts are identical types, wherever
// they were checked.
type typeWriter struct {
	b    strings.Builder
	open bool // it depends on a type parameter, or is not known
}

func (w *typeWriter) tuple(t *types.Tuple) {
	w.b.WriteByte('(')
	for v := range t.Variables() {
		w.typ(v.Type())
		w.b.WriteByte(',')
	}
	w.b.WriteByte(')')
}

func (w *typeWriter) signature(s *types.Signature) {
	w.tuple(s.Params())
	if s.Variadic() {
		w.b.WriteString("...")
	}
	w.tuple(s.Results())
}

// maxType is how long the text of a type is at most; one that is longer counts
// as not known. Aliases let types grow exponentially.
const maxType = 4096

func (w *typeWriter) typ(t types.Type) {
	if w.b.Len() > maxType {
		w.open = true
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.open = w.open || t.Kind() == types.Invalid
		switch t.Kind() { // byte and rune are other names
		case types.Byte:
			w.b.WriteString("uint8")
		case types.Rune:
			w.b.WriteString("int32")
		default:
			w.b.WriteString(t.Name())
		}
	case *types.Named:
		w.named(t)
	case *types.Pointer:
		w.b.WriteByte('*')
		w.typ(t.Elem())
	case *types.Slice:
		w.b.WriteString("[]")
		w.typ(t.Elem())
	case *types.Array:
		fmt.Fprintf(&w.b, "[%d]", t.Len())
		w.typ(t.Elem())
	case *types.Map:
		w.b.WriteString("map[")
		w.typ(t.Key())
		w.b.WriteByte(']')
		w.typ(t.Elem())
	case *types.Chan:
		fmt.Fprintf(&w.b, "chan%d ", t.Dir())
		w.typ(t.Elem())
	case *types.Signature:
		w.b.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.b.WriteString("struct{")
		for f := range t.Fields() {
			fmt.Fprintf(&w.b, "%s %t ", f.Id(), f.Embedded())
			w.typ(f.Type())
			w.b.WriteByte(';')
		}
		w.b.WriteByte('}')
	case *types.Interface:
		w.b.WriteString("interface{")
		for m := range t.Methods() {
			w.b.WriteString(m.Id())
			w.signature(m.Signature())
			w.b.WriteByte(';')
		}
		for e := range t.EmbeddedTypes() {
			if _, ok := e.Underlying().(*types.Interface); !ok {
				w.open = true // a set of types
			}
		}
		w.b.WriteByte('}')
	default:
		w.open = true
	}
}

func (w *typeWriter) named(t *types.Named) {
	if pkg := t.Obj().Pkg(); pkg != nil {
		w.b.WriteString(pkg.Path())
		w.b.WriteByte('.')
		if t.Obj().Parent() != pkg.Scope() && t.Obj().Parent() != nil {
			w.open = true // of a function
		}
	}
	w.b.WriteString(t.Obj().Name())
	if args := t.TypeArgs(); args.Len() > 0 {
		w.b.WriteByte('[')
		for a := range args.Types() {
			w.typ(a)
			w.b.WriteByte(',')
		}
		w.b.WriteByte(']')
	}
}
