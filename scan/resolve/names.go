package resolve

// name is what a name stands for.
func (p *Program) name(unit int32, e *Expr) Set {
	u := p.Units[unit]
	late, direct := e.Pos == Late, true // direct: it runs where it stands
	block := e.B
	for scope := e.A; scope >= 0; scope = u.Scopes[scope].Parent {
		s := &u.Scopes[scope]
		list := p.scopes[unit][scopeKey(scope, e.Name)]
		if s.Kind == ClassScope && scope != e.A {
			list = nil // a class's names are seen in its body only
		}
		if len(list) > 0 {
			if set, found := p.visible(unit, s, list, block, e.Pos, late, direct); found {
				return set
			}
		}
		direct = direct && s.Kind == InnerScope
		block = s.Within
	}
	if set := p.starred(unit, u.Names[e.Name], 0); set != nil {
		return set
	}
	return p.Rules.Global(p, unit, u.Names[e.Name])
}

// visible is what the bindings of a name in a scope give in a place.
func (p *Program) visible(unit int32, s *Scope, list []int32, block int32, pos uint32, late, direct bool) (Set, bool) {
	switch {
	case late, !direct && s.Kind == FileScope:
		return p.reaching(unit, list, s.Block, Late)
	case direct:
		set, found := p.reaching(unit, list, block, pos)
		if !found && s.Kind == FunctionScope {
			return p.all(unit, list), true // in a loop, or an error when it runs
		}
		return set, found
	}
	return p.all(unit, list), true
}

// all is what any of the bindings gives.
func (p *Program) all(unit int32, list []int32) Set {
	set := nothing
	for _, b := range list {
		set = union(set, p.bound(unit, b))
	}
	return set
}

// reaching is what the bindings give that reach a place: the last one before
// it that always runs, those after that which may, and in a loop those that
// follow. found is false when none does.
func (p *Program) reaching(unit int32, list []int32, block int32, pos uint32) (set Set, found bool) {
	u := p.Units[unit]
	set = nothing
	last := int32(-1) // the block of the last that always runs
	for i := len(list) - 1; i >= 0; i-- {
		b := &u.Bindings[list[i]]
		if b.Anytime {
			set, found = union(set, p.bound(unit, list[i])), true
			continue
		}
		if b.Pos > pos || last >= 0 || p.excluded(u, b.Block, block) {
			continue
		}
		found = true
		if b.Kind != BindGone {
			set = union(set, p.bound(unit, list[i]))
		}
		if p.inBlock(u, block, b.Block) {
			last = b.Block
		}
	}
	if pos == Late {
		return set, found
	}
	for _, i := range list {
		b := &u.Bindings[i]
		if (b.Pos > pos || p.excluded(u, b.Block, block)) && !b.Anytime && p.inLoop(u, block, b.Block, last) {
			set, found = union(set, p.bound(unit, i)), true
		}
	}
	return set, found
}

// inBlock says whether a block is another or in it.
func (p *Program) inBlock(u *Unit, inner, outer int32) bool {
	for ; inner >= 0; inner = u.Blocks[inner].Parent {
		if inner == outer {
			return true
		}
	}
	return false
}

// excluded says whether only one of two blocks runs.
func (p *Program) excluded(u *Unit, a, b int32) bool {
	for ; a >= 0; a = u.Blocks[a].Parent {
		if g := u.Blocks[a].Group; g != 0 {
			for c := b; c >= 0; c = u.Blocks[c].Parent {
				if u.Blocks[c].Group == g && c != a {
					return true
				}
			}
		}
	}
	return false
}

// inLoop says whether a and b are in a loop that c is not in.
func (p *Program) inLoop(u *Unit, a, b, c int32) bool {
	for ; a >= 0; a = u.Blocks[a].Parent {
		if u.Blocks[a].Loop && p.inBlock(u, b, a) && (c < 0 || !p.inBlock(u, c, a)) {
			return true
		}
	}
	return false
}

// bound is what a binding gives.
func (p *Program) bound(unit, binding int32) Set {
	b := &p.Units[unit].Bindings[binding]
	switch b.Kind {
	case BindDef:
		return p.defined(unit, b.Ref)
	case BindImport:
		return p.imported(unit, b.Ref)
	case BindValue:
		return p.Eval(unit, b.Ref)
	}
	return nothing
}

