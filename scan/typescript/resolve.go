package typescript

import (
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan/facts"
)

// found is a definition of the repository that a name refers to.
type found struct {
	o    *outline
	def  *facts.Definition
	node *tsc.Node // its declaration
}

// constructor is the ID of a class's own constructor, "" when it has none.
func (f found) constructor() string {
	if f.def.Kind != "class" {
		return ""
	}
	class := f.node
	if i, ok := f.o.of[f.node]; ok {
		for n, j := range f.o.of {
			if j == i && tsc.IsClassLike(n) {
				class = n
			}
		}
	}
	if !tsc.IsClassLike(class) {
		return ""
	}
	for _, m := range class.Members() {
		if m.Kind == tsc.Constructor {
			if d, ok := f.o.definition(m); ok {
				return d.ID
			}
		}
	}
	return ""
}

// A resolution is what a name refers to.
type resolution struct {
	defs     []found
	external []facts.Target
	symbols  []*tsc.Symbol
	known    bool // it is declared, if only as a value
}

// all are the targets, definitions and others.
func (r resolution) all(*binding) []facts.Target {
	targets := append([]facts.Target(nil), r.external...)
	for _, d := range r.defs {
		targets = append(targets, facts.Target{ID: d.def.ID, Lane: symbolic})
	}
	return distinct(targets)
}

// maxFollow is through how many constants and properties a value is followed.
const maxFollow = 8

// resolve is what a name in the code refers to: a constant or a property that
// holds a function by name is followed to it.
func (b *binding) resolve(name *tsc.Node, depth int) resolution {
	s := b.c.GetSymbolAtLocation(name)
	if s == nil {
		return resolution{}
	}
	return b.symbol(s, name, depth)
}

func (b *binding) symbol(s *tsc.Symbol, at *tsc.Node, depth int) (r resolution) {
	if s.Flags&tsc.SymbolAlias != 0 {
		target := b.c.GetAliasedSymbol(s)
		if target == nil || b.c.IsUnknownSymbol(target) {
			return r
		}
		s = target
	}
	if b.c.IsUnknownSymbol(s) || b.c.IsUndefinedSymbol(s) || b.c.IsArgumentsSymbol(s) {
		return r
	}
	for _, root := range b.c.GetRootSymbols(s) {
		r.symbols = append(r.symbols, root)
		declarations := b.own(root, at)
		for _, d := range declarations {
			b.declaration(&r, root, d, depth)
		}
	}
	return r
}

// own are the declarations of a symbol: those of the file itself when several
// scripts, each with its own, declare one.
func (b *binding) own(s *tsc.Symbol, at *tsc.Node) []*tsc.Node {
	if len(s.Declarations) < 2 || s.Parent != nil {
		return s.Declarations
	}
	var same []*tsc.Node
	for _, d := range s.Declarations {
		if tsc.SourceFileOf(d) == tsc.SourceFileOf(at) && d.Kind != tsc.InterfaceDeclaration {
			same = append(same, d)
		}
	}
	if len(same) > 0 {
		return same
	}
	return s.Declarations
}

// declaration adds what a declaration means to a resolution.
func (b *binding) declaration(r *resolution, s *tsc.Symbol, d *tsc.Node, depth int) {
	r.known = true
	o := b.engine.outline(tsc.SourceFileOf(d))
	if o == nil {
		if d.Kind != tsc.SourceFileKind {
			r.external = append(r.external, b.external(b.engine.outsideName(d, s)))
		}
		return
	}
	def, ok := o.definition(d)
	if ok && (def.IsFunction() || def.Kind == "class" || def.Kind == "interface") {
		for _, f := range r.defs {
			if f.def == def {
				return
			}
		}
		r.defs = append(r.defs, found{o, def, d})
		return
	}
	if depth < maxFollow {
		b.follow(r, d, depth+1)
	}
}

