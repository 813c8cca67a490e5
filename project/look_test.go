package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLook(t *testing.T) {
	dir := makeFiles(t, map[string]string{"a/b.txt": "x", "a/c/d.txt": "x", "e.txt": "x"})
	outside := t.TempDir()
	for link, to := range map[string]string{
		"a/up": "../e.txt", "a/in": "c", "folder": "a", "broken": "nowhere", "loop": "loop",
		"out": outside, "far": filepath.Join("..", filepath.Base(outside)),
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	tree := open(t, dir)
	for _, c := range []struct {
		path string
		kind Kind
		real string
	}{
		{".", Folder, "."},
		{"e.txt", Regular, "e.txt"},
		{"a/c", Folder, "a/c"},
		{"a/up", Regular, "e.txt"},
		{"folder/in/d.txt", Regular, "a/c/d.txt"},
		{"folder/up", Regular, "e.txt"},
		{"broken", Nothing, "broken"},
		{"loop", Nothing, "loop"},
		{"out", Nothing, "out"},
		{"far", Nothing, "far"},
		{"missing/x", Nothing, "missing/x"},
		{"../e.txt", Nothing, "../e.txt"},
		{"a\x00b", Nothing, "a\x00b"},
	} {
		if got := tree.Look(c.path); got != c.kind {
			t.Errorf("Look(%q) = %v, want %v", c.path, got, c.kind)
		}
		if got := tree.Real(c.path); got != c.real {
			t.Errorf("Real(%q) = %q, want %q", c.path, got, c.real)
		}
	}
	files, folders := tree.List("a")
	if !slices.Equal(files, []string{"b.txt", "up"}) || !slices.Equal(folders, []string{"c", "in"}) {
		t.Errorf("List = %q and %q", files, folders)
	}
	if files, folders = tree.List("out"); files != nil || folders != nil {
		t.Errorf("List of a folder outside = %q and %q", files, folders)
	}
}
