package golang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"brick/project"
	"brick/scan"
	"brick/scan/cache"
	"brick/scan/facts"
)

// lay writes files into a folder.
func lay(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// An answer is what a scan told of a folder.
type answer struct {
	files   map[string]*facts.File
	skipped map[string]string
}

// scanFolder scans a folder and checks what holds for all facts.
func scanFolder(t testing.TB, e *Engine, dir string, c *cache.Cache, workers int) *answer {
	t.Helper()
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	all, _, err := tree.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(all, func(f project.File) bool { return project.LanguageOf(f.Path) != "go" })
	a := &answer{files: map[string]*facts.File{}, skipped: map[string]string{}}
	var mu sync.Mutex
	err = e.Scan(context.Background(), &scan.Job{
		Tree: tree, Files: files, Cache: c, Workers: workers,
		Emit: func(f *facts.File) error {
			mu.Lock()
			defer mu.Unlock()
			if a.files[f.Path] != nil {
				t.Errorf("%s: told twice", f.Path)
			}
			a.files[f.Path] = f
			return nil
		},
		Skip: func(p, reason string) {
			mu.Lock()
			defer mu.Unlock()
			a.skipped[p] = reason
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, f := range a.files {
		for _, d := range f.Definitions {
			if ids[d.ID] {
				t.Errorf("%s: the id of two definitions", d.ID)
			}
			ids[d.ID] = true
		}
	}
	for _, f := range files {
		if (a.files[f.Path] == nil) == (a.skipped[f.Path] == "") {
			t.Errorf("%s: neither told nor skipped, or both", f.Path)
		}
	}
	for _, f := range a.files {
		check := func(what string, targets ...facts.Target) {
			for _, target := range targets {
				if strings.HasPrefix(target.ID, keyMark) || target.External == "" && !ids[target.ID] && !strings.HasPrefix(target.ID, "go:module:") {
					t.Errorf("%s: %s leads to %q, which is nowhere", f.Path, what, target.ID)
				}
			}
		}
		places := map[facts.Place]bool{}
		for _, s := range f.Sites {
			check("a call", s.Targets...)
			if (len(s.Targets) == 0) == (s.Reason == "") {
				t.Errorf("%s:%v: a call site has targets and a reason, or neither", f.Path, s.At)
			}
			if s.Name != "" && places[s.At] {
				t.Errorf("%s:%v: two call sites", f.Path, s.At)
			}
			places[s.At] = true
		}
		for _, r := range f.References {
			if r.Name == "" {
				check("a reference", r.Target)
			}
		}
		for _, h := range f.Inherits {
			check("an inheritance", h.Target)
		}
	}
	return a
}

// short is an id without what all have.
func short(id string) string {
	id = strings.TrimPrefix(id, "go:")
	return strings.TrimPrefix(id, "external:")
}

// lines writes calls, references and inheritances, one a line: who, what,
// whom.
func (a *answer) lines() []string {
	var list []string
	for _, p := range sortedKeys(a.files) {
		f := a.files[p]
		who := func(i int) string {
			if i < 0 {
				return p
			}
			return short(f.Definitions[i].ID)
		}
		for _, s := range f.Sites {
			var to []string
			for _, t := range s.Targets {
				mark := ""
				if t.Lane == heuristic {
					mark = "?"
				}
				to = append(to, short(t.ID)+mark)
			}
			if len(to) == 0 {
				to = []string{"(" + string(s.Reason) + ")"}
			}
			list = append(list, fmt.Sprintf("%s calls %s: %s", who(s.From), s.Name, strings.Join(to, " ")))
		}
		for _, r := range f.References {
			if r.Name != "" {
				list = append(list, fmt.Sprintf("%s names (%s)", who(r.From), r.Name))
			} else {
				list = append(list, fmt.Sprintf("%s names %s", who(r.From), short(r.Target.ID)))
			}
		}
		for _, h := range f.Inherits {
			list = append(list, fmt.Sprintf("%s is %s", who(h.From), short(h.Target.ID)))
		}
	}
	return list
}

// unpack gives the files of a txtar archive.
func unpack(text string) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// TestRules scans the checkouts in testdata/rules. The comment of each archive
// lists all that its files say of calls, references and inheritance; "want"
// there begins the list, "none" runs it without a Go distribution.
func TestRules(t *testing.T) {
	archives, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no rules: ", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(text)
			intro, list, ok := strings.Cut(string(archive.Comment), "want:\n")
			if !ok {
				t.Fatal("no list")
			}
			e := New()
			if strings.Contains(intro, "Without a Go distribution.") {
				e = NewAt(Places{})
			}
			dir := t.TempDir()
			lay(t, dir, unpack(string(text)))
			got := scanFolder(t, e, dir, nil, 2).lines()
			want := strings.FieldsFunc(list, func(r rune) bool { return r == '\n' })
			slices.Sort(got)
			slices.Sort(want)
			for _, line := range got {
				if !slices.Contains(want, line) {
					t.Errorf("not wanted: %s", line)
				}
			}
			for _, line := range want {
				if !slices.Contains(got, line) {
					t.Errorf("missing: %s", line)
				}
			}
		})
	}
}
