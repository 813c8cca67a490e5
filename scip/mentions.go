package scip

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"

	"brick/internal/lex"
	"brick/mention"
	"brick/model"
	"brick/project"
)

// A function is called unreferenced only when its name stands nowhere else in
// the text of the repository. Documents are read for that when their edges are
// made, all other files at the end; what was found becomes name references of
// the functions that have no caller.

// A hit is a place where the name of a function stands.
type hit struct {
	name  int // id in importer.functionNames
	class mention.Class
	at    position
	owner *node // of that name, whose own text it is or that is certainly meant; nil for none
}

// fileHits are those of a file, in order.
type fileHits struct {
	path string
	list []hit
}

// noteMentions finds the names of functions in a document's text.
func (im *importer) noteMentions(b *body, list []defined) {
	im.noted[b.path] = true
	s := b.source
	defining := map[int]bool{}
	for _, d := range list {
		if d.node.function() {
			defining[s.offset(d.name.start)] = true
		}
	}
	own := ownTextsOf(b, list)
	found := fileHits{path: b.path}
	im.allNames.Each(s.text, func(offset, id int) {
		if defining[offset] || b.lang.defines(s, offset) {
			return
		}
		class, counts := b.mentionClass(offset)
		if !counts {
			return
		}
		name := im.allNames.Name(id)
		owner := b.meant[offset]
		if owner == nil || owner.name != name {
			owner = own.at(offset, name)
		}
		found.list = append(found.list, hit{id, class, s.position(offset), owner})
	})
	if len(found.list) > 0 {
		im.hits = append(im.hits, found)
	}
}

// mentionClass says what a name in a document is part of, and whether it
// counts. Where a compiler resolved what the code says, names in code and in
// its comments don't: equal names are no reason.
func (b *body) mentionClass(offset int) (mention.Class, bool) {
	if b.imported[offset] {
		return mention.Code, true
	}
	if b.unresolvedAt[offset] {
		return "", false // that is an edge already
	}
	s := b.source
	switch s.classAt(offset) {
	case mention.Code:
		if b.lang == python {
			return mention.Code, true
		}
		_, covered := slices.BinarySearch(b.covered, offset)
		return mention.Code, !b.lang.compiled && !covered
	case mention.Document:
		return mention.Document, !b.lang.compiled || s.isDirective(offset)
	}
	return mention.String, true
}

// classAt is the class of what stands at an offset.
func (s *source) classAt(offset int) mention.Class {
	switch s.classes[offset] {
	case lex.Comment:
		return mention.Document
	case lex.Quoted:
		return mention.String
	case lex.Template:
		if s.rules.taggedString && lex.InSubstitution(s.text, s.classes, offset) {
			return mention.Code
		}
		return mention.String
	}
	return mention.Code
}

// isDirective says whether a comment is one that a tool acts on.
func (s *source) isDirective(offset int) bool {
	line := bytes.TrimLeft(s.line(s.position(offset).line), " \t")
	return bytes.HasPrefix(line, []byte("//go:")) || bytes.HasPrefix(line, []byte("//export "))
}

// An ownTexts finds the functions in whose text a place is, with what is
// written above them.
type ownTexts struct {
	list []ownText
	next int
	open []ownText
}

type ownText struct {
	start, end int
	node       *node
}

