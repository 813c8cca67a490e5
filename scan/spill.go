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

// keptFacts are the facts of a file as they come back.
type keptFacts struct {
	file    *facts.File
	backend string
	hits    []hit
	err     error
}

// each calls f with the facts of every file, in the order of their paths,
// after look was called with them. Several workers look at the files to come.
func (s *spill) each(workers int, look func(*keptFacts) error, f func(*keptFacts) error) error {
	stop := make(chan struct{})
	defer close(stop)
	for k := range ahead(workers, len(s.parts), stop, func(i int) *keptFacts {
		k := &keptFacts{backend: s.parts[i].backend}
		if k.file, k.err = s.read(s.parts[i]); k.err == nil {
			k.err = look(k)
		}
		return k
	}) {
		if k.err != nil {
			return k.err
		}
		if err := f(k); err != nil {
			return err
		}
	}
	return nil
}

func (s *spill) read(p part) (*facts.File, error) {
	b := make([]byte, p.size)
	if _, err := s.file.ReadAt(b, p.at); err != nil && err != io.EOF {
		return nil, err
	}
	file := new(facts.File)
	return file, msgpack.Unmarshal(b, file)
}

func (s *spill) close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
