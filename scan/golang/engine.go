// Package golang reads Go: it checks the files of a checkout as the compiler
// does, all sets of build tags included, and says what the names in them are.
//
// Nothing is run, and nothing need be installed. A Go distribution and a
// module cache are read where they are there; without them what comes from
// outside of the checkout is known to be foreign, no more.
package golang

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"brick/project"
	"brick/scan"
	"brick/scan/cache"
)

// version is that of what the engine finds: it changes with it.
var version = "go 1 " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH

// An Engine reads Go.
type Engine struct{ places Places }

// New is an engine that looks outside of the checkout in the usual places.
func New() *Engine { return &Engine{DefaultPlaces()} }

// NewAt is an engine that looks outside of the checkout only in some places.
func NewAt(p Places) *Engine { return &Engine{p} }

// Languages are those that the engine reads.
func (*Engine) Languages() []string { return []string{"go"} }

// Backend is what evidence of this engine names as its source.
func (*Engine) Backend() string { return "go/types" }

// Scan finds what is known of the job's files: see scan.Engine.
func (e *Engine) Scan(ctx context.Context, job *scan.Job) error {
	s := &run{job: job, universe: newUniverse()}
	if err := s.read(ctx); err != nil {
		return err
	}
	s.group()
	if err := s.outside(ctx, e.places); err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	return s.emit(ctx)
}

// A run is one call of Scan.
type run struct {
	job      *scan.Job
	universe *universe
	modules  *modules
	library  *library
	others   *outsiders

	folders map[string][]*source // sorted by path
	primary map[string]*unit     // by folder
	units   []*unit              // sorted by folder
}

// maxFile is a bound on the size of a file, in bytes; the files of a job are
// smaller.
const maxFile = 64 << 20

// read reads the files' beginnings.
func (s *run) read(ctx context.Context) error {
	var mu sync.Mutex
	s.folders = map[string][]*source{}
	err := each(ctx, s.job.Workers, s.job.Files, func(f project.File) {
		text, err := s.job.Tree.Read(f.Path, maxFile)
		if err != nil {
			s.job.Skip(f.Path, string(project.ReasonOf(err)))
			return
		}
		if _, err := project.CheckText(text); err != nil {
			s.job.Skip(f.Path, err.Error())
			return
		}
		src, ok := newSource(f.Path, text)
		if !ok {
			s.job.Skip(f.Path, "it has no package clause")
			return
		}
		mu.Lock()
		defer mu.Unlock()
		s.folders[src.dir()] = append(s.folders[src.dir()], src)
	})
	for _, list := range s.folders {
		slices.SortFunc(list, func(a, b *source) int { return strings.Compare(a.path, b.path) })
	}
	return err
}

// group divides the files into units, and finds which of them import which.
func (s *run) group() {
	folders := sortedKeys(s.folders)
	s.modules = newModules(s.job.Tree, folders)
	s.modules.guessRoot(importsOf(s.folders))
	s.primary = map[string]*unit{}
	for _, dir := range folders {
		primary, units := group(dir, s.modules.importPath(dir), s.folders[dir])
		s.primary[dir] = primary
		s.units = append(s.units, units...)
	}
	for _, u := range s.units {
		if u.display == "" {
			u.display = path.Base(u.name)
		}
		u.imports = map[string]*dependency{}
		for _, f := range slices.Concat(u.todo, u.context) {
			for _, p := range f.imports {
				if u.imports[p] == nil {
					u.imports[p] = s.dependency(u, p)
				}
			}
		}
	}
}

func (s *run) dependency(u *unit, importPath string) *dependency {
	d := &dependency{}
	if importPath == "C" || importPath == "unsafe" {
		return d
	}
	if dir := s.modules.find(importPath, u.dir); dir != "" {
		if p := s.primary[dir]; p != nil && p != u {
			d.unit, d.path = p, p.path
		}
		return d
	}
	_, d.perhaps = s.modules.findWithoutModule(importPath, u.dir)
	return d
}

// outside finds what comes from outside of the checkout.
func (s *run) outside(ctx context.Context, places Places) (err error) {
	s.library = newLibrary(places, s.modules)
	wanted := map[string]bool{}
	for _, u := range s.units {
		for p, d := range u.imports {
			if d.unit == nil && !d.perhaps && p != "C" && p != "unsafe" {
				wanted[p] = true
			}
		}
	}
	s.others, err = loadOutsiders(ctx, s.library, sortedKeys(wanted), s.job.Cache, s.universe, s.job.Workers)
	if err != nil {
		return err
	}
	for _, u := range s.units {
		for p, d := range u.imports {
			if o := s.others.by[p]; d.unit == nil && !d.perhaps && o != nil {
				d.outside, d.path = o, p
			}
		}
	}
	return nil
}

