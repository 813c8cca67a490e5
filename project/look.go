package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// A Kind is what a path of the checkout leads to.
type Kind int

// The kinds.
const (
	Nothing Kind = iota // that can be read: missing, outside, a device, …
	Regular
	Folder
)

func kindOf(info fs.FileInfo) Kind {
	switch {
	case info.IsDir():
		return Folder
	case info.Mode().IsRegular():
		return Regular
	}
	return Nothing
}

// readable says whether a path may be asked for at all.
func readable(name string) bool {
	return strings.IndexByte(name, 0) < 0 && filepath.IsLocal(local(name))
}

// Look says what a path leads to, links followed as long as they stay in the
// folder. The path is as in Read; "." is the root.
func (t *Tree) Look(name string) Kind {
	if !readable(name) {
		return Nothing
	}
	info, err := t.root.Stat(local(name))
	if err != nil {
		return Nothing
	}
	return kindOf(info)
}

// List are the names of the files and folders in a folder, sorted, links
// followed as Look does. There are none in what can't be read.
func (t *Tree) List(name string) (files, folders []string) {
	if t.Look(name) != Folder {
		return nil, nil
	}
	entries, err := t.entries(name)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		kind := Nothing
		switch {
		case e.IsDir():
			kind = Folder
		case e.Type().IsRegular():
			kind = Regular
		case e.Type()&fs.ModeSymlink != 0:
			kind = t.Look(path.Join(name, e.Name()))
		}
		switch kind {
		case Regular:
			files = append(files, e.Name())
		case Folder:
			folders = append(folders, e.Name())
		}
	}
	return files, folders
}

// maxLinks is how many links a path may lead through, as Linux has it.
const maxLinks = 40

// Real is a path without links that leads where the given one does. What
// leads out of the folder, or nowhere, is returned as it is.
func (t *Tree) Real(name string) string {
	rest, done := strings.Split(path.Clean(name), "/"), "."
	for links := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		if !readable(next) {
			return name
		}
		info, err := t.root.Lstat(local(next))
		if err != nil {
			return name
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		to, err := t.root.Readlink(local(next))
		if links++; err != nil || links > maxLinks || filepath.IsAbs(to) {
			return name
		}
		rest = append(strings.Split(path.Clean(filepath.ToSlash(to)), "/"), rest...)
	}
	return done
}
