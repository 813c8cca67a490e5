package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"brick/internal/test/testenv"
)

const (
	header = `{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],"nodes":[`
	node   = `{"id":"a","kind":"k","name":"n"`

	// maxMemory is the most memory that a build of a hostile model may take, in
	// MiB: a gap or a string of 256 MiB is held, in a buffer that grew to it.
	maxMemory = 1200
)

// part is a part of a model, repeated.
type part struct {
	text  string
	times int
}

// ids are nodes with ids of that length.
func ids(n, length int) []part {
	var parts []part
	for i := range n {
		parts = append(parts, part{fmt.Sprintf(`{"id":"%04d`, i), 1}, part{"x", length - 4}, part{`","kind":"k","name":"n"},`, 1})
	}
	return append([]part{{header, 1}}, parts...)
}

// writeParts writes a model; the test itself must not need much memory: a
// process begins with the size of the one that starts it.
func writeParts(t *testing.T, path string, parts []part) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<16)
	for _, p := range parts {
		many := strings.Repeat(p.text, max(1, min(p.times, 4096/len(p.text))))
		each := len(many) / len(p.text)
		for ; p.times >= each; p.times -= each {
			w.WriteString(many)
		}
		w.WriteString(many[:p.times*len(p.text)])
	}
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// skipRaced skips a test of memory and time, which the race detector changes.
func skipRaced(t *testing.T) {
	t.Helper()
	if testenv.Race() {
		t.Skip("memory and time are not a user's with the race detector")
	}
}

// TestHostileModels builds from models that were made to do harm: they are
// refused, in bounded memory. Each comes in two sizes, for the time to be seen
// to grow with the size and no faster.
func TestHostileModels(t *testing.T) {
	skipRaced(t)
	begin, end := part{header + node, 1}, part{"}]}", 1}
	tests := []struct {
		name  string
		n     int
		model func(n int) []part
		code  int
	}{
		{"nested arrays", 100_000, func(n int) []part {
			return []part{begin, {`,"attributes":{"a":`, 1}, {"[", n}, {"]", n}, {"}", 1}, end}
		}, exitRefused},
		{"nested arrays without an end", 100_000, func(n int) []part { return []part{begin, {"[", n}} }, exitRefused},
		{"nested objects", 100_000, func(n int) []part {
			return []part{begin, {`,"attributes":`, 1}, {`{"a":`, n}, {"0", 1}, {"}", n}, end}
		}, exitRefused},
		{"nested where nothing is known", 100_000, func(n int) []part {
			return []part{{`{"x":`, 1}, {`[{"x":`, n}, {"0", 1}, {"}]", n}, {"}", 1}}
		}, exitRefused},
		{"a long number that counts", 1_000_000, func(n int) []part {
			return []part{begin, {`,"span":{"start_line":`, 1}, {"9", n}, {"}", 1}, end}
		}, exitRefused},
		{"a long version", 1_000_000, func(n int) []part { return []part{{`{"schema_version":`, 1}, {"4", n}, {"}", 1}} }, exitRefused},
		{"a long number in an attribute", 1_000_000, func(n int) []part {
			return []part{begin, {`,"attributes":{"a":`, 1}, {"9", n}, {"}", 1}, end}
		}, exitDone},
		{"a long fraction in an attribute", 1_000_000, func(n int) []part {
			return []part{begin, {`,"attributes":{"a":0.`, 1}, {"3", n}, {"}", 1}, end}
		}, exitDone},
		{"a long exponent in an attribute", 1_000_000, func(n int) []part {
			return []part{begin, {`,"attributes":{"a":1e`, 1}, {"9", n}, {"}", 1}, end}
		}, exitDone},
		{"ids at the limit", 1_000, func(n int) []part { return append(ids(n, 4096), part{node, 1}, end) }, exitDone},
		{"ids over the limit", 1_000, func(n int) []part { return append(ids(n, 4097), part{node, 1}, end) }, exitRefused},
		{"one id without an end", 150_000_000, func(n int) []part { return []part{{header + `{"id":"`, 1}, {"x", n}} }, exitRefused},
		{"white space without an end", 150_000_000, func(n int) []part { return []part{{header, 1}, {" ", n}} }, exitRefused},
		{"names twice at depth", 1_000_000, func(n int) []part {
			return []part{begin, {`,"attributes":{"a":`, 1}, {"[", 900}, {"{", 1}, {`"b":0,`, n}, {`"b":0}`, 1}, {"]", 900}, {"}", 1}, end}
		}, exitRefused},
		{"faults", 10_000, func(n int) []part {
			return []part{{header, 1}, {`{"id":"","kind":7},`, n}, {node, 1}, end}
		}, exitRefused},
		{"one id again and again", 10_000, func(n int) []part {
			return []part{{header, 1}, {node + `},`, n}, {node, 1}, end}
		}, exitRefused},
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "model.json")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var took [2]time.Duration
			var memory [2]int
			for i, n := range []int{test.n / 2, test.n} {
				writeParts(t, path, test.model(n))
				took[i], memory[i] = hostile(t, test.code, path)
			}
			t.Logf("%v and %v, %d and %d MiB", took[0], took[1], memory[0], memory[1])
			if memory[1] > maxMemory {
				t.Errorf("%d MiB of memory, want at most %d", memory[1], maxMemory)
			}
			if took[1] > 3*time.Second && took[1] > 8*took[0] {
				t.Errorf("twice the size takes %v instead of %v", took[1], took[0])
			}
		})
	}
}

