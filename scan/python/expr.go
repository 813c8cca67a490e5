package python

import (
	"brick/scan/facts"
	"brick/scan/resolve"
)

// expr lowers an expression and all that is in it: each call is a site, each
// other name is used.
func (l *lowering) expr(n int) resolve.ID {
	if n < 0 {
		return resolve.None
	}
	switch r := l.roles(n); {
	case r&(isName|isMember) != 0:
		e := l.callee(n)
		if e != resolve.None {
			l.Use(l.namePlace(n), l.at.function, e)
		}
		return e
	case r&isCall != 0:
		return l.call(n)
	case r&isLambda != 0:
		return l.lambda(n)
	case r&isComprehension != 0:
		return l.comprehension(n)
	case r&isAssignment != 0:
		return l.assignment(n)
	case r&isAugmented != 0:
		l.expr(l.child(n, l.g.right))
		left := l.child(n, l.g.left)
		l.expr(left)
		if left >= 0 && l.roles(left)&isName != 0 {
			l.bindUnknown(left)
		}
		return resolve.None
	case r&isWalrus != 0:
		return l.walrus(n)
	case r&isParentheses != 0:
		e := resolve.None
		for c := range l.t.Children(n) {
			e = l.expr(c)
		}
		return e
	case r&isConditional != 0:
		return l.conditional(n)
	case r&isBoolean != 0:
		left, right := l.expr(l.child(n, l.g.left)), l.expr(l.child(n, l.g.right))
		return l.union(left, right)
	case r&isElement != 0:
		e := l.expr(l.child(n, l.g.value))
		for c := range l.t.Children(n) {
			if l.t.Nodes[c].Field != l.g.value {
				l.expr(c)
			}
		}
		return l.Expr(resolve.Expr{Kind: resolve.ExprElement, A: e})
	case r&isAwait != 0:
		e := resolve.None
		for c := range l.t.Children(n) {
			e = l.expr(c)
		}
		return e
	case r&isNothing != 0:
		return l.Expr(resolve.Expr{Kind: resolve.ExprNothing})
	case r&(isString|isStrings) != 0:
		l.inside(n)
		return l.literal(l.stringType(n))
	case r&isLiteral != 0:
		l.inside(n)
		return l.literal(l.literalType(n))
	case r&isBinary != 0:
		return l.binary(n)
	case r&isKeyword != 0:
		return l.expr(l.child(n, l.g.value))
	case r&isAs != 0:
		l.asPattern(n, func(resolve.ID) resolve.ID { return l.Expr(resolve.Expr{}) })
		return resolve.None
	case r&isSkip != 0:
		return resolve.None
	case r&(isFunction|isClass|isDecorated) != 0: // in an error
		l.statement(n)
		return resolve.None
	}
	l.inside(n)
	return resolve.None
}

// inside lowers what an expression is made of.
func (l *lowering) inside(n int) {
	for c := range l.t.Children(n) {
		l.expr(c)
	}
}

func (l *lowering) literal(name string) resolve.ID {
	return l.Expr(resolve.Expr{Kind: resolve.ExprLiteral, Name: l.Name(name)})
}

func (l *lowering) union(a, b resolve.ID) resolve.ID {
	if a == resolve.None || b == resolve.None {
		return resolve.None
	}
	return l.Expr(resolve.Expr{Kind: resolve.ExprUnion, A: a, B: b})
}

// stringType is the type of a string.
func (l *lowering) stringType(n int) string {
	for _, c := range l.t.Bytes(n) {
		switch c {
		case 'b', 'B':
			return "bytes"
		case '"', '\'', '(':
			return "str"
		}
	}
	return "str"
}

func (l *lowering) literalType(n int) string {
	switch {
	case l.kind(n, l.g.integer):
		return "int"
	case l.kind(n, l.g.float):
		return "float"
	case l.kind(n, l.g.yes), l.kind(n, l.g.no):
		return "bool"
	case l.kind(n, l.g.list):
		return "list"
	case l.kind(n, l.g.dictionary):
		return "dict"
	case l.kind(n, l.g.set):
		return "set"
	}
	return "tuple"
}

// namePlace is where the last name of an expression is.
func (l *lowering) namePlace(n int) facts.Place {
	if l.roles(n)&isMember != 0 {
		if a := l.child(n, l.g.attribute); a >= 0 {
			return place(l.t, a)
		}
	}
	return place(l.t, n)
}

