package python

import (
	"strings"

	"brick/scan/facts"
	"brick/scan/resolve"
	"brick/scan/treesitter"
)

// lowerVersion counts the ways in which files have been lowered: a part of the
// key of what is kept.
const lowerVersion = "python 1"

// A lowering makes the unit of a file.
type lowering struct {
	*resolve.Builder
	g *grammar
	t *treesitter.Tree

	at at
	// redirected are the names that global and nonlocal statements bind
	// elsewhere, by scope.
	redirected map[int32]map[string]int32
	lastCallee resolve.ID // of the call that was lowered last
}

// at is where in the file the lowering is.
type at struct {
	scope, block int32
	function     int32 // the innermost function, -1 for none
	parent       int32 // the innermost definition, -1 for none
	class        int32 // the class whose body or method this is, -1 for none
	method       int32 // the innermost function that is a method, -1 for none
	receiver     string
}

// lower makes a unit of a tree.
func lower(g *grammar, t *treesitter.Tree) *resolve.Unit {
	l := &lowering{
		Builder: resolve.NewBuilder(len(t.Text)), g: g, t: t,
		at: at{function: -1, parent: -1, class: -1, method: -1}, redirected: map[int32]map[string]int32{},
	}
	l.Lines, l.Faults = t.Lines(), t.Faults
	l.statements(0)
	l.Exported = l.all()
	return &l.Unit
}

func (l *lowering) roles(n int) role { return role(l.g.query.Roles(l.t.Nodes[n].Kind)) }

func (l *lowering) kind(n int, k kinds) bool { return n >= 0 && k.has(l.t.Nodes[n].Kind) }

func (l *lowering) start(n int) uint32 { return l.t.Nodes[n].Start }

func (l *lowering) end(n int) uint32 { return l.t.Nodes[n].End }

func (l *lowering) child(n int, field uint8) int {
	if n < 0 {
		return -1
	}
	return l.t.Child(n, field)
}

// statements lowers the children of a module or block.
func (l *lowering) statements(n int) {
	if n < 0 {
		return
	}
	for c := range l.t.Children(n) {
		l.statement(c)
	}
}

func (l *lowering) statement(n int) {
	g := l.g
	switch r := l.roles(n); {
	case r&isFunction != 0:
		l.function(n, n, nil)
	case r&isClass != 0:
		l.class(n, n, nil)
	case r&isDecorated != 0:
		l.decorated(n)
	case r&isImport != 0:
		l.importModules(n)
	case r&isImportFrom != 0:
		l.importFrom(n)
	case r&isImportFuture != 0, r&isSkip != 0:
	case r&isGlobal != 0, r&isNonlocal != 0:
	case r&isIf != 0:
		l.ifStatement(n)
	case r&isFor != 0:
		l.forStatement(n)
	case r&isWhile != 0:
		l.inBlock(n, 0, true, func() {
			l.expr(l.child(n, g.condition))
			l.statements(l.child(n, g.body))
		})
		l.optional(l.child(n, g.alternative))
	case r&isTry != 0:
		l.tryStatement(n)
	case r&isWith != 0:
		l.withStatement(n)
	case r&isMatch != 0:
		l.matchStatement(n)
	case r&isDelete != 0:
		l.deleteStatement(n)
	case r&isReturn != 0:
		l.returnStatement(n)
	case r&isAlias != 0:
		l.typeAlias(n)
	case r != 0:
		l.expr(n)
	default: // an expression statement, an error, …
		l.statements(n)
	}
}

// inBlock runs f for a part of the text that may run or not.
func (l *lowering) inBlock(n int, group int32, loop bool, f func()) {
	before := l.at.block
	l.at.block = l.Block(resolve.Block{Parent: before, Group: group, Loop: loop, Start: l.start(n), End: l.end(n)})
	f()
	l.at.block = before
}

// optional lowers a clause that may run or not.
func (l *lowering) optional(n int) {
	if n >= 0 {
		l.inBlock(n, 0, false, func() { l.statements(n) })
	}
}

func (l *lowering) ifStatement(n int) {
	group := l.Group()
	l.expr(l.child(n, l.g.condition))
	if b := l.child(n, l.g.consequence); b >= 0 {
		l.inBlock(b, group, false, func() { l.statements(b) })
	}
	for c := range l.t.Children(n) {
		if !l.kind(c, l.g.elifClause) && !l.kind(c, l.g.elseClause) {
			continue
		}
		l.expr(l.child(c, l.g.condition))
		b := l.child(c, l.g.consequence)
		if b < 0 {
			b = l.child(c, l.g.body)
		}
		if b >= 0 {
			l.inBlock(b, group, false, func() { l.statements(b) })
		}
	}
}

func (l *lowering) forStatement(n int) {
	over := l.expr(l.child(n, l.g.right))
	l.inBlock(n, 0, true, func() {
		l.assign(l.child(n, l.g.left), l.Expr(resolve.Expr{Kind: resolve.ExprElement, A: over}), resolve.None)
		l.statements(l.child(n, l.g.body))
	})
	l.optional(l.child(n, l.g.alternative))
}

