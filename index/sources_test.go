package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"brick/index"
	"brick/jsonmodel"
	"brick/query"
	"brick/store"
	"brick/verify"
)

// TestHostilePaths reads paths that lead where nothing may be read.
func TestHostilePaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	top := t.TempDir()
	dir := filepath.Join(top, "source")
	for _, d := range []string{dir, filepath.Join(dir, "sub")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("secret", "a secret")
	write("source/plain.go", "package plain\n")
	write("source/empty", "")
	write("source/binary", "a\x00b")
	write("source/latin1", "caf\xe9")
	write("source/most", strings.Repeat("x", index.MaxSource))
	write("source/large", strings.Repeat("x", index.MaxSource+1))
	link("../secret", "out")
	link(filepath.Join(top, "secret"), "absolute")
	link("..", "up")
	link("plain.go", "inside")
	link("loop", "loop")
	link("nothing", "dangling")
	source, err := index.OpenSource(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	for _, test := range []struct {
		path   string
		size   int
		absent string // the reason begins so; "" when there is a text
	}{
		{"plain.go", 14, ""},
		{"./plain.go", 14, ""},
		{"sub/../plain.go", 14, ""},
		{"inside", 14, ""},
		{"empty", 0, ""},
		{"most", index.MaxSource, ""},
		{"large", 0, "it is larger than 4 MiB"},
		{"none.go", 0, "it is missing"},
		{"dangling", 0, "it is missing"},
		{"plain.go/x", 0, "it "},
		{"sub", 0, "it is no regular file"},
		{".", 0, "it is no regular file"},
		{"loop", 0, "it can't be read"},
		{"binary", 0, index.Refused + "it is binary"},
		{"latin1", 0, index.Refused + "it is not UTF-8 text"},
		{"../secret", 0, index.Refused + "its path leads out"},
		{"sub/../../secret", 0, index.Refused + "its path leads out"},
		{filepath.Join(top, "secret"), 0, index.Refused + "its path leads out"},
		{"/etc/passwd", 0, index.Refused + "its path leads out"},
		{"", 0, index.Refused + "its path leads out"},
		{"out", 0, index.Refused + "a link leads out"},
		{"absolute", 0, index.Refused + "a link leads out"},
		{"up/secret", 0, index.Refused + "a link leads out"},
		{"plain.go\x00", 0, index.Refused + "its name has a zero byte"},
		{"\xff", 0, index.Refused + "its name is not UTF-8"},
	} {
		text, absent := source.Read(test.path)
		if !strings.HasPrefix(absent, test.absent) || (absent == "") != (test.absent == "") || len(text) != test.size {
			t.Errorf("%q: %d bytes, absent %q; want %d, %q", test.path, len(text), absent, test.size, test.absent)
		}
		if strings.Contains(string(text), "secret") {
			t.Errorf("%q gives the secret", test.path)
		}
	}
}

// TestSnapshot asks for the text of files of a small model.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	if err := os.Mkdir(source, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("0123456789abcdef\n", 20000) // of several chunks
	write("a.go", "one\ntwo\nthree")
	write("b.go", "one\n\n")
	write("empty.go", "")
	write("long.go", long)
	var nodes []string
	for _, path := range []string{"a.go", "b.go", "empty.go", "long.go", "missing.go", "../secret"} {
		nodes = append(nodes, fmt.Sprintf(`{"id":"file:%s","kind":"file","name":"x","path":"%s"}`, path, path))
	}
	document := `{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],"nodes":[` + strings.Join(nodes, ",") + `]}`
	build := func(name string, withSource bool) (path string, problems []string) {
		t.Helper()
		path = filepath.Join(dir, name)
		if !withSource {
			return path, buildSnapshot(t, document, path, "")
		}
		return path, buildSnapshot(t, document, path, source)
	}
	path, problems := build("with", true)
	if got := strings.Join(problems, "; "); got != "../secret: refused: its path leads out of the source's folder; missing.go: it is missing" {
		t.Errorf("not in it: %s", got)
	}
	again, _ := build("again", true)
	same, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(same) != string(first) {
		t.Error("the same source gives another file")
	}
	// What changes after the build does not change the snapshot.
	write("a.go", "changed")
	write("missing.go", "no more")
	ix, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	without, _ := build("without", false)
	plain, err := store.Open(without)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if string(plain.Manifest.Digest) != string(ix.Manifest.Digest) {
		t.Error("the snapshot changes the model's digest")
	}
	if err := verify.Index(context.Background(), ix, index.Options{}, func(err error) { t.Errorf("verify: %v", err) }); err != nil {
		t.Error(err)
	}
	for _, test := range []struct{ arguments, want string }{ // the end of the answer
		{`{"path":"a.go"}`, `"path":"a.go","start_line":1,"end_line":3,"total_lines":3,"sha256":"","text":"one\ntwo\nthree"}`},
		{`{"path":"a.go","start_line":2,"end_line":2}`, `"text":"two\n"}`},
		{`{"path":"a.go","start_line":3}`, `"text":"three"}`},
		{`{"path":"b.go"}`, `"total_lines":2,"sha256":"","text":"one\n\n"}`},
		{`{"path":"b.go","start_line":2,"end_line":2}`, `"text":"\n"}`},
		{`{"path":"empty.go"}`, `"start_line":1,"end_line":0,"total_lines":0,"sha256":"","text":""}`},
		{`{"path":"long.go","start_line":19999}`, `"total_lines":20000,"sha256":"","text":"0123456789abcdef\n0123456789abcdef\n"}`},
	} {
		answer, err := askSource(ix, test.arguments)
		if err != nil {
			t.Errorf("%s: %v", test.arguments, err)
			continue
		}
		if got, want := withoutSum(answer), withoutSum(test.want); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, want %s at its end", test.arguments, got, want)
		}
	}
	for _, test := range []struct{ arguments, want string }{
		{`{"path":"a.go","start_line":4}`, "has 3 lines"},
		{`{"path":"a.go","end_line":4}`, "has 3 lines"},
		{`{"path":"empty.go","start_line":2}`, "has 0 lines"},
		{`{"path":"a.go","start_line":0}`, "must be at least 1"},
		{`{"path":"a.go","start_line":3,"end_line":2}`, "must not be less than start_line"},
		{`{"path":"missing.go"}`, "it is missing"},
		{`{"path":"../secret"}`, "its path leads out"},
		{`{"path":"aa.go"}`, `"a.go"`},
		{`{"path":""}`, "must not be empty"},
	} {
		if answer, err := askSource(ix, test.arguments); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %s, error %v; want %q in it", test.arguments, answer, err, test.want)
		}
	}
	if _, err := askSource(plain, `{"path":"a.go"}`); !errors.As(err, new(*query.NotFoundError)) || !strings.Contains(err.Error(), "--source DIR") {
		t.Errorf("without a snapshot: %v", err)
	}
}

// buildSnapshot builds an index with the source in a folder, "" for none, and
// returns what is not in it.
func buildSnapshot(t *testing.T, document, path, source string) (problems []string) {
	t.Helper()
	w, err := store.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	o := index.Options{SourceProblem: func(path, reason string) { problems = append(problems, path+": "+reason) }}
	if source != "" {
		s, err := index.OpenSource(source)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		o.Source = s
	}
	if _, _, err := index.Build(context.Background(), jsonmodel.Read(strings.NewReader(document), jsonmodel.Options{}), w, o); err != nil {
		t.Fatal(err)
	}
	return problems
}

// askSource asks brick_source.
func askSource(ix *store.Index, arguments string) (string, error) {
	tool := query.Lookup("brick_source")
	a, err := tool.ParseArguments([]byte(arguments))
	if err != nil {
		return "", err
	}
	answer, err := tool.Answer(context.Background(), ix, a)
	return string(answer), err
}

// withoutSum takes the SHA-256 out of an answer.
func withoutSum(answer string) string {
	before, rest, ok := strings.Cut(answer, `"sha256":"`)
	if !ok {
		return answer
	}
	_, after, _ := strings.Cut(rest, `"`)
	return before + after
}
