package typescript

import (
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan/facts"
)

// refer adds a reference to a function.
func (b *binding) refer(at *tsc.Node, from int, id string) {
	b.r.References = append(b.r.References, facts.Reference{At: b.place(at), From: from, Target: facts.Target{ID: id, Lane: symbolic}})
}

// name is a name in the code that is not called.
func (b *binding) name(n *tsc.Node, from int) {
	if b.done[n] || tsc.IsDeclarationName(n) || n.Text() == "" {
		return
	}
	p := n.Parent
	member := p.Kind == tsc.PropertyAccessExpression && p.Name() == n
	if member && !b.engine.names[n.Text()] {
		return // no function has it
	}
	r := b.resolve(n, 0)
	if member && !r.known {
		b.r.References = append(b.r.References, facts.Reference{At: b.place(n), From: from, Name: n.Text()})
		return
	}
	e := n
	if member {
		e = p
	}
	b.remember(r, n, e)
	b.referAll(r, n, e, from)
	if isBase(e) {
		return
	}
	for _, s := range r.symbols {
		b.whole(s, n, from)
	}
}

// referAll refers to the functions that a name stands for.
func (b *binding) referAll(r resolution, n, e *tsc.Node, from int) {
	for _, d := range r.defs {
		switch {
		case isAccessor(d.node):
			b.accessor(d, n, e, from)
		case d.def.IsFunction():
			b.refer(n, from, d.def.ID)
		case d.def.Kind == "class" && !isBase(e) && !isInstanceTest(e):
			if c := d.constructor(); c != "" {
				b.refer(n, from, c)
			}
		}
	}
}

// isBase says whether only a member of an expression is taken.
func isBase(e *tsc.Node) bool {
	p := e.Parent
	return p.Kind == tsc.PropertyAccessExpression && p.Expression() == e ||
		p.Kind == tsc.ElementAccessExpression && p.Expression() == e && nameIn(p) != nil
}

func isInstanceTest(e *tsc.Node) bool {
	if e.Parent.Kind != tsc.BinaryExpression {
		return false
	}
	_, operator, right := tsc.OperatorOf(e.Parent)
	return operator == tsc.InstanceOfKeyword && right == e
}

// accessor refers to the getter or setter of a property that is read or
// written.
func (b *binding) accessor(d found, n, e *tsc.Node, from int) {
	writes := tsc.IsAssignmentTarget(e)
	reads := !writes
	if writes && e.Parent.Kind == tsc.BinaryExpression {
		_, operator, _ := tsc.OperatorOf(e.Parent)
		reads = operator != tsc.EqualsToken
	} else if writes {
		reads = true // ++, or a pattern
	}
	if d.node.Kind == tsc.GetAccessor && reads || d.node.Kind == tsc.SetAccessor && writes {
		b.refer(n, from, d.def.ID)
	}
}

// remember keeps by which members the file gets at something.
func (b *binding) remember(r resolution, name, e *tsc.Node) {
	if e.Kind != tsc.PropertyAccessExpression && e.Kind != tsc.ElementAccessExpression && e.Kind != tsc.BindingElement {
		return
	}
	for _, d := range r.defs {
		b.members[member{name.Text(), d.def.ID}] = true
	}
	if len(r.defs) == 0 && r.known && len(r.external) == 0 {
		b.members[member{name.Text(), ""}] = true // a field, or a member of a type without a name
	}
}

// whole is for a symbol that is used other than by a member: all functions of
// a module may be reached by it, or those of an object.
func (b *binding) whole(s *tsc.Symbol, n *tsc.Node, from int) {
	if s.Flags&tsc.SymbolModule != 0 {
		b.exportsOf(s, n, from)
		return
	}
	for _, d := range s.Declarations {
		o := b.engine.outline(tsc.SourceFileOf(d))
		if o == nil {
			continue
		}
		if name := o.objects[d]; name != "" {
			b.escapes[o.path+"#"+name] = true
		}
		if d.Kind == tsc.VariableDeclaration || d.Kind == tsc.Parameter {
			if t := b.c.GetTypeAtLocation(n); t != nil && t.Symbol() != nil && t.Symbol().Flags&tsc.SymbolModule != 0 {
				b.exportsOf(t.Symbol(), n, from)
			}
		}
	}
}

// exportsOf refers to all functions that a module of the repository exports.
func (b *binding) exportsOf(module *tsc.Symbol, n *tsc.Node, from int) {
	own := false
	for _, d := range module.Declarations {
		own = own || b.engine.outline(tsc.SourceFileOf(d)) != nil
	}
	if !own {
		return
	}
	for _, s := range b.c.GetExportsOfModule(module) {
		r := b.symbol(s, n, 0)
		b.referAll(r, n, n, from)
		for _, t := range r.symbols {
			for _, d := range t.Declarations {
				if o := b.engine.outline(tsc.SourceFileOf(d)); o != nil && o.objects[d] != "" {
					b.escapes[o.path+"#"+o.objects[d]] = true
				}
			}
		}
	}
}

