// Package treesitter parses source files by tree-sitter's grammars.
//
// The runtime and a grammar are C, compiled to one WebAssembly module per
// language (build/build.sh), which wazero runs: no C compiler and no library is
// needed, and what goes wrong in a parser, on whatever input, stays in its
// memory. A tree comes out as one array.
package treesitter

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// The bounds on one file. Each is far from what people write, and the same on
// each machine, so that the same files are skipped everywhere.
const (
	MaxBytes = 2 << 20  // of source text
	maxNodes = 2 << 20  // 40 MB
	maxDepth = 2500     // of nodes within each other
	maxPages = 512 << 4 // of 64 KiB: 512 MB
	// maxTime ends what the bound on work doesn't: steps of error recovery
	// may take long.
	maxTime = 20 * time.Second
	// idleBytes is how large the memory of a parser may be that is kept for
	// the next file: WebAssembly's memory never shrinks.
	idleBytes = 96 << 20
)

// maxWork bounds the steps of the parser on size bytes, in hundreds. Files of
// Python's library take about one step a byte.
func maxWork(size int) uint64 { return 10_000 + uint64(size)/10 }

// The reasons for which a file has no tree: the end of a sentence that starts
// with its path.
var (
	ErrTooLarge = errors.New("it is too large to be parsed")
	ErrWork     = errors.New("parsing it takes too long")
	ErrNodes    = errors.New("its syntax tree is too large")
	ErrDepth    = errors.New("it is nested too deep")
	ErrMemory   = errors.New("parsing it takes too much memory")
	ErrParser   = errors.New("the parser failed on it")
)

// A Language is a grammar that is ready to parse. Its methods may be called by
// several goroutines.
type Language struct {
	kinds    []string // by symbol
	fields   []string // by id; 0 is none
	kindIDs  map[string][]uint16
	fieldIDs map[string]uint8

	runtime  wazero.Runtime
	compiled wazero.CompiledModule

	mu   sync.Mutex
	idle []*parser
}

// Open prepares a language. Its machine code is kept in cacheDir, "" for
// nowhere: making it takes a second, reading it some hundredths.
func Open(ctx context.Context, language, cacheDir string) (*Language, error) {
	wasm, err := module(language)
	if err != nil {
		return nil, err
	}
	l := &Language{}
	if err := l.compile(ctx, wasm, cacheDir); err != nil {
		return nil, fmt.Errorf("the grammar of %s: %w", language, err)
	}
	return l, nil
}

// stop is asked by the parser now and then.
func stop(ctx context.Context) uint32 {
	if ctx.Err() != nil {
		return 1
	}
	return 0
}

func (l *Language) compile(ctx context.Context, wasm []byte, cacheDir string) error {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages)
	if cacheDir != "" {
		// A folder that can't be written is no reason not to parse.
		if cache, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	l.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	// The C library imports WASI. With nothing configured it reaches nothing.
	_, err := wasi_snapshot_preview1.Instantiate(ctx, l.runtime)
	if err == nil {
		_, err = l.runtime.NewHostModuleBuilder("brick").NewFunctionBuilder().WithFunc(stop).Export("stop").Instantiate(ctx)
	}
	if err == nil {
		l.compiled, err = l.runtime.CompileModule(ctx, wasm)
	}
	if err == nil {
		err = l.readNames(ctx)
	}
	if err != nil {
		_ = l.runtime.Close(ctx)
	}
	return err
}

// Close frees the parsers. None may be at work.
func (l *Language) Close(ctx context.Context) error { return l.runtime.Close(ctx) }

// readNames asks the grammar for its names.
func (l *Language) readNames(ctx context.Context) error {
	p, err := l.parser(ctx)
	if err != nil {
		return err
	}
	if l.kinds, err = p.names(ctx, "kinds", "kind", 0); err != nil {
		return err
	}
	if l.fields, err = p.names(ctx, "fields", "field", 1); err != nil {
		return err
	}
	l.kindIDs = map[string][]uint16{}
	for i, name := range l.kinds {
		l.kindIDs[name] = append(l.kindIDs[name], uint16(i))
	}
	l.fieldIDs = map[string]uint8{}
	for i, name := range l.fields {
		l.fieldIDs[name] = uint8(i)
	}
	l.release(ctx, p)
	return nil
}

