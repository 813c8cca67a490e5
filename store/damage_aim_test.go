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
	nodeID := func(node uint32) []byte {
		id, err := v.AppendNodeID(nil, node)
		must(err)
		return id
	}
	evidence := func(edge bool, number uint32) (string, string) {
		id, err := v.AppendEdgeID(nil, number)
		if !edge {
			id, err = v.AppendNodeID(nil, number)
		}
		must(err)
		return "brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, id)
	}
	text := func() string {
		text, err := v.Text(b.section, one(64, int(l.good.Items(b.section))))
		must(err)
		quoted, err := jsontext.AppendQuote(nil, text)
		must(err)
		return string(quoted)
	}
	switch b.section {
	case store.NodeRecords:
		return evidence(false, one(16, nodes))
	case store.EdgeRecords:
		return evidence(true, one(16, edges))
	case store.Reports:
		return "brick_callers", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(l.functions[one(32, len(l.functions))]))
	case store.Nodes:
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(row(8, nodes)))
	case store.Edges:
		e, err := v.EdgeRow(row(3, edges))
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"limit":20}`, nodeID(e.Target))
	case store.OutEdges:
		n, err := v.Number(store.OutEdges, row(1, edges))
		must(err)
		e, err := v.EdgeRow(n)
		must(err)
		return "brick_impact", fmt.Sprintf(`{"node_id":%s,"direction":"dependencies","limit":20}`, nodeID(e.Source))
	case store.IDs:
		const packing, sum, entry = 1, 8, 8
		entries := (b.end - b.start - packing - sum) / entry
		if entries == 0 {
			return "", ""
		}
		value := binary.LittleEndian.Uint32(d.whole[b.start+packing+r.IntN(entries)*entry+4:])
		return evidence(value&1 == 1, value>>1)
	case store.Terms:
		return "brick_find", fmt.Sprintf(`{"text":%s,"limit":3}`, text())
	case store.Paths:
		return "brick_file", fmt.Sprintf(`{"path":%s,"limit":3}`, text())
	}
	return "", ""
}