// TestBombs builds from small files that unpack to large ones, and from
// streams that are cut off.
func TestBombs(t *testing.T) {
	skipRaced(t)
	dir := t.TempDir()
	// A model with white space, as large as the bound allows and larger.
	const bound = 256 << 20
	bomb := func(w io.Writer) error {
		_, err := io.WriteString(w, header)
		spaces := bytes.Repeat([]byte(" "), 1<<20)
		for range bound/len(spaces) + 1 {
			if err == nil {
				_, err = w.Write(spaces)
			}
		}
		if err == nil {
			_, err = io.WriteString(w, "]}")
		}
		return err
	}
	pack := map[string]func(io.Writer) (io.WriteCloser, error){
		"gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, 1) },
		"zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) },
	}
	for kind, newWriter := range pack {
		t.Run(kind, func(t *testing.T) {
			var packed bytes.Buffer
			w, err := newWriter(&packed)
			if err != nil {
				t.Fatal(err)
			}
			if err := bomb(w); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "bomb."+kind)
			if err := os.WriteFile(path, packed.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			took, memory := hostile(t, exitRefused, path, "--max-unpacked", fmt.Sprint(bound))
			t.Logf("a bomb of %d bytes: %v, %d MiB", packed.Len(), took, memory)
			if memory > maxMemory {
				t.Errorf("%d MiB of memory", memory)
			}
			if err := os.Truncate(path, int64(packed.Len()/2)); err != nil {
				t.Fatal(err)
			}
			if _, memory := hostile(t, exitRefused, path); memory > maxMemory {
				t.Errorf("cut off: %d MiB of memory", memory)
			}
		})
	}
}

// hostile builds from a model, and returns how long it took and how much
// memory, in MiB.
func hostile(t *testing.T, code int, model string, flags ...string) (took time.Duration, memory int) {
	t.Helper()
	folder := filepath.Join(filepath.Dir(model), "out")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	cmd := exec.Command("brick-index", append([]string{"build", "--quiet", model, "-o", filepath.Join(folder, "brick.idx")}, flags...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	cmd.Run()
	took = time.Since(begin)
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d: %.500s", got, code, out.Bytes())
	}
	if code == exitRefused && (out.Len() == 0 || out.Len() > 64<<10) {
		t.Errorf("it says %d bytes: %.500s", out.Len(), out.Bytes())
	}
	if names := fileNames(folder); code == exitRefused && len(names) > 0 {
		t.Errorf("it leaves %q", names)
	}
	return took, int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10)
}

// TestFullDisk builds where there is no room: the old index stays, and nothing
// else.
func TestFullDisk(t *testing.T) {
	b := newBench(t)
	b.build(t, b.other)
	old := b.read(t)
	b.build(t, b.model)
	size := len(b.read(t))
	check := func(t *testing.T, dir string, room int, output []byte, code int) {
		t.Helper()
		if code != exitMachine {
			t.Errorf("room for %d bytes: exit code %d, want %d: %s", room, code, exitMachine, output)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "brick.idx")); err != nil || !bytes.Equal(got, old) {
			t.Errorf("room for %d bytes: the old index is gone (%v)", room, err)
		}
		if names := fileNames(dir); len(names) != 1 {
			t.Errorf("room for %d bytes: left are %q", room, names)
		}
	}
	t.Run("a bound for files", func(t *testing.T) {
		for _, room := range []int{0, 4096, size / 4, size / 2, size - 4096} {
			if err := os.WriteFile(b.index, old, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -f %d; exec brick-index build --quiet "$1" -o "$2"`, room/512), "sh", b.model, b.index)
			out, _ := cmd.CombinedOutput()
			check(t, b.dir, room, out, cmd.ProcessState.ExitCode())
		}
	})
	t.Run("a small file system", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only root can mount")
		}
		dir := t.TempDir()
		for _, room := range []int{size / 4, size / 2, size, size * 3 / 2} {
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", len(old)+room)); err != nil {
				t.Skipf("no mount: %v", err)
			}
			if err := os.WriteFile(filepath.Join(dir, "brick.idx"), old, 0o666); err != nil {
				t.Error(err)
			}
			cmd := exec.Command("brick-index", "build", "--quiet", b.model, "-o", filepath.Join(dir, "brick.idx"))
			out, _ := cmd.CombinedOutput()
			check(t, dir, room, out, cmd.ProcessState.ExitCode())
			if err := syscall.Unmount(dir, 0); err != nil {
				t.Fatal(err)
			}
		}
	})
}
