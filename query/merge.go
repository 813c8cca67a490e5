package query

import (
	"container/heap"

	"brick/store"
)

// located are rows of a section of ranks: the nodes of a text, or of a sort,
// ascending.
type located struct {
	section store.Section
	rows    store.Range
}

// A driver is lists of the ranks of nodes that are to be looked at.
type driver struct {
	q     *question
	ranks []uint32 // besides the lists
	lists []located
	count int  // of nodes in all
	huge  bool // it has more lists than are worth merging; then the rest is wrong
}

// More lists than this are not merged: their nodes are so many that a search
// which goes through all nodes soon finds enough.
const maxMerged = 3000

// some adds nodes by rank.
func (d *driver) some(ranks []uint32) { d.ranks = append(d.ranks, ranks...) }

// texts adds the nodes of a range of texts.
func (d *driver) texts(b *book, start, end uint32) error {
	if d.huge = d.huge || int(end)-int(start)+len(d.lists) > maxMerged; d.huge || start >= end {
		return nil
	}
	d.q.view.PrefetchRows(b.rows, start, end+1)
	at, err := d.q.startOf(b, start)
	if err != nil {
		return err
	}
	for text := start; text < end; text++ {
		next, err := d.q.startOf(b, text+1)
		if err != nil {
			return err
		}
		d.add(b.ranks, store.Range{Start: at, End: next})
		at = next
	}
	return nil
}

func (d *driver) add(s store.Section, rows store.Range) {
	d.lists = append(d.lists, located{s, rows})
	d.count += rows.Len()
}

// soon says that rows of each list will be read.
func (d *driver) soon(rows func(located) []uint32) {
	bySection := map[store.Section][]uint32{}
	for _, list := range d.lists {
		bySection[list.section] = append(bySection[list.section], rows(list)...)
	}
	for section, rows := range bySection {
		d.q.view.Prefetch(section, rows)
	}
}

// all returns the ranks of all nodes, in any order, some perhaps twice.
func (d *driver) all() ([]uint32, error) {
	d.soon(func(l located) []uint32 { return span(l.rows.Start, l.rows.End) })
	ranks := d.ranks
	for _, list := range d.lists {
		some, err := d.q.numbers(list.section, list.rows.Start, list.rows.End)
		if err != nil {
			return nil, err
		}
		ranks = append(ranks, some...)
	}
	return ranks, nil
}

// merge calls each for the ranks of all nodes that are not less than from,
// ascending, until it returns false. It reads the head of each list, and of
// the rest no more than it needs.
func (d *driver) merge(from uint32, each func(rank uint32) (bool, error)) error {
	if from == 0 {
		d.soon(func(l located) []uint32 { return span(l.rows.Start, min(l.rows.End, l.rows.Start+1)) })
	}
	h := make(heads, 0, len(d.lists)+len(d.ranks))
	for _, rank := range d.ranks {
		if rank >= from {
			h = append(h, head{rank: rank})
		}
	}
	for _, list := range d.lists {
		if err := d.q.step(); err != nil {
			return err
		}
		row := list.rows.Start
		if from > 0 {
			var err error
			row, err = firstOf(row, list.rows.End, func(row uint32) (bool, error) {
				rank, err := d.q.view.Number(list.section, row)
				return rank >= from, err
			})
			if err != nil {
				return err
			}
		}
		if row < list.rows.End {
			rank, err := d.q.view.Number(list.section, row)
			if err != nil {
				return err
			}
			h = append(h, head{rank, list.section, row + 1, list.rows.End})
		}
	}
	heap.Init(&h)
	last := int64(-1)
	for len(h) > 0 {
		top := &h[0]
		if int64(top.rank) > last {
			last = int64(top.rank)
			more, err := each(top.rank)
			if !more || err != nil {
				return err
			}
		}
		if top.next == top.end {
			heap.Pop(&h)
			continue
		}
		rank, err := d.q.view.Number(top.section, top.next)
		if err != nil {
			return err
		}
		top.rank = rank
		top.next++
		heap.Fix(&h, 0)
	}
	return nil
}

// heads are the lists of a merge, each with its first rank that is left.
type heads []head

type head struct {
	rank      uint32
	section   store.Section
	next, end uint32 // rows behind it
}

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return h[i].rank < h[j].rank }
func (h heads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(any)          { panic("no list comes later") }
func (h *heads) Pop() any          { *h = (*h)[:len(*h)-1]; return nil }
