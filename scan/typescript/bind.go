package typescript

import (
	"slices"
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan/facts"
)

// A record is what is known of a file by itself and what it imports. What
// depends on the whole repository is added by link.
type record struct {
	Imports    []facts.Import
	Inherits   []facts.Inherit
	Sites      []facts.Site
	References []facts.Reference
	Errors     int // of syntax

	// Foreign are sites whose callee comes from outside unless the repository
	// has something of that name.
	Foreign []foreignSite
	// Overrides are members that stand for one of a type that theirs extends.
	Overrides []override
	// Outside are functions that something outside of the repository declares
	// and may call.
	Outside []int
	// Accessed are the members by which the file calls or names something.
	Accessed []member
	// Escapes are objects, "path#name", that the file uses as a whole.
	Escapes []string
}

type foreignSite struct {
	Site int
	Root string // the name that nothing declares, "" where an import does
	// External is what is called if it comes from outside; "" when only the
	// receiver is known to.
	External string
}

type override struct {
	Base string // the ID of the member
	Impl int    // index of the definition
}

type member struct{ Name, ID string }

// A binding is the work on one file.
type binding struct {
	engine  *engine
	program *program
	c       *tsc.Checker
	o       *outline
	r       *record
	done    map[*tsc.Node]bool // names that a call site has
	members map[member]bool
	escapes map[string]bool
}

// bind finds what the code of a file refers to.
func (e *engine) bind(p *program, c *tsc.Checker, o *outline) *record {
	b := &binding{e, p, c, o, &record{Errors: tsc.SyntaxErrors(o.file)}, map[*tsc.Node]bool{}, map[member]bool{}, map[string]bool{}}
	b.imports()
	b.children(o.file.AsNode(), -1)
	b.finish()
	return b.r
}

func (b *binding) finish() {
	for m := range b.members {
		b.r.Accessed = append(b.r.Accessed, m)
	}
	slices.SortFunc(b.r.Accessed, func(x, y member) int {
		return strings.Compare(x.Name+"\x00"+x.ID, y.Name+"\x00"+y.ID)
	})
	for s := range b.escapes {
		b.r.Escapes = append(b.r.Escapes, s)
	}
	slices.Sort(b.r.Escapes)
}

func (b *binding) place(n *tsc.Node) facts.Place { return b.o.text.at(tsc.Start(n, b.o.file)) }

func (b *binding) imports() {
	for _, name := range tsc.Specifiers(b.o.file) {
		if name.Pos() < 0 || name.Flags&tsc.NodeReparsed != 0 {
			continue
		}
		if t, ok := b.module(name); ok {
			b.r.Imports = append(b.r.Imports, facts.Import{At: b.place(name), Target: t})
		}
	}
}

// module is what the name of a module in an import leads to; ok is false when
// that is a file which is missing, or no code.
func (b *binding) module(name *tsc.Node) (t facts.Target, ok bool) {
	path, foreign := b.program.p.Resolved(b.o.file, name)
	if own, is := b.engine.own(path); is && !foreign {
		return facts.Target{ID: facts.NewFile(own), Lane: symbolic}, true
	}
	if isPackage(name.Text()) {
		return b.external(packageOf(name.Text())), true
	}
	return facts.Target{}, false
}

const symbolic, heuristic = "symbolic", "heuristic"

func (b *binding) external(name string) facts.Target {
	return facts.NewExternal(languageOf(b.o.path), name)
}

// isPackage says whether the name of a module is not a path.
func isPackage(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "#")
}

// packageOf is the package in the name of a module.
func packageOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func (b *binding) children(n *tsc.Node, from int) {
	n.ForEachChild(func(c *tsc.Node) bool {
		b.visit(c, from)
		return false
	})
}

// visit finds the call sites and references in a node, which is in the code of
// a definition (-1: the file).
func (b *binding) visit(n *tsc.Node, from int) {
	if n.Flags&tsc.NodeReparsed != 0 {
		return
	}
	if i, ok := b.o.bodies[n]; ok {
		for _, d := range n.Decorators() {
			b.visit(d, from)
		}
		from = i
	}
	switch n.Kind {
	case tsc.ImportDeclaration, tsc.ExportDeclaration, tsc.ImportEqualsDeclaration, tsc.TypeAliasDeclaration,
		tsc.LabeledStatement, tsc.BreakStatement, tsc.ContinueStatement, tsc.MetaProperty, tsc.JsxClosingElement:
		if n.Kind == tsc.LabeledStatement {
			b.visit(n.Statement(), from)
		}
		return
	case tsc.InterfaceDeclaration:
		b.heritage(n, from)
		return
	case tsc.ClassDeclaration, tsc.ClassExpression:
		b.class(n, from)
		return
	case tsc.ObjectLiteralExpression:
		b.object(n)
	case tsc.ExportAssignment:
		if e := unwrap(n.Expression()); e.Kind == tsc.Identifier {
			return // an export is no use
		}
	case tsc.CallExpression:
		b.call(n, from)
	case tsc.NewExpression:
		b.newCall(n, from)
	case tsc.TaggedTemplateExpression:
		b.c.GetResolvedSignature(n)
		b.site(n, tsc.Tag(n), from, false)
	case tsc.Decorator:
		if e := unwrap(n.Expression()); e.Kind != tsc.CallExpression {
			b.site(n, e, from, false)
		}
	case tsc.JsxOpeningElement, tsc.JsxSelfClosingElement:
		b.element(n, from)
	case tsc.JsxAttribute:
		if v := n.Initializer(); v != nil {
			b.visit(v, from)
		}
		return
	case tsc.PropertyAccessExpression:
		b.visit(n.Expression(), from)
		b.name(n.Name(), from)
		return
	case tsc.ElementAccessExpression:
		b.access(n, from)
	case tsc.ShorthandPropertyAssign:
		b.shorthand(n, from)
		return
	case tsc.BindingElement:
		b.bindingElement(n, from)
	case tsc.Identifier:
		b.name(n, from)
		return
	case tsc.BinaryExpression:
		if b.exports(n, from) {
			return
		}
	}
	if tsc.IsTypeNode(n) && n.Kind != tsc.ExpressionWithTypeArgs {
		return
	}
	b.decoratedChildren(n, from)
}

