package query

import (
	"math/bits"

	"brick/store"
)

// nodes is what nodes are added to, by rank or by their texts.
type nodes interface {
	some(ranks []uint32)
	texts(b *book, start, end uint32) error
}

// each adds the nodes of some texts, ascending. Those that stand together
// are added at once.
func each(to nodes, b *book, texts []uint32) error {
	for i := 0; i < len(texts); {
		start, end := texts[i], texts[i]+1
		for i++; i < len(texts) && texts[i] == end; i++ {
			end++
		}
		if err := to.texts(b, start, end); err != nil {
			return err
		}
	}
	return nil
}

func candidateNodes(to nodes, c *candidates) error {
	if c == nil {
		return nil
	}
	c.q.view.Prefetch(c.book.rows, c.texts[:min(len(c.texts), maxMerged)])
	return each(to, c.book, c.texts)
}

// A nodeSet is nodes by rank, a bit for each of the index. To make sets of
// the nodes of a text and of those that a filter leaves, and to take what is
// in both, takes some nanoseconds a node; to look at a node takes a hundred
// times as long.
type nodeSet struct {
	q    *question
	bits []uint64
	read []uint32
}

func (q *question) newNodeSet() *nodeSet {
	return &nodeSet{q: q, bits: make([]uint64, (q.ix.Items(store.Ranked)+63)/64)}
}

func (s *nodeSet) some(ranks []uint32) {
	for _, rank := range ranks {
		if int(rank/64) < len(s.bits) {
			s.bits[rank/64] |= 1 << (rank % 64)
		}
	}
}

func (s *nodeSet) texts(b *book, start, end uint32) error {
	if start >= end {
		return nil
	}
	rows, err := s.q.rows(b, start, end)
	if err != nil {
		return err
	}
	return s.rows(b.ranks, rows)
}

// rows adds the nodes whose ranks are rows of a section.
func (s *nodeSet) rows(section store.Section, rows store.Range) (err error) {
	s.q.view.PrefetchRows(section, rows.Start, rows.End)
	const atOnce = 1 << 12
	for rows.Start < rows.End {
		if err := s.q.step(); err != nil {
			return err
		}
		part := store.Range{Start: rows.Start, End: min(rows.End, rows.Start+atOnce)}
		if s.read, err = s.q.view.AppendNumbers(s.read[:0], section, part); err != nil {
			return err
		}
		s.some(s.read)
		rows.Start = part.End
	}
	return nil
}

// keep keeps the nodes that are in another set too.
func (s *nodeSet) keep(other *nodeSet) {
	for i := range s.bits {
		s.bits[i] &= other.bits[i]
	}
}

// drop drops the nodes that are in another set.
func (s *nodeSet) drop(other *nodeSet) {
	for i := range s.bits {
		s.bits[i] &^= other.bits[i]
	}
}

func (s *nodeSet) count() (n int) {
	for _, word := range s.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

// from calls each for the nodes from a rank on, in order, until it returns
// false.
func (s *nodeSet) from(rank uint32, each func(rank uint32) (bool, error)) error {
	for i := int(rank / 64); i < len(s.bits); i++ {
		word := s.bits[i]
		if i == int(rank/64) {
			word &= ^uint64(0) << (rank % 64)
		}
		for ; word != 0; word &= word - 1 {
			if more, err := each(uint32(64*i + bits.TrailingZeros64(word))); !more || err != nil {
				return err
			}
		}
	}
	return nil
}
