package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
	"brick/model"
	"brick/store"
)

// writeDerived writes what was computed: the graph, its cycles and bridges,
// and the caller reports.
func (b *builder) writeDerived(ctx context.Context) error {
	// The graph's tables beside all else: neither needs the other's, and only
	// among the latter are record sections.
	graph := beside(b.writeGraph)
	return errors.Join(b.writeFindings(ctx), graph(), b.lookups())
}

// writeFindings writes all but the graph's own tables and the lookups.
func (b *builder) writeFindings(ctx context.Context) error {
	b.findCompiled()
	if err := b.splitResolution(); err != nil {
		return err
	}
	facts := beside(func() error { // which go by the graph alone
		b.computeFacts()
		b.findModules()
		return nil
	})
	ids, err := b.writeReports(ctx)
	facts()
	if err != nil {
		return err
	}
	return errors.Join(b.writeCycles(ids), b.writeSearch(), b.writeFacts(), b.writeFiles(), b.writeSources(), b.writeContained(), b.writeModules())
}

// writeReports goes over the nodes once more. It writes each function's
// report and the lists of those that nothing calls, and returns the cycles'
// ids.
func (b *builder) writeReports(ctx context.Context) (cycleIDs []uint64, err error) {
	if err := b.spool.rewind(); err != nil {
		return nil, err
	}
	out := b.w.Records(store.Reports)
	defer func() { err = errors.Join(err, out.Close()) }()
	ids := make([]hash.Hash, len(b.cycles))
	var all tally
	byLanguage := map[string]*tally{}
	var flags []model.FlagValue
	var scratch []byte
	b.status, b.also = make([]functionStatus, b.nodes.len()), make([]uint32, b.nodes.len())
	for v := range uint32(b.nodes.len()) {
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		entry, err := b.spool.read()
		if err != nil {
			return nil, err
		}
		f := fields(entry)
		id := f.string()
		if k := b.cycleOf[v]; k != noCycle {
			if ids[k] == nil {
				ids[k] = sha256.New()
			}
			scratch = strconv.AppendInt(scratch[:0], int64(len(id)), 10)
			scratch = append(append(scratch, ':'), id...)
			ids[k].Write(scratch)
		}
		if b.nodes.class[v] != functionNode {
			continue
		}
		flags = spooledFlags(f, flags)
		report := b.report(v, flags)
		encoded, err := report.Encode()
		if err != nil {
			return nil, err
		}
		out.Add(encoded)
		all.add(v, &report)
		b.status[v] = statusOf(&report)
		if b.mayBeCalledOtherwise(v, flags) {
			b.also[v] = 1
		}
		language := b.languageOf(v)
		if byLanguage[language] == nil {
			byLanguage[language] = new(tally)
		}
		byLanguage[language].add(v, &report)
	}
	for _, id := range ids {
		cycleIDs = append(cycleIDs, binary.BigEndian.Uint64(id.Sum(nil)))
	}
	table := b.w.Table(store.Uncalled)
	b.writeUncalled(table, &all, byLanguage)
	return cycleIDs, table.Close()
}

// writeGraph writes the rows of nodes and edges, and the bridges.
func (b *builder) writeGraph() error {
	c := &b.edges
	nodes := b.w.Table(store.Nodes)
	function := uint32(0)
	for v := range b.nodes.len() {
		report := uint32(store.NoFunction)
		if b.nodes.class[v] == functionNode {
			report = function
			function++
		}
		nodes.Row(c.in[v], c.inCalls[v], c.inImports[v], c.inDeps[v], c.out[v], c.outDeps[v], report, b.cycleOf[v])
	}
	end := uint32(len(c.source))
	nodes.Row(end, end, end, end, end, end, store.NoFunction, store.NoCycle)
	edges := b.w.Table(store.Edges)
	for e := range c.source {
		edges.Row(c.source[e], c.target[e], c.rank[e])
	}
	outgoing := b.w.Table(store.OutEdges)
	for _, e := range c.outgoing {
		outgoing.Row(e)
	}
	bridges := b.w.Table(store.Bridges)
	for _, e := range b.bridgeList {
		bridges.Row(e)
	}
	return errors.Join(nodes.Close(), edges.Close(), outgoing.Close(), bridges.Close())
}

func (b *builder) writeCycles(ids []uint64) error {
	cycles, nodes, edges := b.w.Table(store.Cycles), b.w.Table(store.CycleNodes), b.w.Table(store.CycleEdges)
	for i, k := range b.cycles {
		cycles.Row(uint32(ids[i]>>32), uint32(ids[i]), uint32(nodes.Rows()), uint32(edges.Rows()))
		for _, v := range k.nodes {
			nodes.Row(v)
		}
		for _, e := range k.edges {
			edges.Row(e)
		}
	}
	cycles.Row(0, 0, uint32(nodes.Rows()), uint32(edges.Rows()))
	return errors.Join(cycles.Close(), nodes.Close(), edges.Close())
}

// splitResolution takes the resolution object apart by language.
func (b *builder) splitResolution() error {
	b.resolutionNumbers = map[string]int{}
	if len(b.header.Resolution) == 0 {
		return nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(b.header.Resolution, &members); err != nil {
		return err
	}
	for _, name := range canon.SortedNames(members) {
		b.resolutionNumbers[name] = len(b.resolutions)
		b.resolutions = append(b.resolutions, store.NamedValue{Name: name, Value: slices.Clone(members[name])})
	}
	return nil
}

// resolutionOf is the number of the resolution of a function's language, -1
// when there is none.
func (b *builder) resolutionOf(function uint32) int {
	if language := b.nodes.language[function]; language != 0 {
		if n, ok := b.resolutionNumbers[b.nodes.languages.text(language)]; ok {
			return n
		}
	}
	return -1
}

// manifest is what the index says of itself.
func (b *builder) manifest() *store.Manifest {
	largest := 0
	for _, k := range b.cycles {
		largest = max(largest, len(k.nodes))
	}
	incomplete := 0
	for _, f := range b.nodes.files {
		if f.parseIncomplete != nil {
			incomplete++
		}
	}
	return &store.Manifest{
		Digest:       b.digest.Sum(nil),
		Generator:    b.header.Generator,
		Root:         b.header.Root,
		RepositoryID: b.header.RepositoryID,
		Scope:        b.header.Scope,
		Resolution:   b.header.Resolution,
		ResolutionOf: b.resolutions,
		Nodes:        b.nodes.len(),
		Edges:        len(b.edges.source),
		NodeKinds:    kindCounts(b.nodeKinds),
		EdgeKinds:    kindCounts(b.edgeKinds),
		Cycles:       len(b.cycles),
		LargestCycle: largest,
		Bridges:      len(b.bridgeList),
		Functions:    b.functions,
		Languages:    b.languages,

		Lanes:            b.lanes,
		Incomplete:       incomplete,
		Sorts:            b.sorts,
		MostDependencies: b.mostDependencies,
		Source:           b.sourceDigest,
	}
}

func kindCounts(counts map[string]int) []store.KindCount {
	var list []store.KindCount
	for _, kind := range canon.SortedNames(counts) {
		list = append(list, store.KindCount{Kind: kind, Count: counts[kind]})
	}
	return list
}
