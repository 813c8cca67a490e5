package query

import "brick/store"

// On a drive that takes a millisecond for each read an answer is as slow as
// its reads are many: what will be read is said beforehand, all at once.

// soon says that nodes or edges will be read, in this order: as many as an
// answer may have.
func (q *question) soon(s store.Section, items []uint32) {
	if q.max > 0 && (s == store.NodeRecords || s == store.EdgeRecords) {
		each := q.room(0, 1)
		if s == store.NodeRecords {
			each = q.room(1, 0)
		}
		items = items[:min(len(items), 2*q.max/max(each, 1))]
	}
	q.view.Prefetch(s, items)
}

// readAll reads rows of a section, having said that it will.
func readAll[Row any](q *question, s store.Section, rows []uint32, read func(uint32) (Row, error)) ([]Row, error) {
	q.view.Prefetch(s, rows)
	all := make([]Row, len(rows))
	for i, row := range rows {
		if err := q.step(); err != nil {
			return nil, err
		}
		var err error
		if all[i], err = read(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// soonNodes says that nodes will be written.
func (q *question) soonNodes(nodes []uint32) {
	q.soon(store.NodeRecords, nodes)
	if q.brief {
		q.soon(store.Facts, nodes)
	}
}

func numbersOf(edges []ranked) []uint32 {
	numbers := make([]uint32, len(edges))
	for i, e := range edges {
		numbers[i] = e.edge
	}
	return numbers
}

// A window says of items that are read in order, perhaps not to the end, that
// they will be, a growing part of them at a time.
type window struct{ end, size int }

const firstWindow = 256

// at says that the i-th of n items is read now; items returns those of a part.
func (w *window) at(q *question, s store.Section, i, n int, items func(start, end int) []uint32) {
	if i < w.end {
		return
	}
	w.size = max(firstWindow, 2*w.size)
	w.end = min(n, i+w.size)
	q.view.Prefetch(s, items(i, w.end))
}
