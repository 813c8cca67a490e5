package golang

import (
	"bytes"
	"errors"
	"go/token"
	"go/types"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/gcexportdata"
)

// A universe has each package once, made from its sources or, when it is
// asked for, from export data. Reading export data adds to packages that others
// may be using, so it excludes them.
type universe struct {
	using    sync.RWMutex // held by those that use packages
	mu       sync.Mutex   // of the maps
	packages map[string]*types.Package
	whole    map[string]bool // that are not there only because another refers to them
	exports  map[string][]byte
	frozen   atomic.Bool // nothing is added to packages any more
}

func newUniverse() *universe {
	return &universe{packages: map[string]*types.Package{}, whole: map[string]bool{}, exports: map[string][]byte{}}
}

// set adds a package that was made from its sources.
func (u *universe) set(path string, pkg *types.Package) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.packages[path], u.whole[path] = pkg, true
}

// export adds a package that can be made from export data.
func (u *universe) export(path string, data []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.exports[path] = data
}

// ready makes packages that are needed from their export data.
func (u *universe) ready(paths []string) {
	var todo []string
	u.mu.Lock()
	for _, p := range paths {
		if !u.whole[p] && len(u.exports[p]) > 0 {
			todo = append(todo, p)
		}
	}
	u.mu.Unlock()
	if len(todo) == 0 || u.frozen.Load() {
		return
	}
	u.using.Lock()
	defer u.using.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, p := range todo {
		if u.whole[p] {
			continue
		}
		_, err := safely(func() *types.Package {
			pkg, _ := gcexportdata.Read(bytes.NewReader(u.exports[p]), token.NewFileSet(), u.packages, p)
			return pkg
		})
		u.whole[p] = err == nil
	}
}

func (u *universe) get(path string) *types.Package {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.whole[path] {
		return nil
	}
	return u.packages[path]
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return f(path)
}

var errMissing = errors.New("it is not on this machine")

// missing lets the type checker make an empty package in place of one that
// isn't there.
func missing(string) (*types.Package, error) { return nil, errMissing }

// absent is an empty package in place of one that isn't there, by the name
// under which files are likely to use it.
func absent(importPath string, used map[string]bool) *types.Package {
	names := likelyNames(importPath)
	name := names[0]
	for _, n := range names {
		if used[n] {
			name = n
			break
		}
	}
	pkg := types.NewPackage(importPath, name)
	pkg.MarkComplete()
	return pkg
}

// likelyNames are names that a package of a path may have: the last element,
// without what is usual around it, or the one before a version.
func likelyNames(importPath string) []string {
	base := path.Base(importPath)
	names := []string{}
	add := func(base string) {
		names = append(names, base)
		if before, _, ok := strings.Cut(base, "."); ok { // yaml.v3
			names = append(names, before)
		}
		trimmed := strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
		names = append(names, trimmed, strings.ReplaceAll(base, "-", ""), strings.ReplaceAll(trimmed, "-", "_"))
		if i := strings.LastIndexByte(base, '-'); i >= 0 {
			names = append(names, base[i+1:])
		}
	}
	if isVersion(base) && path.Dir(importPath) != "." {
		add(path.Base(path.Dir(importPath)))
	}
	add(base)
	return names
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}