// A parser is one instance of the module: it parses one file at a time.
type parser struct {
	module                               api.Module
	buffer, parse, nodes, count, faults_ api.Function
}

// parser is one that is idle, or a new one.
func (l *Language) parser(ctx context.Context) (*parser, error) {
	l.mu.Lock()
	if n := len(l.idle); n > 0 {
		p := l.idle[n-1]
		l.idle = l.idle[:n-1]
		l.mu.Unlock()
		return p, nil
	}
	l.mu.Unlock()
	m, err := l.runtime.InstantiateModule(ctx, l.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, err
	}
	f := m.ExportedFunction
	return &parser{m, f("buffer"), f("parse"), f("nodes"), f("count"), f("faults")}, nil
}

// release keeps a parser for the next file, unless it has become large.
func (l *Language) release(ctx context.Context, p *parser) {
	if p.module.Memory().Size() > idleBytes {
		_ = p.module.Close(ctx)
		return
	}
	l.mu.Lock()
	l.idle = append(l.idle, p)
	l.mu.Unlock()
}

// names are the names of the numbers from first to what count says.
func (p *parser) names(ctx context.Context, count, name string, first uint32) ([]string, error) {
	n, err := p.module.ExportedFunction(count).Call(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, uint32(n[0])+first)
	for i := first; i < uint32(len(names)); i++ {
		at, err := p.module.ExportedFunction(name).Call(ctx, uint64(i))
		if err != nil {
			return nil, err
		}
		names[i] = p.cString(uint32(at[0]))
	}
	return names, nil
}

func (p *parser) cString(at uint32) string {
	var s []byte
	for at != 0 {
		b, ok := p.module.Memory().ReadByte(at)
		if !ok || b == 0 {
			break
		}
		s = append(s, b)
		at++
	}
	return string(s)
}

// Parse parses a text into t, whose memory is used again. The tree refers to
// the text, which must not change as long as it is used. It never fails by what
// the text says: faults are nodes of the tree. The errors are those above, and
// that ctx is done.
func (l *Language) Parse(ctx context.Context, text []byte, t *Tree) error {
	if len(text) > MaxBytes {
		return ErrTooLarge
	}
	p, err := l.parser(ctx)
	if err != nil {
		return cause(ctx, err)
	}
	if err := p.run(ctx, text, t); err != nil {
		_ = p.module.Close(ctx) // whatever state it is in
		return cause(ctx, err)
	}
	t.Language, t.Text, t.lines = l, text, nil
	l.release(ctx, p)
	return nil
}

// cause names what went wrong. Whatever WebAssembly traps on is the parser's.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, known := range []error{ErrWork, ErrNodes, ErrDepth, ErrMemory} {
		if errors.Is(err, known) {
			return known
		}
	}
	return fmt.Errorf("%w: %v", ErrParser, firstLine(err.Error()))
}

func firstLine(s string) string {
	for i, c := range s {
		if c == '\n' {
			return s[:i]
		}
	}
	return s
}

func (p *parser) run(ctx context.Context, text []byte, t *Tree) error {
	at, err := p.buffer.Call(ctx, uint64(len(text)+1))
	if err != nil {
		return err
	}
	if at[0] == 0 || !p.module.Memory().Write(uint32(at[0]), text) {
		return ErrMemory
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	status, err := p.parse.Call(ctx, uint64(len(text)), maxWork(len(text)), maxNodes, maxDepth)
	if err != nil {
		if p.module.Memory().Size() > (maxPages-maxPages/8)<<16 {
			return ErrMemory // the C code gives up when it gets no more
		}
		return err
	}
	if err := [...]error{nil, ErrWork, ErrNodes, ErrDepth, ErrMemory}[status[0]]; err != nil {
		return err
	}
	return p.copy(ctx, t)
}

// copy copies the array out.
func (p *parser) copy(ctx context.Context, t *Tree) error {
	var figures [3]uint32
	for i, f := range []api.Function{p.nodes, p.count, p.faults_} {
		v, err := f.Call(ctx)
		if err != nil {
			return err
		}
		figures[i] = uint32(v[0])
	}
	raw, ok := p.module.Memory().Read(figures[0], figures[1]*nodeSize)
	if !ok {
		return ErrParser
	}
	t.decode(raw)
	t.Faults = int(figures[2])
	return nil
}
