package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// makeFiles makes a folder of files by path, each with a text.
func makeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string, exclude ...string) *Tree {
	t.Helper()
	tree, err := Open(dir, Options{Exclude: exclude})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// walk gives the paths of a walk, and what it passed over as "PATH: REASON".
func walk(t *testing.T, tree *Tree) (files, skipped []string) {
	t.Helper()
	list, over, err := tree.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		files = append(files, f.Path)
	}
	for _, s := range over {
		skipped = append(skipped, s.Path+": "+string(s.Reason))
	}
	return files, skipped
}

func TestWalk(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   map[string]string
		exclude []string
		want    []string
		skipped []string
	}{
		{
			name:  "sorted by path, byte by byte",
			files: map[string]string{"b/a": "", "b.go": "", "a": "", "b-c": "", "B": "", ".hidden/x": ""},
			want:  []string{".hidden/x", "B", "a", "b-c", "b.go", "b/a"},
		},
		{
			name:    "nested .gitignore with negation",
			files:   map[string]string{".gitignore": "\ufeff*.log\r\nbuild/\n/top\n", "a.log": "", "sub/top": "", "top": "", "sub/.gitignore": "!keep.log\nb.go\n", "sub/keep.log": "", "sub/a.log": "", "sub/b.go": "", "b.go": "", "build/x.go": "", "sub/build": ""},
			want:    []string{".gitignore", "b.go", "sub/.gitignore", "sub/build", "sub/keep.log", "sub/top"},
			skipped: []string{"a.log: " + string(Ignored), "build: " + string(Ignored), "sub/a.log: " + string(Ignored), "sub/b.go: " + string(Ignored), "top: " + string(Ignored)},
		},
		{
			name:    "a folder that is ignored keeps nothing, its contents may",
			files:   map[string]string{".gitignore": "a/\n!a/keep\nb/**\n!b/keep\n", "a/keep": "", "b/keep": "", "b/x": ""},
			want:    []string{".gitignore", "b/keep"},
			skipped: []string{"a: " + string(Ignored), "b/x: " + string(Ignored)},
		},
		{
			name:    "the repository's own exclusions",
			files:   map[string]string{".git/info/exclude": "secret\n", "secret": "", "x": ""},
			want:    []string{"x"},
			skipped: []string{".git: " + string(VersionControl), "secret: " + string(Ignored)},
		},
		{
			name:    "tools' folders, at any level",
			files:   map[string]string{"node_modules/a.js": "", "web/node_modules/b.js": "", "vendor/v.go": "", "x/__pycache__/c.pyc": "", ".venv/lib/d.py": "", "env/pyvenv.cfg": "", "env/e.py": "", "target/CACHEDIR.TAG": "", "target/f.rs": "", "vendored/g.go": "", "sub/.git": "gitdir: elsewhere", "src/vendor": "a file"},
			want:    []string{"src/vendor", "vendored/g.go"},
			skipped: []string{".venv: " + string(Dependencies), "env: " + string(Generated), "node_modules: " + string(Dependencies), "sub/.git: " + string(VersionControl), "target: " + string(Generated), "vendor: " + string(Dependencies), "web/node_modules: " + string(Dependencies), "x/__pycache__: " + string(Generated)},
		},
		{
			name:    "excluded globs",
			files:   map[string]string{"a.pb.go": "", "x/b.pb.go": "", "docs/a/b/c.md": "", "x/docs/d.md": "", "x/gen/deep/e.go": "", "main.go": ""},
			exclude: []string{"*.pb.go", "/docs", "x/**/e.go"},
			want:    []string{"main.go", "x/docs/d.md"},
			skipped: []string{"a.pb.go: " + string(Excluded), "docs: " + string(Excluded), "x/b.pb.go: " + string(Excluded), "x/gen/deep/e.go: " + string(Excluded)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, skipped := walk(t, open(t, makeFiles(t, c.files), c.exclude...))
			if !slices.Equal(files, c.want) {
				t.Errorf("files %q, want %q", files, c.want)
			}
			if !slices.Equal(skipped, c.skipped) {
				t.Errorf("skipped %q, want %q", skipped, c.skipped)
			}
		})
	}
}

// TestWalkTells gives size and time of what it finds.
func TestWalkTells(t *testing.T) {
	dir := makeFiles(t, map[string]string{"a/b.go": "package b\n"})
	info, err := os.Stat(filepath.Join(dir, "a", "b.go"))
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := open(t, dir).Walk(context.Background())
	if err != nil || len(files) != 1 || files[0] != (File{"a/b.go", 10, info.ModTime()}) {
		t.Errorf("%v, %v", files, err)
	}
}

func TestWalkStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := open(t, t.TempDir()).Walk(ctx); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// TestDeepFolders has folders deeper than anybody's sources.
func TestDeepFolders(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	deep := strings.TrimSuffix(strings.Repeat("d/", maxDepth+5), "/")
	if err := root.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	files, skipped := walk(t, open(t, dir))
	want := strings.TrimSuffix(strings.Repeat("d/", maxDepth), "/") + ": " + string(TooDeep)
	if len(files) != 0 || !slices.Equal(skipped, []string{want}) {
		t.Errorf("files %q, skipped %q", files, skipped)
	}
}

func TestBadExclude(t *testing.T) {
	for _, glob := range []string{"", " ", "!a", "# a", "a\nb", "[a", "/"} {
		if tree, err := Open(t.TempDir(), Options{Exclude: []string{glob}}); err == nil {
			tree.Close()
			t.Errorf("%q is taken", glob)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("%q", glob)) {
			t.Errorf("%q: the error is %v", glob, err)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for name, want := range map[string]string{
		"a.go": "go", "x/a.py": "python", "a.pyi": "python", "a.ts": "typescript", "a.d.ts": "typescript", "a.tsx": "typescript", "a.mts": "typescript",
		"a.js": "javascript", "a.cjs": "javascript", "a.jsx": "javascript", "a.rs": "rust", "A.java": "java", "a.kt": "kotlin", "a.kts": "kotlin",
		"a.swift": "swift", "a.c": "c", "a.h": "c", "a.cc": "cpp", "a.hpp": "cpp", "a.cs": "csharp", "a.rb": "ruby", "lib/Rakefile": "ruby", "a.php": "php",
		"A.PY": "python", "README.md": "", "Makefile": "", "go": "", ".go": "go", "a.go.txt": "", "a.": "", "": "",
	} {
		if got := LanguageOf(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		data string
		bom  bool
		err  error
	}{
		{"", false, nil},
		{"package é\r\n", false, nil},
		{BOM + "a", true, nil},
		{"a" + BOM, false, nil},
		{"a\x00b", false, Binary},
		{"caf\xe9", false, NotUTF8},
		{"\xff\xfea\x00", false, UTF16},
		{"\xfe\xff\x00a", false, UTF16},
	} {
		if bom, err := CheckText([]byte(c.data)); bom != c.bom || err != c.err {
			t.Errorf("%q: %v, %v", c.data, bom, err)
		}
	}
}

func TestNamesOfFolder(t *testing.T) {
	dir := makeFiles(t, map[string]string{"a/b.go": "", "a/a.go": "", "a/c/d.go": "", "e": ""})
	tree := open(t, dir)
	if got, err := tree.Names("a"); err != nil || !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Errorf("%q, %v", got, err)
	}
	for folder, want := range map[string]Reason{"../x": OutsideRoot, "nothing": Missing, "e": NotFolder, "a\x00": OutsideRoot} {
		if got, err := tree.Names(folder); ReasonOf(err) != want || got != nil {
			t.Errorf("%q: %q, %v", folder, got, err)
		}
	}
}
