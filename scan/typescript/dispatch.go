package typescript

import (
	tsc "github.com/microsoft/typescript-go/brick"
)

// membersOf finds which members of a class stand for members of what it
// extends and implements.
func (b *binding) membersOf(n *tsc.Node) {
	var bases []*tsc.Type
	for _, clause := range tsc.HeritageClauses(n) {
		types, _ := tsc.Heritage(clause)
		for _, t := range types {
			if base := b.c.GetTypeAtLocation(t); base != nil {
				bases = append(bases, base)
			}
		}
	}
	if len(bases) == 0 {
		return
	}
	for _, m := range n.Members() {
		i, ok := b.o.of[m]
		if !ok || !b.o.defs[i].IsFunction() || m.Kind == tsc.Constructor || m.ModifierFlags()&tsc.ModifierStatic != 0 {
			continue
		}
		for _, t := range bases {
			b.standsFor(t, b.o.defs[i].Name, i)
		}
	}
}

// standsFor says that a definition is called where the member of a name of a
// type is.
func (b *binding) standsFor(t *tsc.Type, name string, impl int) {
	if tsc.IsAny(t) {
		b.r.Outside = append(b.r.Outside, impl) // of a package that isn't there
		return
	}
	s := b.c.GetPropertyOfType(t, name)
	if s == nil {
		return
	}
	for _, root := range b.c.GetRootSymbols(s) {
		for _, d := range root.Declarations {
			f, ok := b.engine.definition(d)
			switch {
			case ok && f.def.ID != b.o.defs[impl].ID:
				b.r.Overrides = append(b.r.Overrides, override{f.def.ID, impl})
			case b.engine.outline(tsc.SourceFileOf(d)) == nil:
				b.r.Outside = append(b.r.Outside, impl)
			}
		}
	}
}

// object finds which members of an object literal stand for members of the
// type that is expected of it.
func (b *binding) object(n *tsc.Node) {
	var members []*tsc.Node
	for _, m := range n.Properties() {
		if i, ok := b.o.of[m]; ok && b.o.defs[i].IsFunction() {
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return
	}
	t := tsc.ContextualType(b.c, n)
	if t == nil {
		return
	}
	for _, m := range members {
		i := b.o.of[m]
		b.standsFor(t, b.o.defs[i].Name, i)
	}
}
