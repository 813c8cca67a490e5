//go:build unix

package scip

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"brick/project"
)

// TestHostileSource imports with a source folder whose files lead out of it,
// or never end: none is read, and nothing waits.
func TestHostileSource(t *testing.T) {
	secret := "package ex\n\nfunc stolen() { help() }\n"
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "a.go"), goDocument().text)
	writeFile(t, filepath.Join(outside, "stolen.go"), secret)
	for name, make := range map[string]func(place string) error{
		"link":     func(place string) error { return os.Symlink(filepath.Join(outside, "a.go"), place) },
		"pipe":     func(place string) error { return syscall.Mkfifo(place, 0o644) },
		"endless":  func(place string) error { return os.Symlink("/dev/zero", place) },
		"dangling": func(place string) error { return os.Symlink("nothing", place) },
	} {
		t.Run(name, func(t *testing.T) {
			file, source := writeIndex(t, goDocument())
			for _, of := range []string{"a.go", "unindexed.go"} {
				place := filepath.Join(source, of)
				os.Remove(place)
				if err := make(place); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(outside, filepath.Join(source, "linked")); err != nil {
				t.Fatal(err)
			}
			var model bytes.Buffer
			s, err := Import(t.Context(), []string{file}, Options{Source: source}, &model)
			if err != nil {
				t.Fatal(err)
			}
			if s.Unread != 1 {
				t.Errorf("%d documents without a text, want 1", s.Unread)
			}
			for _, id := range []string{"stolen", "file:unindexed.go", "file:linked"} {
				if strings.Contains(model.String(), id) {
					t.Errorf("the model holds %s, which is outside: %s", id, model.String())
				}
			}
			var m testModel
			if err := json.Unmarshal(model.Bytes(), &m); err != nil {
				t.Fatal(err)
			}
			for path, reasons := range map[string][]project.Reason{
				"linked": {project.LinkOutside}, "unindexed.go": {project.LinkOutside, project.LinkBroken, project.NotRegular},
			} {
				if got := m.passedOver()[path]; !slices.Contains(reasons, project.Reason(got)) {
					t.Errorf("scope says of %s: %q, want one of %q", path, got, reasons)
				}
			}
		})
	}
}

// passedOver are what scope says was passed over, by path, with the reasons.
func (m *testModel) passedOver() map[string]string {
	by := map[string]string{}
	list, _ := m.Scope["passed_over"].([]any)
	for _, v := range list {
		by[v.(map[string]any)["path"].(string)] = v.(map[string]any)["reason"].(string)
	}
	return by
}

// A file whose name is not UTF-8 has no place in a model, so it is named where
// the model says what it lacks.
func TestNameNotUTF8(t *testing.T) {
	file, source := writeIndex(t, goDocument())
	if err := os.WriteFile(filepath.Join(source, "caf\xe9.go"), []byte("package ex\n"), 0o644); err != nil {
		t.Skip("the file system takes no such name: ", err)
	}
	m := importModel(t, Options{Source: source}, file)
	if got, want := m.passedOver()[`"caf\xe9.go"`], string(project.NameNotUTF8); got != want {
		t.Errorf("scope says %q, want %q, in %v", got, want, m.Scope)
	}
}

// TestIgnoredSource leaves out what is not of the repository.
func TestIgnoredSource(t *testing.T) {
	file, source := writeIndex(t, goDocument())
	text := "package main\n\nimport e \"ex\"\n\nvar f = e.help\n"
	for _, name := range []string{"made/x.go", "vendor/y/y.go", "cmd/z.go"} {
		writeFile(t, filepath.Join(source, name), text)
	}
	writeFile(t, filepath.Join(source, ".gitignore"), "/made/\n")
	model := string(importModel(t, Options{Source: source}, file).text)
	for name, want := range map[string]bool{"file:made/x.go": false, "file:vendor/y/y.go": false, "file:cmd/z.go": true} {
		if got := strings.Contains(model, `"`+name+`"`); got != want {
			t.Errorf("%s in the model: %v", name, got)
		}
	}
}
