// Package project is the one way in which a checkout is walked and read.
//
// Whatever lies in it, no read leaves its folder, waits, or has no bound: the
// operating system's file handles are rooted (os.Root), only regular files are
// opened, and a reader says how much it takes at most. What is passed over is
// named, with the reason.
package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options say what of a checkout is wanted.
type Options struct {
	// Exclude are globs of what the walk leaves out, each written and matched
	// as a line of a .gitignore in the root: "*.pb.go" anywhere, "/docs" and
	// "docs/old/**" in the root, "build/" only folders.
	Exclude []string
}

// A Tree is a checkout that is open. Its methods may be called at the same
// time.
type Tree struct {
	dir     string
	root    *os.Root
	exclude []*ignoreFile
}

// Open opens a folder. It reads nothing of it.
func Open(dir string, o Options) (*Tree, error) {
	for _, glob := range o.Exclude {
		if r, ok := parseIgnoreRule(glob); !ok || r.keep || strings.ContainsAny(glob, "\r\n\x00") {
			return nil, fmt.Errorf("%q is no glob of files to exclude", glob)
		}
	}
	exclude := []*ignoreFile{parseIgnore(strings.Join(o.Exclude, "\n"), "")}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Tree{dir, root, exclude}, nil
}

// Dir is the folder as it was named to Open.
func (t *Tree) Dir() string { return t.dir }

// Close closes the folder.
func (t *Tree) Close() error { return t.root.Close() }

// A Reason says why something of a checkout is passed over or can't be read:
// the end of a sentence that starts with its path. It is an error, so that
// errors.Is(err, TooLarge) asks for it.
type Reason string

func (r Reason) Error() string { return string(r) }

// The reasons for which there is no text.
const (
	Missing      Reason = "it is missing"
	NoPermission Reason = "there is no permission to read it"
	NotRegular   Reason = "it is no regular file"
	NotFolder    Reason = "it is no folder"
	TooLarge     Reason = "it is too large"
	Changed      Reason = "it changed while it was read"
	Unreadable   Reason = "it can't be read"
	OutsideRoot  Reason = "its path leads out of the source's folder"
	LinkOutside  Reason = "a link leads out of the source's folder"
	NameZero     Reason = "its name has a zero byte"
	NameNotUTF8  Reason = "its name is not UTF-8"
)

// The reasons for which the walk passes something over, besides those.
const (
	Ignored        Reason = "a .gitignore leaves it out"
	Excluded       Reason = "it was asked to be left out"
	VersionControl Reason = "version control keeps its own files there"
	Dependencies   Reason = "it holds other projects' code"
	Generated      Reason = "it holds what tools keep for themselves"
	LinkInside     Reason = "it is a link to what is read where it lies"
	LinkBroken     Reason = "it is a link that leads nowhere"
	TooDeep        Reason = "it lies too deep"
)

// A ReadError is why a file of the checkout has no text.
type ReadError struct {
	Path   string
	Reason Reason
	Err    error // what the system said, nil when it was not asked
}

func (e *ReadError) Error() string { return fmt.Sprintf("%q: %s", e.Path, e.Reason) }

// Unwrap gives the reason and what the system said.
func (e *ReadError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.Reason, e.Err}, func(err error) bool { return err == nil })
}

// ReasonOf is the reason in an error of Read or CheckText.
func ReasonOf(err error) Reason {
	var r Reason
	if errors.As(err, &r) {
		return r
	}
	return Unreadable
}

// local is a path of the checkout as the system writes it.
func local(path string) string { return filepath.FromSlash(path) }
