package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"brick/internal/test/testenv"
)

// TestKilledBuild kills builds at random moments: the index that was there is
// whole each time, and the next build is right and clears up after the dead.
// BRICK_KILLS is the number of builds that are killed.
func TestKilledBuild(t *testing.T) {
	kills := testenv.Int(t, "BRICK_KILLS", rounds(20))
	b := newBench(t)
	r := rand.New(rand.NewPCG(1, 2))
	b.build(t, b.other)
	old := b.read(t)
	start := time.Now()
	b.build(t, b.model)
	took := time.Since(start)
	want := b.read(t)
	if bytes.Equal(old, want) {
		t.Fatal("two models have the same index")
	}
	finished := 0
	for i := range kills {
		b.build(t, b.other)
		b.only(t, "brick.idx")
		cmd := b.command(b.model)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(r.Int64N(int64(took + took/8)))
		timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		switch {
		case err == nil:
			finished++
		case cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL:
			t.Fatalf("build %d: %v: %s", i, err, stderr.Bytes())
		}
		// A build that was killed after it had put the new index in its place
		// leaves that.
		if got := b.read(t); !bytes.Equal(got, old) && !bytes.Equal(got, want) {
			t.Fatalf("build %d, killed after %v, left %d bytes that are neither the old index nor the new one", i, after, len(got))
		}
		// The next kill comes within the time that a build takes now.
		start = time.Now()
		b.build(t, b.model)
		took = time.Since(start)
		if !bytes.Equal(b.read(t), want) {
			t.Fatalf("build %d, killed after %v: the next one is wrong", i, after)
		}
		b.only(t, "brick.idx")
	}
	t.Logf("%d of %d were done before they were killed", finished, kills)
}

// TestFirstBuildKilled kills a build where there is no index yet: there is
// none afterwards either, or a whole one.
func TestFirstBuildKilled(t *testing.T) {
	b := newBench(t)
	r := rand.New(rand.NewPCG(3, 4))
	start := time.Now()
	b.build(t, b.model)
	took := time.Since(start)
	want := b.read(t)
	for i := range rounds(5) {
		if err := os.Remove(b.index); err != nil {
			t.Fatal(err)
		}
		cmd := b.command(b.model)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(took))), func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
		if got, err := os.ReadFile(b.index); err == nil && !bytes.Equal(got, want) {
			t.Fatalf("build %d left %d bytes under the index's name", i, len(got))
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		b.build(t, b.model)
		b.only(t, "brick.idx")
	}
}

// TestTerminatedBuild sends SIGTERM, SIGINT and SIGHUP to builds: they end with exit
// code 3 at once, and leave everything as it was.
func TestTerminatedBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	// Under nohup SIGHUP is ignored, which builds inherit and heed. A signal
	// that is listened to here has its default again in them.
	listened := make(chan os.Signal, 1)
	signal.Notify(listened, syscall.SIGHUP)
	defer signal.Stop(listened)
	b := newBench(t)
	b.build(t, b.other)
	old := b.read(t)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		// The build waits for the rest of a model that never comes.
		cmd := b.command("-")
		model, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		document, err := os.ReadFile(b.model)
		if err != nil {
			t.Fatal(err)
		}
		// The pipe is full long before this returns: the build is at work.
		if _, err := model.Write(document[:len(document)-100]); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		waited := make(chan error, 1)
		go func() { waited <- cmd.Wait() }()
		select {
		case <-waited:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			t.Errorf("%v: the build that waits for its model does not end", signal)
			<-waited
			b.build(t, b.other)
			continue
		}
		if code := cmd.ProcessState.ExitCode(); code != exitMachine {
			t.Errorf("%v: exit code %d, want %d: %s", signal, code, exitMachine, stderr.Bytes())
		}
		if text := stderr.String(); !strings.Contains(text, "interrupted") || strings.Count(text, "\n") != 1 {
			t.Errorf("%v: %q", signal, text)
		}
		if !bytes.Equal(b.read(t), old) {
			t.Errorf("%v: the index is another one", signal)
		}
		b.only(t, "brick.idx")
	}
}

