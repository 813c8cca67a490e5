package brick

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/binder"
	"github.com/microsoft/typescript-go/internal/bundled"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/collections"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/diagnostics"
	"github.com/microsoft/typescript-go/internal/parser"
	"github.com/microsoft/typescript-go/internal/tsoptions"
	"github.com/microsoft/typescript-go/internal/tspath"
	"github.com/microsoft/typescript-go/internal/vfs"
	"github.com/microsoft/typescript-go/internal/vfs/cachedvfs"
)

// A Compiler reads configurations and programs. Files are parsed once, however
// many programs they are in. Its methods may be called at the same time.
type Compiler struct {
	fs     vfs.FS
	mu     sync.Mutex
	parsed map[ast.SourceFileParseOptions]*parsedFile
}

// libraries are the embedded libraries, parsed once in a process: they are the
// same for all.
var libraries = Compiler{fs: bundled.WrapFS(nil), parsed: map[ast.SourceFileParseOptions]*parsedFile{}}

type parsedFile struct {
	once sync.Once
	file *ast.SourceFile
	fail error
}

// New is a compiler that sees some files, and the libraries that are embedded
// in it.
func New(files Files) *Compiler {
	return &Compiler{fs: cachedvfs.From(bundled.WrapFS(system{files})), parsed: map[ast.SourceFileParseOptions]*parsedFile{}}
}

// Libraries are the largest of the embedded libraries, to be parsed ahead.
func Libraries() []string {
	return []string{bundled.LibPath() + "/lib.dom.d.ts", bundled.LibPath() + "/lib.es5.d.ts"}
}

// IsLibrary says whether a file is one of the embedded libraries.
func IsLibrary(path string) bool { return bundled.IsBundled(path) }

// host is the Compiler as the compiler wants it.
type host struct{ *Compiler }

func (h host) FS() vfs.FS                         { return h.fs }
func (h host) DefaultLibraryPath() string         { return bundled.LibPath() }
func (h host) GetCurrentDirectory() string        { return "/" }
func (h host) Trace(*diagnostics.Message, ...any) {}
func (h host) GetResolvedProjectReference(string, tspath.Path) *tsoptions.ParsedCommandLine {
	return nil
}

func (h host) GetSourceFile(o ast.SourceFileParseOptions) *ast.SourceFile { return h.parse(o) }

// Parse parses and binds a file ahead, as programs of a configuration want it.
// module says that the package that the file is in is one of ECMAScript
// modules. It is an error when the parser fails or the file nests too deep,
// not when there are faults in it.
func (c *Compiler) Parse(config *Config, path string, module bool) (*SourceFile, error) {
	kind := ""
	if module {
		kind = "module"
	}
	o := ast.SourceFileParseOptions{FileName: path, Path: tspath.Path(path)}
	o.ExternalModuleIndicatorOptions = ast.GetExternalModuleIndicatorOptions(path, config.program(nil), ast.SourceFileMetaData{
		PackageJsonType: kind, ImpliedNodeFormat: ast.GetImpliedNodeFormatForFile(path, kind),
	})
	file := c.parse(o)
	return file, c.slot(o).fail
}

func (c *Compiler) slot(o ast.SourceFileParseOptions) *parsedFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := c.parsed[o]
	if slot == nil {
		slot = &parsedFile{}
		c.parsed[o] = slot
	}
	return slot
}

func (c *Compiler) parse(o ast.SourceFileParseOptions) *ast.SourceFile {
	if c != &libraries && bundled.IsBundled(o.FileName) {
		return libraries.parse(o)
	}
	slot := c.slot(o)
	slot.once.Do(func() {
		text, ok := c.fs.ReadFile(o.FileName)
		if !ok {
			return
		}
		kind := core.GetScriptKindFromFileName(o.FileName)
		if slot.fail = guard(func() {
			file := parser.ParseSourceFile(o, text, kind)
			if tooDeep(file.AsNode(), maxDepth) {
				panic("the file nests too deep")
			}
			binder.BindSourceFile(file)
			slot.file = file
		}); slot.fail != nil {
			slot.file = parser.ParseSourceFile(o, "", kind)
		}
	})
	return slot.file
}

// maxDepth is how deep the nodes of a file may nest. The compiler recurses into
// them, and Go can't recover from running out of stack.
const maxDepth = 3000

func tooDeep(n *ast.Node, left int) bool {
	return left == 0 || n.ForEachChild(func(c *ast.Node) bool { return tooDeep(c, left-1) })
}

// guard runs a part of the compiler; a panic in it is an error.
func guard(run func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler fails: %v", p)
		}
	}()
	run()
	return nil
}