// follow looks for the function that a declared constant or property holds.
func (b *binding) follow(r *resolution, d *tsc.Node, depth int) {
	var value *tsc.Node
	switch d.Kind {
	case tsc.VariableDeclaration:
		if tsc.IsConst(d) {
			value = d.Initializer()
		}
	case tsc.PropertyAssignment, tsc.PropertyDeclaration:
		value = d.Initializer()
	case tsc.ExportAssignment:
		value = d.Expression()
	case tsc.ShorthandPropertyAssign:
		if s := b.c.GetShorthandAssignmentValueSymbol(d); s != nil {
			r.add(b.symbol(s, d, depth))
		}
		return
	case tsc.BinaryExpression:
		_, operator, right := tsc.OperatorOf(d)
		if operator == tsc.EqualsToken {
			value = right
		}
	case tsc.BindingElement:
		if s := b.property(d); s != nil {
			r.add(b.symbol(s, d, depth))
		}
		return
	}
	if value = unwrap(value); value == nil {
		return
	}
	if name := nameIn(value); name != nil && value.Kind != tsc.ElementAccessExpression {
		r.add(b.resolve(name, depth))
	}
}

func (r *resolution) add(other resolution) {
	r.defs = append(r.defs, other.defs...)
	r.external = append(r.external, other.external...)
}

// property is the symbol of the property that a destructuring takes, nil when
// that isn't known or need not be what the variable holds.
func (b *binding) property(d *tsc.Node) *tsc.Symbol {
	if d.Parent.Kind != tsc.ObjectBindingPattern || d.Initializer() != nil {
		return nil
	}
	root := d.Parent.Parent
	for root != nil && root.Kind == tsc.BindingElement {
		root = root.Parent.Parent
	}
	if root == nil || root.Kind == tsc.VariableDeclaration && !tsc.IsConst(root) {
		return nil
	}
	return b.propertyOf(d)
}

func (b *binding) propertyOf(d *tsc.Node) *tsc.Symbol {
	name := d.PropertyNameOrName()
	if name == nil || name.Kind != tsc.Identifier && name.Kind != tsc.StringLiteral {
		return nil
	}
	t := b.c.GetTypeAtLocation(d.Parent)
	if t == nil {
		return nil
	}
	return b.c.GetPropertyOfType(t, name.Text())
}

// An origin is where a value comes from whose type isn't known.
type origin struct {
	foreign bool
	direct  bool   // it is what lies outside, not a value that came from there
	name    string // what it is called there
	root    string // the name that nothing declares, "" for an import's
}

// origin follows an expression to an import of a package that isn't there, or
// to a name that nothing declares.
func (b *binding) origin(e *tsc.Node, depth int) origin {
	e = unwrap(e)
	if e == nil || depth > 200 {
		return origin{}
	}
	switch e.Kind {
	case tsc.Identifier:
		return b.originOfName(e, depth)
	case tsc.PropertyAccessExpression:
		o := b.origin(e.Expression(), depth+1)
		o.name += "." + e.Name().Text()
		return o
	case tsc.CallExpression, tsc.NewExpression, tsc.AwaitExpression, tsc.ElementAccessExpression:
		if spec := requireOf(e); spec != nil {
			return b.originOfModule(spec)
		}
		o := b.origin(e.Expression(), depth+1)
		o.direct = false
		return o
	case tsc.TaggedTemplateExpression:
		o := b.origin(tsc.Tag(e), depth+1)
		o.direct = false
		return o
	}
	return origin{}
}

// requireOf is the module's name in require("…"), nil for other expressions.
func requireOf(e *tsc.Node) *tsc.Node {
	if e.Kind == tsc.CallExpression && tsc.IsRequireCall(e, true) {
		return e.Arguments()[0]
	}
	return nil
}

func (b *binding) originOfModule(spec *tsc.Node) origin {
	if !isPackage(spec.Text()) {
		return origin{}
	}
	if path, _ := b.program.p.Resolved(tsc.SourceFileOf(spec), spec); path != "" {
		return origin{}
	}
	return origin{foreign: true, direct: true, name: spec.Text()}
}