// lastName is the last name of what is called, "" when it has none.
func (l *lowering) lastName(n int) string {
	switch r := l.roles(n); {
	case r&isName != 0:
		return l.t.String(n)
	case r&isMember != 0:
		if a := l.child(n, l.g.attribute); a >= 0 {
			return l.t.String(a)
		}
	}
	return ""
}

// callee lowers a name or member without using it.
func (l *lowering) callee(n int) resolve.ID {
	if n < 0 {
		return resolve.None
	}
	switch r := l.roles(n); {
	case r&isName != 0:
		return l.nameExpr(l.t.String(n), l.start(n))
	case r&isMember != 0:
		base := l.expr(l.child(n, l.g.object))
		a := l.child(n, l.g.attribute)
		if a < 0 {
			return resolve.None
		}
		name := l.t.String(a)
		if name == "__class__" {
			return l.Expr(resolve.Expr{Kind: resolve.ExprClass, A: -1, B: base})
		}
		return l.Expr(resolve.Expr{Kind: resolve.ExprMember, A: base, Name: l.Name(name)})
	}
	return l.expr(n)
}

// site adds a call of what n is. One of what has no name is where its
// arguments are: another call may begin where it begins.
func (l *lowering) site(n, args int, callee resolve.ID) {
	s := resolve.Site{At: l.namePlace(n), From: l.at.function, Name: l.lastName(n), Callee: callee}
	if s.Name == "" && args >= 0 {
		s.At = place(l.t, args)
	}
	l.Sites = append(l.Sites, s)
}

func (l *lowering) call(n int) resolve.ID {
	f, args := l.child(n, l.g.function), l.child(n, l.g.arguments)
	if f < 0 {
		l.inside(n)
		return resolve.None
	}
	callee := l.callee(f)
	l.site(f, args, callee)
	var list []int
	var values []resolve.ID
	if args >= 0 && l.kind(args, l.g.argumentList) {
		for c := range l.t.Children(args) {
			list = append(list, c)
			values = append(values, l.expr(c))
		}
	} else {
		l.expr(args)
	}
	l.lastCallee = callee
	if l.roles(f)&isName != 0 {
		if e, ok := l.special(l.t.String(f), list, values); ok {
			return e
		}
	}
	if l.lastName(f) == "cast" && len(list) == 2 {
		return l.typeExpr(list[0])
	}
	return l.Expr(resolve.Expr{Kind: resolve.ExprCall, A: callee})
}

// special is what calls of some of the language's own functions give.
func (l *lowering) special(name string, args []int, values []resolve.ID) (resolve.ID, bool) {
	switch name {
	case "super":
		if l.at.class < 0 || l.at.method < 0 && len(args) == 0 {
			return resolve.None, true
		}
		if len(args) > 0 && l.t.String(args[0]) != l.Defs[l.at.class].Name && l.t.String(args[0]) != "__class__" {
			return resolve.None, true
		}
		return l.Expr(resolve.Expr{Kind: resolve.ExprSuper, A: l.at.class}), true
	case "type":
		if len(args) == 1 {
			return l.Expr(resolve.Expr{Kind: resolve.ExprClass, A: -1, B: values[0]}), true
		}
	case "getattr", "hasattr", "setattr", "delattr":
		if len(args) < 2 {
			return resolve.None, false
		}
		attribute := l.stringText(args[1])
		if attribute == "" {
			return resolve.None, false
		}
		if name == "setattr" && len(args) == 3 {
			l.Attrs = append(l.Attrs, resolve.Attr{Base: values[0], Name: l.Name(attribute), Value: values[2], Pos: l.start(args[1]), Method: -1})
		} else {
			l.Uses = append(l.Uses, resolve.Use{At: place(l.t, args[1]), From: l.at.function, Name: attribute, Expr: resolve.None})
		}
		if name == "getattr" && len(args) == 2 {
			return l.Expr(resolve.Expr{Kind: resolve.ExprMember, A: values[0], Name: l.Name(attribute)}), true
		}
	}
	return resolve.None, false
}

// lambda lowers a lambda that no name is given.
func (l *lowering) lambda(n int) resolve.ID {
	l.defaults(l.child(n, l.g.parameters))
	before := l.at
	scope := l.Scope(resolve.FunctionScope, l.at.scope, -1, l.start(n), l.end(n))
	l.Scopes[scope].Within = l.at.block
	l.at.scope, l.at.block = scope, l.Scopes[scope].Block
	if p := l.child(n, l.g.parameters); p >= 0 {
		for c := range l.t.Children(p) {
			l.lambdaParameter(c)
		}
	}
	l.expr(l.child(n, l.g.body))
	l.at = before
	return resolve.None
}

