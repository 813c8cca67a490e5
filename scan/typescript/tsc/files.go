package brick

import (
	"io/fs"
	"time"

	"github.com/microsoft/typescript-go/internal/vfs"
)

// Files is all that the compiler may see. Paths are absolute, with slashes,
// and start at the checkout: "/src/a.ts".
type Files interface {
	// Read is the text of a file, without a byte order mark.
	Read(path string) (text string, ok bool)
	IsFile(path string) bool
	IsFolder(path string) bool
	// List are the names of what is in a folder.
	List(path string) (files, folders []string)
	// Real is where a path leads once all links in it are followed.
	Real(path string) string
}

// system shows Files as the compiler's file system. Nothing is ever written.
type system struct{ Files }

var _ vfs.FS = system{}

func (s system) UseCaseSensitiveFileNames() bool            { return true }
func (s system) FileExists(path string) bool                { return s.IsFile(path) }
func (s system) ReadFile(path string) (string, bool)        { return s.Read(path) }
func (s system) DirectoryExists(path string) bool           { return s.IsFolder(path) }
func (s system) Realpath(path string) string                { return s.Real(path) }
func (s system) WriteFile(string, string) error             { return fs.ErrPermission }
func (s system) AppendFile(string, string) error            { return fs.ErrPermission }
func (s system) Remove(string) error                        { return fs.ErrPermission }
func (s system) Chtimes(string, time.Time, time.Time) error { return fs.ErrPermission }
func (s system) Stat(string) vfs.FileInfo                   { return nil }
func (s system) WalkDir(string, vfs.WalkDirFunc) error      { return fs.ErrPermission }

func (s system) GetAccessibleEntries(path string) vfs.Entries {
	files, folders := s.List(path)
	return vfs.Entries{Files: files, Directories: folders}
}
