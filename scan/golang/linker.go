package golang

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"brick/scan/facts"
)

// maxTargets is how many implementations a call through an interface leads to
// at most. Of more, none is named.
const maxTargets = 64

// maxNamed is how many interfaces a method is said to implement at most.
const maxNamed = 8

// A linker puts ids in place of keys, and says which methods may be called
// through interfaces, by what is known of all units.
type linker struct {
	ids      map[string][]string // of the definitions of a key
	types    []concrete
	data     []bool                     // of each type: it is in the data of tests, which nothing else is built with
	byMethod map[string][]int           // indices in types, by the name of a method
	reached  map[string][]int           // types that fulfil a contract, by its methods
	implied  map[string]map[string]bool // interfaces that call a method, by its key
	inherits map[string][]facts.Target  // interfaces that a type implements, by the type's id
	missing  string                     // packages that are not there, "" for none
}

// newLinker links units with each other and with interfaces outside.
func newLinker(units []*unit, outside []contract) *linker {
	l := &linker{
		ids: map[string][]string{}, byMethod: map[string][]int{}, reached: map[string][]int{},
		implied: map[string]map[string]bool{}, inherits: map[string][]facts.Target{},
	}
	missing := map[string]bool{}
	for _, u := range units {
		for _, d := range u.result.Links.Functions {
			l.ids[d.Key] = append(l.ids[d.Key], d.ID)
		}
		for _, p := range u.result.Links.Missing {
			missing[p] = true
		}
	}
	for key, ids := range l.ids {
		slices.Sort(ids)
		l.ids[key] = slices.Compact(ids)
	}
	l.missing = list(missing)
	for _, u := range units {
		for _, t := range u.result.Links.Types {
			for _, m := range t.Methods {
				if of := l.byMethod[m.Name]; len(of) == 0 || of[len(of)-1] != len(l.types) {
					l.byMethod[m.Name] = append(of, len(l.types))
				}
			}
			l.types = append(l.types, t)
			l.data = append(l.data, inTestdata(u.dir))
		}
	}
	for _, u := range units {
		for _, c := range u.result.Links.Contracts {
			l.fulfil(c, inTestdata(u.dir))
		}
	}
	for _, c := range outside {
		l.fulfil(c, false)
		l.fulfil(c, true)
	}
	for id := range l.inherits {
		slices.SortFunc(l.inherits[id], func(a, b facts.Target) int { return cmp.Compare(a.ID, b.ID) })
		l.inherits[id] = slices.Compact(l.inherits[id])
	}
	return l
}

