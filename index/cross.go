package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"brick/internal/extsort"
	"brick/internal/show"
	"brick/model"
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
		b.faults.Add(model.Fault{
			Place: e.targetPlace, Pointer: fmt.Sprintf("/edges/%d/target", e.index), Origin: e.origin(), ID: string(e.id),
			Message: fmt.Sprintf("the target of an unresolved_call must be a node of kind \"unresolved_symbol\", and %s is none", e.end("target")),
		})
	}
}

func (b *builder) checkEnd(e *spilledEdge, member string, id hash128, place model.Place, unknown bool) {
	if _, follows := b.refused[id]; !unknown || follows || b.header.NodesUnknown {
		return
	}
	b.faults.Add(model.Fault{
		Place: place, Pointer: fmt.Sprintf("/edges/%d/%s", e.index, member), Origin: e.origin(), ID: string(e.id),
		Message: fmt.Sprintf("%s %s is not the id of a node of this document", member, e.end(member)),
	})
}

// edgeEnds is what messages tell of an edge's record.
type edgeEnds struct {
	Source   string `json:"source"`
	Target   string `json:"target"`
	Evidence []struct {
		Provenance string `json:"provenance"`
	} `json:"evidence"`
}

func (e *spilledEdge) ends() (ends edgeEnds) {
	// A record that can't be read says nothing.
	_ = json.Unmarshal(e.record, &ends)
	return ends
}

// end returns the id that an edge gives for one of its ends, for a message.
func (e *spilledEdge) end(member string) string {
	if member == "source" {
		return show.Quote(e.ends().Source)
	}
	return show.Quote(e.ends().Target)
}

// origin is where an edge that no document has shows in the sources.
func (e *spilledEdge) origin() string {
	if ends := e.ends(); e.place.Line == 0 && len(ends.Evidence) > 0 {
		return ends.Evidence[0].Provenance
	}
	return ""
}

// origin is where a node that no document has is in the sources.
func (n *spilledNode) origin() string {
	switch {
	case n.place.Line > 0:
		return ""
	case n.span.StartLine > 0:
		return fmt.Sprintf("%s:%d", n.path, n.span.StartLine)
	}
	return string(n.path)
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
	use := func(id []byte, place model.Place, origin string, list byte, index int) error {
		value = binary.BigEndian.AppendUint64(value[:0], uint64(place.Offset))
		value = appendPlace(value, place)
		value = binary.AppendUvarint(append(value, list), uint64(index))
		value = append(value, origin...)
		return w.Add(id, value)
	}
	var n spilledNode
	nodes := b.nodeSorter.Merge()
	defer nodes.Close()
	for nodes.Next() {
		id, value := nodes.Record()
		n.read(value)
		if err := use(id, n.place, n.origin(), 'n', n.index); err != nil {
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
		if err := use(e.id, e.place, e.origin(), 'e', e.index); err != nil {
			return err
		}
	}
	for _, err := range []error{nodes.Err(), edges.Err(), w.Close(), ctx.Err()} {
		if err != nil {
			return err
		}
	}
	var last []byte
	var first string
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
		origin := string(f)
		if begin || !bytes.Equal(id, last) {
			last, first = append(last[:0], id...), origin
			if place.Line > 0 {
				first = fmt.Sprintf("%d:%d", place.Line, place.Column)
			}
			continue
		}
		b.faults.Add(model.Fault{
			Place: place, Pointer: fmt.Sprintf("/%s/%d/id", list, index), Origin: origin, ID: string(id),
			Message: strings.TrimSuffix("the id is used twice, first at "+first, ", first at "),
		})
	}
	return merge.Err()
}