// decoratedChildren visits the children but for the decorators of functions,
// which visit has seen.
func (b *binding) decoratedChildren(n *tsc.Node, from int) {
	_, body := b.o.bodies[n]
	n.ForEachChild(func(c *tsc.Node) bool {
		if !body || c.Kind != tsc.Decorator {
			b.visit(c, from)
		}
		return false
	})
}

// class visits a class: what initialises its fields is run by the constructor.
func (b *binding) class(n *tsc.Node, from int) {
	b.heritage(n, from)
	own, ok := b.o.of[n]
	if !ok {
		own = from
	}
	runs := own
	for _, m := range n.Members() {
		if m.Kind == tsc.Constructor && m.Body() != nil {
			if i, ok := b.o.of[m]; ok {
				runs = i
			}
		}
	}
	n.ForEachChild(func(c *tsc.Node) bool {
		switch {
		case c.Kind == tsc.HeritageClause || c == n.Name():
		case c.Kind == tsc.PropertyDeclaration && c.ModifierFlags()&tsc.ModifierStatic == 0:
			b.visit(c, runs)
		default:
			b.visit(c, from)
		}
		return false
	})
}

// heritage is what a class or an interface extends and implements.
func (b *binding) heritage(n *tsc.Node, from int) {
	own, ok := b.o.of[n]
	for _, clause := range tsc.HeritageClauses(n) {
		types, implements := tsc.Heritage(clause)
		for _, t := range types {
			e := unwrap(t.Expression())
			if !implements && n.Kind != tsc.InterfaceDeclaration {
				b.base(e, from)
			}
			if !ok {
				continue
			}
			name := nameIn(e)
			if name == nil {
				continue
			}
			for _, target := range b.resolve(name, 0).all(b) {
				b.r.Inherits = append(b.r.Inherits, facts.Inherit{At: b.place(name), From: own, Target: target})
			}
		}
	}
	if tsc.IsClassLike(n) {
		b.membersOf(n)
	}
}

// base visits the expression that a class extends. A constructor there is
// called by that of the class.
func (b *binding) base(e *tsc.Node, from int) {
	if e.Kind != tsc.Identifier && e.Kind != tsc.PropertyAccessExpression {
		b.visit(e, from)
		return
	}
	name := nameIn(e)
	b.done[name] = true
	for _, d := range b.resolve(name, 0).defs {
		if c := d.constructor(); c != "" {
			b.refer(name, from, c)
		}
	}
	b.visit(e, from)
}

// nameIn is the last name of an expression, nil when it has none.
func nameIn(e *tsc.Node) *tsc.Node {
	switch e.Kind {
	case tsc.Identifier, tsc.PrivateIdentifier:
		return e
	case tsc.PropertyAccessExpression:
		return e.Name()
	case tsc.ElementAccessExpression:
		if a := tsc.Accessed(e); a != nil && (a.Kind == tsc.StringLiteral || a.Kind == tsc.NoSubstitutionTemplate) {
			return a
		}
	}
	return nil
}

// call is a call expression.
func (b *binding) call(n *tsc.Node, from int) {
	callee := n.Expression()
	switch callee.Kind {
	case tsc.ImportKeyword:
		b.dynamicImport(n, from)
		return
	case tsc.SuperKeyword:
		b.superCall(n, from)
		return
	}
	b.c.GetResolvedSignature(n)
	if spec := requireOf(n); spec != nil {
		b.done[callee] = true
		b.requireValue(n, spec, from)
		b.r.Sites = append(b.r.Sites, facts.Site{From: from, At: b.place(callee), Name: "require", Targets: []facts.Target{b.external("require")}})
		return
	}
	b.site(n, unwrap(callee), from, false)
}

func (b *binding) newCall(n *tsc.Node, from int) {
	b.c.GetResolvedSignature(n)
	b.site(n, unwrap(n.Expression()), from, true)
}

