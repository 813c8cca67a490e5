package resolve

import "slices"

// A class is what is known of a class by its bases.
type class struct {
	// line is the class and what it is derived from, in the order in which
	// members are looked for. Foreign and unknown classes stand in it as such.
	line []Value
	// metaclass says that a class of the line has one that may do anything.
	metaclass bool
	// foreign names a base of the line that is outside of the repository and
	// may call its members; "" for none.
	foreign string
	busy    bool
}

// class is what is known of a class.
func (p *Program) class(v Value) *class {
	v.Kind = Class
	if c := p.classes[v]; c != nil {
		return c
	}
	c := &class{line: []Value{v}, busy: true}
	p.classes[v] = c
	d := p.Def(v)
	var lines [][]Value
	var bases []Value
	for _, b := range d.Bases {
		base := p.base(v.Unit, b)
		if base.Kind == Class && !p.class(base).busy {
			above := p.class(base)
			lines = append(lines, slices.Clone(above.line))
			c.metaclass = c.metaclass || above.metaclass
			if c.foreign == "" {
				c.foreign = above.foreign
			}
		} else if base.Kind == Class {
			base = Value{} // a class that is derived from itself
		}
		if base.Kind == Foreign {
			if p.Rules.Plain(p.ForeignName(base)) {
				continue
			}
			if c.foreign == "" {
				c.foreign = p.ForeignName(base)
			}
			lines = append(lines, []Value{base})
		}
		if base.Kind == Unknown {
			lines = append(lines, []Value{base})
			if c.foreign == "" {
				c.foreign = "a base that is not known"
			}
		}
		bases = append(bases, base)
	}
	if d.Metaclass != None {
		m := p.Eval(v.Unit, d.Metaclass)
		if len(m) != 1 || m[0].Kind != Foreign || !p.Rules.Plain(p.ForeignName(m[0])) {
			c.metaclass = true
		}
	}
	c.line = append(c.line, linearize(append(lines, bases))...)
	c.busy = false
	return c
}

// base is the one thing that a base stands for.
func (p *Program) base(unit int32, b Base) Value {
	s := p.Eval(unit, b.Expr)
	if len(s) == 1 && (s[0].Kind == Class || s[0].Kind == Foreign) {
		return s[0]
	}
	return Value{}
}

// linearize merges by C3 (Barrett et al., A Monotonic Superclass Linearization
// for Dylan, 1996; Python uses it since 2.3). Where the language would refuse
// the classes, the first that is left over comes next.
func linearize(lines [][]Value) []Value {
	var out []Value
	for {
		lines = slices.DeleteFunc(lines, func(l []Value) bool { return len(l) == 0 })
		if len(lines) == 0 {
			return out
		}
		next := lines[0][0]
		for _, l := range lines {
			if !slices.ContainsFunc(lines, func(other []Value) bool { return slices.Contains(other[1:], l[0]) }) {
				next = l[0]
				break
			}
		}
		out = append(out, next)
		for i, l := range lines {
			lines[i] = slices.DeleteFunc(slices.Clone(l), func(v Value) bool { return v == next })
		}
	}
}

// A member is what was found under a name in a class or what it is derived from.
type member struct {
	values Set
	in     Value // the class that has it; Unknown when none was found
	// before is a class of unknown members that was passed before: Foreign,
	// or Unknown with Index -1. Its Kind is Class where there was none.
	before Value
	inBody bool // it is bound in a class's body, not only to its instances
}

func (m *member) found() bool { return m.in.Kind == Class }

// certain says whether nothing that is not known may come first.
func (m *member) certain() bool { return m.before.Kind == Class }

// find looks for a name in a line of classes.
func (p *Program) find(line []Value, name string) member {
	m := member{before: Value{Kind: Class}}
	for _, c := range line {
		if c.Kind != Class {
			if m.before.Kind != Unknown {
				m.before = c
			}
			continue
		}
		if s, inBody, ok := p.own(c, name); ok {
			m.values, m.in, m.inBody = s, c, inBody
			return m
		}
	}
	return m
}

// own is what a class itself has under a name, for its instances.
func (p *Program) own(c Value, name string) (s Set, inBody, ok bool) {
	s = nothing
	u := p.Units[c.Unit]
	d := &u.Defs[c.Index]
	if n, has := p.lookup[c.Unit][name]; has && d.Scope >= 0 {
		if list := p.scopes[c.Unit][scopeKey(d.Scope, n)]; len(list) > 0 {
			s, inBody = p.reaching(c.Unit, list, u.Scopes[d.Scope].Block, Late)
			ok = inBody
		}
	}
	for _, a := range p.members[memberKey{c, name}] {
		s, ok = union(s, p.Eval(a.unit, a.value)), true
	}
	return s, inBody, ok
}

