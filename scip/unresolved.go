package scip

import (
	"bytes"
	"cmp"
	"slices"
)

// functionNames are the names of the functions of the model, by the family of
// their language, with the languages that have a function of the name.
type functionNames map[nameKey][]*language

func (im *importer) collectNames() {
	im.names = functionNames{}
	for _, n := range im.table.nodes {
		if !n.function() || !n.defined() {
			continue
		}
		key := nameKey{n.lang.family, n.name}
		if !slices.Contains(im.names[key], n.lang) {
			im.names[key] = append(im.names[key], n.lang)
		}
	}
	for _, list := range im.names {
		slices.SortFunc(list, func(a, b *language) int { return cmp.Compare(a.name, b.name) })
	}
}

// unresolved adds the calls in a text that no occurrence is about, and that
// have the name of a function of the model: through a value whose type is not
// known, in a macro, in a file that was not indexed. No producer lists them,
// and without them a function that is only called so would seem to have no
// caller. Names in strings and comments don't count, save calls in templates.
func (im *importer) unresolved(b *body) {
	s := b.source
	within := enclosing{extents: b.extents}
	r := im.resolutionOf(b.lang)
	covered := b.covered
	for i := 0; i < len(s.text); {
		if !isWordByte(s.text[i]) || s.classes[i] == comment || s.classes[i] == quoted {
			i++
			continue
		}
		start := i
		for i < len(s.text) && isWordByte(s.text[i]) && s.classes[i] == s.classes[start] {
			i++
		}
		if s.text[start] >= '0' && s.text[start] <= '9' {
			continue
		}
		for len(covered) > 0 && covered[0] < start {
			covered = covered[1:]
		}
		if len(covered) > 0 && covered[0] < i {
			continue
		}
		langs := im.names[nameKey{b.lang.family, string(s.text[start:i])}]
		if langs == nil {
			continue
		}
		member, called := s.memberAt(start), s.calledAt(i)
		// A bare name that is not called is a key, a label or a variable; in
		// Go, one that is called is built in.
		if !called && (!member || s.classes[start] == template) || !member && b.lang == golang {
			continue
		}
		p := s.position(start)
		source := b.fileID
		if outer := within.at(p); outer != nil {
			source = outer.node.id
		}
		kind := nameReference
		v := evidence{lane: syntactic, backend: ownBackend, provenance: provenance(b.path, p)}
		if called {
			kind = unresolvedCall
			v.attribute, v.value = "source.unresolved-reason", "no-symbol"
			r.unresolvedSeen++
		}
		for _, l := range langs {
			b.edges.add(kind, source, im.unresolvedSymbol(l, string(s.text[start:i])), v)
		}
	}
}

// memberAt says whether a name follows a dot or a path separator.
func (s *source) memberAt(i int) bool {
	before := bytes.TrimRight(s.text[:i], " \t\r\n")
	return bytes.HasSuffix(before, []byte(".")) || bytes.HasSuffix(before, []byte("::"))
}

// unresolvedSymbol is the id of the node that stands for all callees of a
// name.
func (im *importer) unresolvedSymbol(l *language, name string) string {
	id := shortID("unresolved:" + l.name + ":" + name)
	im.unresolvedSymbols[id] = unresolvedName{l.name, name}
	return id
}

type unresolvedName struct{ language, name string }