// element is a JSX element: a component is called.
func (b *binding) element(n *tsc.Node, from int) {
	tag := n.TagName()
	if tag.Kind == tsc.JsxNamespacedName || tag.Kind == tsc.Identifier && isIntrinsic(tag.Text()) {
		b.done[tag] = true
		return
	}
	b.c.GetResolvedSignature(n)
	b.site(n, tag, from, true)
}

// isIntrinsic says whether the name of a JSX element is not that of a
// component.
func isIntrinsic(name string) bool {
	return name != "" && (name[0] >= 'a' && name[0] <= 'z' || strings.Contains(name, "-"))
}

// site adds the call site of a callee. construct says that a class is made an
// object of.
func (b *binding) site(n, callee *tsc.Node, from int, construct bool) {
	name := nameIn(callee)
	s := facts.Site{From: from, At: b.place(callee)}
	if name == nil {
		b.nameless(&s, callee)
		b.r.Sites = append(b.r.Sites, s)
		return
	}
	b.done[name] = true
	s.At, s.Name = b.place(name), name.Text()
	found := b.resolve(name, 0)
	b.remember(found, name, callee)
	for _, d := range found.defs {
		id := d.def.ID
		switch {
		case d.def.IsFunction() && !isAccessor(d.node):
		case d.def.Kind == "class":
			if construct {
				id = b.constructed(n, d)
			}
		default:
			if isAccessor(d.node) {
				b.accessor(d, name, callee, from)
			}
			continue
		}
		s.Targets = append(s.Targets, facts.Target{ID: id, Lane: symbolic})
	}
	s.Targets = append(s.Targets, found.external...)
	s.Targets = distinct(s.Targets)
	if len(s.Targets) == 0 {
		b.unresolved(&s, found, callee)
	}
	b.r.Sites = append(b.r.Sites, s)
}

// nameless is the site of a callee that has no name.
func (b *binding) nameless(s *facts.Site, callee *tsc.Node) {
	s.Reason = facts.Dynamic
	var d *facts.Definition
	if i, ok := b.o.bodies[callee]; ok {
		d = &b.o.defs[i]
	} else if spec := requireOf(callee); spec != nil {
		if r := b.required(spec); len(r.defs) == 1 {
			d = r.defs[0].def
		}
	}
	if d != nil {
		s.Targets, s.Reason, s.Name = []facts.Target{{ID: d.ID, Lane: symbolic}}, "", d.Name
	}
}

func distinct(targets []facts.Target) []facts.Target {
	slices.SortFunc(targets, func(x, y facts.Target) int { return strings.Compare(x.ID, y.ID) })
	return slices.CompactFunc(targets, func(x, y facts.Target) bool { return x.ID == y.ID })
}

// unresolved says why a site has no target.
func (b *binding) unresolved(s *facts.Site, found resolution, callee *tsc.Node) {
	if found.known {
		s.Reason = facts.Dynamic
		return
	}
	s.Reason = facts.UnknownReceiver
	origin := b.origin(callee, 0)
	switch {
	case !origin.foreign:
	case origin.direct && origin.root == "":
		s.Targets, s.Reason = []facts.Target{b.external(origin.name)}, ""
	case origin.direct:
		b.r.Foreign = append(b.r.Foreign, foreignSite{len(b.r.Sites), origin.root, origin.name})
	default:
		b.r.Foreign = append(b.r.Foreign, foreignSite{len(b.r.Sites), origin.root, ""})
	}
}

// constructed is the ID of what "new" of a class runs: its constructor, or the
// one that it inherits, or else the class.
func (b *binding) constructed(n *tsc.Node, d found) string {
	if c := d.constructor(); c != "" {
		return c
	}
	if sig := b.c.GetResolvedSignature(n); sig != nil && sig.Declaration() != nil && sig.Declaration().Kind == tsc.Constructor {
		if own, ok := b.engine.definition(sig.Declaration()); ok {
			return own.def.ID
		}
	}
	return d.def.ID
}

// superCall is "super(…)".
func (b *binding) superCall(n *tsc.Node, from int) {
	s := facts.Site{From: from, At: b.place(n.Expression()), Name: "super", Reason: facts.UnknownReceiver}
	defer func() { b.r.Sites = append(b.r.Sites, s) }()
	if sig := b.c.GetResolvedSignature(n); sig != nil && sig.Declaration() != nil {
		if d, ok := b.engine.definition(sig.Declaration()); ok {
			s.Targets, s.Reason = []facts.Target{{ID: d.def.ID, Lane: symbolic}}, ""
			return
		}
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if !tsc.IsClassLike(p) {
			continue
		}
		for _, clause := range tsc.HeritageClauses(p) {
			types, implements := tsc.Heritage(clause)
			if implements || len(types) == 0 {
				continue
			}
			e := unwrap(types[0].Expression())
			name := nameIn(e)
			if name == nil {
				s.Reason = facts.Dynamic
				return
			}
			found := b.resolve(name, 0)
			if s.Targets = found.all(b); len(s.Targets) > 0 {
				s.Reason = ""
			} else {
				b.unresolved(&s, found, e)
			}
		}
		return
	}
}
