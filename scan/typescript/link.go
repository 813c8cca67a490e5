package typescript

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"brick/model"
	"brick/scan/facts"
)

// maxDispatch is how many implementations a call may reach for them to be
// said.
const maxDispatch = 64

// A linker adds to the records what depends on the whole repository.
type linker struct {
	*engine
	defined map[string]bool            // names of anything
	reach   map[string]map[string]bool // by name: the members through which something is got at
	impls   map[string][]string        // by the ID of a member: those that stand for it
	based   map[string]bool            // definitions that stand for a member of another type
	outside map[string]bool            // definitions that something outside may call
	escaped map[string]bool            // objects that are used as a whole
}

// link emits the facts of all files.
func (e *engine) link() error {
	l := &linker{e, map[string]bool{}, map[string]map[string]bool{}, map[string][]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	paths := slices.Sorted(maps.Keys(e.records))
	for _, p := range paths {
		l.collect(e.byPath[p], e.records[p])
	}
	for id := range l.impls {
		slices.Sort(l.impls[id])
		l.impls[id] = slices.Compact(l.impls[id])
	}
	for _, f := range e.job.Files {
		if reason, ok := e.failed[f.Path]; ok {
			e.job.Skip(f.Path, reason)
			continue
		}
		if e.records[f.Path] == nil {
			e.job.Skip(f.Path, "no program has it")
			continue
		}
		if err := e.job.Emit(l.file(e.byPath[f.Path], e.records[f.Path])); err != nil {
			return err
		}
	}
	return nil
}

func (l *linker) collect(o *outline, r *record) {
	for i := range o.defs {
		l.defined[o.defs[i].Name] = true
	}
	for _, m := range r.Accessed {
		if l.reach[m.Name] == nil {
			l.reach[m.Name] = map[string]bool{}
		}
		l.reach[m.Name][m.ID] = true
	}
	for _, v := range r.Overrides {
		id := o.defs[v.Impl].ID
		l.impls[v.Base] = append(l.impls[v.Base], id)
		l.based[id] = true
	}
	for _, i := range r.Outside {
		l.outside[o.defs[i].ID] = true
	}
	for _, s := range r.Escapes {
		l.escaped[s] = true
	}
}

// file is what is known of a file in the end.
func (l *linker) file(o *outline, r *record) *facts.File {
	f := &facts.File{
		Path: o.path, Language: languageOf(o.path), Lines: o.lines(), Test: isTest(o.path), Bound: r.Errors == 0,
		Definitions: slices.Clone(o.defs), Imports: r.Imports, Inherits: r.Inherits,
		Sites: slices.Clone(r.Sites),
	}
	if r.Errors > 0 {
		f.Incomplete = plural(r.Errors, "syntax error")
	}
	for i := range f.Definitions {
		l.definition(o, &f.Definitions[i])
	}
	for _, v := range r.Foreign {
		l.foreign(f, v)
	}
	for i := range f.Sites {
		f.Sites[i].Targets = l.dispatch(f.Sites[i].Targets)
	}
	for _, ref := range r.References {
		if ref.Name == "" || l.names[ref.Name] {
			f.References = append(f.References, ref)
		}
	}
	return f
}

// definition adds the attributes that other files give.
func (l *linker) definition(o *outline, d *facts.Definition) {
	if !d.IsFunction() {
		return
	}
	d.Attributes = maps.Clone(d.Attributes)
	if l.based[d.ID] {
		d.Attributes[model.TraitImpl] = true
	}
	if l.outside[d.ID] {
		d.Attributes[model.ExternalBase] = true
	}
	if len(l.impls[d.ID]) > 0 || d.Kind == "method" && d.Name != "constructor" && l.reachedOtherwise(d) || l.escapes(o, d) {
		d.Attributes[model.Virtual] = true
	}
}

// reachedOtherwise says whether something of the method's name is got at by a
// member of another type. Types are structural: a value of the method's may
// be of that one too.
func (l *linker) reachedOtherwise(d *facts.Definition) bool {
	ids := l.reach[d.Name]
	return len(ids) > 1 || len(ids) == 1 && !ids[d.ID]
}

// escapes says whether a function is a member of an object that is used as a
// whole.
func (l *linker) escapes(o *outline, d *facts.Definition) bool {
	for q := d.Qualified; ; {
		i := strings.LastIndexByte(q, '.')
		if i < 0 {
			return false
		}
		q = q[:i]
		if l.escaped[o.path+"#"+q] {
			return true
		}
	}
}

// foreign settles a site whose callee comes from outside of the repository, if
// nothing in it has the name.
func (l *linker) foreign(f *facts.File, v foreignSite) {
	s := &f.Sites[v.Site]
	switch {
	case v.Root != "" && l.defined[v.Root] || l.defined[s.Name]:
	case v.External != "":
		s.Targets, s.Reason = []facts.Target{facts.NewExternal(f.Language, v.External)}, ""
	default:
		s.Reason = facts.ForeignReceiver
	}
}

// dispatch adds the implementations of what a site calls.
func (l *linker) dispatch(targets []facts.Target) []facts.Target {
	seen := map[string]bool{}
	for _, t := range targets {
		seen[t.ID] = true
	}
	var more []string
	for _, t := range targets {
		more = l.implementations(t.ID, seen, more)
	}
	if len(more) == 0 || len(more) > maxDispatch {
		return targets
	}
	slices.Sort(more)
	targets = slices.Clone(targets)
	for _, id := range more {
		targets = append(targets, facts.Target{ID: id, Lane: heuristic})
	}
	return targets
}

// implementations adds all that stand for a member, and for those.
func (l *linker) implementations(id string, seen map[string]bool, into []string) []string {
	for _, next := range l.impls[id] {
		if !seen[next] && len(into) <= maxDispatch {
			seen[next] = true
			into = l.implementations(next, seen, append(into, next))
		}
	}
	return into
}

// isTest says whether a file is a test's, as the usual runners find them.
func isTest(name string) bool {
	base := path.Base(name)
	for _, part := range strings.Split(base, ".")[1:] {
		if part == "test" || part == "spec" || part == "tests" {
			return true
		}
	}
	for _, folder := range strings.Split(path.Dir(name), "/") {
		switch folder {
		case "__tests__", "__test__", "test", "tests", "spec", "__mocks__":
			return true
		}
	}
	return false
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
