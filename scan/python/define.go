package python

import (
	"strings"

	"brick/scan/facts"
	"brick/scan/resolve"
)

// ownDecorators are the language's own that leave a function what it is.
var ownDecorators = map[string]resolve.DefFlags{
	"staticmethod": resolve.Static, "classmethod": resolve.ClassWide,
	"property": resolve.Property, "cached_property": resolve.Property, "abstractproperty": resolve.Property | resolve.Abstract,
	"getter": resolve.Property, "setter": resolve.Property | resolve.Overload, "deleter": resolve.Property | resolve.Overload,
	"abstractmethod": resolve.Abstract, "overload": resolve.Overload,
	"abstractclassmethod": resolve.ClassWide | resolve.Abstract, "abstractstaticmethod": resolve.Static | resolve.Abstract,
	"override": 0, "final": 0, "no_type_check": 0, "deprecated": 0,
	"lru_cache": 0, "cache": 0, "wraps": 0, "contextmanager": 0, "asynccontextmanager": 0,
	"total_ordering": 0, "runtime_checkable": 0, "unique": 0, "dataclass": resolve.Record, "dataclass_transform": 0,
}

// recordDecorators make the constructors of classes.
var recordDecorators = map[string]bool{"attrs": true, "s": true, "define": true, "frozen": true, "mutable": true, "attributes": true}

func (l *lowering) decorated(n int) {
	var decorators []int
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.decorator) {
			decorators = append(decorators, c)
		}
	}
	d := l.child(n, l.g.definition)
	switch {
	case d < 0:
		l.statements(n)
	case l.roles(d)&isClass != 0:
		l.class(d, n, decorators)
	default:
		l.function(d, n, decorators)
	}
}

// decorators lowers decorators; the last is applied first.
func (l *lowering) decorators(nodes []int, d *resolve.Def) {
	for i := len(nodes) - 1; i >= 0; i-- {
		for c := range l.t.Children(nodes[i]) {
			deco := resolve.Decorator{Expr: resolve.None}
			callee := c
			if l.roles(c)&isCall != 0 {
				deco.Call = true
				callee = l.child(c, l.g.function)
				l.expr(c)
				deco.Expr = l.lastCallee
			} else {
				deco.Expr = l.callee(c)
				l.site(c, -1, deco.Expr)
			}
			if callee < 0 {
				continue
			}
			deco.Text = l.t.String(callee)
			last := deco.Text[strings.LastIndexByte(deco.Text, '.')+1:]
			flags, own := ownDecorators[last]
			deco.Known = own
			d.Flags |= flags
			if d.Kind == "class" && recordDecorators[last] {
				d.Flags |= resolve.Record
			}
			d.Decorators = append(d.Decorators, deco)
			break
		}
	}
}

// kindHere is what a function is that is defined where the lowering is.
func (l *lowering) kindHere() string {
	if l.Scopes[l.at.scope].Kind == resolve.ClassScope {
		return "method"
	}
	return "function"
}

func (l *lowering) function(n, whole int, decorators []int) {
	name := l.child(n, l.g.name)
	if name < 0 {
		l.statements(n)
		return
	}
	d := resolve.Def{
		Definition: facts.Definition{
			Name: l.t.String(name), Kind: l.kindHere(), Parent: int(l.at.parent),
			NameAt: place(l.t, name), Span: l.t.Span(whole),
		},
		In: l.at.scope, Metaclass: resolve.None, Result: resolve.None,
	}
	l.decorators(decorators, &d)
	if strings.HasPrefix(string(l.t.Bytes(n)), "async") {
		d.Flags |= resolve.Async
	}
	l.defaults(l.child(n, l.g.parameters))
	result := l.child(n, l.g.result)
	if result >= 0 {
		d.Result = l.typeExpr(result)
	}
	i := l.Define(d)
	l.bindDef(d.Name, l.start(name), i)
	l.functionBody(n, i)
}

// bindDef binds the name of a definition. What adds to a property leaves its
// getter.
func (l *lowering) bindDef(name string, pos uint32, i int32) {
	l.bind(name, pos, resolve.BindDef, i)
	if f := l.Defs[i].Flags; f&resolve.Property != 0 && f&resolve.Overload != 0 {
		l.Bindings[len(l.Bindings)-1].Anytime = true
	}
}