// A Config is a tsconfig.json or jsconfig.json, its "extends" followed.
type Config struct {
	Path       string
	Files      []string // that it names or includes
	References []string // the configurations that it refers to
	Sources    []string // the configurations that it was read from
	options    *core.CompilerOptions
}

// ReadConfig reads a configuration. Faults in it are passed over as the
// compiler does.
func (c *Compiler) ReadConfig(path string) (config *Config, err error) {
	err = guard(func() {
		parsed, _ := tsoptions.GetParsedCommandLineOfConfigFile(path, nil, nil, host{c}, nil)
		if parsed == nil {
			return
		}
		config = &Config{
			Path: path, Files: parsed.FileNames(), References: parsed.ResolvedProjectReferencePaths(),
			Sources: append(slices.Clone(parsed.ExtendedSourceFiles()), path), options: parsed.CompilerOptions(),
		}
	})
	if err == nil && config == nil {
		err = fmt.Errorf("%s can't be read", path)
	}
	return config, err
}

// Loose is the configuration of files that no other one names.
func Loose() *Config {
	return &Config{Path: "/", options: &core.CompilerOptions{
		Target: core.ScriptTargetESNext, Jsx: core.JsxEmitPreserve, Strict: core.TSTrue,
		ModuleResolution: core.ModuleResolutionKindBundler, Module: core.ModuleKindESNext,
	}}
}

// A Mapping leads a module's name, which may end with "*", to files.
type Mapping struct {
	Name  string
	Files []string // absolute, "*" stands for what stood for it in the name
}

// Options is the digest of what a configuration says about meaning.
func (c *Config) Options() string { return fmt.Sprintf("%+v", *c.options) }

// program options: the configuration's, without what only matters for output,
// and with the code of JavaScript.
func (c *Config) program(mappings []Mapping) *core.CompilerOptions {
	o := c.options.Clone()
	o.NoEmit, o.SkipLibCheck, o.AllowJs = core.TSTrue, core.TSTrue, core.TSTrue
	o.Composite, o.Incremental, o.Declaration = core.TSUnknown, core.TSUnknown, core.TSUnknown
	o.AllowImportingTsExtensions, o.ResolveJsonModule = core.TSTrue, core.TSTrue
	o.PreserveSymlinks = core.TSUnknown
	paths := &collections.OrderedMap[string, []string]{}
	if o.Paths != nil {
		base := o.GetPathsBasePath(tspath.GetDirectoryPath(c.Path))
		for name, files := range o.Paths.Entries() {
			absolute := make([]string, len(files))
			for i, f := range files {
				absolute[i] = tspath.ResolvePath(base, f)
			}
			paths.Set(name, absolute)
		}
	}
	for _, m := range mappings {
		if !paths.Has(m.Name) {
			paths.Set(m.Name, m.Files)
		}
	}
	if o.BaseUrl != "" && !paths.Has("*") {
		paths.Set("*", []string{tspath.CombinePaths(o.BaseUrl, "*")})
	}
	o.BaseUrl, o.Paths, o.PathsBasePath = "", paths, "/"
	return o
}

// A Program is files with all that they import.
type Program struct{ *compiler.Program }

// Load makes a program of files. Missing files, packages and types are passed
// over.
func (c *Compiler) Load(config *Config, files []string, mappings []Mapping) (p *Program, err error) {
	err = guard(func() {
		line := tsoptions.NewParsedCommandLine(config.program(mappings), files, tspath.ComparePathsOptions{CurrentDirectory: "/", UseCaseSensitiveFileNames: true})
		p = &Program{compiler.NewProgram(compiler.ProgramOptions{Host: host{c}, Config: line, SingleThreaded: core.TSTrue})}
	})
	return p, err
}

// Checker is a new checker of a program. One goroutine at a time may use it;
// types and the symbols that it makes are its own.
func (p *Program) Checker() (c *Checker, err error) {
	err = guard(func() { c, _ = checker.NewChecker(p.Program, nil) })
	return c, err
}

// Guard runs something that asks a checker. The checker is not to be used
// again when that is an error.
func Guard(run func()) error { return guard(run) }

// Resolved is the file that a module's name in an import leads to, "" when it
// leads nowhere; foreign says that a package has it.
func (p *Program) Resolved(file *SourceFile, name *Node) (path string, foreign bool) {
	m := p.GetResolvedModuleFromModuleSpecifier(file, name)
	if m == nil || !m.IsResolved() {
		return "", false
	}
	return m.ResolvedFileName, m.IsExternalLibraryImport && strings.Contains(m.ResolvedFileName, "/node_modules/")
}
