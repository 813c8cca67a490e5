//go:build unix

package scip

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
			if strings.Contains(model.String(), "stolen") || strings.Contains(model.String(), "unindexed.go") || strings.Contains(model.String(), "linked") {
				t.Errorf("the model holds what is outside: %s", model.String())
			}
		})
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
