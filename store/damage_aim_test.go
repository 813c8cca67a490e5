package store_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"brick/store"
)

// Most damage to a large index is where few questions look. So a trial also
// asks about what is stored where the damage is.

// maxAimed is how many blocks are asked about.
const maxAimed = 6

// targets are what is asked about, by the numbers of items that have it.
type targets struct {
	functions []uint32 // nodes, by report
	sources   []string // paths
	texts     []string // the path that has each text
	chunks    []string // the path whose text has each chunk
}

// aim finds the targets.
func (l *lab) aim(t testing.TB, v *store.View) {
	t.Helper()
	for node := range uint32(l.good.Manifest.Nodes) {
		row, err := v.NodeRow(node)
		if err != nil {
			t.Fatal(err)
		}
		if row.Function != store.NoFunction {
			l.functions = append(l.functions, node)
		}
	}
	for i := range l.good.Items(store.Sources) {
		f, err := v.Source(i)
		if err != nil {
			t.Fatal(err)
		}
		l.sources = append(l.sources, f.Path)
		if f.Absent != "" {
			continue
		}
		l.texts = append(l.texts, f.Path)
		const inline, chunk = 16 << 10, 64 << 10
		if f.Size > inline {
			for at := 0; at < f.Size; at += chunk {
				l.chunks = append(l.chunks, f.Path)
			}
		}
	}
}

// aimed are questions about what some of the damaged blocks hold.
func (l *lab) aimed(t testing.TB, d *damager, r *rand.Rand, blocks []int) []question {
	t.Helper()
	var questions []question
	for i := range min(maxAimed, len(blocks)) {
		// The first two first: blocks that were exchanged with each other.
		if i >= 2 {
			i = r.IntN(len(blocks))
		}
		if tool, arguments := l.about(t, d, r, d.blocks[blocks[i]]); tool != "" {
			questions = append(questions, l.question(t, tool, arguments))
		}
	}
	return questions
}

// about is a question whose answer needs something of a block, or "" for
// blocks of sections that other questions read more of. How many items and
// rows a block has is in docs/format.md.
func (l *lab) about(t testing.TB, d *damager, r *rand.Rand, b block) (tool, arguments string) {
	t.Helper()
	v := l.good.View()
	defer v.Release()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	one := func(perBlock, of int) uint32 { return uint32(min(b.number*perBlock+r.IntN(perBlock), of-1)) }
	row := func(columns, of int) uint32 { return one(4080/(4*columns), of) }
	nodes, edges := l.good.Manifest.Nodes, l.good.Manifest.Edges
	edgeID := func(edge uint32) []byte {
		id, err := v.AppendEdgeID(nil, edge)
		must(err)
		return id
	}
	nodeID := func(node uint32) []byte {
		id, err := v.AppendNodeID(nil, node)
		must(err)
		return id
	}
	evidence := func(id []byte) (string, string) { return "brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, id) }
	text := func() string {
		text, err := v.Text(b.section, one(64, int(l.good.Items(b.section))))
		must(err)
		quoted, err := jsontext.AppendQuote(nil, text)
		must(err)
		return string(quoted)
	}
	source := func(path string) (string, string) { return "brick_source", fmt.Sprintf(`{"path":%q}`, path) }
	switch b.section {
	case store.NodeRecords:
		return evidence(nodeID(one(16, nodes)))
	case store.EdgeRecords:
		return evidence(edgeID(one(16, edges)))
	case store.Reports:
		return "brick_callers", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(l.functions[one(32, len(l.functions))]))
	case store.Nodes:
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(row(8, nodes)))
	case store.Edges:
		return evidence(edgeID(row(3, edges)))
	case store.OutEdges:
		n, err := v.Number(store.OutEdges, row(1, edges))
		must(err)
		e, err := v.EdgeRow(n)
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"direction":"dependencies","limit":20}`, nodeID(e.Source))
	case store.Spans:
		span, err := v.Span(row(6, int(l.good.Items(store.Spans))))
		must(err)
		facts, err := v.Facts(span.Node)
		must(err)
		ranked, err := v.Ranked(facts.Rank)
		must(err)
		path, err := v.Text(store.Paths, ranked.Path)
		must(err)
		return "brick_find", fmt.Sprintf(`{"text":%q}`, fmt.Sprintf("%s:%d", path, span.StartLine))
	case store.Contained:
		node, _, err := v.Contained(row(2, int(l.good.Items(store.Contained))))
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(node))
	case store.ModuleUses:
		use, err := v.ModuleUse(row(7, int(l.good.Items(store.ModuleUses))))
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"level":"module","direction":"dependencies"}`, nodeID(use.From))
	case store.ModuleUsers:
		n, err := v.Number(store.ModuleUsers, row(1, int(l.good.Items(store.ModuleUsers))))
		must(err)
		use, err := v.ModuleUse(n)
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"level":"module"}`, nodeID(use.To))
	case store.ModuleCycles:
		return "brick_cycles", `{"level":"module"}`
	case store.IDs:
		const packing, sum, entry = 1, 8, 8
		entries := (b.end - b.start - packing - sum) / entry
		if entries == 0 {
			return "", ""
		}
		value := binary.LittleEndian.Uint32(d.whole[b.start+packing+r.IntN(entries)*entry+4:])
		if value&1 == 1 {
			return evidence(edgeID(value >> 1))
		}
		return evidence(nodeID(value >> 1))
	case store.Terms, store.Qualified:
		return "brick_find", fmt.Sprintf(`{"text":%s,"limit":3}`, text())
	case store.Sources:
		return source(l.sources[one(16, len(l.sources))])
	case store.Texts:
		return source(l.texts[b.number])
	case store.Chunks:
		// Those of texts are the last ones.
		if i := b.number - int(l.good.Items(store.Chunks)) + len(l.chunks); i >= 0 {
			return source(l.chunks[i])
		}
	case store.TermGrams:
		gram, _, err := v.Gram(store.TermGramKeys, one(4, int(l.good.Items(store.TermGrams))))
		must(err)
		// Grams that are cut from a longer letter are asked for by no text.
		part, err := jsontext.AppendQuote(nil, []byte{byte(gram >> 16), byte(gram >> 8), byte(gram)})
		if err == nil {
			return "brick_find", fmt.Sprintf(`{"text":%s,"limit":1000,"records":"brief"}`, part)
		}
	case store.Paths:
		return "brick_file", fmt.Sprintf(`{"path":%s,"limit":3}`, text())
	}
	return "", ""
}
