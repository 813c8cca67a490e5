package scan

import (
	"hash/maphash"

	"brick/scan/facts"
)

// idSet knows which ids are of something that was read, by their hashes.
type idSet struct {
	seed maphash.Seed
	ids  map[uint64]struct{}
}

func newIDSet() *idSet {
	return &idSet{maphash.MakeSeed(), map[uint64]struct{}{}}
}

func (s *idSet) add(id string) { s.ids[maphash.String(s.seed, id)] = struct{}{} }

func (s *idSet) has(id string) bool {
	_, ok := s.ids[maphash.String(s.seed, id)]
	return ok
}

// addFile adds a file, its module and its definitions.
func (s *idSet) addFile(f *facts.File) {
	s.add(facts.NewFile(f.Path))
	if f.Module.ID != "" {
		s.add(f.Module.ID)
	}
	for i := range f.Definitions {
		s.add(f.Definitions[i].ID)
	}
}
