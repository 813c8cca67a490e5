package scan

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"brick/model"
	"brick/project"
	"brick/scan/cache"
	"brick/scan/facts"
)

// Options say how a checkout is scanned. What is found does not depend on
// Workers, Cache and Phase.
type Options struct {
	Exclude    []string // globs of what is left out, as project.Options has them
	Repository string   // the repository's id; "" for what the checkout declares
	Workers    int      // how much is done at once; 0 for as much as there are processors
	Cache      *cache.Cache
	Phase      func(name string) // told what is done next; may be nil
	// Known is what other tools say of the names in files, by path. It adds
	// evidence and targets; a place that no engine calls a call site is none.
	Known map[string][]Binding
}

// A Scan makes the model of one checkout. It is a model.Producer that can be
// asked once.
type Scan struct {
	options Options
	tree    *project.Tree
	engines []Engine

	unread      unread
	spill       *spill
	outsiders   *outsiders
	known       *known
	defined     *idSet
	called      *idSet              // what a call site has as its target
	functions   map[string][]callee // by name
	resolutions resolutions
	files       map[string]int // read, by language
}

// Open makes ready to scan a folder with engines. Nothing is read yet but the
// folder itself.
func Open(dir string, engines []Engine, o Options) (*Scan, error) {
	tree, err := project.Open(dir, project.Options{Exclude: o.Exclude})
	if err != nil {
		return nil, err
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return &Scan{
		options: o, tree: tree, engines: engines,
		outsiders: newOutsiders(), known: newKnown(o.Known), defined: newIDSet(), called: newIDSet(), functions: map[string][]callee{}, resolutions: resolutions{}, files: map[string]int{},
	}, nil
}

// Close releases the folder.
func (s *Scan) Close() error { return s.tree.Close() }

// Unread are the files that the model says nothing about, by path, once it is
// made. Files of languages that no engine knows are among them.
func (s *Scan) Unread() []Unread { return s.unread.sorted() }

// Files are how many files of each language were read.
func (s *Scan) Files() map[string]int { return s.files }

// Produce reads the checkout and gives its model to sink: the same model in
// the same order for the same checkout. An error is the machine's, or ctx's:
// nothing in a checkout is one.
func (s *Scan) Produce(ctx context.Context, sink model.Sink) (h *model.Header, err error) {
	s.phase("looking for files")
	files, skipped, err := s.tree.Walk(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range skipped {
		if p.Reason != project.VersionControl { // it is no part of a checkout's content
			s.unread.add(p.Path, string(p.Reason))
		}
	}
	if s.spill, err = newSpill(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.spill.close()) }()
	if err := s.read(ctx, files); err != nil {
		return nil, err
	}
	if err := s.spill.sorted(); err != nil {
		return nil, err
	}
	uncalled, err := s.uncalled()
	if err != nil {
		return nil, err
	}
	s.phase("looking for names in texts")
	rest := slices.DeleteFunc(files, func(f project.File) bool { return s.defined.has(facts.NewFile(f.Path)) })
	elsewhere, err := s.mentionsElsewhere(ctx, rest, uncalled)
	if err != nil {
		return nil, err
	}
	s.phase("writing the model")
	if err := s.write(ctx, sink, uncalled, elsewhere); err != nil {
		return nil, err
	}
	return s.header(), nil
}

func (s *Scan) phase(name string) {
	if s.options.Phase != nil {
		s.options.Phase(name)
	}
}

// read lets each engine read the files of its languages.
func (s *Scan) read(ctx context.Context, files []project.File) error {
	by := s.share(files)
	if !slices.ContainsFunc(by, func(files []project.File) bool { return len(files) > 0 }) {
		return &NothingError{s.tree.Dir(), s.languages()}
	}
	for i, engine := range s.engines {
		if len(by[i]) == 0 {
			continue
		}
		s.phase("reading " + list(engine.Languages()))
		err := engine.Scan(ctx, &Job{
			Tree: s.tree, Files: by[i], Cache: s.options.Cache, Workers: s.options.Workers,
			Emit: func(f *facts.File) error { return s.take(f, engine.Backend()) },
			Skip: s.unread.add,
		})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.nameForgotten(by[i])
	}
	return nil
}

// A NothingError says that a folder has no file of a language that is read.
type NothingError struct {
	Dir       string
	Languages []string
}

func (e *NothingError) Error() string {
	return fmt.Sprintf("%s has no source file in %s: for other languages run a SCIP indexer, then brick-index import scip", e.Dir, list(e.Languages))
}

func (s *Scan) languages() []string {
	var all []string
	for _, e := range s.engines {
		all = append(all, e.Languages()...)
	}
	return all
}

// nameForgotten names the files of which an engine said nothing at all.
func (s *Scan) nameForgotten(files []project.File) {
	skipped := map[string]bool{}
	for _, u := range s.unread.list {
		skipped[u.Path] = true
	}
	for _, f := range files {
		if !skipped[f.Path] && !s.defined.has(facts.NewFile(f.Path)) {
			s.unread.add(f.Path, "its engine found nothing to say of it")
		}
	}
}

// maxFile is the size in bytes from which on a source file is not read.
const maxFile = 4 << 20

// share gives each engine its files; those of none are named as unread.
func (s *Scan) share(files []project.File) [][]project.File {
	by := make([][]project.File, len(s.engines))
	for _, f := range files {
		language := project.LanguageOf(f.Path)
		i := slices.IndexFunc(s.engines, func(e Engine) bool { return slices.Contains(e.Languages(), language) })
		switch {
		case language == "":
			s.unread.add(f.Path, "it is of no language that is known")
		case i < 0:
			s.unread.add(f.Path, "its language, "+language+", is not read yet")
		case f.Size > maxFile:
			s.unread.add(f.Path, "it is larger than 4 MiB")
		default:
			by[i] = append(by[i], f)
		}
	}
	return by
}

// take keeps what an engine found in a file.
func (s *Scan) take(f *facts.File, backend string) error {
	order(f)
	if err := s.spill.add(f, backend); err != nil {
		return err
	}
	s.spill.mu.Lock()
	defer s.spill.mu.Unlock()
	s.files[f.Language]++
	s.outsiders.define(f)
	s.known.define(f)
	s.defined.addFile(f)
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.IsFunction() {
			s.functions[d.Name] = append(s.functions[d.Name], callee{d.ID, f.Language})
		}
	}
	for i := range f.Sites {
		for _, t := range f.Sites[i].Targets {
			s.called.add(t.ID)
		}
	}
	return nil
}
