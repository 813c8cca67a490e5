package scan

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"brick/internal/lex"
	"brick/mention"
	"brick/model"
	"brick/project"
	"brick/scan/facts"
)

// A function is called unreferenced only when its name stands nowhere else in
// the text of the repository. So every text is read once more, for the names
// of the functions that nothing calls; what is found becomes name references
// from the file to them.

// uncalled are the functions that nothing is known to call, by name.
type uncalled struct {
	names *mention.Names
	parts *mention.Parts
	by    map[string][]callee
}

// callee is such a function.
type callee struct{ id, language string }

// uncalled finds them; the facts of all files must be there.
func (s *Scan) uncalled() (*uncalled, error) {
	u := &uncalled{by: map[string][]callee{}}
	if err := s.callKnown(); err != nil {
		return nil, err
	}
	for name, list := range s.functions {
		list = slices.DeleteFunc(list, func(c callee) bool { return s.called.has(c.id) })
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b callee) int { return cmp.Compare(a.id, b.id) })
		u.by[name] = list
	}
	names := slices.Sorted(maps.Keys(u.by))
	u.names, u.parts = mention.NewNames(names), mention.NewParts(names)
	return u, nil
}

// callKnown adds to what is called what other tools say.
func (s *Scan) callKnown() error {
	if len(s.known.bindings) == 0 {
		return nil
	}
	return s.spill.each(s.options.Workers, func(*keptFacts) error { return nil }, func(k *keptFacts) error {
		for i := range k.file.Sites {
			for _, t := range s.known.targets(k.file.Path, k.file.Language, k.file.Sites[i].At) {
				s.called.add(t.ID)
			}
		}
		return nil
	})
}

// hit is a place where a name stands.
type hit struct {
	name  string
	class mention.Class
	at    facts.Place
	owner string // id of the function of that name in whose own text it is; "" for none
}

// mentionsIn finds the names in a file with facts.
func (s *Scan) mentionsIn(ctx context.Context, f *facts.File, u *uncalled) (hits []hit, err error) {
	own := newOwnTexts(f)
	known := namesAt(f)
	visit := func(_ string, list []mention.Mention) error {
		for _, m := range list {
			h := hit{u.names.Name(m.ID), m.Class, facts.Place{Line: m.Line, Column: m.Column}, ""}
			if !known[h.at] {
				h.owner = own.at(h.at, h.name)
				hits = append(hits, h)
			}
		}
		return nil
	}
	var computed []hit
	open := func(_ string, text []byte) mention.Reader {
		classes := lex.Classify(text, lex.Of(f.Language))
		computed = u.computed(text, classes)
		return reader(text, classes, f.Bound && f.Incomplete == "")
	}
	_, err = mention.Search(ctx, s.tree, []project.File{{Path: f.Path}}, u.names, open, visit)
	for _, h := range computed {
		h.owner = own.at(h.at, h.name)
		hits = append(hits, h)
	}
	return hits, err
}

// computed finds the strings of a source that may be parts of names.
func (u *uncalled) computed(text []byte, classes []lex.Class) (hits []hit) {
	line, start := 1, 0
	u.parts.Each(text, classes, func(offset int, name string) {
		for {
			end := bytes.IndexByte(text[start:max(start, offset)], '\n')
			if end < 0 {
				break
			}
			line++
			start += end + 1
		}
		hits = append(hits, hit{name, mention.String, facts.Place{Line: line, Column: offset - start + 1}, ""})
	})
	return hits
}

// namesAt are the places of names that the facts speak of: definitions of
// functions, and what is not bound, which has edges already.
func namesAt(f *facts.File) map[facts.Place]bool {
	places := map[facts.Place]bool{}
	for i := range f.Definitions {
		if f.Definitions[i].IsFunction() {
			places[f.Definitions[i].NameAt] = true
		}
	}
	for i := range f.Sites {
		if len(f.Sites[i].Targets) == 0 {
			places[f.Sites[i].At] = true
		}
	}
	for _, r := range f.References {
		if r.Name != "" {
			places[r.At] = true
		}
	}
	return places
}

// reader says what a word in a source is a part of. Where the engine bound
// every name in the code, names in code and comments are no reason; strings
// are, and directives.
func reader(text []byte, classes []lex.Class, bound bool) mention.Reader {
	return func(offset, _ int) (mention.Class, bool) {
		switch classes[offset] {
		case lex.Comment:
			return mention.Document, !bound || isDirective(text, offset)
		case lex.Quoted:
			return mention.String, true
		case lex.Template:
			if lex.InSubstitution(text, classes, offset) {
				return mention.Code, !bound
			}
			return mention.String, true
		}
		return mention.Code, !bound
	}
}

