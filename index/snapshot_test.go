package index_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"brick/index"
	"brick/internal/test/testenv"
	"brick/store"
)

// bboltSource copies the source of bbolt, which the model in testdata is of,
// out of the module cache, where nothing can be changed.
func bboltSource(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", "go.etcd.io/bbolt").Output()
	version, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || dir == "" {
		t.Skipf("bbolt is not in the module cache: %v", err)
	}
	if version != "v1.5.0" {
		t.Fatalf("the model in testdata is of bbolt v1.5.0, and %s is used: make it anew", version)
	}
	source := filepath.Join(t.TempDir(), "bbolt")
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		to := filepath.Join(source, strings.TrimPrefix(path, dir))
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(to, 0o755))
		}
		text, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(to, text, 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func bboltModel(t *testing.T) string {
	t.Helper()
	document, err := testenv.Unpack("../testdata/bbolt.brick.json.zst")
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

// TestSnapshotOfBbolt compares what brick_source answers about a real
// repository with the files.
func TestSnapshotOfBbolt(t *testing.T) {
	source, document := bboltSource(t), bboltModel(t)
	var model struct {
		Nodes []struct {
			ID, Kind, Path string
			Span           *struct {
				Start int `json:"start_line"`
				End   int `json:"end_line"`
			}
		}
	}
	if err := json.Unmarshal([]byte(document), &model); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.idx"), filepath.Join(dir, "second.idx")
	if problems := buildSnapshot(t, document, first, source); len(problems) > 0 {
		t.Fatalf("not in it: %q", problems)
	}
	buildSnapshot(t, document, second, source)
	ix, again := openIndex(t, first), openIndex(t, second)
	if len(ix.Manifest.Source) != sha256.Size || !bytes.Equal(ix.Manifest.Source, again.Manifest.Source) {
		t.Errorf("the digests of one source: %x, %x", ix.Manifest.Source, again.Manifest.Source)
	}

	files, functions := 0, 0
	for _, n := range model.Nodes {
		switch {
		case n.Kind == "file":
			files++
			checkSource(t, ix, source, n.Path, 0, 0)
		case n.Span != nil && (n.Kind == "function" || n.Kind == "method"):
			functions++
			checkSource(t, ix, source, n.Path, n.Span.Start, n.Span.End)
		}
	}
	if files < 100 || functions < 900 {
		t.Errorf("%d files and %d functions were compared", files, functions)
	}

	// The snapshot stays as it was; another one is of what is there now.
	before, err := askSource(ix, `{"path":"db.go"}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(source, "db.go"), []byte("package changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(source, "tx.go")); err != nil {
		t.Fatal(err)
	}
	if after, err := askSource(ix, `{"path":"db.go"}`); err != nil || after != before {
		t.Errorf("after the file changed: %.200s, %v", after, err)
	}
	if _, err := askSource(ix, `{"path":"tx.go"}`); err != nil {
		t.Errorf("after the file was removed: %v", err)
	}
	third := filepath.Join(dir, "third.idx")
	if problems := buildSnapshot(t, document, third, source); !slices.Equal(problems, []string{"tx.go: it is missing"}) {
		t.Errorf("not in the new one: %q", problems)
	}
	changed := openIndex(t, third)
	if bytes.Equal(changed.Manifest.Source, ix.Manifest.Source) {
		t.Error("another source has the same digest")
	}
	checkSource(t, changed, source, "db.go", 0, 0)
}

// TestHostileModel has paths in the model that lead out of bbolt's folder.
func TestHostileModel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	source, document := bboltSource(t), bboltModel(t)
	outside := filepath.Join(filepath.Dir(source), "secret")
	if err := os.WriteFile(outside, []byte("a secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(source, "db.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(source, "db.go")); err != nil {
		t.Fatal(err)
	}
	hostile := map[string]string{
		"../secret":         "its path leads out",
		"cmd/../../secret":  "its path leads out",
		outside:             "its path leads out",
		"db.go\x00":         "its name has a zero byte",
		"db.go":             "a link leads out",
		"no/../../such.go":  "its path leads out",
		"/proc/self/status": "its path leads out",
	}
	const nodes = `"nodes":[`
	var more strings.Builder
	for path := range hostile {
		quoted, err := json.Marshal(path)
		if err != nil {
			t.Fatal(err)
		}
		id, err := json.Marshal("hostile:" + path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&more, `{"id":%s,"kind":"file","name":"x","path":%s},`, id, quoted)
	}
	path := filepath.Join(t.TempDir(), "hostile.idx")
	problems := buildSnapshot(t, strings.Replace(document, nodes, nodes+more.String(), 1), path, source)
	if len(problems) != len(hostile) {
		t.Errorf("%d are not in it, want %d: %q", len(problems), len(hostile), problems)
	}
	ix := openIndex(t, path)
	for path, want := range hostile {
		quoted, err := json.Marshal(path)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := askSource(ix, `{"path":`+string(quoted)+`}`)
		if err == nil || !strings.Contains(err.Error(), index.Refused+want) {
			t.Errorf("%q: %.200s, %v; want %s", path, answer, err, want)
		}
	}
	// Neither a model nor a question can have such a name.
	if answer, err := askSource(ix, "{\"path\":\"\xff.go\"}"); err == nil {
		t.Errorf("a name that is not UTF-8: %.200s", answer)
	}
	checkSource(t, ix, source, "tx.go", 0, 0)
}

func openIndex(t *testing.T, path string) *store.Index {
	t.Helper()
	ix, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// checkSource compares an answer with lines of a file on disk, all of them
// for 0.
func checkSource(t *testing.T, ix *store.Index, source, path string, start, end int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(path)))
	if err != nil {
		t.Error(err)
		return
	}
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	arguments := map[string]any{"path": path}
	if start > 0 {
		arguments["start_line"], arguments["end_line"] = start, end
	} else {
		start, end = 1, len(lines)
	}
	question, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := askSource(ix, string(question))
	if err != nil {
		t.Errorf("%s: %v", question, err)
		return
	}
	var got struct {
		Start  int `json:"start_line"`
		End    int `json:"end_line"`
		Total  int `json:"total_lines"`
		SHA256 string
		Text   string
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if got.Text != strings.Join(lines[start-1:end], "") || got.Start != start || got.End != end || got.Total != len(lines) || got.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%s: lines %d to %d of %d, SHA-256 %s, %d bytes: not those of the file", question, got.Start, got.End, got.Total, got.SHA256, len(got.Text))
	}
}