// contracts are the interfaces that packages outside declare, of all that the
// checkout needs.
func (s *run) contracts() []contract {
	needed := map[string]bool{}
	var need func(p string)
	need = func(p string) {
		if o := s.others.by[p]; o != nil && !needed[p] {
			needed[p] = true
			for _, d := range o.Imports {
				need(d)
			}
		}
	}
	for _, u := range s.units {
		for _, d := range u.imports {
			if d.outside != nil {
				need(d.outside.Path)
			}
		}
	}
	var list []contract
	for _, p := range sortedKeys(needed) {
		list = append(list, s.others.by[p].Interfaces...)
	}
	return list
}

// check finds what is known of each unit, each after those that it imports.
func (s *run) check(ctx context.Context) error {
	tasks := make([]*task, len(s.units))
	of := map[*unit]*task{}
	for i, u := range s.units {
		tasks[i] = &task{run: func() { s.checkUnit(u) }}
		of[u] = tasks[i]
	}
	for _, u := range s.units {
		seen := map[*unit]bool{}
		for _, p := range sortedKeys(u.imports) {
			if d := u.imports[p]; d.unit != nil && !seen[d.unit] {
				seen[d.unit] = true
				of[u].after(of[d.unit])
			}
		}
	}
	return runTasks(ctx, s.job.Workers, tasks)
}

// onCheck is told of each unit that is not in the cache, and timeFor says how
// long that may take. Tests set them.
var (
	onCheck func(*unit)
	timeFor = func(*unit) time.Duration { return maxCheck }
)

func (s *run) checkUnit(u *unit) {
	key := s.key(u)
	importable := s.primary[u.dir] == u
	if value, ok := s.job.Cache.Get(key); ok {
		if r, err := unpackResult(value); err == nil && len(r.Files) == len(u.todo) {
			u.result = r
			if importable {
				s.universe.export(u.path, r.Export)
			}
			return
		}
	}
	c := u.parse()
	find := c.importer(s.universe)
	s.universe.using.RLock()
	defer s.universe.using.RUnlock()
	var r *result
	var err error
	reason := "the engine failed on its package"
	told := onCheck
	if !inTime(timeFor(u), func() {
		if told != nil {
			told(c.unit)
		}
		r, err = s.resultOf(c, find, importable)
	}) {
		// What was left behind still uses packages, so none may change.
		s.universe.frozen.Store(true)
		reason = fmt.Sprintf("checking its package takes longer than %v", maxCheck)
		err = errors.New(reason)
	}
	if err != nil {
		for _, f := range u.todo {
			s.job.Skip(f.path, reason)
		}
		u.todo, u.result = nil, &result{Digest: key[:]}
		return
	}
	for _, f := range c.skipped {
		s.job.Skip(f.path, f.reason)
	}
	whole := len(c.todo) == len(u.todo)
	u.todo, u.result = c.todo, r
	if importable && c.pkg != nil {
		s.universe.set(u.path, c.pkg)
		if r.Export == nil { // what imports it is made anew with each change of it
			r.Digest, whole = key[:], false
		}
	}
	if s.job.Cache != nil && whole {
		if value, err := packResult(u.result); err == nil {
			s.job.Cache.Put(key, value)
		}
	}
	u.result.Export = nil
}

// resultOf checks a unit.
func (s *run) resultOf(c *checked, find importerFunc, importable bool) (*result, error) {
	r, err := safely2(func() (*result, error) {
		c.check(find)
		return c.extract()
	})
	if err == nil && importable {
		r.Export, r.Digest = c.export()
	}
	return r, err
}

// key is that of all that a unit's result follows from.
func (s *run) key(u *unit) cache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", u.path, u.display, u.name)
	file := func(role string, f *source) { fmt.Fprintf(h, "%s %q %x\n", role, f.path, f.sum) }
	for _, f := range u.todo {
		file("todo", f)
	}
	for _, f := range u.context {
		file("context", f)
	}
	for _, f := range u.tests {
		file("test", f)
	}
	for _, p := range sortedKeys(u.imports) {
		d := u.imports[p]
		fmt.Fprintf(h, "import %q %q %t\n", p, d.path, d.perhaps)
		switch {
		case d.unit != nil && d.unit.result != nil:
			fmt.Fprintf(h, "unit %q %x\n", d.unit.display, d.unit.result.Digest)
			if d.unit.dir == u.dir && len(u.tests) > 0 {
				for _, f := range slices.Concat(d.unit.todo, d.unit.context) {
					file("tested", f)
				}
			}
		case d.outside != nil:
			fmt.Fprintf(h, "outside %x\n", d.outside.Digest)
		}
	}
	return cache.NewKey(version, h.Sum(nil))
}

// emit completes what is known of each file by what is known of all.
func (s *run) emit(ctx context.Context) error {
	l := newLinker(s.units, s.contracts())
	for _, u := range s.units {
		for _, packed := range u.result.Files {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := unpackRecord(packed)
			if err != nil {
				return err
			}
			if err := s.job.Emit(l.link(u, r)); err != nil {
				return err
			}
		}
	}
	return nil
}
