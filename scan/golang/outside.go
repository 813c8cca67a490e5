package golang

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"brick/project"
)

// Places are where packages from outside of the checkout are looked for.
// Nothing of them is run; either may be missing.
type Places struct {
	GOROOT   string // a Go distribution, "" for none
	ModCache string // a module cache, "" for none
}

// DefaultPlaces are those that the go command would use, as far as the
// environment says: GOROOT, or the distribution of the go in PATH, or its
// usual folder; GOMODCACHE, or pkg/mod in GOPATH.
func DefaultPlaces() Places {
	var p Places
	candidates := []string{os.Getenv("GOROOT")}
	if tool, err := exec.LookPath("go"); err == nil {
		if tool, err = filepath.EvalSymlinks(tool); err == nil {
			candidates = append(candidates, filepath.Dir(filepath.Dir(tool)))
		}
	}
	candidates = append(candidates, "/usr/local/go", "/usr/lib/go", "/opt/homebrew/opt/go/libexec", `C:\Program Files\Go`)
	for _, dir := range candidates {
		if filepath.IsAbs(dir) && isFolder(filepath.Join(dir, "src", "fmt")) {
			p.GOROOT = dir
			break
		}
	}
	p.ModCache = os.Getenv("GOMODCACHE")
	if p.ModCache == "" {
		gopath := filepath.SplitList(os.Getenv("GOPATH"))
		if len(gopath) == 0 || gopath[0] == "" {
			if home, err := os.UserHomeDir(); err == nil {
				gopath = []string{filepath.Join(home, "go")}
			}
		}
		if len(gopath) > 0 {
			p.ModCache = filepath.Join(gopath[0], "pkg", "mod")
		}
	}
	if !isFolder(p.ModCache) {
		p.ModCache = ""
	}
	return p
}

func isFolder(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// A library finds packages outside of the checkout: the standard library, and
// modules in the versions that the checkout's go.mod files ask for.
type library struct {
	Places
	version string // of the distribution
	modules *modules
	folders []versionFolder // longest path first
}

type versionFolder struct{ path, dir string }

func newLibrary(p Places, m *modules) *library {
	l := &library{Places: p, modules: m}
	if p.GOROOT != "" {
		text, _ := os.ReadFile(filepath.Join(p.GOROOT, "VERSION"))
		l.version, _, _ = strings.Cut(string(text), "\n")
	}
	if p.ModCache != "" {
		l.selectVersions()
	}
	return l
}

// selectVersions asks for what the modules that are asked for ask for, until
// nothing newer comes (https://go.dev/ref/mod#minimal-version-selection), as
// far as the module cache has their go.mod files.
func (l *library) selectVersions() {
	todo := l.modules.wantedVersions()
	seen := map[module.Version]bool{}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if to, ok := l.modules.moved[v.Path]; ok {
			v = to
		}
		name, err1 := module.EscapePath(v.Path)
		version, err2 := module.EscapeVersion(v.Version)
		if err1 != nil || err2 != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(l.ModCache, "cache", "download", filepath.FromSlash(name), "@v", version+".mod"))
		if err != nil {
			continue
		}
		f, err := modfile.ParseLax("go.mod", text, nil)
		if err != nil {
			continue
		}
		for _, r := range f.Require {
			if l.modules.want(r.Mod) {
				todo = append(todo, r.Mod)
			}
		}
	}
	for _, v := range l.modules.wantedVersions() {
		to := v
		if moved, ok := l.modules.moved[v.Path]; ok {
			to = moved
		}
		name, err1 := module.EscapePath(to.Path)
		version, err2 := module.EscapeVersion(to.Version)
		if err1 != nil || err2 != nil {
			continue
		}
		l.folders = append(l.folders, versionFolder{v.Path, filepath.Join(l.ModCache, filepath.FromSlash(name)+"@"+version)})
	}
	slices.SortStableFunc(l.folders, func(a, b versionFolder) int { return len(b.path) - len(a.path) })
}

func (m *modules) wantedVersions() []module.Version {
	var list []module.Version
	for _, p := range slices.Sorted(maps.Keys(m.wanted)) {
		list = append(list, module.Version{Path: p, Version: m.wanted[p]})
	}
	return list
}

// digest is of everything that says what packages outside are, short of the
// content of versions, which never changes.
func (l *library) digest() []byte {
	h := sha256.New()
	fmt.Fprintln(h, l.GOROOT, l.version, l.ModCache, runtime.GOOS, runtime.GOARCH)
	for _, f := range l.folders {
		fmt.Fprintln(h, f.path, f.dir)
	}
	return h.Sum(nil)
}

// A folder is where a package lies: in the checkout, where tools keep
// dependencies, or elsewhere on this machine.
type folder struct {
	tree *project.Tree // nil for elsewhere
	dir  string        // "" for nowhere
}

// names are those of its Go files.
func (f folder) names() (names []string) {
	if f.tree != nil {
		names, _ = f.tree.Names(f.dir)
	} else {
		entries, _ := os.ReadDir(f.dir)
		for _, e := range entries {
			if e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return path.Ext(n) != ".go" || n[0] == '_' || n[0] == '.' || strings.HasSuffix(n, "_test.go")
	})
}

// maxOutside is the size in bytes from which on a file outside isn't read.
const maxOutside = 16 << 20

func (f folder) read(name string) ([]byte, error) {
	if f.tree != nil {
		return f.tree.Read(path.Join(f.dir, name), maxOutside)
	}
	return os.ReadFile(filepath.Join(f.dir, name))
}

// find is the folder of a package.
func (l *library) find(importPath string) folder {
	if !fs.ValidPath(importPath) {
		return folder{}
	}
	if !isStandard(importPath) {
		for _, v := range l.modules.vendors {
			if f := (folder{l.modules.tree, path.Join(v, importPath)}); len(f.names()) > 0 {
				return f
			}
		}
	}
	f := folder{dir: l.findOnMachine(importPath)}
	if f.dir == "" || len(f.names()) == 0 {
		return folder{}
	}
	return f
}

func (l *library) findOnMachine(importPath string) string {
	if l.GOROOT != "" {
		dir := filepath.Join(l.GOROOT, "src", filepath.FromSlash(importPath))
		if isFolder(dir) {
			return dir
		}
	}
	for _, f := range l.folders {
		rest, ok := strings.CutPrefix(importPath, f.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if dir := filepath.Join(f.dir, filepath.FromSlash(rest)); isFolder(dir) {
			return dir
		}
	}
	return ""
}

// isStandard says whether a path is one of the standard library's, wherever
// that is.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}