// dynamicImport is import("…"): unless only members of the module are taken
// at once, all that it exports may be used.
func (b *binding) dynamicImport(n *tsc.Node, from int) {
	p := n.Parent
	for p.Kind == tsc.AwaitExpression || p.Kind == tsc.ParenthesizedExpression {
		p = p.Parent
	}
	if p.Kind == tsc.PropertyAccessExpression || p.Kind == tsc.VariableDeclaration || len(n.Arguments()) == 0 {
		return
	}
	if s := b.c.GetSymbolAtLocation(n.Arguments()[0]); s != nil && s.Flags&tsc.SymbolModule != 0 {
		b.exportsOf(s, n, from)
	}
}

// required is what require("…") returns.
func (b *binding) required(spec *tsc.Node) resolution {
	module := b.c.ResolveExternalModuleName(spec)
	if module == nil {
		return resolution{}
	}
	return b.symbol(b.c.ResolveExternalModuleSymbol(module), spec, 0)
}

// requireValue is require("…") whose value isn't named or taken apart: all
// that the module exports may be used.
func (b *binding) requireValue(n, spec *tsc.Node, from int) {
	switch p := n.Parent; p.Kind {
	case tsc.VariableDeclaration, tsc.PropertyAccessExpression, tsc.ExpressionStatement:
		return
	case tsc.CallExpression:
		if p.Expression() == n {
			return
		}
	}
	r := b.required(spec)
	b.referAll(r, n, n, from)
	for _, s := range r.symbols {
		b.whole(s, n, from)
	}
}

// access is an element access. By a name that isn't written, any member of the
// object may be meant.
func (b *binding) access(n *tsc.Node, from int) {
	if name := nameIn(n); name != nil {
		if !b.done[name] && b.engine.names[name.Text()] {
			r := b.resolve(name, 0)
			if !r.known {
				b.r.References = append(b.r.References, facts.Reference{At: b.place(name), From: from, Name: name.Text()})
			}
			b.remember(r, name, n)
			b.referAll(r, name, n, from)
		}
		return
	}
	t := b.c.GetTypeAtLocation(n.Expression())
	if t == nil || tsc.IsAny(t) || b.c.IsArrayLikeType(t) {
		return
	}
	for _, s := range b.c.GetPropertiesOfType(t) {
		if b.engine.names[s.Name] {
			r := b.symbol(s, n, 0)
			b.referAll(r, tsc.Accessed(n), n, from)
		}
	}
}

// shorthand is { name } in an object literal.
func (b *binding) shorthand(n *tsc.Node, from int) {
	if s := b.c.GetShorthandAssignmentValueSymbol(n); s != nil {
		r := b.symbol(s, n, 0)
		if exportedLiteral(n.Parent) {
			return // an export is no use
		}
		b.referAll(r, n.Name(), n.Name(), from)
		for _, s := range r.symbols {
			b.whole(s, n.Name(), from)
		}
	}
}

// bindingElement is a part of a destructuring: it reads a property.
func (b *binding) bindingElement(n *tsc.Node, from int) {
	if n.Parent.Kind != tsc.ObjectBindingPattern {
		return
	}
	name := n.PropertyNameOrName()
	if name == nil || name.Kind != tsc.Identifier {
		return
	}
	b.done[name] = true
	if !b.engine.names[name.Text()] {
		return
	}
	s := b.propertyOf(n)
	if s == nil {
		if t := b.c.GetTypeAtLocation(n.Parent); t == nil || tsc.IsAny(t) {
			b.r.References = append(b.r.References, facts.Reference{At: b.place(name), From: from, Name: name.Text()})
		}
		return
	}
	r := b.symbol(s, n, 0)
	b.remember(r, name, n)
	b.referAll(r, name, name, from)
}

// exportedLiteral says whether an object literal is what a CommonJS module
// exports.
func exportedLiteral(n *tsc.Node) bool {
	if n.Parent == nil || n.Parent.Kind != tsc.BinaryExpression {
		return false
	}
	left, operator, _ := tsc.OperatorOf(n.Parent)
	return operator == tsc.EqualsToken && isExports(left) && strings.HasSuffix(left.Name().Text(), "exports")
}

// exports handles an assignment that only exports a name.
func (b *binding) exports(n *tsc.Node, from int) bool {
	left, operator, right := tsc.OperatorOf(n)
	return operator == tsc.EqualsToken && isExports(left) && unwrap(right).Kind == tsc.Identifier
}
