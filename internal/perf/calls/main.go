// Command calls compares the call sites of a scanned Go module with those that
// golang.org/x/tools/go/ssa makes of it: which it has and the model has not,
// and how often both name the same callee.
//
//	calls ROOT MODEL
//
// ROOT is the module's folder, where the go command must be able to load it.
// MODEL is what brick-index scan --json wrote of it. Exit status 1 means that a
// call site is missing.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: calls ROOT MODEL")
	}
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	t := load(root)
	c := &comparison{truth: t, model: read(os.Args[2])}
	c.compare()
	if c.print(); len(c.missing) > 0 {
		os.Exit(1)
	}
}

// A truth is what SSA says of a module.
type truth struct {
	root  string
	fset  *token.FileSet
	files map[string]bool // loaded, relative to root
	sites map[string]*site
}

// A site is a call site.
type site struct {
	direct, invoked string          // the definition in root that it calls, or the interface's method
	reached         map[string]bool // by class hierarchy analysis, in root
}

// load makes SSA of all packages and tests, and gathers their call sites by
// the place of the name that is called.
func load(root string) *truth {
	t := &truth{root: root, fset: token.NewFileSet(), files: map[string]bool{}, sites: map[string]*site{}}
	list, err := packages.Load(&packages.Config{Dir: root, Fset: t.fset, Mode: packages.LoadAllSyntax, Tests: true}, "./...")
	if err != nil {
		log.Fatal(err)
	}
	prog, _ := ssautil.AllPackages(list, ssa.BuilderMode(0))
	prog.Build()
	graph := cha.CallGraph(prog)
	names := map[token.Pos]token.Pos{}
	var functions []*ssa.Function
	for _, p := range list {
		for _, f := range p.Syntax {
			if name := t.file(f.Package); name != "" {
				t.files[name] = true
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					names[c.Lparen] = nameOf(c)
				}
				return true
			})
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
						if f := prog.FuncValue(obj); f != nil {
							functions = append(functions, f)
						}
					}
				}
			}
		}
		if pkg := prog.Package(p.Types); pkg != nil {
			functions = append(functions, pkg.Func("init"))
		}
	}
	for len(functions) > 0 {
		f := functions[0]
		functions = append(functions[1:], f.AnonFuncs...)
		t.add(f, names, graph)
	}
	return t
}

// nameOf is where the name that a call calls stands, or its parenthesis.
func nameOf(c *ast.CallExpr) token.Pos {
	e := c.Fun
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Pos()
		case *ast.SelectorExpr:
			return x.Sel.Pos()
		default:
			return c.Lparen
		}
	}
}

func (t *truth) add(f *ssa.Function, names map[token.Pos]token.Pos, graph *callgraph.Graph) {
	reached := map[ssa.CallInstruction][]*ssa.Function{}
	if n := graph.Nodes[f]; n != nil {
		for _, e := range n.Out {
			if e.Site != nil {
				reached[e.Site] = append(reached[e.Site], e.Callee.Func)
			}
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			if _, ok := common.Value.(*ssa.Builtin); ok {
				continue
			}
			at, ok := names[common.Pos()]
			if !ok || t.file(at) == "" {
				continue // not written by anybody, or outside
			}
			place := t.place(at)
			s := t.sites[place]
			if s == nil {
				s = &site{reached: map[string]bool{}}
				t.sites[place] = s
			}
			switch callee := common.StaticCallee(); {
			case common.IsInvoke():
				s.invoked = t.definition(common.Method)
				for _, r := range reached[call] {
					if d := t.definition(r.Object()); d != "" {
						s.reached[d] = true
					}
				}
			case callee != nil:
				if callee.Origin() != nil {
					callee = callee.Origin()
				}
				s.direct = t.definition(callee.Object())
			}
		}
	}
}

// definition is the place and the name of a function, "" outside of root.
func (t *truth) definition(obj types.Object) string {
	f, ok := obj.(*types.Func)
	if !ok || t.file(f.Pos()) == "" {
		return ""
	}
	at := t.fset.PositionFor(f.Pos(), false)
	return fmt.Sprintf("%s:%d %s", t.file(f.Pos()), at.Line, f.Name())
}

