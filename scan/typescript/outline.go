package typescript

import (
	"path"
	"slices"
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan/facts"
)

// An outline is what a file defines, without asking what anything means: it
// follows from the file alone.
type outline struct {
	path  string
	file  *tsc.SourceFile
	text  positions
	defs  []facts.Definition
	nodes []*tsc.Node // of each definition, where it is declared

	// of is the definition of each declaration: of all overloads, and of all
	// parts of what is declared in several.
	of map[*tsc.Node]int
	// bodies are the definitions of functions by the node whose code is
	// theirs.
	bodies map[*tsc.Node]int
	// exported are the declarations that other files can import.
	exported map[*tsc.Node]bool
	// objects are the names of the object literals that declarations hold.
	objects map[*tsc.Node]string
}

func newOutline(path string, file *tsc.SourceFile, bom bool) *outline {
	o := &outline{path: path, file: file, text: newPositions(file, bom), of: map[*tsc.Node]int{}, bodies: map[*tsc.Node]int{}, exported: map[*tsc.Node]bool{}, objects: map[*tsc.Node]string{}}
	o.findExports()
	v := outliner{o, facts.NewIDs(languageOf(path), path), map[*tsc.Node]*tsc.Node{}}
	v.children(file.AsNode(), -1, "")
	for part, whole := range v.parts {
		if i, ok := o.of[whole]; ok {
			o.of[part] = i
		}
	}
	o.sort()
	o.measure()
	v.identify()
	return o
}

// languageOf is the language that models name for a file.
func languageOf(name string) string {
	switch path.Ext(name) {
	case ".ts", ".tsx", ".mts", ".cts":
		return "typescript"
	}
	return "javascript"
}

// definition is the definition that a declaration is (a part of).
func (o *outline) definition(declaration *tsc.Node) (*facts.Definition, bool) {
	i, ok := o.of[declaration]
	if !ok {
		return nil, false
	}
	return &o.defs[i], true
}

// sort puts definitions in the order of their places.
func (o *outline) sort() {
	order := make([]int, len(o.defs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return comparePlaces(o.defs[a].NameAt, o.defs[b].NameAt) })
	at := make([]int, len(order))
	defs, nodes := make([]facts.Definition, len(order)), make([]*tsc.Node, len(order))
	for to, from := range order {
		at[from], defs[to], nodes[to] = to, o.defs[from], o.nodes[from]
	}
	for i := range defs {
		if defs[i].Parent >= 0 {
			defs[i].Parent = at[defs[i].Parent]
		}
	}
	for n, i := range o.of {
		o.of[n] = at[i]
	}
	for n, i := range o.bodies {
		o.bodies[n] = at[i]
	}
	o.defs, o.nodes = defs, nodes
}

// findExports finds the declarations that the file exports.
func (o *outline) findExports() {
	mark := func(s *tsc.Symbol) {
		if s == nil {
			return
		}
		for _, d := range s.Declarations {
			o.exported[d] = true
		}
	}
	for _, s := range tsc.Exports(o.file) {
		mark(s)
		for _, d := range s.Declarations {
			switch d.Kind {
			case tsc.ExportSpecifier:
				if d.Parent.Parent.ModuleSpecifier() == nil {
					mark(tsc.LocalsOf(o.file)[d.PropertyNameOrName().Text()])
				}
			case tsc.ExportAssignment:
				if e := unwrap(d.Expression()); e != nil && e.Kind == tsc.Identifier {
					mark(tsc.LocalsOf(o.file)[e.Text()])
				}
			}
		}
	}
}

// An outliner makes an outline.
type outliner struct {
	*outline
	ids *facts.IDs
	// parts are declarations by the one that stands for them all.
	parts map[*tsc.Node]*tsc.Node
}

// identify gives the definitions their ids, in the order of their places.
func (v *outliner) identify() {
	for i := range v.defs {
		v.defs[i].ID = v.ids.Next(v.defs[i].Qualified)
	}
}

func (v *outliner) children(n *tsc.Node, parent int, container string) {
	n.ForEachChild(func(c *tsc.Node) bool {
		v.visit(c, parent, container)
		return false
	})
}

// within is the qualified name of something in a container.
func within(container, name string) string {
	if container == "" {
		return name
	}
	return container + "." + name
}

