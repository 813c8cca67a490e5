package query

import (
	"strconv"

	"brick/internal/canon"
	"brick/store"
)

// Names are the smallest records, for agents: ids once, and places. A node is
// its id, its kind unless it is a function, and where it is defined; an edge
// the ids of those ends that don't follow from where it stands, and the first
// place that is claimed for it.

// appendNamesNode appends a node with the place of its definition.
func (q *question) appendNamesNode(dst []byte, node uint32) ([]byte, error) {
	facts, err := q.view.Facts(node)
	if err != nil {
		return dst, err
	}
	dst, r, err := q.appendNamed(dst, node)
	if err != nil {
		return dst, err
	}
	if path := member(r, `"path"`); len(path) > len(`""`) {
		dst = append(append(dst, `,"at":`...), path[:len(path)-1]...)
		if facts.Line > 0 {
			dst = strconv.AppendUint(append(dst, ':'), uint64(facts.Line), 10)
		}
		dst = append(dst, '"')
	}
	return append(dst, '}'), nil
}

// appendNamed begins a node: its id, and its kind if it is no function.
func (q *question) appendNamed(dst []byte, node uint32) ([]byte, store.Record, error) {
	r, err := q.view.Record(store.NodeRecords, node)
	if err != nil {
		return dst, r, err
	}
	dst = append(dst, `{"id":`...)
	dst = append(dst, r.Text[r.ID:canon.End(r.Text, r.ID)]...)
	switch kind := member(r, `"kind"`); string(kind) {
	case `"function"`, `"method"`:
	default:
		dst = append(append(dst, `,"kind":`...), kind...)
	}
	return dst, r, nil
}

// member is the value of a record's member behind its id; nil when it has none.
func member(r store.Record, sought string) []byte {
	for at := canon.End(r.Text, r.ID); ; {
		name, start, end, ok := canon.Next(r.Text, at)
		if !ok {
			return nil
		}
		if string(name) == sought {
			return r.Text[start:end]
		}
		at = end
	}
}

// The ends of an edge that are written.
type ends uint8

const (
	noEnds   ends = 0
	toSource ends = 1 << iota
	toTarget
)

// namesEdge writes an edge: its kind, ends, and place.
func (q *question) namesEdge(edge uint32, of ends) error {
	row, err := q.view.EdgeRow(edge)
	if err != nil {
		return err
	}
	kind, err := q.edgeKind(edge)
	if err != nil {
		return err
	}
	q.out = append(append(q.out, `{"kind":`...), kind...)
	for _, end := range []struct {
		name string
		node uint32
		is   bool
	}{{"source", row.Source, of&toSource != 0}, {"target", row.Target, of&toTarget != 0}} {
		if !end.is {
			continue
		}
		q.key(end.name)
		if q.out, err = q.view.AppendNodeID(q.out, end.node); err != nil {
			return err
		}
	}
	if err := q.writePlace(edge, everyClaim); err != nil {
		return err
	}
	q.out = append(q.out, '}')
	return nil
}

// writePlace writes the member that says where an edge is, if that is known.
func (q *question) writePlace(edge uint32, of func(claim) bool) error {
	place, err := q.placeOf(edge, of)
	if place != nil {
		q.key("at")
		q.out = append(q.out, place...)
	}
	return err
}

// namesCallers writes who calls a function, each with its first call.
func (q *question) namesCallers(calls []uint32) error {
	q.soon(store.EdgeRecords, calls)
	return list(q, calls, func(call uint32) error {
		row, err := q.view.EdgeRow(call)
		if err != nil {
			return err
		}
		return q.rowAt(row.Source, nil, call, everyClaim)
	})
}

// namesIncident writes an edge at a node with its other end.
func (q *question) namesIncident(node uint32) func(ranked) error {
	return func(e ranked) error {
		row, err := q.view.EdgeRow(e.edge)
		if err != nil {
			return err
		}
		if row.Target == node {
			return q.namesEdge(e.edge, toSource)
		}
		return q.namesEdge(e.edge, toTarget)
	}
}

// namesReport writes a function of a list with the names of the reasons to
// expect a call of it.
func (q *question) namesReport(node uint32, r *store.Report, closedWorld bool) (err error) {
	if q.out, err = q.appendNamesNode(q.out, node); err != nil {
		return err
	}
	reasons := r.Reasons
	if closedWorld {
		reasons = reasons[:r.Closed]
	}
	if len(reasons) == 0 || r.Resolved {
		return nil
	}
	q.out = q.out[:len(q.out)-1] // its brace
	q.key("reasons")
	q.out = append(q.out, '[')
	text := []byte("[" + string(reasons) + "]")
	for at, first := 0, true; ; first = false {
		start, end, ok := canon.Element(text, at)
		if !ok {
			break
		}
		at = end
		if !first {
			q.out = append(q.out, ',')
		}
		reason := text[start:end]
		_, start, end, _ = canon.Next(reason, 0) // its name comes first
		q.out = append(q.out, reason[start:end]...)
	}
	q.out = append(q.out, "]}"...)
	return nil
}

// namesCall writes a call of brick_calls: its ends, its distinct places, and
// the distinct reasons why it is not resolved.
func (q *question) namesCall(e siteEdge) error {
	row, err := q.view.EdgeRow(e.edge)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"caller":`...)
	if q.out, err = q.view.AppendNodeID(q.out, row.Source); err != nil {
		return err
	}
	q.key("callee")
	if q.out, err = q.view.AppendNodeID(q.out, row.Target); err != nil {
		return err
	}
	var places, reasons []string
	add := func(to *[]string, literal []byte) {
		for _, s := range *to {
			if s == string(literal) {
				return
			}
		}
		if literal != nil {
			*to = append(*to, string(literal))
		}
	}
	err = q.claims(e.edge, func(c claim) {
		if len(c.provenance) > 0 {
			add(&places, withoutColumn(c.provenance))
		}
		add(&reasons, c.reason)
	})
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		list []string
	}{{"at", places}, {"reasons", reasons}} {
		if len(part.list) == 0 {
			continue
		}
		q.key(part.name)
		if err := list(q, part.list, func(s string) error { q.out = append(q.out, s...); return nil }); err != nil {
			return err
		}
	}
	q.out = append(q.out, '}')
	return nil
}