// defined is what the name of a definition stands for after its decorators.
func (p *Program) defined(unit, def int32) Set {
	d := &p.Units[unit].Defs[def]
	switch d.Kind {
	case "class":
		return one(Class, unit, def)
	case "function", "method":
	default:
		return unknown
	}
	key := Value{Function, unit, def}
	if len(d.Decorators) == 0 {
		return Set{key}
	}
	if s, ok := p.decos[key]; ok {
		return s
	}
	p.decos[key] = Set{{Wrapped, unit, def}}
	s := Set{key}
	for _, deco := range d.Decorators {
		if !deco.Known && !p.transparent(unit, deco) {
			s = Set{{Wrapped, unit, def}}
		}
	}
	p.decos[key] = s
	return s
}

// transparent says whether a decorator of the repository returns what it is
// applied to.
func (p *Program) transparent(unit int32, deco Decorator) bool {
	s := p.Eval(unit, deco.Expr)
	if len(s) != 1 || s[0].Kind != Function {
		return false
	}
	if !deco.Call {
		return p.identity(s[0])
	}
	d := p.Def(s[0])
	for _, r := range d.Returns {
		inner := p.Eval(s[0].Unit, r)
		if len(inner) != 1 || inner[0].Kind != Function || !p.identity(inner[0]) {
			return false
		}
	}
	return len(d.Returns) > 0
}

// identity says whether a function returns its first parameter, always.
func (p *Program) identity(v Value) bool {
	d := p.Def(v)
	u := p.Units[v.Unit]
	if len(d.Returns) == 0 || d.Flags&Generator != 0 {
		return false
	}
	for _, r := range d.Returns {
		if r < 0 {
			return false
		}
		e := u.Exprs[r]
		if e.Kind != ExprName || e.A != d.Scope {
			return false
		}
		list := p.scopes[v.Unit][scopeKey(d.Scope, e.Name)]
		if len(list) != 1 || u.Bindings[list[0]].Kind != BindValue {
			return false
		}
		if b := u.Exprs[u.Bindings[list[0]].Ref]; b.Kind != ExprParam || b.B != 0 {
			return false
		}
	}
	return true
}

// starred is what a name stands for by imports of everything, nil when there
// is none.
func (p *Program) starred(unit int32, name string, depth int) Set {
	u := p.Units[unit]
	if depth > 20 {
		return unknown
	}
	for i := len(u.Imports) - 1; i >= 0; i-- {
		im := &u.Imports[i]
		if im.Name != "*" {
			continue
		}
		for _, v := range p.Rules.Import(p, unit, im) {
			if v.Kind != Module {
				return unknown // it may be in there
			}
			if v.Unit != unit && p.exports(v.Unit, name) {
				if s := p.moduleName(v.Unit, name, depth+1); s != nil {
					return s
				}
			}
		}
	}
	return nil
}

// exports says whether an import of everything takes a name.
func (p *Program) exports(unit int32, name string) bool {
	u := p.Units[unit]
	if u.Exported != nil {
		for _, e := range u.Exported {
			if e == name {
				return true
			}
		}
		return false
	}
	return name[0] != '_'
}

// moduleName is what a name stands for in a module once that has run, nil
// when it has none.
func (p *Program) moduleName(unit int32, name string, depth int) Set {
	if n, ok := p.lookup[unit][name]; ok {
		if list := p.scopes[unit][scopeKey(0, n)]; len(list) > 0 {
			if s, found := p.reaching(unit, list, 0, Late); found {
				return p.patched(Value{Module, unit, 0}, name, s)
			}
		}
	}
	return p.starred(unit, name, depth)
}

// patched adds what is assigned to a member from outside.
func (p *Program) patched(of Value, name string, s Set) Set {
	for _, a := range p.members[memberKey{of, name}] {
		if !a.method {
			s = union(s, p.Eval(a.unit, a.value))
		}
	}
	return s
}

// ModuleName is what a name stands for in a module once that has run, the
// empty set when it has none.
func (p *Program) ModuleName(unit int32, name string) Set { return p.moduleName(unit, name, 0) }

// imported is what an import binds; nothing while that is being found out, as
// when a module imports a part of its own package.
func (p *Program) imported(unit, i int32) Set {
	key := Value{Module, unit, i}
	if s, ok := p.imports[key]; ok {
		return s
	}
	p.imports[key] = nothing
	s := p.Rules.Import(p, unit, &p.Units[unit].Imports[i])
	p.imports[key] = s
	return s
}
