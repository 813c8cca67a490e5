package verify

import (
	"bytes"
	"cmp"

	"brick/store"
)

// storedSource reads the sources that an index has.
type storedSource struct {
	view *store.View
	next uint32
	n    uint32
	err  error
}

// Read implements index.SourceReader, for paths in their order.
func (s *storedSource) Read(path string) (text []byte, absent string) {
	if s.err != nil || s.next >= s.n {
		return nil, ""
	}
	f, err := s.view.Source(s.next)
	s.next++
	if err == nil && f.Path == path && f.Absent != "" {
		return nil, f.Absent
	}
	if err == nil && f.Path == path {
		text, err = s.view.Text(store.Texts, uint32(f.Text))
	}
	s.err = cmp.Or(s.err, err)
	return bytes.Clone(text), ""
}