// visit finds the definitions in a node, in a definition (-1: the file) whose
// members' names start with container.
func (v *outliner) visit(n *tsc.Node, parent int, container string) {
	if n.Flags&tsc.NodeReparsed != 0 {
		return // JSDoc, as the compiler sees it
	}
	switch n.Kind {
	case tsc.FunctionDeclaration, tsc.ClassDeclaration:
		v.declaration(n, n, parent, container, nameOr(n, "default"))
	case tsc.InterfaceDeclaration, tsc.EnumDeclaration, tsc.ModuleDeclaration, tsc.TypeAliasDeclaration:
		v.declaration(n, n, parent, container, nameOr(n, ""))
	case tsc.MethodDeclaration, tsc.MethodSignature, tsc.GetAccessor, tsc.SetAccessor, tsc.PropertySignature:
		v.declaration(n, n, parent, container, nameOr(n, ""))
	case tsc.Constructor:
		v.declaration(n, n, parent, container, "constructor")
	case tsc.PropertyDeclaration:
		v.declaration(n, v.valueOf(n.Initializer()), parent, container, nameOr(n, ""))
	case tsc.Parameter:
		if tsc.IsParameterProperty(n, n.Parent) && parent >= 0 && v.defs[parent].Parent >= 0 {
			class := v.defs[parent].Parent
			v.declaration(n, nil, class, v.defs[class].Qualified, nameOr(n, ""))
			return
		}
		v.children(n, parent, container)
	case tsc.VariableDeclaration:
		v.variable(n, parent, container)
	case tsc.PropertyAssignment:
		v.property(n, parent, container)
	case tsc.BinaryExpression:
		v.assignment(n, parent, container)
	case tsc.ExportAssignment:
		if value := v.valueOf(n.Expression()); isHeld(value) {
			v.declaration(n, value, parent, container, "default")
			return
		} else if value != nil && value.Kind == tsc.ObjectLiteralExpression {
			v.objects[n] = within(container, "default")
			v.children(value, parent, v.objects[n])
			return
		}
		v.children(n, parent, container)
	case tsc.FunctionExpression:
		if _, ok := v.bodies[n]; !ok && n.Name() != nil {
			v.declaration(n, n, parent, container, n.Name().Text())
			return
		}
		v.children(n, parent, container)
	case tsc.ClassExpression:
		v.declaration(n, n, parent, container, nameOr(n, "class"))
	default:
		v.children(n, parent, container)
	}
}

// isHeld says whether a value is a definition of what holds it.
func isHeld(value *tsc.Node) bool {
	return value != nil && (isFunctionLiteral(value) || value.Kind == tsc.ClassExpression)
}

func isFunctionLiteral(n *tsc.Node) bool {
	return n.Kind == tsc.ArrowFunction || n.Kind == tsc.FunctionExpression
}

// unwrap is an expression without what doesn't change its value.
func unwrap(n *tsc.Node) *tsc.Node {
	for n != nil {
		switch n.Kind {
		case tsc.ParenthesizedExpression, tsc.AsExpression, tsc.SatisfiesExpression, tsc.NonNullExpression, tsc.TypeAssertionExpression:
			n = n.Expression()
		default:
			return n
		}
	}
	return nil
}

// wrappers are functions that return what calls their first argument, as
// libraries of components have them.
var wrappers = map[string]bool{"memo": true, "forwardRef": true, "observer": true, "useCallback": true, "defineComponent": true}

// valueOf is the function, class or object literal that an expression's value
// is, else the expression.
func (v *outliner) valueOf(n *tsc.Node) *tsc.Node {
	for {
		n = unwrap(n)
		if n == nil || n.Kind != tsc.CallExpression || len(n.Arguments()) == 0 {
			return n
		}
		callee := unwrap(n.Expression())
		if callee.Kind == tsc.PropertyAccessExpression {
			callee = callee.Name()
		}
		if callee.Kind != tsc.Identifier || !wrappers[callee.Text()] {
			return n
		}
		inner := v.valueOf(n.Arguments()[0])
		if inner == nil || !isFunctionLiteral(inner) {
			return n
		}
		n = inner
	}
}

