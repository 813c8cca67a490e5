package project

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Read reads a file of at most max bytes. The path is relative, with slashes;
// the walk need not have given it. A link is followed as long as it stays in
// the folder. An error is a *ReadError.
func (t *Tree) Read(path string, max int64) ([]byte, error) {
	data, _, err := t.ReadFile(path, max)
	return data, err
}

// ReadFile reads a file as Read does, and says which state of it that was: its
// size and time are those of the bytes that are returned.
func (t *Tree) ReadFile(path string, max int64) ([]byte, File, error) {
	refuse := func(r Reason, err error) ([]byte, File, error) {
		return nil, File{}, &ReadError{path, r, err}
	}
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return refuse(NameZero, nil)
	case !utf8.ValidString(path):
		return refuse(NameNotUTF8, nil)
	case !filepath.IsLocal(local(path)):
		return refuse(OutsideRoot, nil)
	}
	// To open a device may do something to it, so look first. What is there
	// may be another thing by then: opening waits for nothing, and the handle
	// is asked again.
	info, err := t.root.Stat(local(path))
	if err != nil {
		return refuse(problem(err), err)
	}
	if !info.Mode().IsRegular() {
		return refuse(NotRegular, nil)
	}
	f, err := t.root.OpenFile(local(path), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return refuse(problem(err), err)
	}
	defer f.Close()
	before, err := f.Stat()
	switch {
	case err != nil:
		return refuse(problem(err), err)
	case !before.Mode().IsRegular():
		return refuse(NotRegular, nil)
	case before.Size() > max:
		return refuse(TooLarge, nil)
	}
	data, err := readAll(f, before.Size())
	if err != nil {
		return refuse(problem(err), err)
	}
	after, err := f.Stat()
	if err != nil {
		return refuse(problem(err), err)
	}
	if int64(len(data)) != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return refuse(Changed, nil)
	}
	return data, File{path, before.Size(), before.ModTime()}, nil
}

// Names are the names of the regular files in a folder, sorted: links aside,
// and names that are not UTF-8. An error is a *ReadError.
func (t *Tree) Names(folder string) ([]string, error) {
	if !filepath.IsLocal(local(folder)) || strings.IndexByte(folder, 0) >= 0 {
		return nil, &ReadError{folder, OutsideRoot, nil}
	}
	info, err := t.root.Stat(local(folder)) // before it is opened: see ReadFile
	if err == nil && !info.IsDir() {
		return nil, &ReadError{folder, NotFolder, nil}
	}
	var entries []fs.DirEntry
	if err == nil {
		entries, err = t.entries(folder)
	}
	if err != nil {
		return nil, &ReadError{folder, problem(err), err}
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && utf8.ValidString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readAll reads a file that has size bytes, and one more when it has grown.
func readAll(f io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size+1)
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return data[:n], err
}

// problem is the reason in what the system says.
func problem(err error) Reason {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist) || isNotFolder(err):
		return Missing
	case errors.Is(err, fs.ErrPermission):
		return NoPermission
	case errors.As(err, &path) && strings.Contains(path.Err.Error(), "escapes"):
		return LinkOutside // package os keeps that error to itself
	}
	return Unreadable
}
