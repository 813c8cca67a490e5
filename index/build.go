// Package index computes what an index holds of a model: it numbers its nodes and edges, checks what only shows between them, and finds strongly connected components,
// bridges and the caller report of every function. Package store keeps it.
package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"path/filepath"

	"brick/internal/extsort"
	"brick/model"
	"brick/store"
)

// Options are the ways in which a build can differ. But for the source the
// index does not differ.
type Options struct {
	MaxFaults int // faults that a *RefusedError lists; 0 means model.DefaultMaxFaults
	// Source is where the text of the files that the model names comes from;
	// nil for an index without it. SourceProblem is told which are not there,
	// and why; it may be nil.
	Source        SourceReader
	SourceProblem func(path, reason string)
	// Phase is told what is done next, for people who wait. May be nil.
	Phase func(name string)
}

// Build compiles the model of a producer into w and commits it. It returns
// what the index says of itself, and its size in bytes.
//
// The whole model is checked before anything appears under the index's name;
// the error of a model with faults is a *RefusedError. Other errors are the
// machine's. Time is O(n log n) in the model's size. Memory is bounded but for
// about 60 bytes a node, 20 an edge, and the distinct names and paths; the
// rest is kept in w's temporary folder, which takes with the index about four
// fifths of the model's size.
func Build(ctx context.Context, p model.RecordProducer, w *store.Writer, o Options) (m *store.Manifest, size int64, err error) {
	b, err := newBuilder(w, o)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.read(ctx, p); err != nil {
		return nil, 0, err
	}
	if err := b.number(ctx); err != nil {
		return nil, 0, err
	}
	b.phase("searching the graph")
	b.analyse()
	b.phase("writing what was found")
	if err := b.writeDerived(ctx); err != nil {
		return nil, 0, err
	}
	b.phase("writing the index")
	m = b.manifest()
	if err := b.close(); err != nil { // the room that it takes, on the disk and in memory
		return nil, 0, err
	}
	size, err = w.Commit(m)
	return m, size, err
}

// Check checks the model of a producer and returns its header and its digest.
// It keeps what it must in the folder dir, which must be its own.
func Check(ctx context.Context, p model.RecordProducer, dir string, o Options) (h *model.RecordHeader, digest []byte, err error) {
	b, err := newCheck(dir, o)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.read(ctx, p); err != nil {
		return nil, nil, err
	}
	if err := b.number(ctx); err != nil {
		return nil, nil, err
	}
	return b.header, b.digest.Sum(nil), nil
}

// builder is one build. Its parts are in the files of their names.
type builder struct {
	options Options
	w       *store.Writer // nil when the model is only checked
	dir     string

	faults  *model.Faults
	header  *model.RecordHeader
	hash    *idHash
	refused map[hash128]struct{}

	nodeSorter, edgeSorter, rankSorter *extsort.Sorter
	spool                              *spool // what is needed of the nodes once more, in order
	ids, foldedIDs                     *store.LookupWriter
	lookups                            func() error        // waits for them to be written; nil before the edges are numbered
	texts                              func() *searchTexts // waits for them; nil before the nodes are numbered

	digest    hash.Hash
	nodeKinds map[string]int
	edgeKinds map[string]int
	lanes     [len(store.LaneNames)]int // edges with evidence in each

	nodes nodeColumns
	edges edgeColumns
	sites map[siteKey]*siteTotals
	named map[uint32]*model.Sites // name references to functions themselves

	cycles      []cycle
	cycleOf     []uint32 // by node
	bridgeList  []uint32
	compilerSaw []bool // by path

	resolutions       []store.NamedValue
	resolutionNumbers map[string]int

	functions store.LanguageCounts
	languages []store.LanguageCounts
	status    []functionStatus // by node
	also      []uint32         // by node: see store.FactsRow
	modules   modules

	facts            facts
	sorts            []store.NodeSort
	mostDependencies []uint32

	paths        []string                 // in the order of their bytes
	pathOf       func(node uint32) uint32 // in paths, or store.Unknown
	pathStarts   []uint32
	sourcePaths  []string // of files, in order
	sourceDigest []byte
	ranksErr     error
}

func newBuilder(w *store.Writer, o Options) (*builder, error) {
	b, err := newCheck(w.TempDir(), o)
	if err == nil {
		b.w = w
	}
	return b, err
}

