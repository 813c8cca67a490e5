package resolve

import (
	"context"
	"fmt"

	"brick/scan/facts"
)

// Describe is asked by Emit for what only the language knows.
type Describe interface {
	// Module is the module that a unit is.
	Module(unit int32) facts.Module
	// Test says whether a file is one of tests.
	Test(path string) bool
	// Attributes sets what is to be known of a function: the reasons for
	// which it may be called though no call is seen.
	Attributes(p *Program, unit, def int32, attributes map[string]any)
}

// binder makes facts of units.
type binder struct {
	*Program
	language string
	describe Describe
	ids      [][]string // by unit and definition
	// functions are the names of functions of the repository.
	functions map[string]bool
}

func (b *binder) id(v Value) string { return b.ids[v.Unit][v.Index] }

// Emit gives the facts of each unit, in their order. A unit on which it fails
// is skipped.
func (p *Program) Emit(ctx context.Context, language string, d Describe, emit func(*facts.File) error, skip func(path, reason string)) error {
	b := &binder{p, language, d, make([][]string, len(p.Units)), map[string]bool{}}
	for i, u := range p.Units {
		b.ids[i] = make([]string, len(u.Defs))
		ids := facts.NewIDs(language, u.Path)
		for j := range u.Defs {
			b.ids[i][j] = ids.Next(within(u, int32(j)))
			if u.Defs[j].IsFunction() {
				b.functions[u.Defs[j].Name] = true
			}
		}
	}
	for i, u := range p.Units {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := b.safely(int32(i))
		if err != nil {
			skip(u.Path, err.Error())
			continue
		}
		if err := emit(f); err != nil {
			return err
		}
	}
	return nil
}

// safely makes the facts of a unit; a fault of the program loses that one only.
func (b *binder) safely(unit int32) (f *facts.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("binding its names failed: %v", r)
			b.depth = 0
		}
	}()
	return b.file(unit), nil
}

// within is the name of a definition within its file.
func within(u *Unit, def int32) string {
	d := &u.Defs[def]
	if d.Parent < 0 {
		return d.Name
	}
	return within(u, int32(d.Parent)) + "." + d.Name
}

func (b *binder) file(unit int32) *facts.File {
	u := b.Units[unit]
	f := &facts.File{Path: u.Path, Language: b.language, Lines: u.Lines, Module: b.describe.Module(unit), Test: b.describe.Test(u.Path)}
	if u.Faults > 0 {
		f.Incomplete = fmt.Sprintf("%d syntax errors", u.Faults)
		if u.Faults == 1 {
			f.Incomplete = "1 syntax error"
		}
	}
	b.definitions(unit, f)
	b.imports(unit, f)
	for i := range u.Sites {
		s := &u.Sites[i]
		out := facts.Site{At: s.At, From: int(s.From), Name: s.Name}
		out.Targets, out.Reason = b.call(unit, s).result(b)
		f.Sites = append(f.Sites, out)
		if s.Callee >= 0 && u.Exprs[s.Callee].Kind == ExprMember {
			b.properties(unit, s.At, s.From, s.Callee, f)
		}
	}
	for i := range u.Uses {
		b.use(unit, &u.Uses[i], f)
	}
	return f
}

func (b *binder) definitions(unit int32, f *facts.File) {
	u := b.Units[unit]
	for i := range u.Defs {
		d := &u.Defs[i]
		out := d.Definition
		out.ID = b.ids[unit][i]
		out.Qualified = within(u, int32(i))
		if f.Module.Name != "" {
			out.Qualified = f.Module.Name + "." + out.Qualified
		}
		out.Attributes = map[string]any{}
		if out.IsFunction() {
			out.Attributes["metrics.lines"] = out.Span.End.Line - out.Span.Start.Line + 1
			out.Attributes["metrics.cyclomatic"] = d.Cyclomatic
			out.Attributes["metrics.parameters"] = d.Parameters
			out.Attributes["metrics.nesting"] = d.Nesting
		}
		b.describe.Attributes(b.Program, unit, int32(i), out.Attributes)
		f.Definitions = append(f.Definitions, out)
		for _, base := range d.Bases {
			if t, ok := b.target(b.base(unit, base)); ok {
				f.Inherits = append(f.Inherits, facts.Inherit{At: base.At, From: i, Target: t})
			}
		}
	}
}

// target is a class or something foreign as a target.
func (b *binder) target(v Value) (facts.Target, bool) {
	switch v.Kind {
	case Class, Function, Method, Wrapped:
		return facts.Target{ID: b.id(v), Lane: "symbolic"}, true
	case Foreign:
		return facts.NewExternal(b.language, b.ForeignName(v)), true
	case Module:
		return facts.Target{ID: b.describe.Module(v.Unit).ID, Lane: "symbolic"}, true
	}
	return facts.Target{}, false
}

// imports gives the modules that a unit imports, and those of which it
// imports something.
func (b *binder) imports(unit int32, f *facts.File) {
	for i := range b.Units[unit].Imports {
		im := b.Units[unit].Imports[i]
		var of Set
		if im.Name != "" && im.Name != "*" {
			for _, v := range b.Rules.Import(b.Program, unit, &im) {
				if v.Kind == Module {
					of = append(of, v)
				}
			}
		}
		if len(of) == 0 {
			im.Name, im.Alias = "", true
			of = b.Rules.Import(b.Program, unit, &im)
		}
		for _, v := range of {
			if v.Kind == Module && v.Unit == unit {
				continue
			}
			if t, ok := b.target(v); ok && (v.Kind == Module || v.Kind == Foreign) {
				f.Imports = append(f.Imports, facts.Import{At: im.At, Target: t})
			}
		}
	}
}

// use gives the functions that are named in a place.
func (b *binder) use(unit int32, s *Use, f *facts.File) {
	u := b.Units[unit]
	if s.Name != "" {
		if b.functions[s.Name] {
			f.References = append(f.References, facts.Reference{At: s.At, From: int(s.From), Name: s.Name})
		}
		return
	}
	e := &u.Exprs[s.Expr]
	name := u.Names[e.Name]
	if e.Kind == ExprMember {
		b.properties(unit, s.At, s.From, s.Expr, f)
	}
	set := b.Eval(unit, s.Expr)
	known := len(set) > 0 && set.Certain()
	for _, v := range set {
		switch v.Kind {
		case Function, Method, Wrapped:
			if b.Def(v).IsFunction() {
				f.References = append(f.References, facts.Reference{At: s.At, From: int(s.From), Target: facts.Target{ID: b.id(v), Lane: "symbolic"}})
			}
		}
	}
	if !known && b.functions[name] && e.Kind == ExprMember {
		f.References = append(f.References, facts.Reference{At: s.At, From: int(s.From), Name: name})
	}
}

// properties gives the functions that run when a member is named.
func (b *binder) properties(unit int32, at facts.Place, from int32, e ID, f *facts.File) {
	u := b.Units[unit]
	name := u.Names[u.Exprs[e].Name]
	if !b.functions[name] {
		return
	}
	for _, v := range b.Eval(unit, u.Exprs[e].A) {
		switch v.Kind {
		case Instance, Exact, SuperOf:
		default:
			continue
		}
		m := b.memberOf(v, name)
		for _, g := range m.values {
			if b.isProperty(g) {
				f.References = append(f.References, facts.Reference{At: at, From: int(from), Target: facts.Target{ID: b.id(g), Lane: "symbolic"}})
			}
		}
	}
}