// nameOr is the name of a declaration, as people write it.
func nameOr(n *tsc.Node, other string) string {
	name := n.Name()
	if name == nil {
		return other
	}
	switch name.Kind {
	case tsc.Identifier, tsc.PrivateIdentifier, tsc.StringLiteral, tsc.NumericLiteral, tsc.NoSubstitutionTemplate:
		return name.Text()
	case tsc.ComputedPropertyName:
		e := unwrap(name.Expression())
		if e.Kind == tsc.StringLiteral || e.Kind == tsc.NoSubstitutionTemplate {
			return e.Text()
		}
		text := tsc.TextOf(e, tsc.SourceFileOf(n))
		if len(text) > 60 {
			text = text[:60]
		}
		return "[" + strings.ToValidUTF8(text, "") + "]"
	}
	return other
}

// variable visits a variable. It is a definition at the top of a file or
// namespace, and where it holds a function or a class.
func (v *outliner) variable(n *tsc.Node, parent int, container string) {
	value := v.valueOf(n.Initializer())
	top := atTop(n)
	name := n.Name()
	switch {
	case name.Kind != tsc.Identifier:
		if top {
			v.pattern(name, parent, container)
		}
		v.children(n, parent, container)
	case top || isHeld(value):
		v.declaration(n, value, parent, container, name.Text())
	default:
		if value != nil && value.Kind == tsc.ObjectLiteralExpression {
			v.objects[n] = within(container, name.Text())
			v.children(n, parent, v.objects[n])
			return
		}
		v.children(n, parent, container)
	}
}

// pattern defines the variables that a destructuring at the top declares.
func (v *outliner) pattern(n *tsc.Node, parent int, container string) {
	for _, e := range n.Elements() {
		if e.Kind != tsc.BindingElement || e.Name() == nil {
			continue
		}
		if e.Name().Kind != tsc.Identifier {
			v.pattern(e.Name(), parent, container)
			continue
		}
		v.add(e, e, parent, container, e.Name().Text(), "variable")
	}
}

// atTop says whether a variable is one of the file or of a namespace.
func atTop(n *tsc.Node) bool {
	list := n.Parent
	if list == nil || list.Kind != tsc.VariableDeclarationList || list.Parent == nil || list.Parent.Kind != tsc.VariableStatement {
		return false
	}
	block := list.Parent.Parent
	return block != nil && (block.Kind == tsc.SourceFileKind || block.Parent != nil && block.Parent.Kind == tsc.ModuleDeclaration)
}

// property visits a member of an object literal.
func (v *outliner) property(n *tsc.Node, parent int, container string) {
	value := v.valueOf(n.Initializer())
	name := nameOr(n, "")
	switch {
	case isHeld(value):
		v.declaration(n, value, parent, container, name)
	case value != nil && value.Kind == tsc.ObjectLiteralExpression:
		v.children(n, parent, within(container, name))
	default:
		v.children(n, parent, container)
	}
}

// assignment visits a binary expression: one that assigns a function or a
// class to a property or a variable defines it.
func (v *outliner) assignment(n *tsc.Node, parent int, container string) {
	left, operator, right := tsc.OperatorOf(n)
	value := v.valueOf(right)
	if value != nil && operator == tsc.EqualsToken {
		for value.Kind == tsc.BinaryExpression { // a.x = a.y = function …
			_, op, next := tsc.OperatorOf(value)
			if op != tsc.EqualsToken {
				break
			}
			if value = v.valueOf(next); value == nil {
				break
			}
		}
	}
	name, qualified := "", ""
	if value != nil && operator == tsc.EqualsToken {
		name, qualified = v.assigned(left)
	}
	_, known := v.bodies[value]
	switch {
	case name != "" && isHeld(value) && !known:
		i := v.add(n, value, parent, container, name, "")
		v.defs[i].Qualified = within(container, qualified)
		v.inside(n, value, i)
		v.children(left, parent, container)
		v.between(right, value, parent, container)
	case name != "" && value.Kind == tsc.ObjectLiteralExpression:
		v.children(n, parent, within(container, qualified))
	default:
		v.children(n, parent, container)
	}
}

// between visits what wraps a value, but not the value.
func (v *outliner) between(n, value *tsc.Node, parent int, container string) {
	switch {
	case n == value:
	case n.Pos() <= value.Pos() && value.End() <= n.End():
		n.ForEachChild(func(c *tsc.Node) bool {
			v.between(c, value, parent, container)
			return false
		})
	default:
		v.visit(n, parent, container)
	}
}

