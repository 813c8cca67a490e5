package store

import (
	"fmt"
	"os"
	"sync"
)

// A Live index is the one that has a name now: it is opened when first asked
// for, and again when another file was renamed into its place. It is safe for
// concurrent use.
type Live struct {
	path   string
	copies *copies // nil when the file itself is read

	mu      sync.Mutex
	current *generation
	notice  string // why current is not what has the name now, for the readers of answers
}

// generation is an index that answers are being read from.
type generation struct {
	*Index
	users   int
	doubted bool // it was found damaged: look at the file again, even if it seems the same
	retired bool // another has taken its place: the last user closes it
}

// NewLive returns the live index of a path. It opens nothing.
func NewLive(path string) *Live { return &Live{path: path} }

// CopyTo makes the index be read from a copy in a folder on the machine, which
// all processes share. It is called before the first Acquire. say is told how
// an index was opened.
func (l *Live) CopyTo(dir string, say func(string)) { l.copies = &copies{dir, say} }

// Acquire returns the index to answer one question from; release must be
// called when its answer is complete. When another file that can't be used was
// renamed into the index's place, the older index goes on answering, and the
// notice says so. When the file itself was written over there is no older
// index any more, and that is an error.
func (l *Live) Acquire() (ix *Index, notice string, release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.follow(); err != nil {
		return nil, "", nil, err
	}
	g := l.current
	g.users++
	return g.Index, l.notice, func() { l.release(g) }, nil
}

// Doubt says that an index was found damaged. The next question opens the file
// again: it may have been put right in place, within the clock tick of its last
// change, so that it looks the same.
func (l *Live) Doubt(ix *Index) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != nil && l.current.Index == ix {
		l.current.doubted = true
	}
}

// Identity returns what the index that answered last says of itself, nil when
// none has been opened.
func (l *Live) Identity() *Manifest {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil
	}
	return l.current.Manifest
}

// follow makes current the index that has the name now, if it can be opened. A
// file that can't be is tried again each time: it may be being written.
func (l *Live) follow() error {
	now, err := os.Stat(l.path)
	if l.current != nil {
		switch {
		case err != nil:
			l.notice = fmt.Sprintf("The index file can't be found any more (%v). This answer is from the index that was there before.", err)
			return nil
		case sameFile(l.current.info, now) && !l.current.doubted:
			l.notice = ""
			return nil
		}
	}
	next, err := l.open()
	if err != nil {
		if l.current == nil {
			return err
		}
		if l.copies == nil && os.SameFile(l.current.info, now) {
			return fmt.Errorf("the index file was written over, not replaced, and what it holds now can't be used: %w", err)
		}
		l.notice = fmt.Sprintf("The index was replaced by a file that can't be used (%v). This answer is from the index that was there before.", err)
		return nil
	}
	if l.current != nil {
		l.current.retired = true
		l.closeUnused(l.current)
	}
	l.current, l.notice = &generation{Index: next}, ""
	return nil
}

func (l *Live) open() (*Index, error) {
	if l.copies == nil {
		return Open(l.path)
	}
	return l.copies.open(l.path, l.current != nil && l.current.doubted)
}

func (l *Live) release(g *generation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g.users--
	l.closeUnused(g)
}

func (l *Live) closeUnused(g *generation) {
	if g.retired && g.users == 0 {
		g.Close()
	}
}

// Close closes the index. No answer may be being read from it.
func (l *Live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil
	}
	err := l.current.Close()
	l.current = nil
	return err
}

// sameFile says whether two looks at a path saw the same file, unchanged.
func sameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
