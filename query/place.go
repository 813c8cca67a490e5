package query

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"brick/internal/show"
	"brick/store"
)

// A place is a part of a file: lines, both included, or one column of a line.
type place struct {
	asked              string
	number             uint32 // of the path
	path               string
	startLine, endLine uint32
	column             uint32 // 0 for whole lines
}

var placeForm = regexp.MustCompile(`(?s)^(.+?):([0-9]{1,10})(?::([0-9]{1,10})|-([0-9]{1,10}))?:?$`)

// placeOfText reads path:line, path:line:column, path:start-end, or a line of a
// stack trace. Of other texts, and of those whose path the model does not have,
// is is false.
func (q *question) placeOfText(text string) (p place, is bool, err error) {
	return q.placeAmong(text, placesIn(text))
}

// placeAmong is the first of the places that a text may name whose path the
// model has.
func (q *question) placeAmong(text string, all []string) (p place, is bool, err error) {
	for _, written := range all {
		if p, is, err = q.placeWritten(written); is || err != nil {
			p.asked = text
			return p, is, err
		}
	}
	return place{}, false, nil
}

func (q *question) placeWritten(text string) (p place, is bool, err error) {
	form := placeForm.FindStringSubmatch(text)
	if form == nil {
		return p, false, nil
	}
	number := func(digits string) uint32 {
		n, err := strconv.ParseUint(digits, 10, 31)
		if err != nil {
			return 0
		}
		return uint32(n)
	}
	p = place{startLine: number(form[2]), column: number(form[3])}
	p.endLine = p.startLine
	if form[4] != "" {
		p.endLine = number(form[4])
	}
	if p.number, is, err = q.findPath(form[1]); !is || err != nil {
		return p, false, err
	}
	if p.startLine == 0 || p.endLine < p.startLine || form[3] != "" && p.column == 0 {
		return p, false, &NotFoundError{Problem: fmt.Sprintf(
			"%s is no place: lines and columns are numbers from 1 to %d, and a range ends where it starts or behind it.", show.Quote(text), MaxInteger)}
	}
	b, err := q.view.Text(store.Paths, p.number)
	p.path = string(b)
	return p, true, err
}

// placeAsked is placeOfText of what is no node's or edge's id.
func (q *question) placeAsked(text string) (p place, is bool, err error) {
	written := placesIn(text)
	if len(written) == 0 {
		return p, false, nil
	}
	if _, found, err := q.view.Find(text); found || err != nil {
		return p, false, err
	}
	return q.placeAmong(text, written)
}

// at returns what is at a place: the functions, types and the like that hold
// all of it, the innermost first, and those that hold a part of it, in the
// order of lines. It looks at what it returns, and for each at what is around
// it.
func (q *question) at(p place) (around, touched []uint32, err error) {
	row, err := q.view.PathRow(p.number)
	if err != nil {
		return nil, nil, err
	}
	next, err := firstOf(row.Spans, row.SpansEnd, func(i uint32) (bool, error) {
		s, err := q.view.Span(i)
		return p.endsBefore(s), err
	})
	if err != nil {
		return nil, nil, err
	}
	for i := next; i > row.Spans; {
		if err := q.step(); err != nil {
			return nil, nil, err
		}
		s, err := q.view.Span(i - 1)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case p.startsBehind(s):
			if s.Outer == store.Unknown {
				i = row.Spans
				continue
			}
			if s.Outer+1 >= i || s.Outer < row.Spans {
				return nil, nil, fmt.Errorf("the index is damaged: row %d of the spans is not in order; build it again", i-1)
			}
			i = s.Outer + 1
			continue
		case p.within(s):
			around = append(around, s.Node)
		default:
			touched = append(touched, s.Node)
		}
		i--
	}
	slices.Reverse(touched)
	return around, touched, nil
}

// endsBefore says whether all of a place is before a span.
func (p place) endsBefore(s store.SpanRow) bool {
	if p.column == 0 {
		return p.endLine < s.StartLine
	}
	return cmp.Or(cmp.Compare(p.endLine, s.StartLine), cmp.Compare(p.column, s.StartColumn)) < 0
}

// startsBehind says whether all of a place is behind a span. What stands right
// behind the last character is still at it.
func (p place) startsBehind(s store.SpanRow) bool {
	if p.column == 0 {
		return p.startLine > s.EndLine
	}
	return cmp.Or(cmp.Compare(p.startLine, s.EndLine), cmp.Compare(p.column, s.EndColumn)) > 0
}

// within says whether a place that is neither before nor behind a span is
// within it: whole lines are when their lines are the span's.
func (p place) within(s store.SpanRow) bool {
	return s.StartLine <= p.startLine && p.endLine <= s.EndLine
}

// fileAt is the node of a place's file, if there is one.
func (q *question) fileAt(p place) (uint32, bool, error) {
	row, err := q.view.PathRow(p.number)
	if err != nil || row.File == store.Unknown {
		return 0, false, err
	}
	file, err := q.view.FileRow(row.File)
	return file.Node, file.Node != store.Unknown, err
}

// How nodes can match a place.
const (
	placeMatch   = "place"   // hold all of it
	touchedMatch = "touched" // hold a part of it
)

