package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// copyPatience is how long to wait for another process that makes the copy.
	copyPatience = 2 * time.Minute
	copyPoll     = 20 * time.Millisecond
)

// copies keeps checked copies of indexes in a folder on the machine, for
// indexes on a drive that is slow or goes away. All processes share them. A
// copy is named by the index's path and by its manifest's identity, which
// changes with any of its content; those of the path's older indexes are
// removed.
type copies struct {
	dir string
	say func(string) // is told how an index was opened
}

// open opens the copy of the index at a path, and makes it first if need be.
// When that can't be done it opens the index itself. An index that was found
// damaged is doubted: its copy is checked once more.
func (c *copies) open(path string, doubted bool) (*Index, error) {
	source, err := Open(path)
	if err != nil {
		return nil, err
	}
	ix, how, err := c.copyOf(source, doubted)
	if err != nil {
		c.say(fmt.Sprintf("reading %s itself, without a local copy: %v", path, err))
		return source, nil
	}
	c.say(fmt.Sprintf("reading %s from a local copy, %s: %s", path, how, ix.Path))
	ix.info = source.info // it is the source that is followed
	return ix, source.Close()
}

func (c *copies) copyOf(source *Index, doubted bool) (ix *Index, how string, err error) {
	absolute, err := filepath.Abs(source.Path)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return nil, "", err
	}
	prefix := fmt.Sprintf("%x-", sha256.Sum256([]byte(absolute)))[32:]
	path := filepath.Join(c.dir, fmt.Sprintf("%s%d-%x.idx", prefix, FormatVersion, source.Manifest.Identity))
	if ix := c.openCopy(path, source, doubted); ix != nil {
		return ix, "made before", nil
	}
	lock, err := waitForLock(filepath.Join(c.dir, prefix+"lock"))
	if err != nil {
		return nil, "", err
	}
	if lock != nil {
		defer lock.Close()
	}
	if ix := c.openCopy(path, source, doubted); ix != nil { // another process has just made it
		return ix, "made before", nil
	}
	if lock != nil { // no other process is at work: what it left is litter
		c.clear(prefix, ".part", "")
	}
	if err := c.copy(source, path); err != nil {
		return nil, "", err
	}
	c.clear(prefix, ".idx", filepath.Base(path))
	if ix, err = Open(path); err != nil {
		return nil, "", err
	}
	return ix, "made now", nil
}

// openCopy opens a copy, or returns nil when there is none that is right.
func (c *copies) openCopy(path string, source *Index, doubted bool) *Index {
	ix, err := Open(path)
	if err != nil {
		return nil
	}
	if !sameIndex(ix, source) || doubted && ix.firstDamage() != nil {
		ix.Close()
		return nil
	}
	return ix
}

func sameIndex(a, b *Index) bool {
	return a.Size == b.Size && bytes.Equal(a.Manifest.Identity, b.Manifest.Identity)
}

// firstDamage reads every block.
func (ix *Index) firstDamage() (first error) {
	ix.CheckBlocks(func(err error) {
		if first == nil {
			first = err
		}
	})
	return first
}

// copy copies the source, checks every block of the copy, and gives it its name.
func (c *copies) copy(source *Index, path string) (err error) {
	prefix, _, _ := strings.Cut(filepath.Base(path), "-")
	file, err := os.CreateTemp(c.dir, prefix+"-*.part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = io.Copy(file, io.NewSectionReader(source.file, 0, source.Size))
	if err == nil {
		err = file.Sync()
	}
	// Others than who made it may read it.
	if err := errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	ix, err := Open(file.Name())
	if err != nil {
		return err
	}
	if err = ix.firstDamage(); err == nil && !sameIndex(ix, source) {
		err = errors.New("the index changed while it was being copied")
	}
	if err := errors.Join(err, ix.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// clear removes the files of a source with that ending, all but one. Who has
// one open keeps it, but on Windows, where it stays until the next time.
func (c *copies) clear(prefix, ending, but string) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, ending) && name != but {
			os.Remove(filepath.Join(c.dir, name))
		}
	}
}

// waitForLock locks a file that others may have locked. It returns nil where
// there are no locks.
func waitForLock(path string) (*flock.Flock, error) {
	for begin := time.Now(); ; {
		lock, err := tryLock(path)
		switch {
		case lock != nil:
			return lock, nil
		case errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
			return nil, err
		case err != nil:
			return nil, nil
		case time.Since(begin) > copyPatience:
			return nil, errors.New("another process has been making the copy for too long")
		}
		time.Sleep(copyPoll)
	}
}