func (l *lowering) tryStatement(n int) {
	for c := range l.t.Children(n) {
		switch {
		case l.kind(c, l.g.exceptClause):
			l.inBlock(c, 0, false, func() { l.except(c) })
		case l.kind(c, l.g.finallyClause):
			l.statements(c)
		case l.kind(c, l.g.elseClause):
			l.optional(c)
		default:
			l.inBlock(c, 0, false, func() { l.statements(c) })
		}
	}
}

// except lowers the clause of a try statement.
func (l *lowering) except(n int) {
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.block) {
			l.statements(c)
		} else if l.kind(c, l.g.asPattern) {
			l.asPattern(c, func(e resolve.ID) resolve.ID { return l.Expr(resolve.Expr{Kind: resolve.ExprInstance, A: e}) })
		} else {
			l.expr(c)
		}
	}
}

// asPattern lowers "value as target", whose target is what f makes of the value.
func (l *lowering) asPattern(n int, f func(resolve.ID) resolve.ID) {
	value := resolve.None
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.asTarget) {
			for target := range l.t.Children(c) {
				l.assign(target, f(value), resolve.None)
			}
		} else {
			value = l.expr(c)
		}
	}
}

func (l *lowering) withStatement(n int) {
	for c := range l.t.Children(n) {
		if !l.kind(c, l.g.withClause) {
			continue
		}
		for item := range l.t.Children(c) {
			l.withItem(item)
		}
	}
	l.statements(l.child(n, l.g.body))
}

func (l *lowering) withItem(item int) {
	value := l.child(item, l.g.value)
	if value < 0 {
		l.expr(item)
		return
	}
	if l.kind(value, l.g.asPattern) {
		l.asPattern(value, func(e resolve.ID) resolve.ID { return l.Expr(resolve.Expr{Kind: resolve.ExprEnter, A: e}) })
		return
	}
	l.expr(value)
}

func (l *lowering) matchStatement(n int) {
	group := l.Group()
	for c := range l.t.Children(n) {
		if l.t.Nodes[c].Field == l.g.subject {
			l.expr(c)
		}
	}
	for c := range l.t.Children(l.body(n)) {
		if !l.kind(c, l.g.caseClause) {
			continue
		}
		l.inBlock(c, group, false, func() {
			for p := range l.t.Children(c) {
				switch {
				case l.kind(p, l.g.casePattern):
					l.pattern(p, false)
				case l.t.Nodes[p].Field == l.g.guard:
					l.statements(p)
				case l.t.Nodes[p].Field == l.g.consequence:
					l.statements(p)
				}
			}
		})
	}
}

func (l *lowering) body(n int) int {
	if b := l.child(n, l.g.body); b >= 0 {
		return b
	}
	return n
}

// pattern binds the names that a case captures; the others are used.
func (l *lowering) pattern(n int, value bool) {
	for c := range l.t.Children(n) {
		switch {
		case l.kind(c, l.g.dottedName):
			l.patternName(c, value)
		case l.kind(c, l.g.classPattern):
			first := true
			for d := range l.t.Children(c) {
				if first && l.kind(d, l.g.dottedName) {
					l.patternName(d, true)
				} else {
					l.pattern(d, false)
				}
				first = false
			}
		case l.kind(c, l.g.keywordPattern):
			first := true
			for d := range l.t.Children(c) {
				if !first && l.kind(d, l.g.dottedName) {
					l.patternName(d, false)
				} else if !first {
					l.pattern(d, false)
				}
				first = false
			}
		case l.roles(c)&isName != 0:
			l.bindUnknown(c)
		case l.roles(c)&(isString|isStrings) != 0:
			l.expr(c)
		default:
			l.pattern(c, false)
		}
	}
}

// patternName binds a name of a pattern, or uses it when it is dotted or a class.
func (l *lowering) patternName(n int, class bool) {
	e := resolve.None
	parts := 0
	last := n
	for c := range l.t.Children(n) {
		e = l.memberOrName(c, e)
		parts++
		last = c
	}
	switch {
	case parts == 1 && !class:
		l.bindUnknown(last)
	case e != resolve.None:
		l.Use(l.t.Place(l.start(last)), l.at.function, e)
	}
}

// memberOrName is the expression of a part of a dotted name after base.
func (l *lowering) memberOrName(n int, base resolve.ID) resolve.ID {
	if base == resolve.None {
		return l.nameExpr(l.t.String(n), l.start(n))
	}
	return l.Expr(resolve.Expr{Kind: resolve.ExprMember, A: base, Name: l.Name(l.t.String(n))})
}

func (l *lowering) deleteStatement(n int) {
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.expressions) {
			l.deleteStatement(c)
			continue
		}
		if l.roles(c)&isName != 0 {
			scope, _ := l.target(l.t.String(c))
			l.Bind(scope, l.at.block, l.t.String(c), l.start(c), resolve.BindGone, 0)
			continue
		}
		l.expr(c)
	}
}

