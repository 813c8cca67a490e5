package resolve

import (
	"slices"

	"brick/scan/facts"
)

// maxDispatch is how many definitions a dynamic dispatch may reach that are
// told one by one.
const maxDispatch = 64

// A call collects what a call site may reach.
type call struct {
	p         *Program
	sure      []Value // definitions that the language binds
	maybe     []Value // those that a dispatch may reach instead
	foreign   []string
	uncertain facts.Reason // why there may be others
}

// Call resolves a call site of a unit.
func (p *Program) call(unit int32, s *Site) *call {
	c := &call{p: p}
	if s.Callee < 0 {
		c.uncertain = facts.Dynamic
		return c
	}
	e := &p.Units[unit].Exprs[s.Callee]
	if e.Kind != ExprMember {
		c.values(p.Eval(unit, s.Callee), facts.Dynamic)
		return c
	}
	name := p.Units[unit].Names[e.Name]
	base := p.Eval(unit, e.A)
	if len(base) == 0 {
		c.uncertain = facts.UnknownReceiver
	}
	for _, v := range base {
		c.member(v, name)
	}
	return c
}

// member adds the call of a member of a value.
func (c *call) member(v Value, name string) {
	switch v.Kind {
	case Class, Instance, Exact, SuperOf:
		c.object(v, name)
	case Unknown, Wrapped, Function, Method, ForeignInstance, Package:
		c.values(c.p.member(v, name), facts.UnknownReceiver)
	default:
		c.values(c.p.member(v, name), facts.Dynamic)
	}
}

// object adds the call of a member of an object of the repository.
func (c *call) object(v Value, name string) {
	p := c.p
	m := p.memberOf(v, name)
	switch {
	case m.found() && m.certain():
		set := m.values
		if slices.ContainsFunc(set, func(f Value) bool { return !isCallable(f) || p.isProperty(f) }) {
			set = p.typed(v, name, m)
		}
		c.values(set, facts.Dynamic)
	case m.found():
		for _, f := range m.values {
			if isCallable(f) && !p.isProperty(f) {
				c.maybe = append(c.maybe, f)
			}
		}
		c.uncertain = facts.UnknownReceiver
	case m.before.Kind == Foreign && (v.Kind == Exact || !p.overridden(v, name)):
		c.foreign = append(c.foreign, p.ForeignName(m.before)+"."+name)
	default:
		c.uncertain = facts.UnknownReceiver
	}
	if v.Kind == Exact {
		return
	}
	before := len(c.maybe)
	if v.Kind == SuperOf {
		c.cooperative(v, name, m)
	} else {
		p.below(v, func(d Value) bool {
			own, _, _ := p.own(d, name)
			for _, f := range own {
				if isCallable(f) && !p.isProperty(f) {
					c.maybe = append(c.maybe, f)
				}
			}
			return len(c.maybe) <= before+maxDispatch
		})
	}
	if len(c.maybe) > before+maxDispatch {
		c.maybe = c.maybe[:before]
	}
}

// cooperative adds what comes after a class in the lines of those that are
// derived from it.
func (c *call) cooperative(v Value, name string, m member) {
	class := Value{Class, v.Unit, v.Index}
	c.p.below(v, func(d Value) bool {
		line := c.p.class(d).line
		i := slices.Index(line, class)
		if i < 0 {
			return true
		}
		other := c.p.find(line[i+1:], name)
		if other.found() && other.in != m.in {
			for _, f := range other.values {
				if isCallable(f) && !c.p.isProperty(f) {
					c.maybe = append(c.maybe, f)
				}
			}
		}
		return len(c.maybe) <= maxDispatch
	})
}

func isCallable(v Value) bool {
	return v.Kind == Function || v.Kind == Method || v.Kind == Wrapped || v.Kind == Class
}

// isProperty says whether a value is a function that is called by naming it.
func (p *Program) isProperty(v Value) bool {
	return (v.Kind == Function || v.Kind == Method) && p.Def(v).Flags&Property != 0
}

// values adds the call of each value of a set.
func (c *call) values(s Set, why facts.Reason) {
	if len(s) == 0 {
		c.uncertain = why
	}
	for _, v := range s {
		switch v.Kind {
		case Function, Method:
			c.sure = append(c.sure, v)
		case Wrapped:
			c.maybe = append(c.maybe, v)
		case Class:
			c.construct(v)
		case Foreign:
			c.foreign = append(c.foreign, c.p.ForeignName(v))
		case Instance, Exact:
			c.object(v, "__call__")
		default:
			c.uncertain = why
		}
	}
}

// construct adds the call of a class.
func (c *call) construct(v Value) {
	p := c.p
	if p.Def(v).Flags&Record != 0 {
		if _, _, ok := p.own(v, "__init__"); !ok {
			c.sure = append(c.sure, v)
			return
		}
	}
	any := false
	for _, name := range []string{"__new__", "__init__"} {
		m := p.find(p.class(v).line, name)
		for _, f := range m.values {
			if m.certain() && (f.Kind == Function || f.Kind == Method) {
				c.sure = append(c.sure, f)
				any = true
			} else if isCallable(f) {
				c.maybe = append(c.maybe, f)
			}
		}
	}
	if !any {
		c.sure = append(c.sure, v)
	}
}

// result is the call site's targets, or why there are none.
func (c *call) result(b *binder) (targets []facts.Target, why facts.Reason) {
	if c.uncertain != "" {
		c.sure, c.foreign = nil, nil
		if len(c.maybe) == 0 {
			return nil, c.uncertain
		}
	}
	seen := map[string]bool{}
	add := func(t facts.Target) {
		if !seen[t.ID] {
			seen[t.ID] = true
			targets = append(targets, t)
		}
	}
	for _, v := range c.sure {
		add(facts.Target{ID: b.id(v), Lane: "symbolic"})
	}
	for _, name := range c.foreign {
		add(facts.NewExternal(b.language, name))
	}
	for _, v := range c.maybe {
		add(facts.Target{ID: b.id(v), Lane: "heuristic"})
	}
	if len(targets) == 0 {
		return nil, facts.Dynamic
	}
	return targets, ""
}
