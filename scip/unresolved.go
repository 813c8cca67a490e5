package scip

import (
	"bytes"
	"cmp"
	"slices"

	"brick/internal/lex"
)

// functionNames are the names of the functions of the model, by the family of
// their language.
type functionNames map[nameKey]*namesakes

// namesakes are the functions of a name.
type namesakes struct {
	languages []*language // in order
	count     int
}

func (im *importer) collectNames() {
	im.names = functionNames{}
	for _, n := range im.table.nodes {
		if !n.function() || !n.defined() {
			continue
		}
		key := nameKey{n.lang.family, n.name}
		same := im.names[key]
		if same == nil {
			same = &namesakes{}
			im.names[key] = same
		}
		same.count++
		if !slices.Contains(same.languages, n.lang) {
			same.languages = append(same.languages, n.lang)
		}
	}
	for _, same := range im.names {
		slices.SortFunc(same.languages, func(a, b *language) int { return cmp.Compare(a.name, b.name) })
	}
}

// list is the names, in order.
func (names functionNames) list() []string {
	var list []string
	for key := range names {
		list = append(list, key.name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// structural adds the call of a member that may be any other of its name:
// where types are compared by what they have, a class's method is called
// through an interface that the class need not name.
func (im *importer) structural(b *body, n *node, source string, v evidence) {
	if n.parent == nil || b.lang.structural == nil || !b.lang.structural(n) {
		return
	}
	same := im.names[nameKey{b.lang.family, n.name}]
	if same == nil || n.function() && same.count == 1 {
		return
	}
	v.lane = heuristic
	v.attribute, v.value = "source.unresolved-reason", "structural"
	for _, l := range same.languages {
		b.edges.add(unresolvedCall, source, im.unresolvedSymbol(l, n.name), v)
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
		if !lex.IsWordByte(s.text[i]) || s.classes[i] == lex.Comment || s.classes[i] == lex.Quoted {
			i++
			continue
		}
		start := i
		for i < len(s.text) && lex.IsWordByte(s.text[i]) && s.classes[i] == s.classes[start] {
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
		same := im.names[nameKey{b.lang.family, string(s.text[start:i])}]
		if same == nil {
			continue
		}
		if b.lang.defines(s, start) {
			continue
		}
		member, called := s.memberAt(start), b.isCall(start, i)
		// A bare name that is not called is a key, a label or a variable; in
		// Go, one that is called is built in.
		if !called && (!member || s.classes[start] == lex.Template) || !member && b.lang == golang {
			continue
		}
		p := s.position(start)
		if b.isImport(p) {
			continue
		}
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
		b.unresolvedAt[start] = true
		for _, l := range same.languages {
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
