package store

import (
	"strconv"

	"brick/internal/canon"
)

// AppendBriefNode appends what is told of a node in brief: its id, kind, name,
// and where it is, each where it has one.
func (v *View) AppendBriefNode(dst []byte, node uint32) ([]byte, error) {
	facts, err := v.Facts(node)
	if err != nil {
		return dst, err
	}
	r, err := v.record(NodeRecords, node)
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

// AppendBriefEdge appends what is told of an edge in brief: its id, kind, and
// the ids of its ends, the lanes of its evidence, and how much there is.
func (v *View) AppendBriefEdge(dst []byte, edge uint32) ([]byte, error) {
	r, err := v.record(EdgeRecords, edge)
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
	dst = appendLanes(dst, r.claims)
	dst = append(dst, `,"evidence_count":`...)
	dst = strconv.AppendUint(dst, r.claims>>4, 10)
	return append(dst, '}'), nil
}

// appendMembers begins an object with a record's id and those of the members
// behind it that keep lets through; names are sorted, and quoted.
func appendMembers(dst []byte, r record, keep func(name, value []byte) bool) []byte {
	dst = append(dst, `{"id":`...)
	end := canon.End(r.text, r.id)
	dst = append(dst, r.text[r.id:end]...)
	for {
		name, start, next, ok := canon.Next(r.text, end)
		if !ok {
			return dst
		}
		end = next
		if value := r.text[start:next]; keep(name, value) {
			dst = append(append(append(dst, ','), name...), ':')
			dst = append(dst, value...)
		}
	}
}

// AppendEdgeLanes appends the lanes of an edge's evidence, as a JSON array.
func (v *View) AppendEdgeLanes(dst []byte, edge uint32) ([]byte, error) {
	r, err := v.record(EdgeRecords, edge)
	if err != nil {
		return dst, err
	}
	return appendLanes(dst, r.claims), nil
}

func appendLanes(dst []byte, claims uint64) []byte {
	dst = append(dst, '[')
	for i, lane := range LaneNames {
		if claims>>i&1 == 0 {
			continue
		}
		if dst[len(dst)-1] == '"' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), lane...), '"')
	}
	return append(dst, ']')
}

// A Claim is an evidence record of an edge: its provenance, its lane, and why
// a call is not resolved, as JSON string literals; nil where there is none.
type Claim struct{ Provenance, Lane, Reason []byte }

// Claims calls each for every evidence record of an edge, in their order. The
// memory is the view's.
func (v *View) Claims(edge uint32, each func(Claim)) error {
	r, err := v.record(EdgeRecords, edge)
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
	list := find(r.text, `"evidence"`)
	for at := 0; ; {
		start, end, ok := canon.Element(list, at)
		if !ok {
			return nil
		}
		at = end
		e := list[start:end]
		c := Claim{Provenance: find(e, `"provenance"`), Lane: find(e, `"lane"`)}
		if attributes := find(e, `"attributes"`); attributes != nil {
			if reason := find(attributes, `"source.unresolved-reason"`); len(reason) > 2 && reason[0] == '"' {
				c.Reason = reason
			}
		}
		each(c)
	}
}

// EdgeKind returns the kind of an edge as a JSON string. The memory is the
// view's.
func (v *View) EdgeKind(edge uint32) ([]byte, error) {
	r, err := v.record(EdgeRecords, edge)
	if err != nil {
		return nil, err
	}
	for at := canon.End(r.text, r.id); ; {
		name, start, end, ok := canon.Next(r.text, at)
		if !ok || string(name) == `"kind"` {
			return r.text[start:end], nil
		}
		at = end
	}
}
