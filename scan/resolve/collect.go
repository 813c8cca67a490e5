package resolve

// collect finds what has to be known before anything can be evaluated for
// good: who is derived from whom, and what is assigned to members from
// elsewhere.
func (p *Program) collect() {
	p.derived = map[Value][]Value{}
	p.members = map[memberKey][]assigned{}
	p.wild = map[string]bool{}
	p.methods = map[string]bool{}
	p.receivers()
	p.inherit()
	p.assign()
	p.forget()
	// What was evaluated without them may be wrong.
	p.derived = map[Value][]Value{}
	p.inherit()
}

// receivers takes what methods assign to their receivers.
func (p *Program) receivers() {
	for i, u := range p.Units {
		for _, a := range u.Attrs {
			if a.Method < 0 {
				continue
			}
			if c := u.Defs[a.Method].Parent; c >= 0 {
				k := memberKey{Value{Class, int32(i), int32(c)}, u.Names[a.Name]}
				p.members[k] = append(p.members[k], assigned{int32(i), a.Value, true})
			}
		}
	}
}

// inherit takes the bases of all classes, and the names of methods that
// foreign code may reach.
func (p *Program) inherit() {
	for i, u := range p.Units {
		for j := range u.Defs {
			if u.Defs[j].Kind != "class" {
				continue
			}
			v := Value{Class, int32(i), int32(j)}
			for _, b := range u.Defs[j].Bases {
				if base := p.base(int32(i), b); base.Kind == Class {
					p.derived[base] = append(p.derived[base], v)
				}
			}
		}
	}
	for i, u := range p.Units {
		for j := range u.Defs {
			d := &u.Defs[j]
			if d.Kind != "class" && d.Parent >= 0 && u.Defs[d.Parent].Kind == "class" &&
				p.class(Value{Class, int32(i), int32(d.Parent)}).foreign != "" {
				p.methods[d.Name] = true
			}
		}
	}
}

// assign takes what is assigned to members of anything else.
func (p *Program) assign() {
	type found struct {
		k memberKey
		a assigned
	}
	var list []found
	for i, u := range p.Units {
		for _, a := range u.Attrs {
			if a.Method >= 0 {
				continue
			}
			name := u.Names[a.Name]
			for _, v := range p.Eval(int32(i), a.Base) {
				switch v.Kind {
				case Module:
					v.Index = 0
				case Class, Instance, Exact:
					v.Kind = Class
				default:
					p.wild[name] = true
					continue
				}
				list = append(list, found{memberKey{v, name}, assigned{int32(i), a.Value, false}})
			}
		}
	}
	for _, f := range list {
		p.members[f.k] = append(p.members[f.k], f.a)
	}
}