func (l *lowering) lambdaParameter(n int) {
	if name := l.child(n, l.g.name); name >= 0 {
		n = name
	}
	end := int(l.t.Nodes[n].Next)
	for i := n; i < end; i++ {
		if l.roles(i)&isName != 0 {
			l.bind(l.t.String(i), l.start(n), resolve.BindValue, l.Expr(resolve.Expr{}))
			return
		}
	}
}

// comprehension lowers a comprehension: its first iterable belongs to the
// scope around it.
func (l *lowering) comprehension(n int) resolve.ID {
	before := l.at
	var first resolve.ID = resolve.None
	started := false
	scope := int32(-1)
	enter := func() {
		if scope < 0 {
			scope = l.Scope(resolve.InnerScope, before.scope, -1, l.start(n), l.end(n))
			l.Scopes[scope].Within = before.block
		}
		l.at.scope, l.at.block = scope, l.Scopes[scope].Block
	}
	for c := range l.t.Children(n) {
		if !l.kind(c, l.g.forInClause) {
			continue
		}
		over := l.child(c, l.g.right)
		if !started {
			first = l.expr(over)
			started = true
			enter()
		} else {
			first = l.expr(over)
		}
		l.assignInner(l.child(c, l.g.left), l.Expr(resolve.Expr{Kind: resolve.ExprElement, A: first}))
	}
	enter()
	for c := range l.t.Children(n) {
		if !l.kind(c, l.g.forInClause) {
			l.expr(c)
		}
	}
	l.at = before
	return l.literal(map[bool]string{true: "generator", false: "list"}[l.t.Text[l.start(n)] == '('])
}

// assignInner binds the target of a comprehension, at its start: what stands
// before it in the text is evaluated after it.
func (l *lowering) assignInner(n int, value resolve.ID) {
	first := len(l.Bindings)
	l.assign(n, value, resolve.None)
	for i := first; i < len(l.Bindings); i++ {
		l.Bindings[i].Pos = l.Blocks[l.at.block].Start
	}
}

func (l *lowering) assignment(n int) resolve.ID {
	left, right, typ := l.child(n, l.g.left), l.child(n, l.g.right), l.child(n, l.g.typ)
	declared := resolve.None
	if typ >= 0 {
		declared = l.typeExpr(typ)
	}
	if left >= 0 && right >= 0 && l.roles(left)&isName != 0 && l.roles(right)&isLambda != 0 {
		l.named(left, right)
		return resolve.None
	}
	value := l.expr(right)
	if right < 0 && typ >= 0 && left >= 0 && l.roles(left)&isName != 0 && l.at.class < 0 {
		return value // a declaration of a variable binds nothing
	}
	if declared != resolve.None && value != resolve.None {
		// What is declared wider than what is known by name is that.
		declared = l.Expr(resolve.Expr{Kind: resolve.ExprDeclared, A: declared, B: value})
	}
	l.assign(left, value, declared)
	return value
}

func (l *lowering) walrus(n int) resolve.ID {
	value := l.expr(l.child(n, l.g.value))
	name := l.child(n, l.g.name)
	if name < 0 {
		return value
	}
	before := l.at
	for l.Scopes[l.at.scope].Kind == resolve.InnerScope {
		l.at.block = l.Scopes[l.at.scope].Within
		l.at.scope = l.Scopes[l.at.scope].Parent
	}
	l.bind(l.t.String(name), l.start(name), resolve.BindValue, value)
	l.at = before
	return value
}

func (l *lowering) conditional(n int) resolve.ID {
	var parts []resolve.ID
	for c := range l.t.Children(n) {
		parts = append(parts, l.expr(c))
	}
	if len(parts) != 3 {
		return resolve.None
	}
	return l.union(parts[0], parts[2])
}

// binary lowers an operation. Formatting a string gives one.
func (l *lowering) binary(n int) resolve.ID {
	left := l.child(n, l.g.left)
	l.inside(n)
	if left >= 0 && l.roles(left)&(isString|isStrings) != 0 {
		return l.literal(l.stringType(left))
	}
	return resolve.None
}

// calls lowers the calls in what is no expression that is evaluated for its
// value, such as an annotation.
func (l *lowering) calls(n int) {
	end := int(l.t.Nodes[n].Next)
	for i := n; i < end; {
		if l.roles(i)&(isCall|isLambda|isComprehension) != 0 {
			l.expr(i)
			i = int(l.t.Nodes[i].Next)
			continue
		}
		i++
	}
}