// list names some of a set.
func list(set map[string]bool) string {
	names := slices.Sorted(maps.Keys(set))
	if len(names) > maxNamed {
		return strings.Join(names[:maxNamed], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// fulfil finds the types that implement an interface; data says that it is in
// the data of tests.
func (l *linker) fulfil(c contract, data bool) {
	name := cmp.Or(c.Name, "an interface without a name")
	for _, i := range l.fulfilling(c, data) {
		t := &l.types[i]
		for _, m := range t.Methods {
			if m.Key == "" || !slices.ContainsFunc(c.Methods, m.matches) {
				continue
			}
			if l.implied[m.Key] == nil {
				l.implied[m.Key] = map[string]bool{}
			}
			l.implied[m.Key][name] = true
		}
		if c.Name == "" || c.Name != "" && c.Key == "" && inCheckout(c.Name) {
			continue
		}
		for _, id := range l.resolve(t.IDs) {
			for _, target := range l.interfaceTargets(c) {
				if target.ID != id {
					l.inherits[id] = append(l.inherits[id], target)
				}
			}
		}
	}
}

// interfaceTargets are the definitions of an interface.
func (l *linker) interfaceTargets(c contract) []facts.Target {
	if c.Key == "" {
		return nil
	}
	var list []facts.Target
	for _, id := range l.ids[c.Key] {
		list = append(list, facts.Target{ID: id, Lane: symbolic})
	}
	return list
}

// fulfilling are the types that have all methods of a contract; one that
// embeds something unknown may have those that it seems to lack.
func (l *linker) fulfilling(c contract, data bool) []int {
	var b strings.Builder
	fmt.Fprint(&b, data, "\x00")
	for _, m := range c.Methods {
		b.WriteString(m.Name + "\x00" + m.Counts + "\x00" + m.Types + "\x00")
	}
	key := b.String()
	if found, ok := l.reached[key]; ok {
		return found
	}
	candidates := map[int]bool{}
	rarest := l.byMethod[c.Methods[0].Name]
	for _, m := range c.Methods {
		if of := l.byMethod[m.Name]; len(of) < len(rarest) {
			rarest = of
		}
		for _, i := range l.byMethod[m.Name] {
			if l.types[i].Open {
				candidates[i] = true
			}
		}
	}
	for _, i := range rarest {
		candidates[i] = true
	}
	var found []int
	for _, i := range slices.Sorted(maps.Keys(candidates)) {
		if l.data[i] == data && fulfils(&l.types[i], c) {
			found = append(found, i)
		}
	}
	l.reached[key] = found
	return found
}

func fulfils(t *concrete, c contract) bool {
	has := 0
	for _, m := range c.Methods {
		i := slices.IndexFunc(t.Methods, func(own implementation) bool { return own.Name == m.Name })
		switch {
		case i < 0 && !t.Open:
			return false
		case i < 0:
		case !t.Methods[i].matches(m):
			return false
		default:
			has++
		}
	}
	return has > 0
}

// resolve gives ids as they are, and those of keys.
func (l *linker) resolve(list []string) []string {
	var ids []string
	for _, id := range list {
		if key, ok := strings.CutPrefix(id, keyMark); ok {
			ids = append(ids, l.ids[key]...)
		} else {
			ids = append(ids, id)
		}
	}
	return ids
}

// link completes what is known of a file of a unit.
func (l *linker) link(u *unit, r *record) *facts.File {
	f := &r.File
	for i := range f.Definitions {
		l.definition(f, i, &r.Attributes[i])
	}
	dispatch := map[int]int{}
	for _, d := range r.Dispatch {
		dispatch[d.Site] = d.Contract
	}
	for i := range f.Sites {
		s := &f.Sites[i]
		s.Targets = l.targets(s.Targets)
		if c, ok := dispatch[i]; ok {
			s.Targets = append(s.Targets, l.implementations(u.result.Links.Contracts[c], inTestdata(u.dir), s)...)
		}
		if len(s.Targets) > 0 {
			s.Reason = ""
		}
	}
	var references []facts.Reference
	for _, ref := range f.References {
		if ref.Name != "" {
			references = append(references, ref)
			continue
		}
		for _, t := range l.targets([]facts.Target{ref.Target}) {
			ref.Target = t
			references = append(references, ref)
		}
	}
	f.References = references
	for i := range f.Inherits {
		if list := l.targets([]facts.Target{f.Inherits[i].Target}); len(list) > 0 {
			f.Inherits[i].Target = list[0]
		}
	}
	f.Inherits = slices.DeleteFunc(f.Inherits, func(h facts.Inherit) bool { return strings.HasPrefix(h.Target.ID, keyMark) })
	l.implementing(f)
	return f
}

// targets replaces keys by the definitions that they have.
func (l *linker) targets(list []facts.Target) []facts.Target {
	var found []facts.Target
	for _, t := range list {
		key, ok := strings.CutPrefix(t.ID, keyMark)
		if !ok {
			found = append(found, t)
			continue
		}
		for _, id := range l.ids[key] {
			found = append(found, facts.Target{ID: id, Lane: t.Lane})
		}
	}
	return found
}

// implementations are what a call of an interface's method may reach.
func (l *linker) implementations(c contract, data bool, s *facts.Site) []facts.Target {
	ids := map[string]bool{}
	for _, i := range l.fulfilling(c, data) {
		for _, m := range l.types[i].Methods {
			if m.Key != "" && m.Name[strings.LastIndexByte(m.Name, '.')+1:] == s.Name {
				for _, id := range l.ids[m.Key] {
					ids[id] = true
				}
			}
		}
	}
	for _, t := range s.Targets {
		delete(ids, t.ID)
	}
	if len(ids) > maxTargets {
		return nil
	}
	var found []facts.Target
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		found = append(found, facts.Target{ID: id, Lane: heuristic})
	}
	return found
}

// definition sets a definition's attributes and owner.
func (l *linker) definition(f *facts.File, i int, a *attributes) {
	d := &f.Definitions[i]
	d.Attributes = a.asMap()
	key, ok := strings.CutPrefix(d.Owner, keyMark)
	if !ok {
		return
	}
	d.Owner = ""
	if ids := l.ids[key]; len(ids) > 0 {
		d.Owner = ids[0]
		for _, id := range ids {
			if strings.HasPrefix(id, facts.NewID("go", f.Path, "")) {
				d.Owner = id
			}
		}
	}
	method := key + "." + d.Name
	if by := l.implied[method]; len(by) > 0 {
		names := slices.Sorted(maps.Keys(by))
		d.Attributes = with(d.Attributes, "source.trait-impl", names[:min(len(names), maxNamed)])
	}
	if a.Method && l.missing != "" {
		d.Attributes = with(d.Attributes, "source.external-base", "packages that are not on this machine may call it through their interfaces: "+l.missing)
	}
}

func with(m map[string]any, name string, value any) map[string]any {
	if m == nil {
		m = map[string]any{}
	}
	m[name] = value
	return m
}

// implementing adds the interfaces that the file's types implement.
func (l *linker) implementing(f *facts.File) {
	embedded := map[int]map[string]bool{}
	for _, h := range f.Inherits {
		if embedded[h.From] == nil {
			embedded[h.From] = map[string]bool{}
		}
		embedded[h.From][h.Target.ID] = true
	}
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if d.Kind == "function" || d.Kind == "method" || d.Kind == "field" {
			continue
		}
		for _, t := range l.inherits[d.ID] {
			if !embedded[i][t.ID] {
				f.Inherits = append(f.Inherits, facts.Inherit{At: d.NameAt, From: i, Target: t})
			}
		}
	}
}
