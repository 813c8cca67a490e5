// Package python reads Python: it knows how the language binds names, and what
// its tools call by convention.
package python

import (
	"context"
	"fmt"
	"slices"
	"sync"

	brick "brick/project"
	"brick/scan"
	"brick/scan/cache"
	"brick/scan/resolve"
	"brick/scan/treesitter"
)

// New is the engine of Python.
func New() scan.Engine { return &engine{} }

type engine struct{}

func (*engine) Languages() []string { return []string{"python"} }

func (*engine) Backend() string { return "tree-sitter-python" }

// Scan lowers each file by itself, or takes that from the cache, and then
// binds all of them together.
func (*engine) Scan(ctx context.Context, job *scan.Job) error {
	units, err := readAll(ctx, job)
	if err != nil {
		return err
	}
	paths := make([]string, len(units))
	for i, u := range units {
		paths[i] = u.Path
	}
	found := projects(job.Tree, paths)
	m := newModules(paths, found)
	p := resolve.NewProgram(rules{m}, units)
	d := &describe{modules: m, entries: entryPoints(p, m, found)}
	return p.Emit(ctx, "python", d, job.Emit, job.Skip)
}

// readAll gives the units of the files that can be read, by path.
func readAll(ctx context.Context, job *scan.Job) ([]*resolve.Unit, error) {
	g, err := openGrammar(ctx, job.Cache.Folder("grammars"))
	if err != nil {
		return nil, err
	}
	defer g.Close(ctx)
	units := make([]*resolve.Unit, len(job.Files))
	next := make(chan int)
	var wait sync.WaitGroup
	for range max(job.Workers, 1) {
		wait.Go(func() {
			var tree treesitter.Tree
			for i := range next {
				path := job.Files[i].Path
				u, err := read(ctx, g, &tree, job.Tree, job.Cache, path)
				if err != nil {
					job.Skip(path, err.Error())
					continue
				}
				units[i] = u
			}
		})
	}
	for i := range job.Files {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	return slices.DeleteFunc(units, func(u *resolve.Unit) bool { return u == nil }), ctx.Err()
}

// read is the unit of a file, or why there is none.
func read(ctx context.Context, g *grammar, tree *treesitter.Tree, dir *brick.Tree, kept *cache.Cache, path string) (u *resolve.Unit, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, err = nil, fmt.Errorf("reading it failed: %v", r)
		}
	}()
	text, err := dir.Read(path, treesitter.MaxBytes)
	if err != nil {
		return nil, brick.ReasonOf(err)
	}
	if _, err := brick.CheckText(text); err != nil {
		return nil, err
	}
	key := cache.NewKey(lowerVersion+" "+resolve.Version, text)
	if data, ok := kept.Get(key); ok {
		if u, err := resolve.Decode(data); err == nil {
			u.Path = path
			return u, nil
		}
	}
	if err := g.Parse(ctx, text, tree); err != nil {
		return nil, err
	}
	u = lower(g, tree)
	if kept != nil {
		if data, err := resolve.Encode(u); err == nil {
			kept.Put(key, data)
		}
	}
	u.Path = path
	return u, nil
}

// entryPoints are the functions that projects name as theirs.
func entryPoints(p *resolve.Program, m *modules, list []metadata) map[resolve.Value]bool {
	entries := map[resolve.Value]bool{}
	for _, pr := range list {
		for _, e := range pr.entries {
			for _, v := range m.entry(p, pr.folder, e) {
				if v.Kind == resolve.Function || v.Kind == resolve.Wrapped || v.Kind == resolve.Method {
					v.Kind = resolve.Function
					entries[v] = true
				}
			}
		}
	}
	return entries
}
