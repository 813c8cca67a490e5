package scan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"brick/model"
	"brick/scan/facts"
)

// A fakeEngine knows its facts beforehand.
type fakeEngine struct {
	facts map[string]*facts.File
	skip  map[string]string
}

func (e *fakeEngine) Languages() []string { return []string{"python", "javascript", "typescript"} }
func (e *fakeEngine) Backend() string     { return "fake" }

func (e *fakeEngine) Scan(_ context.Context, job *Job) error {
	for _, f := range slices.Backward(job.Files) { // in any order
		if reason := e.skip[f.Path]; reason != "" {
			job.Skip(f.Path, reason)
		} else if found := e.facts[f.Path]; found != nil {
			if err := job.Emit(found); err != nil {
				return err
			}
		}
	}
	return nil
}

// A kept model is one in memory.
type kept struct {
	header *model.Header
	nodes  map[string]*model.Node
	edges  map[string]*model.Edge // by "kind source target"
	order  []string
}

func (k *kept) Node(n *model.Node) error {
	if k.nodes[n.ID] != nil {
		return fmt.Errorf("node %s twice", n.ID)
	}
	k.nodes[n.ID] = n
	k.order = append(k.order, n.ID)
	return nil
}

func (k *kept) Edge(e *model.Edge) error {
	key := e.Kind + " " + e.Source + " " + e.Target
	if k.edges[key] != nil {
		return fmt.Errorf("edge %s twice", key)
	}
	k.edges[key] = e
	k.order = append(k.order, key)
	return nil
}

