package scan

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/vmihailenco/msgpack/v5"

	"brick/scan/facts"
)

// A spill keeps the facts of files on disk until all files have been read, so
// that memory is for names and places, not for what is known of each.
type spill struct {
	mu    sync.Mutex
	file  *os.File
	out   *bufio.Writer
	end   int64
	parts []part
}

// part is where the facts of a file are.
type part struct {
	path    string
	at      int64
	size    int
	backend string
}

// newSpill makes a spill in the system's folder for temporary files.
func newSpill() (*spill, error) {
	f, err := os.CreateTemp("", "brick-scan-")
	if err != nil {
		return nil, err
	}
	return &spill{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

// add keeps the facts of a file. It may be called by several goroutines.
func (s *spill) add(f *facts.File, backend string) error {
	b, err := msgpack.Marshal(f)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.out.Write(b); err != nil {
		return err
	}
	s.parts = append(s.parts, part{f.Path, s.end, len(b), backend})
	s.end += int64(len(b))
	return nil
}

// sorted ends the writing; each gives the facts from then on.
func (s *spill) sorted() error {
	slices.SortFunc(s.parts, func(a, b part) int { return cmp.Compare(a.path, b.path) })
	return s.out.Flush()
}

// each calls f with the facts of every file, in the order of their paths.
func (s *spill) each(f func(file *facts.File, backend string) error) error {
	var b []byte
	for _, p := range s.parts {
		b = slices.Grow(b[:0], p.size)[:p.size]
		if _, err := s.file.ReadAt(b, p.at); err != nil && err != io.EOF {
			return err
		}
		var file facts.File
		if err := msgpack.Unmarshal(b, &file); err != nil {
			return err
		}
		if err := f(&file, p.backend); err != nil {
			return err
		}
	}
	return nil
}

func (s *spill) close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
