package resolve

import (
	"slices"
)

// Rules are what is special about a language.
type Rules interface {
	// Import is what an import of a unit binds.
	Import(p *Program, unit int32, im *Import) Set
	// Global is what a name stands for that no scope of a unit binds.
	Global(p *Program, unit int32, name string) Set
	// Submodule is a module within a Module or Package, the empty set for none.
	Submodule(p *Program, v Value, name string) Set
	// Construct is what a call of something foreign gives.
	Construct(p *Program, name string) Set
	// Plain says whether a foreign base has no members that matter, and does
	// nothing to a class: Python's abc.ABC.
	Plain(base string) bool
	// Protocol says whether what is derived from a foreign base stands for
	// whatever has the same members: Python's typing.Protocol.
	Protocol(base string) bool
	// Duck says whether a foreign type stands for whatever has some members.
	Duck(name string) bool
}

// A Program is all units of a language. It is for one goroutine: what is
// evaluated once is kept.
type Program struct {
	Rules Rules
	Units []*Unit

	scopes  []map[int64][]int32 // by unit: the bindings by scope and name
	lookup  []map[string]int32  // by unit: the index of a name
	memo    [][]int32           // by unit and expression: index in sets, 0 for not yet
	sets    []Set
	depth   int
	foreign map[string]int32
	names   []string // of what is foreign

	classes map[Value]*class
	derived map[Value][]Value // the classes that name a class as base
	members map[memberKey][]assigned
	wild    map[string]bool // members that are assigned to something unknown
	decos   map[Value]Set
	returns map[Value]Set
	imports map[Value]Set   // by unit and import
	methods map[string]bool // names of methods in classes with a foreign base
}

type memberKey struct {
	of   Value // a Class or Module
	name string
}

// assigned is an assignment to a member.
type assigned struct {
	unit   int32
	value  ID
	method bool // on the receiver, in a method of the class
}

// The indexes of sets that are there from the start.
const (
	setNotYet = iota
	setBusy
	setUnknown
	setNothing
)

// NewProgram puts units together.
func NewProgram(r Rules, units []*Unit) *Program {
	p := &Program{Rules: r, Units: units, foreign: map[string]int32{}}
	p.scopes = make([]map[int64][]int32, len(units))
	p.lookup = make([]map[string]int32, len(units))
	for i, u := range units {
		p.scopes[i] = make(map[int64][]int32, len(u.Bindings))
		for b := range u.Bindings {
			k := scopeKey(u.Bindings[b].Scope, u.Bindings[b].Name)
			p.scopes[i][k] = append(p.scopes[i][k], int32(b))
		}
		for _, list := range p.scopes[i] {
			slices.SortStableFunc(list, func(a, b int32) int { return int(u.Bindings[a].Pos) - int(u.Bindings[b].Pos) })
		}
		p.lookup[i] = make(map[string]int32, len(u.Names))
		for n, name := range u.Names {
			p.lookup[i][name] = int32(n)
		}
	}
	p.forget()
	p.collect()
	return p
}

func scopeKey(scope, name int32) int64 { return int64(scope)<<32 | int64(name) }

// forget drops what has been evaluated.
func (p *Program) forget() {
	p.memo = make([][]int32, len(p.Units))
	for i, u := range p.Units {
		p.memo[i] = make([]int32, len(u.Exprs))
	}
	p.sets = []Set{nil, unknown, unknown, nothing}
	p.classes = map[Value]*class{}
	p.decos = map[Value]Set{}
	p.returns = map[Value]Set{}
	p.imports = map[Value]Set{}
}

// Foreign is the value of something outside of the repository.
func (p *Program) Foreign(kind ValueKind, name string) Set {
	i, ok := p.foreign[name]
	if !ok {
		i = int32(len(p.names))
		p.names = append(p.names, name)
		p.foreign[name] = i
	}
	return one(kind, 0, i)
}

// ForeignName is the name of a foreign value.
func (p *Program) ForeignName(v Value) string { return p.names[v.Index] }

// Def is the definition that a value is or has as its class.
func (p *Program) Def(v Value) *Def { return &p.Units[v.Unit].Defs[v.Index] }

// maxDepth is how deep expressions may lead to each other.
const maxDepth = 150

// Eval is what an expression of a unit may stand for.
func (p *Program) Eval(unit int32, e ID) Set {
	if e < 0 {
		return unknown
	}
	switch i := p.memo[unit][e]; i {
	case setNotYet:
	default:
		return p.sets[i] // what depends on itself may be anything
	}
	if p.depth > maxDepth {
		return unknown
	}
	p.memo[unit][e] = setBusy
	p.depth++
	s := p.eval(unit, &p.Units[unit].Exprs[e])
	p.depth--
	switch {
	case len(s) == 0:
		p.memo[unit][e] = setNothing
	case len(s) == 1 && s[0].Kind == Unknown:
		p.memo[unit][e] = setUnknown
	default:
		p.memo[unit][e] = int32(len(p.sets))
		p.sets = append(p.sets, s)
	}
	return s
}

