package query

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"brick/store"
)

// question is one call that is being answered.
type question struct {
	ctx   context.Context
	ix    *store.Index
	view  *store.View
	out   []byte // the answer so far
	steps int    // since ctx was looked at

	tool      *Tool
	arguments Arguments
	options   Options
	page      page
	filter    filter
	leftOut   int      // entries of the answer's lists that the filter left out
	brief     bool     // records are, or are names
	names     bool     // records are
	max       int      // bytes of the answer; 0 for any number
	whole     []string // see has
	taken     []takenPlace
}

// begin writes the members that every answer starts with.
func (q *question) begin(tool string) {
	m := q.ix.Manifest
	q.out = append(q.out, `{"query_schema_version":1,"building_schema_version":4,"query":`...)
	q.text(tool)
	q.key("root")
	q.text(m.Root)
	q.key("repository_id")
	q.text(m.RepositoryID)
	q.key("scope")
	q.out = append(q.out, m.Scope...)
	if q.brief {
		q.key("records")
		q.text(q.arguments.string(records.Name))
	}
}

// key writes the name of the answer's next member.
func (q *question) key(name string) {
	q.out = append(q.out, ',', '"')
	q.out = append(q.out, name...)
	q.out = append(q.out, '"', ':')
}

func (q *question) text(s string) { q.out = appendText(q.out, s) }

// appendText appends a JSON string.
func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

func (q *question) number(n int) { q.out = strconv.AppendInt(q.out, int64(n), 10) }

func (q *question) boolean(b bool) { q.out = strconv.AppendBool(q.out, b) }

// list writes an array of what each writes for every element.
func list[E any](q *question, elements []E, each func(E) error) error {
	q.out = append(q.out, '[')
	for i, e := range elements {
		if i > 0 {
			q.out = append(q.out, ',')
		}
		if err := q.step(); err != nil {
			return err
		}
		if err := each(e); err != nil {
			return err
		}
	}
	q.out = append(q.out, ']')
	return nil
}

// step is called for each node or edge that is looked at; it looks whether
// the answer is too large, and now and then whether it is still wanted.
func (q *question) step() error {
	if q.max > 0 && len(q.out) > q.max {
		return errTooLarge
	}
	if q.steps++; q.steps%256 != 0 {
		return nil
	}
	return q.ctx.Err()
}

func (q *question) node(node uint32) (err error) {
	if q.names {
		q.out, err = q.appendNamesNode(q.out, node)
		return err
	}
	if q.brief {
		q.out, err = q.appendBriefNode(q.out, node)
		return err
	}
	q.out, err = q.view.AppendNode(q.out, node)
	return err
}

func (q *question) edge(edge uint32) (err error) {
	if q.names {
		return q.namesEdge(edge, toSource|toTarget)
	}
	q.out, err = q.appendEdge(q.out, edge)
	return err
}

// appendEdge appends an edge as the answer writes edges.
func (q *question) appendEdge(dst []byte, edge uint32) ([]byte, error) {
	if q.brief {
		return q.appendBriefEdge(dst, edge)
	}
	return q.view.AppendEdge(dst, edge)
}

// numbers reads rows [start, end) of a table of one column.
func (q *question) numbers(s store.Section, start, end uint32) ([]uint32, error) {
	q.view.PrefetchRows(s, start, end)
	var list []uint32
	for i := start; i < end; i++ {
		if err := q.step(); err != nil {
			return nil, err
		}
		n, err := q.view.Number(s, i)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// ranked is an edge with its place in the order of ids.
type ranked struct{ edge, rank uint32 }

// edges writes an array of edges in the order of their ids. It reads them in
// the order in which they are stored, so that it unpacks each block once.
func (q *question) edges(edges []ranked) error {
	slices.SortFunc(edges, func(a, b ranked) int { return cmp.Compare(a.edge, b.edge) })
	q.soon(store.EdgeRecords, numbersOf(edges))
	records := take(q.bounded(q.room(0, len(edges))))
	type place struct {
		rank       uint32
		start, end int
	}
	places := make([]place, len(edges))
	for i, e := range edges {
		if err := q.step(); err != nil {
			return err
		}
		if q.max > 0 && len(records) > q.max {
			return errTooLarge
		}
		start := len(records)
		var err error
		if records, err = q.appendEdge(records, e.edge); err != nil {
			return err
		}
		places[i] = place{e.rank, start, len(records)}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	q.out = withRoom(q.out, q.bounded(len(records)+len(places)))
	err := list(q, places, func(p place) error {
		q.out = append(q.out, records[p.start:p.end]...)
		return nil
	})
	Recycle(records)
	return err
}

// room is about how many bytes so many records of nodes and edges take.
func (q *question) room(nodes, edges int) int {
	size := q.ix.Room(nodes, edges)
	if q.brief {
		size /= 10
	}
	return size
}

// reserve makes room for records, so that the answer is not copied again and
// again while it grows.
func (q *question) reserve(nodes, edges int) {
	q.out = withRoom(q.out, q.bounded(q.room(nodes, edges)))
}

// bounded is a size, but not more than an answer may have.
func (q *question) bounded(size int) int {
	if q.max > 0 {
		return min(size, q.max)
	}
	return size
}

func sortEdges(edges []ranked) {
	slices.SortFunc(edges, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
}

// span is the numbers from start to end, end excluded.
func span(start, end uint32) []uint32 {
	numbers := make([]uint32, 0, end-start)
	for i := start; i < end; i++ {
		numbers = append(numbers, i)
	}
	return numbers
}
