package query

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
	"brick/store"
)

// appendBriefNode appends what is told of a node in brief: its id, kind, name,
// and where it is, each where it has one.
func (q *question) appendBriefNode(dst []byte, node uint32) ([]byte, error) {
	facts, err := q.view.Facts(node)
	if err != nil {
		return dst, err
	}
	r, err := q.view.Record(store.NodeRecords, node)
	if err != nil {
		return dst, err
	}
	dst = appendMembers(dst, r, func(name, value []byte) bool {
		switch string(name) {
		case `"kind"`, `"name"`:
			return true
		case `"path"`:
			return len(value) > len(`""`)
		}
		return false
	})
	if facts.Line > 0 {
		dst = append(dst, `,"line":`...)
		dst = strconv.AppendUint(dst, uint64(facts.Line), 10)
	}
	return append(dst, '}'), nil
}

// appendBriefEdge appends what is told of an edge in brief: its id, kind, and
// the ids of its ends, the lanes of its evidence, and how much there is.
func (q *question) appendBriefEdge(dst []byte, edge uint32) ([]byte, error) {
	r, err := q.view.Record(store.EdgeRecords, edge)
	if err != nil {
		return dst, err
	}
	dst = appendMembers(dst, r, func(name, _ []byte) bool {
		switch string(name) {
		case `"kind"`, `"source"`, `"target"`:
			return true
		}
		return false
	})
	dst = append(dst, `,"lanes":`...)
	dst = appendLanes(dst, r)
	dst = append(dst, `,"evidence_count":`...)
	dst = strconv.AppendInt(dst, int64(r.Evidence()), 10)
	return append(dst, '}'), nil
}

// appendMembers begins an object with a record's id and those of the members
// behind it that keep lets through; names are sorted, and quoted.
func appendMembers(dst []byte, r store.Record, keep func(name, value []byte) bool) []byte {
	dst = append(dst, `{"id":`...)
	end := canon.End(r.Text, r.ID)
	dst = append(dst, r.Text[r.ID:end]...)
	for {
		name, start, next, ok := canon.Next(r.Text, end)
		if !ok {
			return dst
		}
		end = next
		if value := r.Text[start:next]; keep(name, value) {
			dst = append(append(append(dst, ','), name...), ':')
			dst = append(dst, value...)
		}
	}
}

// appendEdgeLanes appends the lanes of an edge's evidence, as a JSON array.
func (q *question) appendEdgeLanes(dst []byte, edge uint32) ([]byte, error) {
	r, err := q.view.Record(store.EdgeRecords, edge)
	if err != nil {
		return dst, err
	}
	return appendLanes(dst, r), nil
}

func appendLanes(dst []byte, r store.Record) []byte {
	dst = append(dst, '[')
	for i, lane := range store.LaneNames {
		if !r.Has(i) {
			continue
		}
		if dst[len(dst)-1] == '"' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), lane...), '"')
	}
	return append(dst, ']')
}

// A claim is an evidence record of an edge: its provenance, and why a call is
// not resolved, as JSON string literals; nil where there is none.
type claim struct{ provenance, reason []byte }

// unresolvedReason is why a call is not resolved.
func (c claim) unresolvedReason() string {
	reason, err := jsontext.AppendUnquote(nil, c.reason)
	if err != nil || len(reason) == 0 {
		return unspecified
	}
	return string(reason)
}

// claims calls each for every evidence record of an edge, in their order. The
// memory is the view's.
func (q *question) claims(edge uint32, each func(claim)) error {
	r, err := q.view.Record(store.EdgeRecords, edge)
	if err != nil {
		return err
	}
	find := func(text []byte, sought string) []byte {
		for at := 0; ; {
			name, start, end, ok := canon.Next(text, at)
			if !ok {
				return nil
			}
			if string(name) == sought {
				return text[start:end]
			}
			at = end
		}
	}
	list := find(r.Text, `"evidence"`)
	for at := 0; ; {
		start, end, ok := canon.Element(list, at)
		if !ok {
			return nil
		}
		at = end
		e := list[start:end]
		c := claim{provenance: find(e, `"provenance"`)}
		if attributes := find(e, `"attributes"`); attributes != nil {
			if reason := find(attributes, `"source.unresolved-reason"`); len(reason) > 2 && reason[0] == '"' {
				c.reason = reason
			}
		}
		each(c)
	}
}

// edgeKind returns the kind of an edge as a JSON string. The memory is the
// view's.
func (q *question) edgeKind(edge uint32) ([]byte, error) {
	r, err := q.view.Record(store.EdgeRecords, edge)
	if err != nil {
		return nil, err
	}
	for at := canon.End(r.Text, r.ID); ; {
		name, start, end, ok := canon.Next(r.Text, at)
		if !ok || string(name) == `"kind"` {
			return r.Text[start:end], nil
		}
		at = end
	}
}
