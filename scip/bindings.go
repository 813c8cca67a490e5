package scip

import (
	"context"
	"errors"
)

// A Binding says what the name at a place means.
type Binding struct {
	At Place // of the name, in the document that the binding is of
	// Path and Definition are where the repository defines it: the document,
	// and the place of the name there. Path is "" for what lies outside,
	// which is then called External.
	Path       string
	Definition Place
	External   string
	Backend    string // the producer and its version
}

// A Place is where a name starts: line and column from 1, the column in bytes.
type Place struct{ Line, Column int }

// Bindings are what the indexes at the paths say that the functions and types
// mean that documents name, by the documents' paths. A name that may mean
// several things has none. Only documents whose text is in o.Source have any:
// without it, places in bytes can't be known. An index that can't be read is a
// *RefusedError.
func Bindings(ctx context.Context, paths []string, o Options) (bindings map[string][]Binding, s *Summary, err error) {
	im, err := openImport(ctx, paths, o)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, im.close()) }()
	uses := map[string][]use{}
	defined := map[*node]bindingPlace{}
	for l := range im.loadAll(ctx) {
		if err := im.collectUses(l, uses, defined); err != nil {
			return nil, nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	im.summary.Documents = len(im.documents)
	bindings = map[string][]Binding{}
	for path, list := range uses {
		for _, u := range list {
			b := Binding{At: u.at, Backend: u.backend}
			if d, ok := defined[u.node]; ok {
				b.Path, b.Definition = d.path, d.at
			} else if !u.node.defined() {
				b.External = u.node.symbol.qualified()
			} else {
				continue // its document has no text
			}
			bindings[path] = append(bindings[path], b)
		}
	}
	return bindings, &im.summary, nil
}

// A use is a place where a function or a type is named.
type use struct {
	at      Place
	node    *node
	backend string
}

// bindingPlace is where a definition has its name.
type bindingPlace struct {
	path string
	at   Place
}

// collectUses adds what a document uses and defines.
func (im *importer) collectUses(l *loaded, uses map[string][]use, defined map[*node]bindingPlace) error {
	if l.err != nil {
		return l.err
	}
	b := &body{document: l.document, source: l.source}
	if b.source == nil {
		im.summary.Unread++
		return nil
	}
	for i, p := range b.parts {
		if err := im.readPart(b, p, l.parts[i]); err != nil {
			return err
		}
	}
	for _, o := range sortOccurrences(b.occurrences) {
		list := im.table.nodesOf(o.symbol, b.lang, b.place(&o))
		if len(list) != 1 {
			continue
		}
		n, at := list[0], Place{int(o.span.start.line) + 1, int(o.span.start.column) + 1}
		switch {
		case o.definition():
			if _, there := defined[n]; !there {
				defined[n] = bindingPlace{b.path, at}
			}
		case n.function() || n.kind == "class" || n.kind == kindExternal && !n.defined():
			uses[b.path] = append(uses[b.path], use{at, n, o.index.backend})
		}
	}
	return nil
}