func (p *Program) eval(unit int32, e *Expr) Set {
	u := p.Units[unit]
	switch e.Kind {
	case ExprNothing:
		return nothing
	case ExprName:
		return p.name(unit, e)
	case ExprMember:
		return p.Member(p.Eval(unit, e.A), u.Names[e.Name])
	case ExprCall:
		return p.each(p.Eval(unit, e.A), p.Result)
	case ExprInstance:
		return p.each(p.Eval(unit, e.A), p.instance)
	case ExprLiteral:
		return p.Foreign(ForeignExact, u.Names[e.Name])
	case ExprUnion:
		return union(p.Eval(unit, e.A), p.Eval(unit, e.B))
	case ExprDeclared:
		if s := p.Eval(unit, e.A); len(s) > 0 && s.Certain() {
			return s
		}
		return p.Eval(unit, e.B)
	case ExprDef:
		return p.defined(unit, e.A)
	case ExprSelf:
		return one(Instance, unit, e.A)
	case ExprClass:
		if e.A >= 0 {
			return one(Class, unit, e.A)
		}
		return p.each(p.Eval(unit, e.B), p.classOf)
	case ExprSuper:
		return one(SuperOf, unit, e.A)
	case ExprEnter:
		return p.each(p.Eval(unit, e.A), p.entered)
	}
	return unknown
}

// each is what f gives for all values of a set.
func (p *Program) each(s Set, f func(Value) Set) Set {
	out := nothing
	for _, v := range s {
		out = union(out, f(v))
	}
	return out
}

// instance is what is an instance of a declared type.
func (p *Program) instance(v Value) Set {
	switch v.Kind {
	case Class:
		if p.protocol(v) {
			return unknown // whatever has its members is one
		}
		return one(Instance, v.Unit, v.Index)
	case Foreign:
		if p.Rules.Duck(p.ForeignName(v)) {
			return unknown
		}
		return one(ForeignInstance, 0, v.Index)
	}
	return unknown
}

// protocol says whether a class only says what others have.
func (p *Program) protocol(v Value) bool {
	for _, b := range p.Def(v).Bases {
		if s := p.base(v.Unit, b); s.Kind == Foreign && p.Rules.Protocol(p.ForeignName(s)) {
			return true
		}
	}
	return false
}

func (p *Program) classOf(v Value) Set {
	switch v.Kind {
	case Instance, Exact:
		return one(Class, v.Unit, v.Index)
	}
	return unknown
}

// entered is what an object gives when it is entered.
func (p *Program) entered(v Value) Set {
	switch v.Kind {
	case Instance, Exact:
		if m := p.memberOf(v, "__enter__"); len(m.values) == 1 && m.values[0].Kind == Method {
			if d := p.Def(m.values[0]); d.Result == None && p.returnsReceiver(m.values[0]) {
				return Set{v}
			}
			return p.Result(m.values[0])
		}
	}
	return unknown
}

// Result is what a call of a value gives.
func (p *Program) Result(v Value) Set {
	switch v.Kind {
	case Class:
		if c := p.class(v); c.metaclass {
			return unknown
		}
		return one(Exact, v.Unit, v.Index)
	case Foreign:
		return p.Rules.Construct(p, p.ForeignName(v))
	case Function, Method:
		return p.result(v)
	}
	return unknown
}

// result is what a function returns.
func (p *Program) result(v Value) Set {
	key := Value{Function, v.Unit, v.Index}
	if s, ok := p.returns[key]; ok {
		return s
	}
	p.returns[key] = unknown // recursive ones
	d := p.Def(v)
	s := unknown
	switch {
	case d.Flags&Generator != 0:
	case d.Result != None:
		s = p.Eval(v.Unit, d.Result)
	case d.Flags&(Abstract|Overload) == 0 && len(d.Returns) > 0:
		s = nothing
		for _, r := range d.Returns {
			s = union(s, p.Eval(v.Unit, r))
		}
	}
	if len(s) == 0 {
		s = unknown // what returns nothing is called for something else
	}
	p.returns[key] = s
	return s
}

// returnsReceiver says whether a method returns what it is called on.
func (p *Program) returnsReceiver(v Value) bool {
	d := p.Def(v)
	if len(d.Returns) == 0 || d.Receiver == "" {
		return false
	}
	u := p.Units[v.Unit]
	for _, r := range d.Returns {
		if r < 0 || u.Exprs[r].Kind != ExprName || u.Names[u.Exprs[r].Name] != d.Receiver || u.Exprs[r].A != d.Scope {
			return false
		}
	}
	return true
}