// Member is what a member of any of some values may stand for.
func (p *Program) Member(base Set, name string) Set {
	out := nothing
	for _, v := range base {
		out = union(out, p.member(v, name))
	}
	if len(base) == 0 {
		return unknown // a member of what is no object is of something else
	}
	return out
}

// member is what a member of a value stands for.
func (p *Program) member(v Value, name string) Set {
	switch v.Kind {
	case Module:
		return p.moduleMember(v, name)
	case Package:
		if s := p.Rules.Submodule(p, v, name); len(s) > 0 {
			return s
		}
	case Foreign:
		return p.Foreign(Foreign, p.ForeignName(v)+"."+name)
	case ForeignInstance, ForeignExact:
		if p.foreignMember(v, name) {
			return p.Foreign(Foreign, p.ForeignName(v)+"."+name)
		}
	case Class, Instance, Exact, SuperOf:
		m := p.memberOf(v, name)
		if m.found() && m.certain() {
			return p.typed(v, name, m)
		}
		if !m.found() && m.before.Kind == Foreign && (v.Kind == Exact || v.Kind == Class || !p.overridden(v, name)) {
			return p.Foreign(Foreign, p.ForeignName(m.before)+"."+name)
		}
	}
	return unknown
}

func (p *Program) moduleMember(v Value, name string) Set {
	s := p.moduleName(v.Unit, name, 0)
	if len(s) > 0 {
		return s
	}
	if sub := p.Rules.Submodule(p, v, name); len(sub) > 0 {
		return sub
	}
	if patched := p.patched(Value{Module, v.Unit, 0}, name, nothing); len(patched) > 0 {
		return patched
	}
	return unknown
}

// foreignMember says whether a member of something foreign is foreign for
// sure: no class of the repository that is derived from what is foreign has a
// method of that name.
func (p *Program) foreignMember(v Value, name string) bool {
	return v.Kind == ForeignExact || !p.methods[name]
}

// memberOf finds a member of an object of the repository.
func (p *Program) memberOf(v Value, name string) member {
	if v.Kind == SuperOf {
		m := p.find(p.class(v).line[1:], name)
		m.values = p.asMember(m, Value{Instance, v.Unit, v.Index})
		return m
	}
	m := p.find(p.class(v).line, name)
	if m.found() {
		m.values = p.asMember(m, v)
	}
	return m
}

// asMember gives methods their receiver.
func (p *Program) asMember(m member, v Value) Set {
	out := nothing
	for _, f := range m.values {
		if f.Kind == Function && m.inBody && p.Def(f).Kind == "method" {
			if d := p.Def(f); d.Flags&Static == 0 && (v.Kind != Class || d.Flags&ClassWide != 0) {
				f.Kind = Method
			}
		}
		out = union(out, Set{f})
	}
	return out
}

// typed is what a member that was found stands for, when it is no method:
// what is assigned elsewhere, in a class that is derived, or by a metaclass
// may be anything.
func (p *Program) typed(v Value, name string, m member) Set {
	if len(m.values) == 0 {
		return unknown
	}
	out := nothing
	for _, f := range m.values {
		switch f.Kind {
		case Method, Function, Wrapped, Class:
			if f.Kind != Class && f.Kind != Wrapped && p.Def(f).Flags&Property != 0 {
				if v.Kind == Class || v.Kind != Exact && p.Def(f).Result == None && p.overridden(v, name) {
					f = Value{}
				} else {
					out = union(out, p.result(f))
					continue
				}
			}
		default:
			if p.wild[name] || p.overridden(v, name) && v.Kind != Exact || m.inBody && p.transformed(v) {
				f = Value{}
			}
		}
		out = union(out, Set{f})
	}
	return out
}

// transformed says whether what a class's body binds need not be what its
// instances have.
func (p *Program) transformed(v Value) bool {
	c := p.class(v)
	return c.metaclass || c.foreign != ""
}

// overridden says whether a class that is derived from that of v has a member
// of its own under a name.
func (p *Program) overridden(v Value, name string) bool {
	found := false
	p.below(v, func(c Value) bool {
		_, _, found = p.own(c, name)
		return !found
	})
	return found
}

// below calls f with each class that is derived from that of v, until f
// returns false.
func (p *Program) below(v Value, f func(Value) bool) {
	v.Kind = Class
	seen := map[Value]bool{v: true}
	queue := []Value{v}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, c := range p.derived[next] {
			if seen[c] {
				continue
			}
			seen[c] = true
			if !f(c) {
				return
			}
			queue = append(queue, c)
		}
	}
}

// ForeignBase names what a class is derived from that is outside of the
// repository and may call its methods; "" for none.
func (p *Program) ForeignBase(v Value) string { return p.class(v).foreign }

// Overrides says whether what a class is derived from, in the repository, has
// a member of a name too.
func (p *Program) Overrides(v Value, name string) bool {
	for _, c := range p.class(v).line[1:] {
		if c.Kind == Class {
			if _, _, ok := p.own(c, name); ok {
				return true
			}
		}
	}
	return false
}
