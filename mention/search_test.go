package mention

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf16"

	"brick/project"
)

func TestClassOf(t *testing.T) {
	for name, want := range map[string]Class{
		"a.py": Code, "x/y.sh": Code, "boot.s": Code, "a.html": Template, "mail.J2": Template, "v.blade.php": Template,
		"README.md": Document, "setup.cfg": Document, "Makefile": Document, "data.json": Document, "LICENSE": Document,
	} {
		if got := ClassOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func TestSearch(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md":          "one\ntwo total, total\n",
		"b.bin":         "total\x00",
		"c.txt":         inUTF16("x total"),
		"latin.txt":     "caf\xe9 total",
		"none.txt":      "subtotal",
		"old.json":      `{"schema_version":4,"generator":{"name":"brick-index import scip"},"nodes":[{"name":"total"}]}`,
		"other.json":    `{"schema_version":4,"name":"total"}`,
		"own.py":        "total()\n",
		"page/t.html":   "{{ total }}",
		"empty.txt":     "",
		"crlf/lines.md": "\r\n\r\ntotal\r\n",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	files, _, err := tree.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	open := func(path string, text []byte) Reader {
		if path == "own.py" {
			return func(int, int) (Class, bool) { return "", false }
		}
		return nil
	}
	var got []string
	names := NewNames([]string{"total"})
	unread, err := Search(t.Context(), tree, files, names, open, func(path string, list []Mention) error {
		for _, m := range list {
			got = append(got, fmt.Sprintf("%s:%d:%d %s %s", path, m.Line, m.Column, m.Class, names.Name(m.ID)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a.md:2:5 document total", "a.md:2:12 document total", "c.txt:1:3 document total", "crlf/lines.md:3:1 document total",
		"latin.txt:1:6 document total", "other.json:1:29 document total", "page/t.html:1:4 template total",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if want := []project.Skipped{{Path: "old.json", Reason: OwnOutput}}; !slices.Equal(unread, want) {
		t.Errorf("unread %v, want %v", unread, want)
	}
}

// What can't be searched is said, as it could name anything.
func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "large.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Truncate(MaxText+1), file.Close()); err != nil {
		t.Fatal(err)
	}
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	files, _, err := tree.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unread, err := Search(t.Context(), tree, files, NewNames(nil), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []project.Skipped{{Path: "large.txt", Reason: project.TooLarge}}; !slices.Equal(unread, want) {
		t.Errorf("unread %v, want %v", unread, want)
	}
}
