package scip

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"brick/model"

	pb "github.com/scip-code/scip/bindings/go/scip"

	"brick/project"
)

// write is the second pass: it hands over the model.
func (im *importer) write(ctx context.Context) (*model.Header, error) {
	for l := range im.loadAll(ctx) {
		es, err := im.document(l)
		if err != nil {
			return nil, err
		}
		if err := im.writeEdges(es); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if im.options.Source != "" {
		if err := im.unindexed(ctx, im.writeEdges); err != nil {
			return nil, err
		}
		if err := im.mentions(ctx); err != nil {
			return nil, err
		}
	}
	for _, e := range im.shared.list {
		im.out.edge(e)
	}
	im.writeNodes()
	im.summary.Documents = len(im.documents)
	return &model.Header{
		Generator: model.Generator{Name: ownBackend}, Root: ".", RepositoryID: mended(im.repositoryID()),
		Scope: im.scope(), Resolution: im.resolution(),
	}, im.out.err
}

// writeEdges hands over a document's edges. Those of a node that several documents
// define, as of a namespace, wait for those of the others, and name references
// of files for the mentions that are found at the end.
func (im *importer) writeEdges(es *edges) error {
	for _, e := range es.list {
		if !im.table.scattered[e.source] && (e.kind != nameReference || !strings.HasPrefix(e.source, "file:")) {
			im.out.edge(e)
			continue
		}
		for _, v := range e.evidence {
			im.shared.add(e.kind, e.source, e.target, v)
		}
	}
	return im.out.err
}

// document makes the edges that start in a document.
func (im *importer) document(l *loaded) (*edges, error) {
	d := l.document
	b := &body{document: d, fileID: fileID(d.path), edges: newEdges(), modules: map[*node]bool{}, source: l.source,
		imported: map[int]bool{}, meant: map[int]*node{}, unresolvedAt: map[int]bool{}}
	if l.err != nil {
		return nil, l.err
	}
	if err := im.readParts(b, l.parts); err != nil {
		return nil, err
	}
	if b.source == nil && im.options.Source != "" && l.source == nil {
		im.summary.Unread++
	}
	b.redefinitions()
	b.occurrences = sortOccurrences(b.occurrences)
	if b.source != nil {
		b.imports = b.source.importStatements(b.lang)
	}
	im.bindImports(b)
	defined := b.silentRedefinitions(im.definitions(b))
	b.extents = extentsOf(defined, b.source)
	im.structure(b, defined)
	for i, d := range defined {
		if d.node.path() == b.path && d.node.attributes == nil {
			im.describe(d.node, defined[i:], b.source)
		}
	}
	im.references(b)
	if b.source != nil {
		slices.Sort(b.covered)
		im.unresolved(b)
		im.noteMentions(b, defined)
		switch b.lang {
		case golang:
			im.templateNames(b.path, b.source, true)
		case python:
			im.computedNames(b)
		}
	}
	return b.edges, nil
}

// readParts reads what the indexes say of a document. Where that does not fit
// the text, as of another version, the document is taken without it.
func (im *importer) readParts(b *body, parts []*pb.Document) error {
	for i, p := range b.parts {
		err := im.readPart(b, p, parts[i])
		var unfit *unfitError
		if errors.As(err, &unfit) {
			im.unfit = append(im.unfit, project.Skipped{Path: b.path, Reason: project.Reason(unfit.Error())})
			b.source, b.occurrences, b.covered, b.silent = nil, nil, nil, nil
			return im.readParts(b, parts)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// An unfitError says that an index is not of a document's text.
type unfitError struct {
	span
	lines int
}

func (e *unfitError) Error() string {
	return fmt.Sprintf("an occurrence at %d:%d-%d:%d is outside of its text, which has %d lines: index this version of it",
		e.start.line+1, e.start.column+1, e.end.line+1, e.end.column+1, e.lines)
}

// readPart adds a part's occurrences to its document, in bytes where the text
// is there.
func (im *importer) readPart(b *body, p part, d *pb.Document) error {
	for _, g := range diagnosticsOf(d) {
		b.faulty = b.faulty || g.Severity == pb.Severity_Error
	}
	list, locals, silent, err := occurrencesOf(d, p.index, p.at)
	if err != nil {
		return err
	}
	if s := b.source; s != nil {
		convert := func(in *span) error {
			out, ok := s.spanInBytes(*in, d.PositionEncoding)
			if !ok {
				return &unfitError{*in, len(s.lines)}
			}
			*in = out
			return nil
		}
		for i := range list {
			if err := convert(&list[i].span); err != nil {
				return err
			}
			if e := &list[i].enclosing; !e.isZero() {
				if err := convert(e); err != nil {
					return err
				}
			}
			b.covered = append(b.covered, s.offset(list[i].span.start))
		}
		for i := range silent {
			if err := convert(&silent[i].span); err != nil {
				return err
			}
		}
		b.silent = append(b.silent, silent...)
		for i := range locals {
			if err := convert(&locals[i]); err != nil {
				return err
			}
			b.covered = append(b.covered, s.offset(locals[i].start))
		}
	}
	b.occurrences = append(b.occurrences, list...)
	return nil
}

func diagnosticsOf(d *pb.Document) []*pb.Diagnostic {
	var list []*pb.Diagnostic
	for _, o := range d.Occurrences {
		list = append(list, o.Diagnostics...)
	}
	return list
}

// definitions are the definitions in a document of what has a node, in order.
func (im *importer) definitions(b *body) []defined {
	var list []defined
	for i := range b.occurrences {
		o := &b.occurrences[i]
		if !o.definition() {
			continue
		}
		n := im.table.nodesOf(o.symbol, b.lang, b.place(o))[0]
		if n.kind == "" || n.kind == kindExternal {
			continue
		}
		d := definition{b.path, o.span, o.enclosing}
		if last := len(list) - 1; last >= 0 && list[last].node == n && list[last].name == d.name {
			continue // another index says the same
		}
		if n.path() == b.path && n.span.isZero() {
			n.span, n.exact = o.span, !o.enclosing.isZero()
			switch {
			case n.exact:
				n.span = o.enclosing
			case b.source != nil && n.function() && !bodyless(n):
				n.span, n.exact = b.source.extentAt(o.span), true
			}
		}
		list = append(list, defined{d, n})
	}
	return list
}

// structure adds what contains and defines what, and what inherits what.
func (im *importer) structure(b *body, list []defined) {
	backend := b.parts[0].index.backend
	at := func(p position) evidence {
		return evidence{lane: imported, backend: backend, provenance: provenance(b.path, p)}
	}
	b.edges.add(contains, im.repositoryID(), b.fileID, evidence{lane: imported, backend: backend, provenance: b.path})
	for _, d := range list {
		n := d.node
		switch {
		case n.kind == kindModule:
			if !b.modules[n] {
				b.modules[n] = true
				b.edges.add(contains, n.id, b.fileID, at(d.name.start))
			}
			continue
		case n.path() != b.path:
			continue
		}
		outer := b.fileID
		if n.parent != nil {
			outer = n.parent.id
		}
		if outer != n.id && !b.edges.has(defines, outer, n.id) {
			b.edges.add(defines, outer, n.id, at(d.name.start))
			if n.function() || n.symbol.last().Suffix != pb.Descriptor_Type {
				continue
			}
			for _, base := range im.table.implemented(n) {
				im.link(b.edges, inherits, n.id, base, at(d.name.start))
			}
		}
	}
}

func fileID(path string) string { return shortID("file:" + path) }

// writeNodes hands over the nodes: the repository, the files with what they
// define, what is outside, and the names that nothing resolved.
func (im *importer) writeNodes() {
	m := im.out
	id := im.repositoryID()
	m.node(&model.Node{ID: id, Kind: model.Repository, Name: strings.TrimPrefix(id, "repo:")})
	byPath := map[string][]*node{}
	var externals []*node
	for _, key := range sortedKeys(im.table.nodes) {
		n := im.table.nodes[key]
		switch {
		case n.defined() && n.kind != "":
			byPath[n.path()] = append(byPath[n.path()], n)
		case n.needed:
			externals = append(externals, n)
		}
	}
	for _, d := range im.documents {
		im.writeFile(d, true)
		nodes := byPath[d.path]
		slices.SortStableFunc(nodes, func(a, b *node) int { return comparePositions(a.span.start, b.span.start) })
		for _, n := range nodes {
			im.writeNode(n)
		}
	}
	slices.SortFunc(im.unindexedFiles, func(a, b *document) int { return strings.Compare(a.path, b.path) })
	for _, d := range im.unindexedFiles {
		im.writeFile(d, false)
	}
	for _, n := range externals {
		m.node(&model.Node{ID: n.id, Kind: kindExternal, Name: n.name, QualifiedName: n.symbol.qualified(), Language: n.lang.name})
	}
	for _, id := range sortedKeys(im.unresolvedSymbols) {
		u := im.unresolvedSymbols[id]
		m.node(&model.Node{ID: id, Kind: model.UnresolvedSymbol, Name: u.name, Language: u.language})
	}
}

func (im *importer) writeFile(d *document, indexed bool) {
	r := &model.Node{ID: fileID(d.path), Kind: model.File, Name: d.path[strings.LastIndexByte(d.path, '/')+1:], Language: d.lang.name, Path: d.path}
	attributes := map[string]any{}
	if d.lang.testFile != nil && d.lang.testFile(d.path) {
		attributes["source.test-code"] = true
	}
	if d.faulty {
		attributes["source.parse-incomplete"] = "the producer reports errors"
	}
	if !indexed {
		attributes["scip.indexed"] = false
	}
	r.Attributes = attributes
	im.out.node(r)
}

func (im *importer) writeNode(n *node) {
	if by := im.reflection(n); by != "" {
		n.set("source.implicit-invocation", by)
	}
	im.out.node(&model.Node{
		ID: n.id, Kind: n.kind, Name: n.name, QualifiedName: n.symbol.qualified(), Language: n.lang.name,
		Path: n.path(), Span: n.span.placed(), Attributes: n.attributes,
	})
}

type scopeRecord struct {
	Producers []string `json:"producers"`
	Documents int      `json:"documents"`
	Source    bool     `json:"source"`
	Dropped   int      `json:"documents_of_the_build_cache,omitzero"`
	Unread    int      `json:"documents_without_text,omitzero"`
	Unindexed int      `json:"files_read_without_index,omitzero"`
	Mended    int      `json:"strings_mended,omitzero"`
	// Documents whose text is not what was indexed.
	Unfit []skippedRecord `json:"documents_of_other_text,omitempty"`
	// What of the source folder was passed over.
	Skipped []skippedRecord `json:"passed_over,omitempty"`
	// Text in which names were not looked for.
	Unsearched []skippedRecord `json:"files_not_searched,omitempty"`
}

type skippedRecord struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// maxRecords is how many files a list in scope names: scope is in every answer.
const maxRecords = 50

func skippedRecords(list []project.Skipped) []skippedRecord {
	var records []skippedRecord
	for i, s := range list {
		if i == maxRecords {
			return append(records, skippedRecord{"*", fmt.Sprintf("%d more, which are not listed", len(list)-i)})
		}
		records = append(records, skippedRecord{s.Path, string(s.Reason)})
	}
	return records
}

// scope says what the model covers.
func (im *importer) scope() scopeRecord {
	s := scopeRecord{
		Documents: len(im.documents), Source: im.options.Source != "",
		Dropped: im.summary.Dropped, Unread: im.summary.Unread, Unindexed: len(im.unindexedFiles), Mended: im.summary.Mended,
	}
	s.Unfit, s.Skipped, s.Unsearched = skippedRecords(im.unfit), skippedRecords(im.skipped), skippedRecords(im.unsearched)
	for _, x := range im.indexes {
		s.Producers = append(s.Producers, x.backend)
	}
	return s
}

type resolutionRecord struct {
	References     int  `json:"references"`
	InFunctions    int  `json:"in_functions"`
	Calls          int  `json:"calls"`
	NameReferences int  `json:"name_references"`
	GuessedExtents int  `json:"guessed_extents"`
	Unresolved     *int `json:"unresolved"` // always null: no producer says
	Seen           int  `json:"unresolved_seen"`
}

func (im *importer) resolution() map[string]resolutionRecord {
	records := map[string]resolutionRecord{}
	for _, d := range im.documents {
		r := im.resolutionOf(d.lang)
		name := d.lang.name
		if name == "" {
			name = "unspecified"
		}
		records[name] = resolutionRecord{r.references, r.inFunctions, r.calls, r.nameReferences, r.guessedExtents, nil, r.unresolvedSeen}
	}
	return records
}