// assigned is the name that an assignment gives to its value, as in
// "exports.f", "C.prototype.f" and "this.f".
func (v *outliner) assigned(left *tsc.Node) (name, qualified string) {
	var parts []string
	for e := left; ; {
		switch e.Kind {
		case tsc.Identifier:
			parts = append(parts, e.Text())
		case tsc.ThisKeyword:
		case tsc.PropertyAccessExpression:
			parts = append(parts, e.Name().Text())
			e = unwrap(e.Expression())
			continue
		case tsc.ElementAccessExpression:
			a := tsc.Accessed(e)
			if a.Kind != tsc.StringLiteral && a.Kind != tsc.NoSubstitutionTemplate {
				return "", ""
			}
			parts = append(parts, a.Text())
			e = unwrap(e.Expression())
			continue
		default:
			parts = append(parts, "")
		}
		break
	}
	name = parts[0]
	slices.Reverse(parts)
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "module" || p == "exports" || p == "prototype" || p == "" })
	if len(parts) == 0 || parts[len(parts)-1] != name { // module.exports = …
		return "default", within(strings.Join(parts, "."), "default")
	}
	return name, strings.Join(parts, ".")
}

// declaration adds a definition and visits what is in it. value is the node
// of what it holds, when that is a function, a class or an object literal.
func (v *outliner) declaration(n, value *tsc.Node, parent int, container, name string) {
	whole := v.whole(n)
	if whole != n {
		v.parts[n] = whole
	}
	i, ok := v.of[whole]
	if !ok {
		wholeValue := value
		if whole != n {
			wholeValue = whole
		}
		i = v.add(whole, wholeValue, parent, container, name, "")
	}
	v.inside(n, value, i)
}

// whole is the declaration that stands for all those of its symbol in the
// file: the one with a body, else the first of the most telling kind.
func (v *outliner) whole(n *tsc.Node) *tsc.Node {
	s := n.Symbol()
	if s == nil || len(s.Declarations) < 2 || isAccessor(n) {
		return n
	}
	best, rank := n, -1
	for _, d := range s.Declarations {
		r := 0
		switch d.Kind {
		case tsc.FunctionDeclaration, tsc.MethodDeclaration, tsc.Constructor:
			r = 5
			if d.Body() != nil {
				r = 8
			}
		case tsc.ClassDeclaration:
			r = 7
		case tsc.VariableDeclaration:
			if !atTop(d) {
				r = -2
				break
			}
			r = 4
			if isHeld(v.valueOf(d.Initializer())) {
				r = 6
			}
		case tsc.EnumDeclaration:
			r = 4
		case tsc.InterfaceDeclaration, tsc.MethodSignature:
			r = 3
		case tsc.ModuleDeclaration:
			r = 2
		case tsc.PropertySignature, tsc.TypeAliasDeclaration:
			r = 1
		case tsc.PropertyDeclaration:
			r = 3
		default:
			r = -2 // an assignment, an import: it is no definition here
		}
		if tsc.SourceFileOf(d) == v.file && r > rank {
			best, rank = d, r
		}
	}
	return best
}

func isAccessor(n *tsc.Node) bool { return n.Kind == tsc.GetAccessor || n.Kind == tsc.SetAccessor }

// inside visits what is in a definition.
func (v *outliner) inside(n, value *tsc.Node, i int) {
	d := v.defs[i]
	parent, container := d.Parent, d.Qualified
	if d.IsFunction() || isType(d.Kind) || d.Kind == "namespace" {
		parent = i
	}
	if value != nil && isFunctionLiteral(value) {
		v.bodies[value] = i
		v.around(n, value, d.Parent, container)
		v.children(value, i, container)
		return
	}
	if value != nil && value.Kind == tsc.ClassExpression && value != n {
		v.of[value] = i
		v.around(n, value, d.Parent, container)
		v.children(value, i, container)
		return
	}
	if d.IsFunction() && tsc.IsFunctionLike(n) {
		v.bodies[n] = i
	}
	if n.Kind == tsc.VariableDeclaration && value != nil && value.Kind == tsc.ObjectLiteralExpression {
		v.objects[n] = container
	}
	v.children(n, parent, container)
}

// around visits the children of a declaration but for the value that it holds.
func (v *outliner) around(n, value *tsc.Node, parent int, container string) {
	if n.Kind == tsc.BinaryExpression || n == value {
		return
	}
	n.ForEachChild(func(c *tsc.Node) bool {
		if c == n.Name() || c == n.Type() {
			return false
		}
		v.between(c, value, parent, container)
		return false
	})
}

