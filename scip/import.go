// Package scip turns SCIP indexes, which compilers' front ends write of a
// repository, into a model. Nothing else in this module knows SCIP.
//
// An index is read twice: first for the symbols and where they are defined,
// then document by document, in the order of their paths, for the references.
// Memory is for the symbols and one document; the rest is a stream.
package scip

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"brick/mention"
	"brick/model"
	"brick/project"
)

// Options say what an import may look at besides the indexes.
type Options struct {
	Source     string // the folder of the sources, "" for none
	Repository string // the repository's id, "" for one made of the folder's name
}

// A Summary is what an import says when it is done.
type Summary struct {
	Nodes, Edges int
	Documents    int
	Dropped      int               // documents of the Go build cache
	Unread       int               // documents without a text, though sources were given
	Mended       int               // strings that were not UTF-8
	Unfit        []project.Skipped // documents whose text is not what was indexed: they count as without text
}

// A Producer makes the model of SCIP indexes. It is a model.Producer.
type Producer struct {
	paths   []string
	options Options
	summary Summary
}

// New is for the indexes at the paths. Nothing is read yet.
func New(paths []string, o Options) *Producer { return &Producer{paths: paths, options: o} }

// Summary is what the last Produce made, when it is done.
func (p *Producer) Summary() *Summary { return &p.summary }

// Produce implements model.Producer. An index that can't be imported is a
// *RefusedError; part of the model may have been handed over by then.
func (p *Producer) Produce(ctx context.Context, sink model.Sink) (h *model.Header, err error) {
	im, err := openImport(ctx, p.paths, p.options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, im.close()) }()
	im.collectNames()
	im.allNames = mention.NewNames(im.names.list())
	im.out = &emitter{sink: sink}
	if h, err = im.write(ctx); err != nil {
		return nil, err
	}
	p.summary = im.summary
	p.summary.Unfit = im.unfit
	p.summary.Nodes, p.summary.Edges = im.out.nodes, im.out.edges
	return h, nil
}

// Import writes the model of the indexes at the paths to w, as Brick JSON.
func Import(ctx context.Context, paths []string, o Options, w io.Writer) (*Summary, error) {
	p := New(paths, o)
	if err := model.WriteJSON(ctx, w, p); err != nil {
		return nil, err
	}
	return p.Summary(), nil
}

// openImport is the first pass over the indexes at the paths.
func openImport(ctx context.Context, paths []string, o Options) (_ *importer, err error) {
	im := &importer{
		options: o, table: newTable(), others: map[string]*language{}, byPath: map[string]*document{},
		resolutions: map[string]*resolution{}, unresolvedSymbols: map[string]unresolvedName{}, templates: map[string]string{}, reflecting: map[string]string{},
		shared: newEdges(), noted: map[string]bool{}, extra: map[string]bool{}, unresolvedIn: map[string]map[int]bool{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, im.close())
		}
	}()
	if o.Source != "" {
		if im.tree, err = project.Open(o.Source, project.Options{}); err != nil {
			return nil, err
		}
	}
	if err := im.readSymbols(ctx, paths); err != nil {
		return nil, err
	}
	findUnits(im.indexes, im.documents)
	im.table.resolve()
	slices.SortFunc(im.documents, func(a, b *document) int { return cmp.Compare(a.path, b.path) })
	return im, nil
}

// An importer is one import.
type importer struct {
	options   Options
	tree      *project.Tree // nil without a source folder
	indexes   []*indexFile
	table     *table
	documents []*document // by path, from the second pass on
	byPath    map[string]*document
	others    map[string]*language
	names     functionNames
	goIndex   *goIndex

	out               *emitter
	resolutions       map[string]*resolution
	unresolvedSymbols map[string]unresolvedName
	shared            *edges // of nodes that several documents define
	unindexedFiles    []*document
	templates         map[string]string // name → where
	computedList      []computedName
	reflecting        map[string]string // id of a Go package → what it imports that calls by name
	summary           Summary

	// For the mentions of names.
	allNames     *mention.Names  // of functions
	noted        map[string]bool // the documents whose text was searched
	hits         []fileHits
	files        []project.File          // of the source folder
	extra        map[string]bool         // paths of unindexedFiles
	unresolvedIn map[string]map[int]bool // unresolvedAt of files that are no documents
	skipped      []project.Skipped       // of the source folder, with what is missing for it
	unfit        []project.Skipped       // documents
	unsearched   []project.Skipped
}

func (im *importer) close() error {
	var err error
	if im.tree != nil {
		err = im.tree.Close()
	}
	for _, x := range im.indexes {
		err = errors.Join(err, x.file.Close())
	}
	return err
}

