package scan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"brick/internal/lex"
	"brick/mention"
	"brick/model"
	"brick/scan/facts"
)

// referencesTo are the name references from files, as "file target class".
func (k *kept) referencesTo(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, e := range k.edges {
		if e.Kind != model.NameReference {
			continue
		}
		for _, v := range e.Evidence {
			if v.Lane != model.Heuristic || v.Backend != generator {
				t.Errorf("evidence %+v", v)
			}
			place := strings.TrimPrefix(v.Provenance, strings.TrimPrefix(e.Source, "file:")+":")
			list = append(list, fmt.Sprintf("%s:%s %s %v", strings.TrimPrefix(e.Source, "file:"), place, e.Target, v.Attributes[model.Mention]))
		}
	}
	slices.Sort(list)
	return list
}

func TestWhereNamesStand(t *testing.T) {
	// Line 1 is a comment that documents dead, which is defined in lines 2 to 3.
	code := "# dead is documented here\ndef dead():\n    dead()\n"
	dead := facts.Definition{
		ID: "python:a.py#dead", Name: "dead", Kind: "function", Parent: -1, NameAt: at(2, 5),
		Span: facts.Span{Start: at(2, 1), End: at(3, 11)}, Doc: facts.Span{Start: at(1, 1), End: at(1, 27)},
	}
	for _, c := range []struct {
		name   string
		rest   string // of a.py, from line 4 on
		texts  map[string]string
		change func(*facts.File)
		want   []string
	}{
		{name: "nowhere else"},
		{name: "part of a word", rest: "deadly = undead + dead2\n"},
		{name: "code", rest: "x = dead\n", want: []string{"a.py:4:5 python:unresolved:dead code"}},
		{name: "a string", rest: "call('dead')\n", want: []string{"a.py:4:7 python:unresolved:dead string"}},
		{name: "a comment", rest: "# see dead\n", want: []string{"a.py:4:7 python:unresolved:dead document"}},
		{name: "a string that is the beginning of the name", rest: "getattr(x, 'dea' + kind)\n", want: []string{"a.py:4:13 python:unresolved:dead string"}},
		{name: "another source", texts: map[string]string{"b.rs": "fn x() { dead() }"}, want: []string{"b.rs:1:10 python:unresolved:dead code"}},
		{name: "a template", texts: map[string]string{"t.html": "{{ dead }}"}, want: []string{"t.html:1:4 python:unresolved:dead template"}},
		{name: "configuration", texts: map[string]string{"setup.cfg": "x = a:dead"}, want: []string{"setup.cfg:1:7 python:unresolved:dead document"}},
		{name: "a call that is not bound", rest: "x.dead()\n", change: func(f *facts.File) {
			f.Sites = []facts.Site{{At: at(4, 3), From: -1, Name: "dead", Reason: facts.UnknownReceiver}}
		}},
		{name: "called", rest: "dead()\ncall('dead')\n", change: func(f *facts.File) {
			f.Sites = []facts.Site{{At: at(4, 1), From: -1, Name: "dead", Targets: []facts.Target{inside("a.py", "dead")}}}
		}},
		{name: "code and comments of a file whose names are bound", rest: "x = dead # dead\n", change: func(f *facts.File) { f.Bound = true }},
		{name: "strings of a file whose names are bound", rest: "'dead'\n", change: func(f *facts.File) { f.Bound = true },
			want: []string{"a.py:4:2 python:unresolved:dead string"}},
		{name: "bound, but for syntax errors", rest: "x = dead\n", change: func(f *facts.File) { f.Bound, f.Incomplete = true, "1 syntax error" },
			want: []string{"a.py:4:5 python:unresolved:dead code"}},
		{name: "a namesake's own text", rest: "def dead():\n    dead()\n", change: func(f *facts.File) {
			f.Definitions = append(f.Definitions, facts.Definition{
				ID: "python:a.py#dead~2", Name: "dead", Kind: "function", Parent: -1, NameAt: at(4, 5), Span: facts.Span{Start: at(4, 1), End: at(5, 11)},
			})
		}, want: []string{
			"a.py:1:3 python:a.py#dead~2 document", "a.py:3:5 python:a.py#dead~2 code", "a.py:5:5 python:a.py#dead code",
		}},
		{name: "the text of a namesake that is called", rest: "def dead():\n    'dead'\n", change: func(f *facts.File) {
			f.Definitions = append(f.Definitions, facts.Definition{
				ID: "python:a.py#dead~2", Name: "dead", Kind: "function", Parent: -1, NameAt: at(4, 5), Span: facts.Span{Start: at(4, 1), End: at(5, 11)},
			})
			f.Sites = []facts.Site{{At: at(9, 1), From: -1, Name: "dead", Targets: []facts.Target{inside("a.py", "dead~2")}}}
		}, want: []string{"a.py:5:6 python:unresolved:dead string"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &facts.File{Path: "a.py", Language: "python", Definitions: []facts.Definition{dead}}
			if c.change != nil {
				c.change(f)
			}
			texts := map[string]string{"a.py": code + c.rest}
			for name, text := range c.texts {
				texts[name] = text
			}
			k := scanned(t, &fakeEngine{facts: map[string]*facts.File{"a.py": f}}, Options{}, texts)
			if got := k.referencesTo(t); !slices.Equal(got, c.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// Directives of Go are acted on though they are comments.
func TestDirectives(t *testing.T) {
	text := "package a\n\n// dead is not this.\n//go:linkname other a.dead\nfunc x() {}\n"
	read := reader([]byte(text), lex.Classify([]byte(text), &lex.Go), true)
	if class, counts := read(strings.Index(text, "a.dead")+2, 0); !counts || class != mention.Document {
		t.Errorf("a directive: %s, %v", class, counts)
	}
	if _, counts := read(strings.Index(text, "dead is"), 0); counts {
		t.Error("a comment of a file whose names are bound counts")
	}
}

func TestManyMentionsAreCounted(t *testing.T) {
	for n, want := range map[int][2]int{20: {20, 0}, 21: {21, 0}, 22: {21, 2}, 100: {21, 80}} {
		f := &facts.File{Path: "a.py", Language: "python", Definitions: []facts.Definition{function("a.py", "dead", 1)}}
		k := scanned(t, &fakeEngine{facts: map[string]*facts.File{"a.py": f}}, Options{}, map[string]string{"a.md": strings.Repeat("dead\n", n)})
		list := k.edges["name_reference file:a.md python:unresolved:dead"].Evidence
		rest, _ := list[len(list)-1].Attributes[model.Mentions].(int)
		if got := [2]int{len(list), rest}; got != want {
			t.Errorf("%d mentions: %v, want %v", n, got, want)
		}
	}
}