// file is the path in root of the file of a place, "" outside.
func (t *truth) file(p token.Pos) string {
	if !p.IsValid() {
		return ""
	}
	rel, err := filepath.Rel(t.root, t.fset.PositionFor(p, false).Filename)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (t *truth) place(p token.Pos) string {
	at := t.fset.PositionFor(p, false)
	return fmt.Sprintf("%s:%d:%d", t.file(p), at.Line, at.Column)
}

// A model is the call sites of Brick JSON, by place.
type model struct {
	files map[string]string                     // of definitions
	sites map[string]map[string]map[string]bool // place → lane → definitions, "" for what is outside or not known
}

func read(name string) *model {
	f, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var doc struct {
		Nodes []struct {
			ID, Kind, Name, Path string
			Span                 struct {
				Line int `json:"start_line"`
			}
		}
		Edges []struct {
			Kind, Target string
			Evidence     []struct{ Lane, Provenance string }
		}
	}
	if err := json.NewDecoder(f).Decode(&doc); err != nil {
		log.Fatalf("%s: %v", name, err)
	}
	m := &model{files: map[string]string{}, sites: map[string]map[string]map[string]bool{}}
	names := map[string]string{}
	for _, n := range doc.Nodes {
		if n.Kind == "function" || n.Kind == "method" {
			names[n.ID] = fmt.Sprintf("%s:%d %s", n.Path, n.Span.Line, n.Name)
			m.files[names[n.ID]] = n.Path
		}
	}
	for _, e := range doc.Edges {
		if e.Kind != "calls" && e.Kind != "unresolved_call" {
			continue
		}
		for _, v := range e.Evidence {
			s := m.sites[v.Provenance]
			if s == nil {
				s = map[string]map[string]bool{}
				m.sites[v.Provenance] = s
			}
			if s[v.Lane] == nil {
				s[v.Lane] = map[string]bool{}
			}
			s[v.Lane][names[e.Target]] = true
		}
	}
	return m
}

// A comparison counts.
type comparison struct {
	*truth
	*model
	missing, unbound, wrong []string
	more                    []string // implementations
	directs, invokes, bound int      // of SSA; bound are those of them that the model binds too
	named, right            int      // symbolic callees of the model in files that SSA has
	dispatched, hierarchy   int      // heuristic callees of the model; those that class hierarchy analysis has too
	reached, covered        int      // callees of class hierarchy analysis; those that the model has too
}

func (c *comparison) compare() {
	var places []string
	for p := range c.truth.sites {
		places = append(places, p)
	}
	slices.Sort(places)
	for _, p := range places {
		want, have := c.truth.sites[p], c.model.sites[p]
		if have == nil {
			c.missing = append(c.missing, p)
			continue
		}
		callee := want.direct + want.invoked
		switch {
		case want.direct != "":
			c.directs++
		case want.invoked != "":
			c.invokes++
		}
		if callee != "" {
			if have["symbolic"][callee] {
				c.bound++
			} else {
				c.unbound = append(c.unbound, fmt.Sprintf("%s: not bound to %s but %v", p, callee, have))
			}
		}
		for d := range have["symbolic"] {
			if d == "" || !c.truth.files[c.model.files[d]] {
				continue // outside, or built with other tags
			}
			if c.named++; d == callee {
				c.right++
			} else {
				c.wrong = append(c.wrong, fmt.Sprintf("%s: bound to %s, not to %q", p, d, callee))
			}
		}
		for d := range have["heuristic"] {
			if !c.truth.files[c.model.files[d]] {
				continue
			}
			if c.dispatched++; want.reached[d] {
				c.hierarchy++
			} else {
				c.more = append(c.more, fmt.Sprintf("%s: %s", p, d))
			}
		}
		if len(have["heuristic"]) > 0 {
			for d := range want.reached {
				if c.reached++; have["heuristic"][d] || have["symbolic"][d] {
					c.covered++
				}
			}
		}
	}
}

func (c *comparison) print() {
	fmt.Printf("call sites of SSA: %d, missing in the model: %d\n", len(c.truth.sites), len(c.missing))
	fmt.Printf("bound by SSA: %d directly, %d through interfaces; bound to the same by the model: %d\n", c.directs, c.invokes, c.bound)
	fmt.Printf("bound by the model in the same files: %d, as SSA: %d (%.4f)\n", c.named, c.right, ratio(c.right, c.named))
	fmt.Printf("implementations by the model: %d, of those by class hierarchy analysis: %d (%.4f)\n", c.dispatched, c.hierarchy, ratio(c.hierarchy, c.dispatched))
	fmt.Printf("implementations by class hierarchy analysis at these sites: %d, of those by the model: %d (%.4f)\n", c.reached, c.covered, ratio(c.covered, c.reached))
	for title, list := range map[string][]string{"missing": c.missing, "not bound": c.unbound, "wrong": c.wrong, "only by the model": c.more} {
		for _, line := range list {
			fmt.Printf("%s\t%s\n", title, line)
		}
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