// functionBody lowers parameters and body of a function or lambda.
func (l *lowering) functionBody(n int, i int32) {
	before := l.at
	scope := l.Scope(resolve.FunctionScope, l.at.scope, i, l.start(n), l.end(n))
	l.Scopes[scope].Within = l.at.block
	d := &l.Defs[i]
	d.Scope = scope
	method := d.Kind == "method"
	l.at.scope, l.at.block, l.at.function, l.at.parent = scope, l.Scopes[scope].Block, i, i
	if method {
		l.at.method, l.at.receiver = i, ""
	}
	body := l.child(n, l.g.body)
	l.redirect(body)
	l.parameters(l.child(n, l.g.parameters), i)
	if l.roles(n)&isLambda != 0 {
		value := l.expr(body)
		l.Defs[i].Returns = []resolve.ID{value}
	} else {
		l.statements(body)
	}
	if l.yields(body) {
		l.Defs[i].Flags |= resolve.Generator
	}
	l.Defs[i].Cyclomatic, l.Defs[i].Nesting = l.metrics(body)
	l.at = before
}

// redirect finds the names that a function's body binds elsewhere.
func (l *lowering) redirect(body int) {
	scope := l.at.scope
	l.within(body, func(n int, r role) {
		if r&(isGlobal|isNonlocal) == 0 {
			return
		}
		for c := range l.t.Children(n) {
			name := l.t.String(c)
			to := int32(0)
			if r&isNonlocal != 0 {
				to = l.Scopes[scope].Parent
				for to > 0 && (l.Scopes[to].Kind != resolve.FunctionScope || !l.binds(to, name)) {
					to = l.Scopes[to].Parent
				}
			}
			if l.redirected[scope] == nil {
				l.redirected[scope] = map[string]int32{}
			}
			l.redirected[scope][name] = to
		}
	})
}

// binds says whether a scope binds a name, as far as it is lowered.
func (l *lowering) binds(scope int32, name string) bool {
	n := l.Name(name)
	for i := range l.Bindings {
		if l.Bindings[i].Scope == scope && l.Bindings[i].Name == n {
			return true
		}
	}
	return false
}

// within calls f for the nodes in a body that are in no definition within it.
func (l *lowering) within(n int, f func(n int, r role)) {
	if n < 0 {
		return
	}
	end := int(l.t.Nodes[n].Next)
	for i := n; i < end; {
		r := l.roles(i)
		if r&(isFunction|isClass|isLambda) != 0 {
			i = int(l.t.Nodes[i].Next)
			continue
		}
		f(i, r)
		i++
	}
}

func (l *lowering) yields(body int) (found bool) {
	l.within(body, func(_ int, r role) { found = found || r&isYield != 0 })
	return found
}

// metrics are McCabe's cyclomatic number of a body (A Complexity Measure, 1976:
// one more than the decisions), and how deep its statements are nested.
func (l *lowering) metrics(body int) (cyclomatic, nesting int) {
	cyclomatic = 1
	var open []uint32 // ends of the nodes that nest
	l.within(body, func(n int, r role) {
		if r&isDecision != 0 {
			cyclomatic++
		}
		for len(open) > 0 && open[len(open)-1] <= l.start(n) {
			open = open[:len(open)-1]
		}
		if r&isNesting != 0 {
			open = append(open, l.end(n))
			nesting = max(nesting, len(open))
		}
	})
	return cyclomatic, nesting
}

// defaults lowers what is evaluated when a function is defined.
func (l *lowering) defaults(parameters int) {
	if parameters < 0 {
		return
	}
	for c := range l.t.Children(parameters) {
		if v := l.child(c, l.g.value); v >= 0 {
			l.expr(v)
		}
	}
}

// parameters binds the parameters of a function.
func (l *lowering) parameters(n int, function int32) {
	if n < 0 {
		return
	}
	count := 0
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.keywordSeparator) || l.kind(c, l.g.positionalSeparator) {
			continue
		}
		name, value := l.parameter(c, function, count)
		if name < 0 {
			continue
		}
		l.bind(l.t.String(name), l.start(n), resolve.BindValue, value)
		count++
	}
	l.Defs[function].Parameters = count
}

