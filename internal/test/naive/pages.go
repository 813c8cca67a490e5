package naive

import (
	"maps"
	"slices"
)

// pages are the parts of an answer's lists that are asked for.
type pages struct {
	limit   int
	from    []int // where each list begins, by the cursor
	limited bool

	filtered bool // entries may have been left out
	leftOut  int  // how many; -1 where that is not counted

	lists int  // cut so far
	more  bool // some list goes on
}

// otherwise sets the limit that a tool has where none is given.
func (p *pages) otherwise(args map[string]any, limit int) {
	if args["limit"] == nil {
		p.limit, p.limited = limit, true
	}
}

// start is where a list begins.
func (p *pages) start(i int) int {
	if i < len(p.from) {
		return p.from[i]
	}
	return 0
}

// first says whether the page is the first, asked for without a cursor.
func (p *pages) first() bool { return p.from == nil }

// cut is the part of the next list that is asked for.
func (p *pages) cut(whole list) list {
	part := list{}
	for i, element := range whole {
		if i >= p.start(p.lists) && i-p.start(p.lists) < p.limit {
			part = append(part, element)
		} else if i >= p.start(p.lists) {
			p.more = true
		}
	}
	p.lists++
	return part
}

// again cuts a list that goes with the last one.
func (p *pages) again(whole list) list {
	p.lists--
	return p.cut(whole)
}

// shows says whether an element of the last list is shown.
func (p *pages) shows(i int) bool {
	start := p.start(p.lists - 1)
	return i >= start && i-start < p.limit
}

// end is "`total` [...] and, where more is there, `next_cursor`".
func (p *pages) end(total int) object {
	if !p.limited && !p.filtered {
		return nil
	}
	return append(object{"total", total}, p.rest()...)
}

// rest is what the filter left out, and where the answer goes on.
func (p *pages) rest() object {
	if p.filtered && p.leftOut >= 0 {
		return append(object{"left_out", p.leftOut}, p.next()...)
	}
	return p.next()
}

// "(for uncalled only when `limit` or `cursor` was given [...])"
func (p *pages) next() object {
	if !p.limited || !p.more {
		return nil
	}
	return object{"next_cursor", "…"}
}

// "Brief nodes are `id`, `kind`, `name`, `path`, `line`": what there is.
func (m *Model) nodeRecord(n *node) any {
	if !m.brief {
		return raw(n.record)
	}
	return m.smallNode(n)
}

func (m *Model) briefNode(n *node) object {
	o := object{"id", n.id, "kind", n.kind, "name", n.name}
	if n.path != "" {
		o = append(o, "path", n.path)
	}
	if n.startLine != 0 {
		o = append(o, "line", int(n.startLine))
	}
	return o
}

// "brief edges are `id`, `kind`, `source`, `target` (ids), `lanes` (distinct,
// sorted), `evidence_count`."
func (m *Model) edgeRecord(e *edge) any {
	if !m.brief {
		return raw(e.record)
	}
	if m.names {
		return namesEdge(e, "source", e.source.id, "target", e.target.id)
	}
	return object{
		"id", e.id, "kind", e.kind, "source", e.source.id, "target", e.target.id,
		"lanes", lanesOf(e), "evidence_count", len(e.evidence),
	}
}

func lanesOf(e *edge) list {
	lanes := map[string]bool{}
	for _, v := range e.evidence {
		lanes[v.lane] = true
	}
	sorted := list{}
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		sorted = append(sorted, lane)
	}
	return sorted
}