func (b *binding) originOfName(e *tsc.Node, depth int) origin {
	s := b.c.GetSymbolAtLocation(e)
	if s == nil || b.c.IsUnknownSymbol(s) {
		return origin{foreign: true, direct: true, name: e.Text(), root: e.Text()}
	}
	if len(s.Declarations) != 1 {
		return origin{}
	}
	d := s.Declarations[0]
	switch d.Kind {
	case tsc.ImportSpecifier, tsc.ImportClause, tsc.NamespaceImport, tsc.ImportEqualsDeclaration:
		spec := specifierOf(d)
		if spec == nil {
			return origin{}
		}
		o := b.originOfModule(spec)
		if d.Kind == tsc.ImportSpecifier {
			o.name += "." + d.PropertyNameOrName().Text()
		}
		return o
	case tsc.VariableDeclaration:
		if tsc.IsConst(d) && d.Type() == nil && d.Initializer() != nil {
			o := b.origin(d.Initializer(), depth+1)
			o.direct = o.direct && requireOf(unwrap(d.Initializer())) != nil
			return o
		}
	case tsc.BindingElement:
		root := d.Parent.Parent
		if root.Kind == tsc.VariableDeclaration && tsc.IsConst(root) && root.Initializer() != nil {
			o := b.origin(root.Initializer(), depth+1)
			o.direct = o.direct && requireOf(unwrap(root.Initializer())) != nil
			if name := d.PropertyNameOrName(); name != nil && (name.Kind == tsc.Identifier || name.Kind == tsc.StringLiteral) {
				o.name += "." + name.Text()
			}
			return o
		}
	}
	return origin{}
}

// specifierOf is the name of the module in the import that declares a name.
func specifierOf(d *tsc.Node) *tsc.Node {
	for n := d; n != nil; n = n.Parent {
		switch n.Kind {
		case tsc.ImportDeclaration, tsc.ImportEqualsDeclaration:
			spec := tsc.ExternalModuleName(n)
			if spec != nil && spec.Kind == tsc.StringLiteral {
				return spec
			}
			return nil
		case tsc.SourceFileKind:
			return nil
		}
	}
	return nil
}

// outsideName is how people write what is declared outside of the repository.
func (e *engine) outsideName(d *tsc.Node, s *tsc.Symbol) string {
	var parts []string
	if s != nil && s.Name != "" && s.Name[0] != 0xFE {
		parts = append(parts, s.Name)
	}
	file := tsc.SourceFileOf(d)
	prefix := ""
	if !tsc.IsLibrary(file.FileName()) {
		prefix = packageOfPath(file.FileName())
	}
	for n := d.Parent; n != nil; n = n.Parent {
		switch n.Kind {
		case tsc.InterfaceDeclaration, tsc.ClassDeclaration, tsc.TypeAliasDeclaration, tsc.VariableDeclaration:
			if n.Name() != nil && n.Name().Kind == tsc.Identifier {
				parts = append(parts, strings.TrimSuffix(n.Name().Text(), "Constructor"))
			}
		case tsc.ModuleDeclaration:
			switch {
			case n.Name().Kind == tsc.StringLiteral:
				prefix = n.Name().Text()
			case n.Name().Text() != "global":
				parts = append(parts, n.Name().Text())
			}
		}
	}
	var out strings.Builder
	out.WriteString(prefix)
	for i := len(parts) - 1; i >= 0; i-- {
		if out.Len() > 0 {
			out.WriteByte('.')
		}
		out.WriteString(parts[i])
	}
	if out.Len() == 0 {
		return "(value)"
	}
	return out.String()
}

// packageOfPath is the package that a file of node_modules is in; for other
// files, their path.
func packageOfPath(path string) string {
	i := strings.LastIndex(path, "/node_modules/")
	if i < 0 {
		return strings.TrimPrefix(path, "/")
	}
	name := packageOf(path[i+len("/node_modules/"):])
	if types, ok := strings.CutPrefix(name, "@types/"); ok {
		return types
	}
	return name
}
