package query

import "brick/store"

// findSets are what a search that looks at sets keeps for its next class.
type findSets struct {
	filtered *driver  // the nodes that the filter leaves, as lists
	asked    *nodeSet // the same, as a set
	better   *nodeSet // those of the first classes
	classes  int      // how many of them
}

// The classes up to this one have exactly the nodes that can match in them;
// of those behind them each node has to be looked at.
const exactClasses = 4

// sift returns the first matches of a class from a rank on. It makes sets of
// all nodes that can match and of those that are asked for, and looks at what
// is in both.
func (s *search) sift(class int, start uint32, limit int) (found []match, err error) {
	set := s.q.newNodeSet()
	if err := s.drive(set, class); err != nil {
		return nil, err
	}
	if err := s.dropBetter(set, class); err != nil {
		return nil, err
	}
	if set.count() > maxGathered && !s.filter.all() {
		if err := s.keepAsked(set); err != nil {
			return nil, err
		}
	}
	tries, path := 0, s.filter.path
	next := noRank
	look := func(rank uint32) (bool, error) {
		if tries++; tries > maxGathered && path != nil && path.verify != nil {
			next = rank
			return false, nil
		}
		m, err := s.look(rank)
		if m.class == class {
			found = append(found, m)
			tries = 0
		}
		return len(found) < limit, err
	}
	if err := set.from(start, look); err != nil || next == noRank {
		return found, err
	}
	// Most of what is left only seems to have a path that is asked for.
	if err := path.settle(); err != nil {
		return nil, err
	}
	s.sets.asked = nil
	if err := s.keepAsked(set); err != nil {
		return nil, err
	}
	return found, set.from(next, look)
}

// dropBetter drops the nodes that match in a better class.
func (s *search) dropBetter(set *nodeSet, class int) error {
	if s.sets.better == nil {
		s.sets.better = s.q.newNodeSet()
	}
	for ; s.sets.classes < min(class-1, exactClasses); s.sets.classes++ {
		if err := s.drive(s.sets.better, s.sets.classes+1); err != nil {
			return err
		}
	}
	set.drop(s.sets.better)
	return nil
}

// keepAsked keeps the nodes that the filter leaves.
func (s *search) keepAsked(set *nodeSet) error {
	if s.sets.asked == nil {
		if err := s.ask(); err != nil {
			return err
		}
	}
	set.keep(s.sets.asked)
	return nil
}

// ask makes the set of the nodes that the filter leaves.
func (s *search) ask() error {
	asked := s.q.newNodeSet()
	for _, rows := range s.filter.sortRows(s.q.ix) {
		if err := asked.rows(store.SortRanks, rows); err != nil {
			return err
		}
	}
	if s.filter.path != nil {
		in := s.q.newNodeSet()
		if err := candidateNodes(in, s.filter.path); err != nil {
			return err
		}
		if s.filter.sorts == nil {
			asked = in
		} else {
			asked.keep(in)
		}
	}
	s.sets.asked = asked
	return nil
}