func isType(kind string) bool { return kind == "class" || kind == "interface" || kind == "type" }

// add adds a definition.
func (v *outliner) add(n, value *tsc.Node, parent int, container, name, kind string) int {
	if kind == "" {
		kind = kindOf(n, value)
	}
	start, at := spanned(n), n.Name()
	if n.Kind == tsc.BinaryExpression {
		at, _, _ = tsc.OperatorOf(n)
		at = lastName(at)
	}
	if at == nil {
		at = n
	}
	begin := tsc.Start(start, v.file)
	d := facts.Definition{
		Name: name, Qualified: within(container, name), Kind: kind, Parent: parent,
		NameAt: v.text.at(tsc.Start(at, v.file)),
		Span:   facts.Span{Start: v.text.at(begin), End: v.text.at(start.End())},
		Doc:    v.text.doc(start.Pos(), begin),
	}
	d.Attributes = v.attributes(n, value, &d)
	v.defs = append(v.defs, d)
	v.nodes = append(v.nodes, n)
	i := len(v.defs) - 1
	v.of[n] = i
	return i
}

// lastName is the node of the last name in an assigned expression.
func lastName(n *tsc.Node) *tsc.Node {
	switch n.Kind {
	case tsc.PropertyAccessExpression:
		return n.Name()
	case tsc.ElementAccessExpression:
		return tsc.Accessed(n)
	}
	return n
}

// spanned is the node whose text is a definition's: a statement that only
// declares it, else the declaration.
func spanned(n *tsc.Node) *tsc.Node {
	switch {
	case n.Kind == tsc.VariableDeclaration && n.Parent.Kind == tsc.VariableDeclarationList && n.Parent.Parent.Kind == tsc.VariableStatement:
		only := 0
		n.Parent.ForEachChild(func(*tsc.Node) bool { only++; return false })
		if only == 1 {
			return n.Parent.Parent
		}
	case n.Kind == tsc.BinaryExpression && n.Parent != nil && n.Parent.Kind == tsc.ExpressionStatement:
		return n.Parent
	}
	return n
}

// kindOf is the kind of a declaration, as models name it.
func kindOf(n, value *tsc.Node) string {
	member := n.Kind == tsc.PropertyDeclaration || n.Kind == tsc.PropertyAssignment
	if n.Kind == tsc.BinaryExpression {
		left, _, _ := tsc.OperatorOf(n)
		member = left.Kind != tsc.Identifier && !isExports(left)
	}
	switch {
	case value != nil && value.Kind == tsc.ClassExpression:
		return "class"
	case value != nil && isFunctionLiteral(value) && member:
		return "method"
	case value != nil && isFunctionLiteral(value):
		return "function"
	}
	switch n.Kind {
	case tsc.FunctionDeclaration, tsc.FunctionExpression:
		return "function"
	case tsc.MethodDeclaration, tsc.MethodSignature, tsc.GetAccessor, tsc.SetAccessor, tsc.Constructor:
		return "method"
	case tsc.PropertySignature:
		if t := n.Type(); t != nil && isFunctionType(t) {
			return "method"
		}
		return "field"
	case tsc.PropertyDeclaration, tsc.Parameter:
		return "field"
	case tsc.ClassDeclaration, tsc.ClassExpression:
		return "class"
	case tsc.InterfaceDeclaration:
		return "interface"
	case tsc.EnumDeclaration:
		return "enum"
	case tsc.TypeAliasDeclaration:
		return "type"
	case tsc.ModuleDeclaration:
		return "namespace"
	}
	return "variable"
}

func isFunctionType(t *tsc.Node) bool {
	for t.Kind == tsc.ParenthesizedType {
		t = t.Type()
	}
	return t.Kind == tsc.FunctionType
}

// isExports says whether an assigned expression is a name that the module
// exports, as "exports.f" and "module.exports".
func isExports(left *tsc.Node) bool {
	if left.Kind != tsc.PropertyAccessExpression {
		return false
	}
	e := unwrap(left.Expression())
	if e.Kind == tsc.Identifier {
		return e.Text() == "exports" || e.Text() == "module" && left.Name().Text() == "exports"
	}
	return isExports(e) && e.Name().Text() == "exports"
}