// scanned scans files, of which those without facts are texts.
func scanned(t *testing.T, e *fakeEngine, o Options, texts map[string]string) *kept {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path := range e.facts {
		write(path, "")
	}
	for path := range e.skip {
		write(path, "")
	}
	for path, text := range texts {
		write(path, text)
	}
	s, err := Open(dir, []Engine{e}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	k := &kept{nodes: map[string]*model.Node{}, edges: map[string]*model.Edge{}}
	if k.header, err = s.Produce(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	for key, edge := range k.edges {
		for _, end := range []string{edge.Source, edge.Target} {
			if k.nodes[end] == nil {
				t.Errorf("edge %s leads to no node %s", key, end)
			}
		}
	}
	return k
}

func at(line, column int) facts.Place { return facts.Place{Line: line, Column: column} }

// function is a definition of three lines.
func function(path, name string, line int) facts.Definition {
	return facts.Definition{
		ID: facts.NewID("python", path, name), Name: name, Qualified: "shop." + name, Kind: "function", Parent: -1,
		NameAt: at(line, 5), Span: facts.Span{Start: at(line, 1), End: at(line+2, 9)},
	}
}

func inside(path, name string) facts.Target {
	return facts.Target{ID: facts.NewID("python", path, name), Lane: model.Symbolic}
}

func TestWhatASiteBecomes(t *testing.T) {
	heuristic := inside("b.py", "sell")
	heuristic.Lane = model.Heuristic
	for _, c := range []struct {
		name  string
		site  facts.Site
		edges []string // with lane and reason
		want  resolution
	}{
		{"bound", facts.Site{Name: "buy", Targets: []facts.Target{inside("b.py", "buy")}},
			[]string{"calls python:a.py#main python:b.py#buy symbolic "}, resolution{CallSites: 1, Resolved: 1}},
		{"dispatched", facts.Site{Name: "buy", Targets: []facts.Target{inside("b.py", "buy"), heuristic}},
			[]string{"calls python:a.py#main python:b.py#buy symbolic ", "calls python:a.py#main python:b.py#sell heuristic "}, resolution{CallSites: 1, Resolved: 1}},
		{"bound outside", facts.Site{Name: "join", Targets: []facts.Target{facts.NewExternal("python", "os.path.join")}},
			[]string{"calls python:a.py#main python:external:os.path.join symbolic "}, resolution{CallSites: 1, Unresolved: 1, Foreign: 1}},
		{"bound inside or outside", facts.Site{Name: "buy", Targets: []facts.Target{facts.NewExternal("python", "os.buy"), inside("b.py", "buy")}},
			[]string{"calls python:a.py#main python:b.py#buy symbolic ", "calls python:a.py#main python:external:os.buy symbolic "}, resolution{CallSites: 1, Resolved: 1}},
		{"foreign receiver", facts.Site{Name: "close", Reason: facts.ForeignReceiver},
			[]string{"unresolved_call python:a.py#main python:unresolved:close symbolic foreign-receiver"}, resolution{CallSites: 1, Unresolved: 1, Foreign: 1}},
		{"unknown receiver", facts.Site{Name: "buy", Reason: facts.UnknownReceiver},
			[]string{"unresolved_call python:a.py#main python:unresolved:buy syntactic unknown-receiver"},
			resolution{CallSites: 1, Unresolved: 1, ByReason: map[facts.Reason]int{facts.UnknownReceiver: 1}}},
		{"a value without a name", facts.Site{Reason: facts.Dynamic},
			[]string{"unresolved_call python:a.py#main python:unresolved:(value) syntactic dynamic"},
			resolution{CallSites: 1, Unresolved: 1, ByReason: map[facts.Reason]int{facts.Dynamic: 1}}},
		{"bound to a file that could not be read", facts.Site{Name: "lost", Targets: []facts.Target{inside("broken.py", "lost")}},
			[]string{"unresolved_call python:a.py#main python:unresolved:lost syntactic unread-file"},
			resolution{CallSites: 1, Unresolved: 1, ByReason: map[facts.Reason]int{reasonUnread: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.site.At, c.site.From = at(2, 3), 0
			k := scanned(t, &fakeEngine{
				facts: map[string]*facts.File{
					"a.py": {Path: "a.py", Language: "python", Lines: 3, Definitions: []facts.Definition{function("a.py", "main", 1)}, Sites: []facts.Site{c.site}},
					"b.py": {Path: "b.py", Language: "python", Lines: 6, Definitions: []facts.Definition{function("b.py", "buy", 1), function("b.py", "sell", 4)}},
				},
				skip: map[string]string{"broken.py": "the parser failed"},
			}, Options{}, nil)
			var got []string
			for key, e := range k.edges {
				if e.Source != "python:a.py#main" {
					continue
				}
				if n := len(e.Evidence); n != 1 {
					t.Fatalf("%s has %d evidence records, want 1", key, n)
				}
				v := e.Evidence[0]
				reason, _ := v.Attributes[model.UnresolvedReason].(string)
				got = append(got, key+" "+v.Lane+" "+reason)
				if v.Provenance != "a.py:2:3" || v.Backend != "fake" {
					t.Errorf("%s: evidence %+v", key, v)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.edges) {
				t.Errorf("edges\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.edges, "\n"))
			}
			if c.want.ByReason == nil {
				c.want.ByReason = map[facts.Reason]int{}
			}
			if r := k.header.Resolution.(resolutions)["python"]; !reflect.DeepEqual(*r, c.want) {
				t.Errorf("resolution %+v, want %+v", *r, c.want)
			}
		})
	}
}

func TestStructure(t *testing.T) {
	a := &facts.File{
		Path: "shop/cart.py", Language: "python", Lines: 9, Test: true, Incomplete: "1 syntax error",
		Module: facts.Module{ID: facts.NewModule("python", "shop.cart"), Name: "shop.cart"},
		Definitions: []facts.Definition{
			{ID: "python:shop/cart.py#Cart", Name: "Cart", Kind: "class", Parent: -1, NameAt: at(1, 7), Span: facts.Span{Start: at(1, 1), End: at(9, 1)}},
			{ID: "python:shop/cart.py#Cart.add", Name: "add", Qualified: "shop.cart.Cart.add", Kind: "method", Parent: 0, NameAt: at(2, 9), Span: facts.Span{Start: at(2, 5), End: at(3, 1)},
				Attributes: map[string]any{"source.exported": true}},
		},
		Imports:    []facts.Import{{At: at(1, 1), Target: facts.NewExternal("python", "os")}, {At: at(1, 1), Target: facts.Target{ID: "file:shop/base.py", Lane: model.Symbolic}}},
		Inherits:   []facts.Inherit{{At: at(1, 12), From: 0, Target: facts.Target{ID: "python:shop/base.py#Base", Lane: model.Symbolic}}},
		References: []facts.Reference{{At: at(4, 1), From: -1, Target: facts.Target{ID: "python:shop/cart.py#Cart.add", Lane: model.Symbolic}}, {At: at(5, 1), From: 1, Name: "remove"}},
	}
	b := &facts.File{Path: "shop/base.py", Language: "python", Lines: 1, Definitions: []facts.Definition{
		{ID: "python:shop/base.py#Base", Name: "Base", Kind: "class", Parent: -1, NameAt: at(1, 7), Span: facts.Span{Start: at(1, 1), End: at(1, 9)}},
		{ID: "python:shop/base.py#Cart.extra", Name: "extra", Kind: "method", Parent: -1, Owner: "python:shop/cart.py#Cart", NameAt: at(1, 7), Span: facts.Span{Start: at(1, 1), End: at(1, 9)}},
	}}
	k := scanned(t, &fakeEngine{facts: map[string]*facts.File{a.Path: a, b.Path: b}}, Options{Repository: "repo:shop"}, nil)
	for _, want := range []string{
		"contains repository python:module:shop.cart",
		"contains python:module:shop.cart file:shop/cart.py",
		"contains repository file:shop/base.py",
		"defines file:shop/cart.py python:shop/cart.py#Cart",
		"defines python:shop/cart.py#Cart python:shop/cart.py#Cart.add",
		"defines file:shop/base.py python:shop/base.py#Cart.extra",
		"defines python:shop/cart.py#Cart python:shop/base.py#Cart.extra",
		"imports file:shop/cart.py python:external:os",
		"imports file:shop/cart.py file:shop/base.py",
		"inherits python:shop/cart.py#Cart python:shop/base.py#Base",
		"name_reference file:shop/cart.py python:shop/cart.py#Cart.add",
		"name_reference python:shop/cart.py#Cart.add python:unresolved:remove",
	} {
		if k.edges[want] == nil {
			t.Errorf("no edge: %s", want)
		}
	}
	file := k.nodes["file:shop/cart.py"]
	want := map[string]any{model.MetricLines: 9, model.TestCode: true, model.ParseIncomplete: "1 syntax error"}
	if !reflect.DeepEqual(file.Attributes, want) {
		t.Errorf("the file's attributes are %v, want %v", file.Attributes, want)
	}
	add := k.nodes["python:shop/cart.py#Cart.add"]
	if add.Kind != "method" || add.QualifiedName != "shop.cart.Cart.add" || add.Path != "shop/cart.py" || add.Attributes["source.exported"] != true ||
		add.Span != (model.Span{StartLine: 2, StartColumn: 5, EndLine: 3, EndColumn: 1}) {
		t.Errorf("the method is %+v", add)
	}
	if k.header.RepositoryID != "repo:shop" || k.header.Root != "." {
		t.Errorf("header %+v", k.header)
	}
}

func TestWhatWasNotReadIsNamed(t *testing.T) {
	e := &fakeEngine{
		facts: map[string]*facts.File{"a.py": {Path: "a.py", Language: "python", Lines: 1}},
		skip:  map[string]string{"deep.py": "it nests too deep"},
	}
	texts := map[string]string{
		"big.py": strings.Repeat("#", maxFile+1), "main.zig": "", "gen/x.py": "", "notes.unknown": "", "lib.rs": "", "forgotten.py": "",
		".gitignore": "gen/\n", "node_modules/x/index.js": "",
	}
	k := scanned(t, e, Options{Exclude: []string{"*.unknown"}}, texts)
	s := k.header.Scope.(scope)
	if !reflect.DeepEqual(s.Files, map[string]int{"python": 1}) {
		t.Errorf("files read: %v", s.Files)
	}
	reasons := map[string]string{}
	for reason, u := range s.NotRead {
		for _, path := range u.Examples {
			reasons[path] = reason
		}
		if min(u.Files, unreadExamples) != len(u.Examples) {
			t.Errorf("%s: %d files, named %v", reason, u.Files, u.Examples)
		}
	}
	for path, want := range map[string]string{
		"big.py": "larger", "deep.py": "nests", "gen": "gitignore", "notes.unknown": "asked", "node_modules": "other projects", "lib.rs": "rust", "forgotten.py": "nothing to say",
	} {
		if !strings.Contains(reasons[path], want) {
			t.Errorf("%s: reason %q, want one with %q", path, reasons[path], want)
		}
	}
	for _, path := range []string{"big.py", "deep.py", "lib.rs"} {
		n := k.nodes["file:"+path]
		if n == nil || n.Attributes["source.not-read"] != reasons[path] {
			t.Errorf("%s: node %+v", path, n)
		}
	}
	if k.nodes["file:.gitignore"] != nil {
		t.Error("a text that names nothing has a node")
	}
}

func TestScopeNamesOnlySome(t *testing.T) {
	skip := map[string]string{}
	for i := range 12 {
		skip[fmt.Sprintf("f%02d.py", i)] = "it nests too deep"
	}
	k := scanned(t, &fakeEngine{skip: skip}, Options{}, nil)
	want := unreadScope{12, []string{"f00.py", "f01.py", "f02.py"}}
	if got := k.header.Scope.(scope).NotRead["it nests too deep"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for path := range skip {
		if k.nodes["file:"+path] == nil {
			t.Errorf("%s has no node", path)
		}
	}
}

func TestRelativesShareNames(t *testing.T) {
	ts := &facts.File{Path: "a.ts", Language: "typescript", Sites: []facts.Site{{At: at(1, 1), From: -1, Name: "pick", Reason: facts.UnknownReceiver}, {At: at(2, 1), From: -1, Name: "other", Reason: facts.UnknownReceiver}}}
	js := &facts.File{Path: "b.js", Language: "javascript", Definitions: []facts.Definition{{ID: "javascript:b.js#pick", Name: "pick", Kind: "function", Parent: -1, NameAt: at(1, 1)}}}
	k := scanned(t, &fakeEngine{facts: map[string]*facts.File{"a.ts": ts, "b.js": js}}, Options{}, nil)
	for edge, want := range map[string]bool{
		"unresolved_call file:a.ts typescript:unresolved:pick":  true,
		"unresolved_call file:a.ts javascript:unresolved:pick":  true,
		"unresolved_call file:a.ts typescript:unresolved:other": true,
		"unresolved_call file:a.ts javascript:unresolved:other": false,
	} {
		if got := k.edges[edge] != nil; got != want {
			t.Errorf("%s: %v, want %v", edge, got, want)
		}
	}
	if n := k.header.Resolution.(resolutions)["typescript"].CallSites; n != 2 {
		t.Errorf("%d call sites, want 2", n)
	}
}

func TestRepositoryID(t *testing.T) {
	for want, texts := range map[string]map[string]string{
		"repo:example.com/shop": {"go.mod": "module example.com/shop\n\ngo 1.26\n", "package.json": `{"name":"web"}`},
		"repo:web":              {"package.json": "\uFEFF{\"name\":\"web\"}"},
		"repo:jinja2":           {"pyproject.toml": "[build-system]\nrequires = [\"x\"]\n[project]\nname = \"jinja2\"\n"},
		"repo:old":              {"pyproject.toml": "[tool.poetry]\nname = \"old\"\n"},
		"repo:crate":            {"Cargo.toml": "[package]\nname = \"crate\"\n"},
		"repo:repository":       {"package.json": "{", "Cargo.toml": "[workspace]\n"},
	} {
		texts["a.py"] = ""
		if k := scanned(t, &fakeEngine{}, Options{}, texts); k.header.RepositoryID != want {
			t.Errorf("%v: %s, want %s", texts, k.header.RepositoryID, want)
		}
	}
}

func TestSameModelWhateverTheOrder(t *testing.T) {
	var first []string
	for round := range 3 {
		f := map[string]*facts.File{}
		for i := range 9 {
			path := fmt.Sprintf("f%d.py", i)
			next := inside(fmt.Sprintf("f%d.py", (i+1)%9), "f")
			file := &facts.File{Path: path, Language: "python", Definitions: []facts.Definition{function(path, "f", 1)}}
			for line := range 4 {
				other := inside(fmt.Sprintf("f%d.py", (i+line)%9), "f")
				other.Lane = model.Heuristic
				file.Sites = append(file.Sites, facts.Site{At: at(line, 1), Name: "f", Targets: []facts.Target{next, other}})
				file.References = append(file.References, facts.Reference{At: at(9, 9), From: -1, Target: other})
				file.Imports = append(file.Imports, facts.Import{At: at(1, 1), Target: facts.NewExternal("python", fmt.Sprint(line))})
				file.Inherits = append(file.Inherits, facts.Inherit{At: at(1, 1), Target: facts.NewExternal("python", fmt.Sprint(line))})
			}
			if round > 0 {
				for j := range file.Sites {
					slices.Reverse(file.Sites[j].Targets)
				}
				slices.Reverse(file.Sites)
				slices.Reverse(file.References)
				slices.Reverse(file.Imports)
				slices.Reverse(file.Inherits)
			}
			f[path] = file
		}
		k := scanned(t, &fakeEngine{facts: f}, Options{}, nil)
		if first == nil {
			first = k.order
		} else if !slices.Equal(first, k.order) {
			t.Fatal("the same facts gave another model")
		}
	}
}

func TestWhatOtherToolsKnow(t *testing.T) {
	site := func(line int, s facts.Site) facts.Site {
		s.At, s.From = at(line, 3), 0
		return s
	}
	e := &fakeEngine{facts: map[string]*facts.File{
		"a.py": {Path: "a.py", Language: "python", Definitions: []facts.Definition{function("a.py", "main", 1)}, Sites: []facts.Site{
			site(2, facts.Site{Name: "buy", Targets: []facts.Target{inside("b.py", "buy")}}),
			site(3, facts.Site{Name: "buy", Reason: facts.UnknownReceiver}),
			site(4, facts.Site{Name: "join", Reason: facts.UnknownReceiver}),
			site(5, facts.Site{Name: "sell", Reason: facts.UnknownReceiver}),
		}},
		"b.py": {Path: "b.py", Language: "python", Definitions: []facts.Definition{function("b.py", "buy", 1), function("b.py", "sell", 4)}},
	}}
	buy := func(line int) Binding {
		return Binding{At: at(line, 3), Path: "b.py", Definition: at(1, 5), Backend: "scip 1"}
	}
	k := scanned(t, e, Options{Known: map[string][]Binding{"a.py": {
		{At: at(4, 3), External: "os.path.join", Backend: "scip 1"},
		buy(3), buy(2),
		{At: at(5, 3), Path: "b.py", Definition: at(99, 1), Backend: "scip 1"}, // no definition is there
		{At: at(9, 9), Path: "b.py", Definition: at(4, 5), Backend: "scip 1"},  // no call site is here
	}}}, nil)
	calls := k.edges["calls python:a.py#main python:b.py#buy"]
	var got []string
	for _, v := range calls.Evidence {
		got = append(got, v.Lane+" "+v.Backend+" "+v.Provenance)
	}
	if want := []string{"symbolic fake a.py:2:3", "imported scip 1 a.py:2:3", "imported scip 1 a.py:3:3"}; !slices.Equal(got, want) {
		t.Errorf("evidence %q, want %q", got, want)
	}
	for edge, want := range map[string]bool{
		"calls python:a.py#main python:external:os.path.join":     true,
		"unresolved_call python:a.py#main python:unresolved:sell": true,
		"unresolved_call python:a.py#main python:unresolved:buy":  false,
		"unresolved_call python:a.py#main python:unresolved:join": false,
		"calls python:a.py#main python:b.py#sell":                 false,
	} {
		if got := k.edges[edge] != nil; got != want {
			t.Errorf("%s: %v, want %v", edge, got, want)
		}
	}
	want := resolution{CallSites: 4, Resolved: 2, Unresolved: 2, Foreign: 1, ByReason: map[facts.Reason]int{facts.UnknownReceiver: 1}}
	if r := k.header.Resolution.(resolutions)["python"]; !reflect.DeepEqual(*r, want) {
		t.Errorf("resolution %+v, want %+v", *r, want)
	}
}

func TestNothingToScan(t *testing.T) {
	s, err := Open(t.TempDir(), []Engine{&fakeEngine{}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Produce(t.Context(), &kept{})
	if nothing, is := errors.AsType[*NothingError](err); !is || !slices.Contains(nothing.Languages, "python") {
		t.Errorf("an empty folder gives %v", err)
	}
}
