package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"brick/internal/extsort"
	"brick/internal/show"
)

// checkEnds reports what is wrong with an edge's ends, which only shows when
// all nodes are known.
func (b *builder) checkEnds(e *spilledEdge, sourceKnown, targetKnown bool, target uint32) {
	b.checkEnd(e, "source", e.source, e.sourcePlace, e.bits&spilledSource != 0 && !sourceKnown)
	b.checkEnd(e, "target", e.target, e.targetPlace, e.bits&spilledTarget != 0 && !targetKnown)
	if e.bits&spilledUnresolvedCall == 0 || !targetKnown {
		return
	}
	if class := b.nodes.class[target]; class != unresolvedSymbol && class != unknownNode {
		b.faults.Add(Fault{
			Place: e.targetPlace, Pointer: fmt.Sprintf("/edges/%d/target", e.index), ID: string(e.id),
			Message: fmt.Sprintf("the target of an unresolved_call must be a node of kind \"unresolved_symbol\", and %s is none", e.end("target")),
		})
	}
}

func (b *builder) checkEnd(e *spilledEdge, member string, id hash128, place Place, unknown bool) {
	if _, follows := b.refused[id]; !unknown || follows || b.header.NodesUnknown {
		return
	}
	b.faults.Add(Fault{
		Place: place, Pointer: fmt.Sprintf("/edges/%d/%s", e.index, member), ID: string(e.id),
		Message: fmt.Sprintf("%s %s is not the id of a node of this document", member, e.end(member)),
	})
}

// end returns the id that an edge gives for one of its ends, for a message.
func (e *spilledEdge) end(member string) string {
	var ends struct {
		Source string `json:"source"`
		Target string `json:"target"`
	}
	if err := json.Unmarshal(e.record, &ends); err == nil && member == "source" {
		return show.Quote(ends.Source)
	}
	return show.Quote(ends.Target)
}

// reportClashes reports every id that is used twice, each use after the first
// at its place. It goes over all ids once more, which costs nothing where
// there are no such faults.
func (b *builder) reportClashes(ctx context.Context) error {
	uses, err := extsort.New(filepath.Join(b.dir, "uses"))
	if err != nil {
		return err
	}
	defer uses.Close()
	w := uses.Writer()
	var value []byte
	use := func(id []byte, place Place, list byte, index int) error {
		value = binary.BigEndian.AppendUint64(value[:0], uint64(place.Offset))
		value = appendPlace(value, place)
		value = binary.AppendUvarint(append(value, list), uint64(index))
		return w.Add(id, value)
	}
	var n spilledNode
	nodes := b.nodeSorter.Merge()
	defer nodes.Close()
	for nodes.Next() {
		id, value := nodes.Record()
		n.read(value)
		if err := use(id, n.place, 'n', n.index); err != nil {
			return err
		}
	}
	var e spilledEdge
	edges := b.edgeSorter.Merge()
	defer edges.Close()
	for edges.Next() {
		e.read(edges.Record())
		if len(e.id) == 0 {
			continue
		}
		if err := use(e.id, e.place, 'e', e.index); err != nil {
			return err
		}
	}
	for _, err := range []error{nodes.Err(), edges.Err(), w.Close(), ctx.Err()} {
		if err != nil {
			return err
		}
	}
	var last []byte
	var first Place
	merge := uses.Merge()
	defer merge.Close()
	for begin := true; merge.Next(); begin = false {
		id, value := merge.Record()
		f := fields(value[8:])
		place, list, index := f.place(), "nodes", 0
		if f.byte() == 'e' {
			list = "edges"
		}
		index = f.uvarint()
		if begin || !bytes.Equal(id, last) {
			last, first = append(last[:0], id...), place
			continue
		}
		b.faults.Add(Fault{
			Place: place, Pointer: fmt.Sprintf("/%s/%d/id", list, index), ID: string(id),
			Message: fmt.Sprintf("the id is used twice, first at %d:%d", first.Line, first.Column),
		})
	}
	return merge.Err()
}