func ownTextsOf(b *body, list []defined) *ownTexts {
	s := b.source
	own := &ownTexts{}
	for _, e := range b.extents {
		own.list = append(own.list, ownText{s.startWithComments(e.start), s.offset(e.end), e.node})
	}
	for _, d := range list {
		if d.node.function() && bodyless(d.node) {
			own.list = append(own.list, ownText{s.startWithComments(d.name.start), s.offset(d.name.end), d.node})
		}
	}
	slices.SortStableFunc(own.list, func(a, b ownText) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return own
}

// at is the function of a name in whose text an offset is; the offsets come in
// order.
func (o *ownTexts) at(offset int, name string) *node {
	for o.next < len(o.list) && o.list[o.next].start <= offset {
		o.open = append(o.open, o.list[o.next])
		o.next++
	}
	o.open = slices.DeleteFunc(o.open, func(t ownText) bool { return t.end <= offset })
	for _, t := range o.open {
		if t.node.name == name {
			return t.node
		}
	}
	return nil
}

// startWithComments is where the lines of comments, decorators and attributes
// above a place start.
func (s *source) startWithComments(p position) int {
	line := p.line
	for line > 0 {
		above := s.line(line - 1)
		text := bytes.TrimLeft(above, " \t")
		at := int(s.lines[line-1]) + len(above) - len(text)
		if len(text) == 0 || s.classes[at] != lex.Comment && text[0] != '@' && !bytes.HasPrefix(text, []byte("#[")) {
			break
		}
		line--
	}
	return int(s.lines[line])
}

// maxPlaces is how many mentions of a name in a file are written one by one.
// The next one then stands for all that follow, and says how many they are.
const maxPlaces = 20

// mentions makes name references of the mentions of functions without a
// caller. It reads all files of the source folder that are no documents.
func (im *importer) mentions(ctx context.Context) error {
	uncalled := map[string][]*node{}
	for _, id := range sortedKeys(im.table.nodes) {
		if n := im.table.nodes[id]; n.defined() && n.function() && !n.called {
			uncalled[n.name] = append(uncalled[n.name], n)
		}
	}
	names := sortedKeys(uncalled)
	found := map[string][]fileHits{}
	for _, f := range im.hits {
		im.sortHits(found, f, im.allNames, uncalled)
	}
	im.hits = nil
	var rest []project.File
	for _, f := range im.files {
		if !im.noted[f.Path] {
			rest = append(rest, f)
		}
	}
	wanted := mention.NewNames(names)
	unread, err := mention.Search(ctx, im.tree, rest, wanted, im.mentionReader, func(path string, list []mention.Mention) error {
		f := fileHits{path: path}
		for _, m := range list {
			f.list = append(f.list, hit{name: m.ID, class: m.Class, at: position{int32(m.Line - 1), int32(m.Column - 1)}})
		}
		im.sortHits(found, f, wanted, uncalled)
		return nil
	})
	if err != nil {
		return err
	}
	im.unsearched = unread
	for _, name := range names {
		im.nameReferences(name, uncalled[name], found[name])
	}
	return nil
}

// sortHits adds a file's hits to those of their names, as far as functions of
// that name have no caller.
func (im *importer) sortHits(found map[string][]fileHits, f fileHits, names *mention.Names, uncalled map[string][]*node) {
	for _, h := range f.list {
		name := names.Name(h.name)
		if len(uncalled[name]) == 0 {
			continue
		}
		list := found[name]
		if len(list) == 0 || list[len(list)-1].path != f.path {
			list = append(list, fileHits{path: f.path})
		}
		last := &list[len(list)-1]
		last.list = append(last.list, h)
		found[name] = list
	}
}

// mentionReader tells code from strings and comments in sources that are no
// documents.
func (im *importer) mentionReader(path string, text []byte) mention.Reader {
	l := languages[project.LanguageOf(path)]
	if l == nil {
		return nil
	}
	s := newSource(text, l)
	known := im.unresolvedIn[path]
	return func(offset, _ int) (mention.Class, bool) {
		return s.classAt(offset), !known[offset] && !l.defines(s, offset)
	}
}

// maxTwins is how many functions of a name may each have edges of their own
// for what stands in the text of another one.
const maxTwins = 4

// nameReferences adds the edges of a name's mentions. What stands in a
// function's own text counts for its namesakes only.
func (im *importer) nameReferences(name string, list []*node, files []fileHits) {
	var owners []*node
	free := false
	for _, f := range files {
		for _, h := range f.list {
			switch {
			case h.owner == nil || !slices.Contains(list, h.owner):
				free = true
			case !slices.Contains(owners, h.owner):
				owners = append(owners, h.owner)
			}
		}
	}
	// Of two owners each has the other's mentions.
	direct := len(owners) == 1 && !free || len(list) <= maxTwins
	for _, f := range files {
		var all []hit
		for _, h := range f.list {
			if !direct && !free || h.owner == nil || !slices.Contains(list, h.owner) {
				all = append(all, h)
			}
		}
		for _, l := range languagesOf(list) {
			im.addMentions(f.path, all, im.unresolvedSymbol(l, name))
		}
		if !direct {
			continue
		}
		for _, n := range list {
			var others []hit
			for _, h := range f.list {
				if h.owner != nil && h.owner != n && slices.Contains(list, h.owner) {
					others = append(others, h)
				}
			}
			im.addMentions(f.path, others, n.id)
		}
	}
}

func languagesOf(list []*node) []*language {
	var languages []*language
	for _, n := range list {
		if !slices.Contains(languages, n.lang) {
			languages = append(languages, n.lang)
		}
	}
	return languages
}

// addMentions adds the edge from a file to what its mentions may mean.
func (im *importer) addMentions(path string, list []hit, target string) {
	if len(list) == 0 {
		return
	}
	if im.byPath[path] == nil && !im.extra[path] {
		im.extra[path] = true
		im.unindexedFiles = append(im.unindexedFiles, &document{path: path, lang: im.languageOf(project.LanguageOf(path), path)})
	}
	for i, h := range list {
		v := evidence{lane: heuristic, backend: ownBackend, provenance: provenance(path, h.at), attribute: model.Mention, value: string(h.class)}
		if i == maxPlaces && len(list) > maxPlaces+1 {
			v.second, v.secondValue = model.Mentions, strconv.Itoa(len(list)-maxPlaces)
		}
		im.shared.add(nameReference, fileID(path), target, v)
		if v.second != "" {
			break
		}
	}
}