// findPlace answers brick_find with what is at a place.
func (q *question) findPlace(p place) error {
	around, touched, err := q.at(p)
	if err != nil {
		return err
	}
	type found struct {
		match string
		node  uint32
	}
	var all []found
	add := func(match string, nodes ...uint32) error {
		for _, node := range nodes {
			asked, err := q.isAsked(node)
			if err != nil {
				return err
			}
			if asked {
				all = append(all, found{match, node})
			}
		}
		return nil
	}
	if err := add(placeMatch, around...); err != nil {
		return err
	}
	if err := add(touchedMatch, touched...); err != nil {
		return err
	}
	file, is, err := q.fileAt(p)
	if err != nil {
		return err
	}
	if is {
		if err := add(placeMatch, file); err != nil {
			return err
		}
	}
	q.key("text")
	q.text(p.asked)
	q.key("place")
	q.out = append(q.out, '{')
	q.placeMembers(p)
	q.out = append(q.out, '}')
	if q.arguments.string(groupBy.Name) != "" {
		nodes := make([]uint32, len(all))
		for i, m := range all {
			nodes[i] = m.node
		}
		q.leftOut = -1
		_, err := q.grouped(column{name: "matches", nodes: nodes})
		return err
	}
	start, end := q.pageOf(len(all), 0)
	q.key("matches")
	err = list(q, all[start:end], func(m found) error {
		q.out = append(q.out, `{"match":`...)
		q.text(m.match)
		q.key("node")
		if err := q.node(m.node); err != nil {
			return err
		}
		q.out = append(q.out, '}')
		return nil
	})
	if err != nil {
		return err
	}
	q.key("total")
	q.number(len(all))
	q.nextCursor(end < len(all), uint64(end))
	return nil
}

// isAsked says whether the filter leaves a node in.
func (q *question) isAsked(node uint32) (bool, error) {
	if q.filter.all() {
		return true, nil
	}
	asked, err := q.askedFor([]uint32{node})
	return err == nil && asked[0], err
}

// placeMembers writes where a place is.
func (q *question) placeMembers(p place) {
	q.out = append(q.out, `"path":`...)
	q.text(p.path)
	q.key(startLine)
	q.number(int(p.startLine))
	q.key(endLine)
	q.number(int(p.endLine))
	if p.column > 0 {
		q.key("column")
		q.number(int(p.column))
	}
}

// nodeAt returns the node that a place, or a path alone, stands for where a
// node is asked for: the innermost that holds all of it and that the filter
// lets through, else the file. Where it holds none, and several parts, the
// error names these.
func (q *question) nodeAt(text string, filter nodeFilter) (node uint32, found bool, err error) {
	p, is, err := q.placeOfText(text)
	if err != nil {
		return 0, false, err
	}
	if !is {
		if p.number, is, err = q.path(text); !is || err != nil {
			return 0, false, err
		}
		p = place{asked: text, number: p.number, path: text}
	}
	var touched []uint32
	if p.startLine > 0 {
		var around []uint32
		if around, touched, err = q.at(p); err != nil {
			return 0, false, err
		}
		for _, node := range around {
			row, err := q.view.NodeRow(node)
			if err != nil {
				return 0, false, err
			}
			if filter(row) {
				return node, true, q.took(p, node)
			}
		}
	}
	if file, is, err := q.fileAt(p); err != nil {
		return 0, false, err
	} else if is {
		row, err := q.view.NodeRow(file)
		if err != nil {
			return 0, false, err
		}
		if filter(row) && len(touched) == 0 {
			return file, true, q.took(p, file)
		}
	}
	e := &NotFoundError{Problem: fmt.Sprintf("no single node of the kind that is asked for holds all of %s.", show.Quote(text)), Next: nextAt(p)}
	for _, node := range touched[:min(len(touched), maxResembling)] {
		id, err := q.nodeID(node)
		if err != nil {
			return 0, false, err
		}
		e.Resemble = append(e.Resemble, id)
	}
	return 0, false, e
}

// nextAt says how to see what is at a place or in a file.
func nextAt(p place) string {
	if p.startLine == 0 {
		return "brick_file shows what is in it: {\"path\":" + show.Quote(p.path) + "}"
	}
	return "brick_find shows what is there: {\"text\":" + show.Quote(p.asked) + "}"
}

// took notes which node was taken for a place.
func (q *question) took(p place, node uint32) error {
	id, err := q.view.AppendNodeID(nil, node)
	q.taken = append(q.taken, takenPlace{p, id})
	return err
}

// A takenPlace is a place that was given for a node, with the node's id as a
// JSON string.
type takenPlace struct {
	place
	id []byte
}

// sayPlaces writes which nodes were taken for places.
func (q *question) sayPlaces() {
	if len(q.taken) == 0 {
		return
	}
	q.key("places")
	_ = list(q, q.taken, func(t takenPlace) error {
		q.out = append(q.out, `{"asked":`...)
		q.text(t.asked)
		q.key("node_id")
		q.out = append(q.out, t.id...)
		q.out = append(q.out, '}')
		return nil
	})
}