func newCheck(dir string, o Options) (*builder, error) {
	if o.MaxFaults == 0 {
		o.MaxFaults = model.DefaultMaxFaults
	}
	b := &builder{
		options: o,
		dir:     dir,
		faults:  model.NewFaults(o.MaxFaults),
		hash:    newIDHash(),
		refused: map[hash128]struct{}{},
		digest:  sha256.New(),

		nodeKinds: map[string]int{}, edgeKinds: map[string]int{},
		nodes: newNodeColumns(),
		sites: map[siteKey]*siteTotals{},
		named: map[uint32]*model.Sites{},
	}
	var errs [4]error
	b.nodeSorter, errs[0] = extsort.New(filepath.Join(dir, "nodes"))
	b.edgeSorter, errs[1] = extsort.New(filepath.Join(dir, "edges"))
	b.rankSorter, errs[2] = extsort.New(filepath.Join(dir, "ranks"))
	b.spool, errs[3] = newSpool(filepath.Join(dir, "spool"))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// close removes the temporary files and leaves the builder empty. A second call
// does nothing.
func (b *builder) close() error {
	var err error
	for _, s := range []*extsort.Sorter{b.nodeSorter, b.edgeSorter, b.rankSorter} {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	if b.spool != nil {
		err = errors.Join(err, b.spool.close())
	}
	if b.texts != nil { // what goes on by itself ends here
		b.texts()
	}
	if b.lookups != nil {
		err = errors.Join(err, b.lookups())
	}
	*b = builder{}
	return err
}

func (b *builder) phase(name string) {
	if b.options.Phase != nil {
		b.options.Phase(name)
	}
}

// read takes the records into the sorters.
func (b *builder) read(ctx context.Context, p model.RecordProducer) error {
	b.phase("reading the model")
	var spills []*spill
	newSink := func() model.RecordSink {
		s := newSpill(b.nodeSorter, b.edgeSorter, b.hash)
		spills = append(spills, s)
		return s
	}
	header, err := p.ProduceRecords(ctx, newSink, b.faults)
	for _, s := range spills {
		err = errors.Join(err, s.close())
	}
	if err != nil {
		return err
	}
	b.header = header
	for _, s := range spills {
		for id := range s.refused {
			b.refused[id] = struct{}{}
		}
		for kind, count := range s.nodeKinds {
			b.nodeKinds[kind] += *count
		}
		for kind, count := range s.edgeKinds {
			b.edgeKinds[kind] += *count
		}
	}
	return nil
}

// number brings nodes and edges into their order, checks what only shows
// between records, and writes the records. It returns a *RefusedError when
// the model has faults.
func (b *builder) number(ctx context.Context) error {
	b.phase("ordering nodes")
	nodes, edges := sum(b.nodeKinds), sum(b.edgeKinds)
	b.nodes.numbers = newIDTable(nodes)
	b.nodes.reserve(nodes)
	b.edges.reserve(edges)
	if b.w != nil {
		b.ids, b.foldedIDs = b.w.Lookup(store.IDs, nodes+edges), b.w.Lookup(store.FoldedIDs, nodes)
	}
	writeHeader(b.digest, b.header)
	if err := b.numberNodes(ctx); err != nil {
		return err
	}
	if b.writing() {
		b.texts = b.nodes.orderTexts() // beside the edges, which need less than all processors
	}
	b.phase("ordering edges")
	if err := b.numberEdges(ctx); err != nil {
		return err
	}
	b.nodes.numbers = nil // nothing looks for ids any more
	if b.writing() {
		b.lookups = beside(func() error { return errors.Join(b.ids.Close(), b.foldedIDs.Close()) })
	}
	if err := b.rankEdges(ctx); err != nil {
		return err
	}
	if b.nodes.clash || b.edges.clash {
		if err := b.reportClashes(ctx); err != nil {
			return err
		}
	}
	return b.refusal()
}

func sum(counts map[string]int) (total int) {
	for _, count := range counts {
		total += count
	}
	return total
}

// refusal is the error of a model with faults, or nil.
func (b *builder) refusal() error {
	if total := b.faults.Total(); total > 0 {
		return &model.RefusedError{Faults: b.faults.List(), Total: total}
	}
	return nil
}