// parameter is the name of a parameter, and what is known of its value.
func (l *lowering) parameter(n int, function int32, index int) (name int, value resolve.ID) {
	g := l.g
	name = n
	if l.kind(n, g.defaultParameter) || l.kind(n, g.typedDefault) {
		name = l.child(n, g.name)
	}
	typ := l.child(n, g.typ)
	splat := ""
	for name >= 0 && l.roles(name)&isName == 0 {
		switch {
		case l.kind(name, g.listSplat):
			splat = "tuple"
		case l.kind(name, g.dictSplat):
			splat = "dict"
		}
		first := -1
		for c := range l.t.Children(name) {
			first = c
			break
		}
		name = first
	}
	if name < 0 {
		return -1, resolve.None
	}
	d := &l.Defs[function]
	if splat != "" {
		if typ >= 0 {
			l.calls(typ)
		}
		return name, l.Expr(resolve.Expr{Kind: resolve.ExprLiteral, Name: l.Name(splat)})
	}
	if index == 0 && d.Kind == "method" && d.Flags&resolve.Static == 0 {
		d.Receiver = l.t.String(name)
		l.at.receiver = d.Receiver
		kind := resolve.ExprSelf
		if d.Flags&resolve.ClassWide != 0 || classReceivers[d.Name] {
			kind = resolve.ExprClass
		}
		return name, l.Expr(resolve.Expr{Kind: kind, A: l.at.class})
	}
	if typ >= 0 {
		return name, l.typeExpr(typ)
	}
	return name, l.Expr(resolve.Expr{Kind: resolve.ExprParam, A: function, B: int32(index)})
}

// classReceivers are methods whose receiver is the class without being told.
var classReceivers = map[string]bool{"__new__": true, "__init_subclass__": true, "__class_getitem__": true}

func (l *lowering) class(n, whole int, decorators []int) {
	name := l.child(n, l.g.name)
	if name < 0 {
		l.statements(n)
		return
	}
	d := resolve.Def{
		Definition: facts.Definition{
			Name: l.t.String(name), Kind: "class", Parent: int(l.at.parent),
			NameAt: place(l.t, name), Span: l.t.Span(whole),
		},
		In: l.at.scope, Metaclass: resolve.None, Result: resolve.None,
	}
	l.decorators(decorators, &d)
	if args := l.child(n, l.g.superclasses); args >= 0 {
		l.bases(args, &d)
	}
	i := l.Define(d)
	before := l.at
	scope := l.Scope(resolve.ClassScope, l.at.scope, i, l.start(n), l.end(n))
	l.Scopes[scope].Within = l.at.block
	l.Defs[i].Scope = scope
	l.at.scope, l.at.block, l.at.parent, l.at.class, l.at.method, l.at.receiver = scope, l.Scopes[scope].Block, i, i, -1, ""
	body := l.child(n, l.g.body)
	l.redirect(body)
	l.statements(body)
	l.at = before
	l.bindDef(d.Name, l.start(name), i)
}

// bases lowers what a class is derived from.
func (l *lowering) bases(args int, d *resolve.Def) {
	for c := range l.t.Children(args) {
		if l.roles(c)&isKeyword != 0 {
			value := l.expr(l.child(c, l.g.value))
			if n := l.child(c, l.g.name); n >= 0 && l.t.String(n) == "metaclass" {
				d.Metaclass = value
			}
			continue
		}
		base := c
		if l.roles(c)&isElement != 0 { // Generic[T]
			base = l.child(c, l.g.value)
			for s := range l.t.Children(c) {
				if s != base {
					l.calls(s)
				}
			}
		}
		e := l.expr(base)
		if base >= 0 {
			d.Bases = append(d.Bases, resolve.Base{At: place(l.t, base), Expr: e})
		}
	}
}

// named makes a definition of a function that is the value of a name.
func (l *lowering) named(name, n int) {
	d := resolve.Def{
		Definition: facts.Definition{
			Name: l.t.String(name), Kind: l.kindHere(), Parent: int(l.at.parent),
			NameAt: place(l.t, name), Span: l.t.Span(n),
		},
		In: l.at.scope, Metaclass: resolve.None, Result: resolve.None,
	}
	l.defaults(l.child(n, l.g.parameters))
	i := l.Define(d)
	l.bindDef(d.Name, l.end(n), i)
	l.functionBody(n, i)
}
