package typescript

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/model"
	"brick/scan/facts"
)

// implicit are the methods that the language itself calls by their names
// (ECMA-262: conversions, JSON, promises, iterators).
var implicit = map[string]bool{
	"toString": true, "valueOf": true, "toLocaleString": true, "toJSON": true, "then": true, "next": true, "return": true, "throw": true,
}

// attributes are those that follow from the declaration alone.
func (v *outliner) attributes(n, value *tsc.Node, d *facts.Definition) map[string]any {
	a := map[string]any{}
	a[model.MetricLines] = d.Span.End.Line - d.Span.Start.Line + 1
	if v.isExported(n, d) {
		a[model.Exported] = true
	}
	if !d.IsFunction() {
		return a
	}
	switch {
	case n.Kind == tsc.MethodSignature, n.Kind == tsc.PropertySignature, n.ModifierFlags()&tsc.ModifierAbstract != 0:
		a[model.Virtual] = true
	case n.Kind == tsc.FunctionDeclaration && n.Body() == nil:
		a[model.ExternalLinkage] = true // only declared
	case n.Parent != nil && n.Parent.Kind == tsc.ObjectLiteralExpression && !isNamed(n.Parent):
		a[model.Virtual] = true // who gets the object can call it
	}
	if d.Kind == "method" && (implicit[d.Name] || strings.HasPrefix(d.Name, "[Symbol.")) {
		a[model.ImplicitInvocation] = true
	}
	if decorated(n) {
		a[model.FrameworkAttribute] = true
	}
	return a
}

// decorated says whether a decorator is given a function, or its class.
func decorated(n *tsc.Node) bool {
	for ; n != nil && n.Kind != tsc.SourceFileKind; n = n.Parent {
		if len(n.Decorators()) > 0 {
			return true
		}
		if tsc.IsClassLike(n) {
			break
		}
	}
	return false
}

// isExported says whether other files can name a definition.
func (v *outliner) isExported(n *tsc.Node, d *facts.Definition) bool {
	if v.exported[n] || v.exported[v.whole(n)] {
		return true
	}
	if n.Kind == tsc.ExportAssignment {
		return true
	}
	if n.Kind == tsc.BinaryExpression {
		left, _, _ := tsc.OperatorOf(n)
		return isExports(left)
	}
	switch n.Kind {
	case tsc.FunctionDeclaration, tsc.VariableDeclaration, tsc.ClassDeclaration, tsc.InterfaceDeclaration, tsc.EnumDeclaration, tsc.TypeAliasDeclaration, tsc.ModuleDeclaration:
		if tsc.CombinedModifiers(n)&tsc.ModifierExport != 0 {
			return true
		}
		return d.Parent < 0 && d.Qualified == d.Name && !tsc.IsExternalOrCommonJS(v.file)
	}
	if d.Parent >= 0 && isType(v.defs[d.Parent].Kind) {
		if n.ModifierFlags()&tsc.ModifierPrivate != 0 || n.Name() != nil && n.Name().Kind == tsc.PrivateIdentifier {
			return false
		}
		return v.defs[d.Parent].Attributes[model.Exported] == true
	}
	if n.Parent != nil && n.Parent.Kind == tsc.ObjectLiteralExpression {
		return v.exportedHolder(n.Parent)
	}
	return false
}

// exportedHolder says whether the value of an object literal is exported.
func (v *outliner) exportedHolder(n *tsc.Node) bool {
	for {
		p := n.Parent
		switch p.Kind {
		case tsc.ObjectLiteralExpression, tsc.PropertyAssignment, tsc.ParenthesizedExpression, tsc.AsExpression, tsc.SatisfiesExpression:
			n = p
		case tsc.ExportAssignment:
			return true
		case tsc.VariableDeclaration:
			return v.exported[p] || tsc.CombinedModifiers(p)&tsc.ModifierExport != 0
		case tsc.BinaryExpression:
			left, _, _ := tsc.OperatorOf(p)
			return isExports(left)
		default:
			return false
		}
	}
}

// isNamed says whether an object literal can only be had by a name: that of
// the variable or export that holds it, or a property of one.
func isNamed(n *tsc.Node) bool {
	for {
		p := n.Parent
		switch p.Kind {
		case tsc.ObjectLiteralExpression, tsc.PropertyAssignment, tsc.ParenthesizedExpression, tsc.AsExpression, tsc.SatisfiesExpression:
			n = p
		case tsc.ExportAssignment, tsc.VariableDeclaration:
			return true
		case tsc.BinaryExpression:
			left, _, _ := tsc.OperatorOf(p)
			return isExports(left)
		default:
			return false
		}
	}
}

// A measurement is figures of a function's code.
type measurement struct {
	// cyclomatic is McCabe's complexity (A Complexity Measure, 1976): one more
	// than the places where the code decides.
	cyclomatic int
	// nesting is how deep its statements that branch or loop lie in another.
	nesting int
}

// measure reads the code of each function. That of functions which are
// definitions of their own is no part of it; that of those without a name is.
//
// Of a function that is declared several times the last declaration counts,
// which has the code: those before it are overloads.
func (o *outline) measure() {
	codes := slices.SortedFunc(maps.Keys(o.bodies), func(a, b *tsc.Node) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, code := range codes {
		i := o.bodies[code]
		m := measurer{o.bodies, measurement{cyclomatic: 1}}
		m.children(code, 0)
		a := o.defs[i].Attributes
		a[model.MetricCyclomatic], a[model.MetricNesting], a[model.MetricParameters] = m.cyclomatic, m.nesting, len(code.Parameters())
	}
}

type measurer struct {
	others map[*tsc.Node]int
	measurement
}

func (m *measurer) children(n *tsc.Node, depth int) {
	n.ForEachChild(func(c *tsc.Node) bool {
		m.visit(c, depth)
		return false
	})
}

func (m *measurer) visit(n *tsc.Node, depth int) {
	if _, other := m.others[n]; other {
		return
	}
	switch n.Kind {
	case tsc.IfStatement:
		m.cyclomatic++
		condition, then, otherwise := tsc.Branches(n)
		m.deeper(depth + 1)
		m.visit(condition, depth)
		m.visit(then, depth+1)
		if otherwise != nil && otherwise.Kind == tsc.IfStatement {
			m.visit(otherwise, depth) // "else if" is no deeper
		} else if otherwise != nil {
			m.visit(otherwise, depth+1)
		}
		return
	case tsc.ForStatement, tsc.ForInStatement, tsc.ForOfStatement, tsc.WhileStatement, tsc.DoStatement, tsc.CatchClause:
		m.cyclomatic++
		depth++
		m.deeper(depth)
	case tsc.SwitchStatement:
		depth++
		m.deeper(depth)
	case tsc.CaseClause, tsc.ConditionalExpression:
		m.cyclomatic++
	case tsc.BinaryExpression:
		switch _, operator, _ := tsc.OperatorOf(n); operator {
		case tsc.AmpersandAmpersandToken, tsc.BarBarToken, tsc.QuestionQuestionToken,
			tsc.AmpersandAmpersandEqualsToken, tsc.BarBarEqualsToken, tsc.QuestionQuestionEqualsToken:
			m.cyclomatic++
		}
	}
	m.children(n, depth)
}

func (m *measurer) deeper(depth int) { m.nesting = max(m.nesting, depth) }
