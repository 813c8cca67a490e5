// Package typescript is the engine of scans for TypeScript and JavaScript: the
// TypeScript compiler (https://github.com/microsoft/typescript-go) binds their
// names in this process.
//
// No configuration is run and no package needs to be installed. What comes
// from a package that isn't there is foreign; the rest is known as the
// compiler knows it.
package typescript

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/scan"
)

// Engine reads TypeScript and JavaScript.
type Engine struct{}

// New is the engine.
func New() Engine { return Engine{} }

var _ scan.Engine = Engine{}

// Languages are the languages as models name them.
func (Engine) Languages() []string { return []string{"javascript", "typescript"} }

// Backend names the compiler.
func (Engine) Backend() string { return "typescript-go" }

// checkers is how many checkers a program is divided among. It is the same
// whatever the number of workers is, so that what they find is.
const checkers = 2

// fewFiles is what a single checker does.
const fewFiles = 16

// patience is how long a checker may work on one file.
const patience = 60 * time.Second

// An engine is the work on one checkout.
type engine struct {
	job      *scan.Job
	sources  *sources
	compiler *tsc.Compiler
	names    map[string]bool // of functions, and of classes and accessors

	mu       sync.Mutex
	outlines map[*tsc.SourceFile]*outline
	byPath   map[string]*outline
	records  map[string]*record
	failed   map[string]string // why there is nothing known of a file
}

// A program is what is checked together.
type program struct {
	p     *tsc.Program
	files []string // of the checkout, that it is asked about
}

// Scan finds the facts of the files.
func (Engine) Scan(ctx context.Context, job *scan.Job) error {
	e := &engine{
		job: job, names: map[string]bool{}, outlines: map[*tsc.SourceFile]*outline{},
		byPath: map[string]*outline{}, records: map[string]*record{}, failed: map[string]string{},
	}
	e.sources = readSources(job, e.fail)
	e.compiler = tsc.New(e.sources)
	units := e.units()
	if err := e.parse(ctx, units); err != nil {
		return err
	}
	e.collectNames()
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.check(ctx, u)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.link()
}

// fail says that nothing is known of a file.
func (e *engine) fail(path, reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.failed[path]; !ok {
		e.failed[path] = reason
	}
}

// each calls do for the numbers below n, by several workers.
func (e *engine) each(ctx context.Context, n int, do func(i int)) error {
	var group sync.WaitGroup
	next := make(chan int)
	for range max(1, min(e.job.Workers, n)) {
		group.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	defer group.Wait()
	defer close(next)
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// parse parses all files and finds what they define.
func (e *engine) parse(ctx context.Context, units []*unit) error {
	type task struct {
		u    *unit
		path string
	}
	var tasks []task
	for _, lib := range tsc.Libraries() {
		tasks = append(tasks, task{nil, lib})
	}
	for _, u := range units {
		for _, path := range u.files {
			tasks = append(tasks, task{u, path})
		}
	}
	return e.each(ctx, len(tasks), func(i int) {
		t := tasks[i]
		if t.u == nil {
			_, _ = e.compiler.Parse(tsc.Loose(), t.path, false)
			return
		}
		file, err := e.compiler.Parse(t.u.config, "/"+t.path, e.sources.isModule(t.path))
		if err != nil {
			e.fail(t.path, err.Error())
			return
		}
		if err := tsc.Guard(func() { e.outline(file) }); err != nil {
			e.fail(t.path, err.Error())
		}
	})
}

// own is the path of a file of the compiler in the checkout; ok says whether
// it is one of those that are to be read.
func (e *engine) own(name string) (path string, ok bool) {
	if name == "" || name[0] != '/' {
		return "", false
	}
	_, ok = e.sources.own[name[1:]]
	return name[1:], ok
}

// outline is what a file defines; nil when it isn't the repository's.
func (e *engine) outline(file *tsc.SourceFile) *outline {
	e.mu.Lock()
	o, ok := e.outlines[file]
	e.mu.Unlock()
	if ok {
		return o
	}
	if path, own := e.own(file.FileName()); own {
		o = newOutline(path, file, e.sources.own[path].bom)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if before, ok := e.outlines[file]; ok {
		return before
	}
	e.outlines[file] = o
	if o != nil && e.byPath[o.path] == nil {
		e.byPath[o.path] = o
	}
	return o
}

// definition is the definition that a declaration is a part of.
func (e *engine) definition(d *tsc.Node) (found, bool) {
	o := e.outline(tsc.SourceFileOf(d))
	if o == nil {
		return found{}, false
	}
	def, ok := o.definition(d)
	return found{o, def, d}, ok
}

// collectNames takes the names by which functions can be meant.
func (e *engine) collectNames() {
	for _, o := range e.byPath {
		for i := range o.defs {
			if d := &o.defs[i]; d.IsFunction() || d.Kind == "class" {
				e.names[d.Name] = true
			}
		}
	}
}

// check binds the files of a unit.
func (e *engine) check(ctx context.Context, u *unit) {
	files := make([]string, 0, len(u.files))
	for _, path := range u.files {
		files = append(files, "/"+path)
	}
	p, err := e.compiler.Load(u.config, files, e.sources.mappings(u))
	if err != nil {
		for _, path := range u.files {
			e.fail(path, err.Error())
		}
		return
	}
	groups := checkers
	if len(u.files) <= fewFiles {
		groups = 1
	}
	prog := &program{p: p, files: u.files}
	_ = e.each(ctx, groups, func(g int) {
		c := &careful{engine: e, program: prog}
		for i := g; i < len(u.files); i += groups {
			if ctx.Err() != nil {
				return
			}
			c.bind(u.files[i])
		}
	})
	runtime.KeepAlive(p)
}

// A careful binder takes another checker when one fails or doesn't return.
type careful struct {
	engine  *engine
	program *program
	checker *tsc.Checker
}

func (c *careful) bind(path string) {
	e := c.engine
	file := c.program.p.GetSourceFile("/" + path)
	if file == nil {
		e.fail(path, "the compiler leaves it out")
		return
	}
	if c.checker == nil {
		var err error
		if c.checker, err = c.program.p.Checker(); err != nil {
			e.fail(path, err.Error())
			return
		}
	}
	type result struct {
		r   *record
		err error
	}
	done := make(chan result, 1)
	checker := c.checker
	go func() {
		var r *record
		err := tsc.Guard(func() { r = e.bind(c.program, checker, e.outline(file)) })
		done <- result{r, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-done:
		if got.err != nil {
			c.checker = nil
			e.fail(path, got.err.Error())
			return
		}
		e.mu.Lock()
		e.records[path] = got.r
		e.mu.Unlock()
	case <-timer.C:
		c.checker = nil
		e.fail(path, fmt.Sprintf("the compiler doesn't finish it within %d s", int(patience.Seconds())))
	}
}

// lines is how many lines a file has.
func (o *outline) lines() int {
	n := len(o.text.lines)
	if n > 0 && o.text.lines[n-1] == len(o.text.text) {
		n--
	}
	return n
}
