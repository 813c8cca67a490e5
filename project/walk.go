package project

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// A File is a regular file of a checkout.
type File struct {
	Path    string // relative to the root, with slashes; it is UTF-8
	Size    int64  // in bytes
	ModTime time.Time
}

// A Skipped is something that the walk passed over: a file, or a folder with
// all that is in it.
type Skipped struct {
	Path   string // as in File; quoted as in Go when it is not UTF-8
	Reason Reason
}

// maxDepth is how many folders deep the walk goes. Nobody's sources do.
const maxDepth = 200

// maxIgnoreFile is the largest .gitignore that is read, in bytes.
const maxIgnoreFile = 1 << 20

// Walk finds the files of the checkout: those that no .gitignore and no
// Options.Exclude leaves out, outside of the folders in which tools keep
// dependencies and caches. Both lists are sorted by path, byte by byte.
//
// What is ignored is said by the checkout alone: the .gitignore of each folder
// and .git/info/exclude, not by the settings of whoever runs this. Links are
// not followed; to files and folders inside they lead twice, to others never.
// The only errors are that the root can't be read, and that ctx is done.
//
// It takes a few calls of the system per file and folder, and memory for the
// lists.
func (t *Tree) Walk(ctx context.Context) (files []File, skipped []Skipped, err error) {
	w := &walker{tree: t, ctx: ctx}
	if err := w.folder(".", 0, w.ignoreFile(".git/info/exclude", "")); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(w.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skipped, func(a, b Skipped) int { return cmp.Compare(a.Path, b.Path) })
	return w.files, w.skipped, nil
}

// A walker is one walk.
type walker struct {
	tree    *Tree
	ctx     context.Context
	files   []File
	skipped []Skipped
}

func (w *walker) skip(name string, r Reason) {
	if !utf8.ValidString(name) {
		name = strconv.Quote(name)
	}
	w.skipped = append(w.skipped, Skipped{name, r})
}

// ignoreFile reads a .gitignore, which counts in a folder; nil when there is
// none to read.
func (w *walker) ignoreFile(name, folder string) []*ignoreFile {
	data, err := w.tree.Read(name, maxIgnoreFile)
	if errors.Is(err, Missing) {
		return nil
	}
	if err != nil {
		w.skip(name, ReasonOf(err))
		return nil
	}
	return []*ignoreFile{parseIgnore(string(data), folder)}
}

// folder walks a folder, with the rules of those above. Only the root's error is one of the walk.
func (w *walker) folder(name string, depth int, ignore []*ignoreFile) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := w.tree.entries(name)
	if err != nil && name == "." {
		return err
	}
	if err != nil {
		w.skip(name, problem(err))
		return nil
	}
	if name != "." && slices.ContainsFunc(entries, marksGenerated) {
		w.skip(name, Generated)
		return nil
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" && e.Type().IsRegular() }) {
		scope := name
		if name == "." {
			scope = ""
		}
		ignore = append(slices.Clip(ignore), w.ignoreFile(path.Join(name, ".gitignore"), scope)...)
	}
	for _, entry := range entries {
		if err := w.entry(path.Join(name, entry.Name()), entry, depth, ignore); err != nil {
			return err
		}
	}
	return nil
}

// entries are what is in a folder, by name.
func (t *Tree) entries(name string) ([]fs.DirEntry, error) {
	f, err := t.root.OpenFile(local(name), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (w *walker) entry(name string, entry fs.DirEntry, depth int, ignore []*ignoreFile) error {
	folder := entry.IsDir()
	switch {
	case folder && passedOver[entry.Name()] != "":
		w.skip(name, passedOver[entry.Name()])
	case entry.Name() == ".git": // a file in a worktree or a submodule
		w.skip(name, VersionControl)
	case !utf8.ValidString(entry.Name()):
		w.skip(name, NameNotUTF8)
	case ignored(w.tree.exclude, name, folder):
		w.skip(name, Excluded)
	case ignored(ignore, name, folder):
		w.skip(name, Ignored)
	case folder && depth+1 >= maxDepth:
		w.skip(name, TooDeep)
	case folder:
		return w.folder(name, depth+1, ignore)
	case entry.Type()&fs.ModeSymlink != 0:
		w.skip(name, w.linkReason(name))
	case !entry.Type().IsRegular():
		w.skip(name, NotRegular)
	default:
		w.file(name)
	}
	return nil
}

func (w *walker) file(name string) {
	info, err := w.tree.root.Lstat(local(name))
	switch {
	case err != nil:
		w.skip(name, problem(err))
	case !info.Mode().IsRegular():
		w.skip(name, NotRegular)
	default:
		w.files = append(w.files, File{name, info.Size(), info.ModTime()})
	}
}

// linkReason says where a link leads.
func (w *walker) linkReason(name string) Reason {
	info, err := w.tree.root.Stat(local(name))
	switch {
	case err != nil && problem(err) == LinkOutside:
		return LinkOutside
	case err != nil:
		return LinkBroken
	case !info.IsDir() && !info.Mode().IsRegular():
		return NotRegular
	}
	return LinkInside
}

// passedOver are names of folders that hold no code of the repository's own.
// Read still reads in them, such as what a dependency declares.
var passedOver = map[string]Reason{
	".git": VersionControl, ".hg": VersionControl, ".svn": VersionControl, ".bzr": VersionControl, ".jj": VersionControl, "CVS": VersionControl,

	"node_modules": Dependencies, "bower_components": Dependencies, "jspm_packages": Dependencies, ".yarn": Dependencies, ".pnpm-store": Dependencies,
	"vendor": Dependencies, "site-packages": Dependencies, "Pods": Dependencies, "Carthage": Dependencies,
	".venv": Dependencies, ".tox": Dependencies, ".nox": Dependencies, ".eggs": Dependencies, ".bundle": Dependencies, ".cargo": Dependencies, ".m2": Dependencies,

	"__pycache__": Generated, ".mypy_cache": Generated, ".pytest_cache": Generated, ".ruff_cache": Generated, ".hypothesis": Generated, ".ipynb_checkpoints": Generated,
	".gradle": Generated, ".build": Generated, "DerivedData": Generated, ".next": Generated, ".nuxt": Generated, ".svelte-kit": Generated, ".turbo": Generated,
	".parcel-cache": Generated, ".nyc_output": Generated, ".cache": Generated, ".terraform": Generated, ".dart_tool": Generated,
}

// marksGenerated says whether a file marks its folder as one that a tool made
// and can make again: as a cache (https://bford.info/cachedir/), which Cargo
// writes into "target", or as a Python environment (PEP 405).
func marksGenerated(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() && (entry.Name() == "CACHEDIR.TAG" || entry.Name() == "pyvenv.cfg")
}