// TestTerminatedWhileBusy does the same at random moments of builds that have
// all of their model.
func TestTerminatedWhileBusy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	b := newBench(t)
	b.build(t, b.other)
	old := b.read(t)
	start := time.Now()
	b.build(t, b.model)
	took := time.Since(start)
	want := b.read(t)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range rounds(10) {
		b.build(t, b.other)
		cmd := b.command(b.model)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(took))), func() { cmd.Process.Signal(syscall.SIGTERM) })
		cmd.Wait()
		timer.Stop()
		got := b.read(t)
		switch code := cmd.ProcessState.ExitCode(); {
		case code == exitDone && bytes.Equal(got, want): // too late
		case code == exitMachine && bytes.Equal(got, old):
		case code == -1 && bytes.Equal(got, old): // before it could listen
		default:
			t.Errorf("build %d: exit code %d, %d bytes (old %t, new %t): %s", i, code, len(got),
				bytes.Equal(got, old), bytes.Equal(got, want), stderr.Bytes())
		}
		b.only(t, "brick.idx")
	}
}

// TestBuildsAtOnce runs several builds for one index at the same time. Builds
// of a small model are made and gone in the moment in which others look for
// what dead ones left.
func TestBuildsAtOnce(t *testing.T) {
	b := newBench(t)
	b.atOnce(t, rounds(3), 3, b.model, b.other)
	b.atOnce(t, rounds(20), 4, b.other, b.model)
}

// atOnce builds the index of a model, so many at once, over that of another.
func (b *bench) atOnce(t *testing.T, rounds, builds int, model, other string) {
	t.Helper()
	b.build(t, model)
	want := b.read(t)
	for range rounds {
		b.build(t, other)
		stderr := make([]bytes.Buffer, builds)
		cmds := make([]*exec.Cmd, builds)
		for i := range cmds {
			cmds[i] = b.command(model)
			cmds[i].Stderr = &stderr[i]
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v: %s", err, stderr[i].Bytes())
			}
		}
		if !bytes.Equal(b.read(t), want) {
			t.Error("the index is wrong")
		}
		b.only(t, "brick.idx")
	}
}

// rounds is n, or fewer with the race detector, which makes a build take many
// times as long.
func rounds(n int) int {
	if testenv.Race() {
		return (n + 9) / 10
	}
	return n
}

// bench is a folder in which an index is built, and models for it.
type bench struct {
	dir, index   string
	model, other string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	document, err := testenv.Unpack("../../testdata/bbolt.brick.json.zst")
	if err != nil {
		t.Fatal(err)
	}
	dir, models := t.TempDir(), t.TempDir()
	b := &bench{
		dir: dir, index: filepath.Join(dir, "brick.idx"),
		model: filepath.Join(models, "model.json"), other: filepath.Join(models, "other.json"),
	}
	for path, contents := range map[string][]byte{b.model: document, b.other: []byte(scriptModel)} {
		if err := os.WriteFile(path, contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// command builds the index from a model, in a process of its own.
func (b *bench) command(model string) *exec.Cmd {
	return exec.Command("brick-index", "build", "--quiet", model, "-o", b.index)
}

func (b *bench) build(t *testing.T, model string) {
	t.Helper()
	if out, err := b.command(model).CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
}

func (b *bench) read(t *testing.T) []byte {
	t.Helper()
	contents, err := os.ReadFile(b.index)
	if err != nil {
		t.Fatal(err)
	}
	return contents
}

// only demands that nothing else is in the index's folder.
func (b *bench) only(t *testing.T, names ...string) {
	t.Helper()
	if got := fileNames(b.dir); !slices.Equal(got, names) {
		t.Fatalf("in the index's folder are %q, want %q", got, names)
	}
}
