//go:build unix

package project

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHostileFolder walks and reads a folder in which everything leads
// astray.
func TestHostileFolder(t *testing.T) {
	top := makeFiles(t, map[string]string{"secret": "a secret", "outer/f.go": "a secret", "dir/plain.go": "package plain\n", "dir/sub/x.go": "", "dir/large": strings.Repeat("x", 101), "dir/node_modules/m/package.json": "{}"})
	dir := filepath.Join(top, "dir")
	for name, to := range map[string]string{
		"out": "../secret", "absolute": filepath.Join(top, "secret"), "up": "..", "outdir": "../outer", "inside": "plain.go", "insidedir": "sub", "sub/loop": "..",
		"self": "self", "dangling": "nothing", "tofifo": "fifo", "sub/.gitignore": "../../secret",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	tree := open(t, dir)
	files, skipped := walk(t, tree)
	if want := []string{"large", "plain.go", "sub/x.go"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	want := []string{
		"absolute: " + string(LinkOutside), "dangling: " + string(LinkBroken), "fifo: " + string(NotRegular), "inside: " + string(LinkInside), "insidedir: " + string(LinkInside),
		"node_modules: " + string(Dependencies), "out: " + string(LinkOutside), "outdir: " + string(LinkOutside), "s: " + string(NotRegular), "self: " + string(LinkBroken),
		"sub/.gitignore: " + string(LinkOutside), "sub/loop: " + string(LinkInside), "tofifo: " + string(NotRegular), "up: " + string(LinkOutside),
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	for _, c := range []struct {
		path string
		want Reason // "" when it is read
	}{
		{"plain.go", ""}, {"./plain.go", ""}, {"sub/../plain.go", ""}, {"inside", ""}, {"sub/loop/plain.go", ""}, {"node_modules/m/package.json", ""},
		{"large", TooLarge}, {"none", Missing}, {"dangling", Missing}, {"plain.go/x", Missing}, {strings.Repeat("n", 5000), Missing},
		{"sub", NotRegular}, {".", NotRegular}, {"fifo", NotRegular}, {"tofifo", NotRegular}, {"s", NotRegular},
		{"self", Unreadable}, {"", OutsideRoot}, {"..", OutsideRoot}, {"../secret", OutsideRoot}, {"sub/../../secret", OutsideRoot}, {"/etc/passwd", OutsideRoot},
		{"out", LinkOutside}, {"absolute", LinkOutside}, {"up/secret", LinkOutside}, {"outdir/f.go", LinkOutside},
		{"plain.go\x00", NameZero}, {"\xff", NameNotUTF8},
	} {
		data, err := tree.Read(c.path, 100)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, c.want) || ReasonOf(err) != c.want) {
			t.Errorf("%.40q: error %v, want %q", c.path, err, c.want)
		}
		if strings.Contains(string(data), "secret") {
			t.Errorf("%q gives the secret", c.path)
		}
	}
	if data, err := tree.Read("large", 101); err != nil || len(data) != 101 {
		t.Errorf("the largest file: %d bytes, error %v", len(data), err)
	}
}

// TestNames has names that one system or another can't write.
func TestNames(t *testing.T) {
	dir := makeFiles(t, map[string]string{"Read.go": "", "read.go": "", "a b.go": "", "\xff.go": "", "d\xfe/x.go": "", "ok/\xfd": ""})
	files, skipped := walk(t, open(t, dir))
	want := []string{"Read.go", "a b.go", "read.go"}
	if entries, _ := os.ReadDir(dir); len(entries) < 6 {
		t.Skip("this system takes no such names")
	}
	if !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if want := []string{`"\xff.go": ` + string(NameNotUTF8), `"d\xfe": ` + string(NameNotUTF8), `"ok/\xfd": ` + string(NameNotUTF8)}; !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := makeFiles(t, map[string]string{"closed/x.go": "", "file.go": "", "open.go": ""})
	for _, name := range []string{"closed", "file.go"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(dir, "closed"), 0o755)
	tree := open(t, dir)
	files, skipped := walk(t, tree)
	if !slices.Equal(files, []string{"file.go", "open.go"}) || !slices.Equal(skipped, []string{"closed: " + string(NoPermission)}) {
		t.Errorf("files %q, skipped %q", files, skipped)
	}
	if _, err := tree.Read("file.go", 100); !errors.Is(err, NoPermission) {
		t.Errorf("error %v", err)
	}
}

// TestChanged reads a file that is not what its handle said: those of the
// system are empty, and have something to read.
func TestChanged(t *testing.T) {
	tree := open(t, "/proc")
	if _, err := tree.Read("version", 1000); err != nil && !errors.Is(err, Changed) {
		t.Skipf("no such file here: %v", err)
	} else if err == nil {
		t.Error("it is read")
	}
}

// TestReadFile says which state it read.
func TestReadFile(t *testing.T) {
	dir := makeFiles(t, map[string]string{"a.go": "package a\n"})
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "a.go"), at, at); err != nil {
		t.Fatal(err)
	}
	data, f, err := open(t, dir).ReadFile("a.go", 10)
	if err != nil || string(data) != "package a\n" || f.Path != "a.go" || f.Size != 10 || !f.ModTime.Equal(at) {
		t.Errorf("%q, %v, %v", data, f, err)
	}
}