// isDirective says whether a comment is one that a tool acts on.
func isDirective(text []byte, offset int) bool {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	line := bytes.TrimLeft(text[start:offset], " \t")
	return bytes.HasPrefix(line, []byte("//go:")) || bytes.HasPrefix(line, []byte("//export "))
}

// ownTexts finds the functions in whose text a place is: their definition and
// what documents it.
type ownTexts map[string][]ownText // by name, in the order of their starts

type ownText struct {
	span  facts.Span
	id    string
	outer int // index of the innermost one around it; -1 for none
}

func newOwnTexts(f *facts.File) ownTexts {
	o := ownTexts{}
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if !d.IsFunction() {
			continue
		}
		for _, span := range []facts.Span{d.Span, d.Doc} {
			if span != (facts.Span{}) {
				o[d.Name] = append(o[d.Name], ownText{span, d.ID, -1})
			}
		}
	}
	for _, list := range o {
		slices.SortStableFunc(list, func(a, b ownText) int {
			return cmp.Or(compare(a.span.Start, b.span.Start), compare(b.span.End, a.span.End))
		})
		outer := -1
		for i := range list {
			for outer >= 0 && compare(list[outer].span.End, list[i].span.Start) <= 0 {
				outer = list[outer].outer
			}
			list[i].outer = outer
			outer = i
		}
	}
	return o
}

// at is the id of the innermost function of a name in whose text a place is,
// "" for none.
func (o ownTexts) at(p facts.Place, name string) string {
	list := o[name]
	i, _ := slices.BinarySearchFunc(list, p, func(t ownText, p facts.Place) int {
		return cmp.Or(compare(t.span.Start, p), -1) // those that start here come before
	})
	for i--; i >= 0; i = list[i].outer {
		if compare(p, list[i].span.End) < 0 {
			return list[i].id
		}
	}
	return ""
}

func compare(a, b facts.Place) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// maxPlaces is how many mentions of a name in a file are written one by one.
// The next one then stands for all that follow, and says how many they are.
const maxPlaces = 20

// maxTwins is how many functions of a name may each have edges of their own
// for what stands in the text of another one. Of more, all count as mentioned.
const maxTwins = 4

// mentioned adds the edges of a file's mentions. What stands in a function's
// own text counts for its namesakes only.
func (f *fileModel) mentioned(hits []hit, u *uncalled) {
	counts := map[string]int{} // by target
	for _, h := range hits {
		list := u.by[h.name]
		if len(list) <= maxTwins && slices.ContainsFunc(list, func(c callee) bool { return c.id == h.owner }) {
			for _, c := range list {
				if c.id != h.owner {
					f.mention(c.id, h, counts)
				}
			}
			continue
		}
		var languages []string
		for _, c := range list {
			if !slices.Contains(languages, c.language) {
				languages = append(languages, c.language)
				f.mention(f.scan.outsiders.symbol(c.language, h.name), h, counts)
			}
		}
	}
}

// mention adds a mention to the edge from the file to what it may mean.
func (f *fileModel) mention(target string, h hit, counts map[string]int) {
	counts[target]++
	n, file := counts[target], facts.NewFile(f.Path)
	if n > maxPlaces+1 {
		list := f.edges.by[edgeKey{model.NameReference, file, target}].Evidence
		list[len(list)-1].Attributes[model.Mentions] = n - maxPlaces
		return
	}
	v := f.evidence(h.at, model.Heuristic)
	v.Backend = generator
	v.Attributes = map[string]any{model.Mention: string(h.class)}
	f.edges.add(model.NameReference, file, target, v)
}

// mentionsElsewhere finds the names in files without facts, by path.
func (s *Scan) mentionsElsewhere(ctx context.Context, files []project.File, u *uncalled) (map[string][]hit, error) {
	hits := map[string][]hit{}
	open := func(path string, text []byte) mention.Reader {
		language := project.LanguageOf(path)
		if language == "" {
			return nil
		}
		classes := lex.Classify(text, lex.Of(language))
		if computed := u.computed(text, classes); len(computed) > 0 {
			hits[path] = computed
		}
		return reader(text, classes, false)
	}
	unread, err := mention.Search(ctx, s.tree, files, u.names, open, func(path string, list []mention.Mention) error {
		for _, m := range list {
			hits[path] = append(hits[path], hit{u.names.Name(m.ID), m.Class, facts.Place{Line: m.Line, Column: m.Column}, ""})
		}
		return nil
	})
	for _, f := range unread {
		s.unread.add(f.Path, string(f.Reason))
	}
	return hits, err
}