// readSymbols is the first pass.
func (im *importer) readSymbols(ctx context.Context, paths []string) error {
	for _, name := range paths {
		x, err := openIndex(name)
		if err != nil {
			return err
		}
		x.number = len(im.indexes)
		im.indexes = append(im.indexes, x)
		if err := im.readMetadata(ctx, x); err != nil {
			return err
		}
	}
	findPrefixes(im.indexes, im.options.Source)
	for _, x := range im.indexes {
		err := x.sections(ctx, func(field protowire.Number, at section, message []byte) error {
			switch field {
			case documentField:
				return im.readDocument(x, at, message)
			case externalSymbolsField:
				info := new(pb.SymbolInformation)
				if err := im.decode(x, at, message, info); err != nil {
					return err
				}
				im.external(info, x)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) readMetadata(ctx context.Context, x *indexFile) error {
	found := false
	err := x.sections(ctx, func(field protowire.Number, at section, message []byte) error {
		if field != metadataField {
			return nil
		}
		found = true
		var m pb.Metadata
		if err := im.decode(x, at, message, &m); err != nil {
			return err
		}
		proto.Merge(x.metadata, &m)
		return nil
	})
	if err != nil {
		return err
	}
	if !found {
		return x.refuse(0, "this is no SCIP index: it has no metadata")
	}
	tool := x.metadata.GetToolInfo()
	x.backend = strings.TrimSpace(tool.GetName() + " " + tool.GetVersion())
	if x.backend == "" {
		x.backend = "unnamed SCIP producer"
	}
	return nil
}

// decode decodes a message in the first pass, which counts what is mended.
func (im *importer) decode(x *indexFile, at section, message []byte, into proto.Message) error {
	mended, err := x.decode(at, message, into)
	im.summary.Mended += mended
	return err
}

// readDocument takes a document's symbols and definitions.
func (im *importer) readDocument(x *indexFile, at section, message []byte) error {
	d := new(pb.Document)
	if err := im.decode(x, at, message, d); err != nil {
		return err
	}
	name, dropped, err := pathOf(d, x, at)
	if err != nil {
		return err
	}
	if dropped {
		im.summary.Dropped++
		return nil
	}
	l := im.languageOf(d.Language, name)
	doc := im.byPath[name]
	if doc == nil {
		doc = &document{path: name, lang: l}
		im.byPath[name] = doc
		im.documents = append(im.documents, doc)
	}
	doc.parts = append(doc.parts, part{x, at})
	if err := im.nameFunctions(d, name, l); err != nil {
		return err
	}
	for _, info := range d.Symbols {
		im.table.declare(info, l, place{x, name})
	}
	list, _, _, err := occurrencesOf(d, x, at)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].definition() {
			im.table.define(&list[i], l, place{x, name})
		}
	}
	return nil
}

// nameFunctions reads the text that a document needs to have its functions
// named, as load does in the second pass.
func (im *importer) nameFunctions(d *pb.Document, name string, l *language) error {
	if l.family != "ecmascript" {
		return nil
	}
	s, err := im.readSource(name, l)
	if err != nil {
		return err
	}
	if s == nil && d.Text != "" {
		s = newSource([]byte(d.Text), l)
	}
	nameFunctions(d, l, s)
	return nil
}

// external takes what a producer says of a symbol that is defined elsewhere.
func (im *importer) external(info *pb.SymbolInformation, x *indexFile) {
	if info.Symbol == "" || isLocal(info.Symbol) {
		return
	}
	n := im.table.at(info.Symbol, im.languageOf(schemeLanguage(info.Symbol), ""), place{index: x})
	if n.declared {
		return
	}
	declaration, _ := declarationOf(info)
	n.kind = kindOf(n.symbol, info.Kind, declaration)
}

// schemeLanguage is the language of what a producer for only one writes.
func schemeLanguage(symbol string) string {
	scheme, _, _ := strings.Cut(symbol, " ")
	switch scheme {
	case "rust-analyzer":
		return "rust"
	}
	return strings.TrimPrefix(scheme, "scip-")
}

// repositoryID is the id of the sole repository. It must not depend on where
// the repository lies: it is by the name that the checkout declares, else by
// that of the package, if the indexes have only one.
func (im *importer) repositoryID() string {
	if im.options.Repository != "" {
		return shortID(im.options.Repository)
	}
	if im.tree != nil {
		if name := im.tree.Name("."); name != "" {
			return "repo:" + name
		}
	}
	if name := im.table.solePackage(); name != "" {
		return shortID("repo:" + name)
	}
	return "repo:repository"
}