func (l *lowering) returnStatement(n int) {
	value := l.Expr(resolve.Expr{Kind: resolve.ExprNothing})
	for c := range l.t.Children(n) {
		value = l.expr(c)
	}
	if f := l.at.function; f >= 0 && l.Defs[f].Scope == l.at.scope {
		l.Defs[f].Returns = append(l.Defs[f].Returns, value)
	}
}

func (l *lowering) typeAlias(n int) {
	left, right := l.child(n, l.g.left), l.child(n, l.g.right)
	for i := left; left >= 0 && i < int(l.t.Nodes[left].Next); i++ {
		if l.roles(i)&isName != 0 {
			l.bindUnknown(i)
			break
		}
	}
	if right >= 0 {
		l.calls(right)
	}
}

// nameExpr is a name that is used where the lowering is.
func (l *lowering) nameExpr(name string, pos uint32) resolve.ID {
	scope := l.at.scope
	if to, ok := l.redirected[scope][name]; ok {
		return l.Expr(resolve.Expr{Kind: resolve.ExprName, A: to, B: l.Scopes[to].Block, Name: l.Name(name), Pos: resolve.Late})
	}
	return l.Expr(resolve.Expr{Kind: resolve.ExprName, A: scope, B: l.at.block, Name: l.Name(name), Pos: pos})
}

// target is the scope that a binding of a name where the lowering is goes to.
func (l *lowering) target(name string) (scope int32, elsewhere bool) {
	if to, ok := l.redirected[l.at.scope][name]; ok {
		return to, true
	}
	return l.at.scope, false
}

// bind binds a name where the lowering is.
func (l *lowering) bind(name string, pos uint32, kind resolve.BindingKind, ref int32) {
	scope, elsewhere := l.target(name)
	l.Bind(scope, l.at.block, name, pos, kind, ref)
	if elsewhere {
		b := &l.Bindings[len(l.Bindings)-1]
		b.Block, b.Anytime = l.Scopes[scope].Block, true
	}
}

func (l *lowering) bindUnknown(n int) {
	l.bind(l.t.String(n), l.start(n), resolve.BindValue, l.Expr(resolve.Expr{}))
}

// assign binds a target to a value, or to an instance of what is declared.
func (l *lowering) assign(n int, value, declared resolve.ID) {
	if n < 0 {
		return
	}
	if declared != resolve.None {
		value = declared
	}
	switch r := l.roles(n); {
	case r&isName != 0:
		l.bind(l.t.String(n), l.end(n), resolve.BindValue, value)
	case r&isMember != 0:
		l.assignMember(n, value)
	case r&isElement != 0:
		l.expr(n)
	case r&isParentheses != 0, l.kind(n, l.g.patternList), l.kind(n, l.g.tuplePattern), l.kind(n, l.g.listPattern),
		l.kind(n, l.g.tuple), l.kind(n, l.g.list), l.kind(n, l.g.listSplat), l.kind(n, l.g.starExpr), l.kind(n, l.g.expressions):
		for c := range l.t.Children(n) {
			l.assign(c, l.Expr(resolve.Expr{Kind: resolve.ExprElement, A: value}), resolve.None)
		}
	default:
		l.expr(n)
	}
}

// assignMember takes an assignment to a member of something.
func (l *lowering) assignMember(n int, value resolve.ID) {
	object, member := l.child(n, l.g.object), l.child(n, l.g.attribute)
	if object < 0 || member < 0 {
		l.expr(n)
		return
	}
	a := resolve.Attr{Name: l.Name(l.t.String(member)), Value: value, Pos: l.start(n), Method: -1}
	if l.roles(object)&isName != 0 && l.at.method >= 0 && l.t.String(object) == l.at.receiver {
		a.Method, a.Base = l.at.method, resolve.None
	} else {
		a.Base = l.expr(object)
	}
	l.Attrs = append(l.Attrs, a)
}

func place(t *treesitter.Tree, n int) facts.Place { return t.Place(t.Nodes[n].Start) }

// all are the names of __all__, where they are listed in the open.
func (l *lowering) all() []string {
	var names []string
	found := false
	t := l.t
	for n := range t.Children(0) {
		for c := range t.Children(n) {
			if l.roles(c)&(isAssignment|isAugmented) == 0 || l.child(c, l.g.left) < 0 || t.String(l.child(c, l.g.left)) != "__all__" {
				continue
			}
			right := l.child(c, l.g.right)
			if right < 0 || l.roles(right)&isLiteral == 0 {
				return nil // computed: every name may be in it
			}
			found = true
			for s := range t.Children(right) {
				names = append(names, l.stringText(s))
			}
		}
	}
	if !found {
		return nil
	}
	if names == nil {
		names = []string{}
	}
	return names
}

// stringText is what a string says, "" for one with something computed in it.
func (l *lowering) stringText(n int) string {
	if l.roles(n)&isString == 0 {
		return ""
	}
	var text strings.Builder
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.interpolation) {
			return ""
		}
		if l.kind(c, l.g.stringContent) {
			text.Write(l.t.Bytes(c))
		}
	}
	return text.String()
}
