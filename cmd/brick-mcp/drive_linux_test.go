package main

import (
	"bytes"
	"encoding/json"
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

	"brick/internal/test/faultfs"
	"brick/internal/test/genmodel"
	"brick/internal/test/testenv"
	"brick/store"
)

// ask asks a server one question and returns its answer and how long it took.
func (p *process) ask(params string) (text string, took time.Duration) {
	p.t.Helper()
	start := time.Now()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + "}\n")
	p.read.SetReadDeadline(time.Now().Add(patience))
	line, err := p.out.ReadBytes('\n')
	took = time.Since(start)
	var response struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err != nil || json.Unmarshal(line, &response) != nil || len(response.Result.Content) == 0 {
		p.t.Fatalf("%v: %.300q", err, line)
	}
	return response.Result.Content[0].Text, took
}

// largeIndex builds the index of a model whose answers are large.
func largeIndex(t *testing.T, path string, functions int) {
	t.Helper()
	pr, pw := io.Pipe()
	go func() { pw.CloseWithError(genmodel.Write(pw, genmodel.Config{Functions: functions, Seed: 1})) }()
	buildFrom(t, path, pr)
}

// fewCallers returns the id of a function with a few callers, as JSON.
func fewCallers(t *testing.T, path string) string {
	t.Helper()
	ix, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	for node := uint32(ix.Manifest.Nodes / 2); ; node++ {
		row, err := v.NodeRow(node)
		if err != nil {
			t.Fatal(err)
		}
		if calls := row.InCalls - row.In; row.Function != store.NoFunction && calls > 1 && calls < 6 {
			id, err := v.AppendNodeID(nil, node)
			if err != nil {
				t.Fatal(err)
			}
			return string(id)
		}
	}
}

// TestSlowDrive measures a server on a drive that takes a millisecond for each
// read. BRICK_SLOW_FUNCTIONS is the size of the model; 37,000 are 100 MB. What
// a slow machine can't spoil is tested: how often the drive is asked.
func TestSlowDrive(t *testing.T) {
	folder := t.TempDir()
	const usual = 12_000
	functions := testenv.Int(t, "BRICK_SLOW_FUNCTIONS", usual)
	largeIndex(t, filepath.Join(folder, "brick.idx"), functions)
	drive := faultfs.Mount(t, folder)
	path := filepath.Join(drive.Dir, "brick.idx")
	drive.Latency.Store(int64(time.Millisecond))

	few := fewCallers(t, filepath.Join(folder, "brick.idx"))

	// How fast the drive is for a program that reads the file in order.
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	n, err := io.Copy(io.Discard, file)
	speed := float64(n) / time.Since(begin).Seconds() / 1e6
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("the drive: %d bytes at %.0f MB/s, %d reads", n, speed, drive.Reads.Load())

	for _, question := range []struct {
		name, tool, arguments string
		reads                 int64 // at most, of a model of the usual size
	}{
		{"few callers", "brick_callers", `{"node_id":` + few + `}`, 22},
		{"a hub's callers", "brick_callers", `{"node_id":"` + genmodel.Hub + `"}`, 36}, // with those that may call it besides
		{"a hub's impact", "brick_impact", `{"node_id":"` + genmodel.Hub + `","max_depth":2}`, 66},
		{"a hub's evidence", "brick_evidence", `{"entity_id":"` + genmodel.Hub + `"}`, 35},
		{"bridges", "brick_bridges", `{}`, 55},
		{"cycles", "brick_cycles", `{}`, 70},
		{"uncalled", "brick_uncalled", `{"include_unknown":true,"limit":2000}`, 40},
		{"find", "brick_find", `{"text":"get","limit":100}`, 60},
		{"find, filtered", "brick_find", `{"text":"e","kind":"method","limit":100}`, 65},
		{"find path", "brick_find", `{"text":"zzz","path":"**/*.go"}`, 50},
		{"summary", "brick_summary", `{}`, 35},
		{"files", "brick_files", `{"limit":1000}`, 15},
		{"file", "brick_file", `{"path":"pkg/admission/admission/types0.go","limit":1000}`, 45},
		{"hotspots", "brick_hotspots", `{"sort":"fan_in","limit":500}`, 40},
		{"calls", "brick_calls", `{"pattern":"*.Infof","limit":1000}`, 70},
		{"calls from", "brick_calls", `{"pattern":"*","path":"pkg/a*/**","limit":1000}`, 150},
		{"path", "brick_path", `{"from":"` + genmodel.Hub + `","to":` + few + `,"max_depth":20}`, 60},
		{"path back", "brick_path", `{"to":"` + genmodel.Hub + `","from":` + few + `,"max_depth":20}`, 45},
	} {
		drive.Forget("brick.idx")
		reads, bytes := drive.Reads.Load(), drive.Bytes.Load()
		begin := time.Now()
		p := startFor(t, time.Hour, path, "--max-answer", "0")
		p.send(handshake)
		p.expect(greeting(`"hello"`, "2025-06-18"))
		greeted := time.Since(begin)
		if drive.Reads.Load() > reads {
			t.Error("the handshake waits for the drive")
		}
		text, took := p.ask(fmt.Sprintf(`{"name":%q,"arguments":%s}`, question.tool, question.arguments))
		if !strings.HasPrefix(text, `{"query_schema_version"`) {
			t.Fatalf("%s: %s", question.name, text)
		}
		reads, bytes = drive.Reads.Load()-reads, drive.Bytes.Load()-bytes
		t.Logf("%-16s initialized in %v; %8d bytes in %v, %.0f MB/s; %d reads of %d bytes", question.name, greeted,
			len(text), took, float64(len(text))/took.Seconds()/1e6, reads, bytes)
		if functions == usual && reads > question.reads {
			t.Errorf("%s: %d reads, want at most %d", question.name, reads, question.reads)
		}
		p.in.Close()
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestFailingDrive makes reads of the index fail, now and then, while it is
// being asked.
func TestFailingDrive(t *testing.T) {
	e := newExam(t, modelOf(t, 1))
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "brick.idx"), e.indexes[0], 0o666); err != nil {
		t.Fatal(err)
	}
	drive := faultfs.Mount(t, folder)
	c := newCrowd(t, e, filepath.Join(drive.Dir, "brick.idx"), rule{indexes: []int{0}})
	for range testenv.Int(t, "BRICK_UNDER_ROUNDS", 2) {
		c.wait(5)
		c.set(rule{indexes: []int{0}, errors: true})
		drive.Fail.Store(true)
		drive.Forget("brick.idx")
		c.wait(10)
		drive.Fail.Store(false)
		c.set(rule{indexes: []int{0}})
	}
	c.wait(5)
	answers, failed := c.end()
	t.Logf("%d answers, %d of them errors", answers, failed)
	if failed == 0 {
		t.Error("the failing reads could not be seen")
	}
}

// TestWithoutLocks opens and builds an index on a drive that refuses locks, or
// never grants them.
func TestWithoutLocks(t *testing.T) {
	folder := t.TempDir()
	e := newExam(t, modelOf(t, 1))
	model := filepath.Join(t.TempDir(), "model.json")
	if err := os.WriteFile(model, modelOf(t, 1), 0o666); err != nil {
		t.Fatal(err)
	}
	drive := faultfs.Mount(t, folder)
	path := filepath.Join(drive.Dir, "brick.idx")
	builder := filepath.Join(t.TempDir(), "brick-index")
	if out, err := exec.Command("go", "build", "-o", builder, "brick/cmd/brick-index").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	temporary := t.TempDir()
	for _, errno := range []syscall.Errno{syscall.ENOLCK, syscall.EOPNOTSUPP, syscall.ENOSYS, faultfs.NeverGrants} {
		drive.Lock.Store(&errno)
		cmd := exec.CommandContext(t.Context(), builder, "build", "--quiet", model, "-o", path)
		cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
		begin := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("locks say %v: %v: %s", errno, err, out)
		}
		built := time.Since(begin)
		if got, err := os.ReadFile(filepath.Join(folder, "brick.idx")); err != nil || !bytes.Equal(got, e.indexes[0]) {
			t.Errorf("locks say %v: another index (%v)", errno, err)
		}
		for _, dir := range []string{folder, temporary} {
			for _, entry := range readDir(t, dir) {
				if entry.Name() != "brick.idx" {
					t.Errorf("locks say %v: %s is left", errno, entry.Name())
				}
			}
		}
		p := start(t, path)
		p.send(handshake)
		p.expect(greeting(`"hello"`, "2025-06-18"))
		text, took := p.ask(e.questions[0])
		if text != e.answers[0][0] || took > 2*time.Second {
			t.Errorf("locks say %v: after %v: %.300s", errno, took, text)
		}
		t.Logf("locks say %v: built in %v, first answer after %v", errno, built, took)
		p.in.Close()
		p.expectExit()
		if err := os.Remove(filepath.Join(folder, "brick.idx")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLocalCopy starts servers of an index on a slow drive, all at once, with a
// folder for copies: it is copied once. When the index changes it is copied
// again, and the old copy goes. The drive's absence is not seen.
func TestLocalCopy(t *testing.T) {
	e := newExam(t, modelOf(t, 1), modelOf(t, 2))
	folder, copies := t.TempDir(), filepath.Join(t.TempDir(), "copies")
	put := func(contents []byte) {
		t.Helper()
		next := filepath.Join(folder, "next")
		if err := errors.Join(os.WriteFile(next, contents, 0o666), os.Rename(next, filepath.Join(folder, "brick.idx"))); err != nil {
			t.Fatal(err)
		}
	}
	only := func() os.FileInfo {
		t.Helper()
		var names []string
		var info os.FileInfo
		for _, entry := range readDir(t, copies) {
			names = append(names, entry.Name())
			if strings.HasSuffix(entry.Name(), ".idx") {
				info, _ = entry.Info()
			}
		}
		if len(names) != 2 || info == nil { // the copy and the lock
			t.Fatalf("in the folder are %q", names)
		}
		return info
	}
	put(e.indexes[0])
	drive := faultfs.Mount(t, folder)
	drive.Latency.Store(int64(time.Millisecond))
	path := filepath.Join(drive.Dir, "brick.idx")
	c := newCrowd(t, e, path, rule{indexes: []int{0}}, "--local-copy", copies)
	c.wait(3)
	first := only()
	c.set(rule{indexes: []int{0, 1}})
	put(e.indexes[1])
	c.set(rule{indexes: []int{1}})
	c.wait(3)
	if second := only(); os.SameFile(first, second) || second.Name() == first.Name() {
		t.Error("the old copy is still there")
	}
	drive.Fail.Store(true)
	drive.Forget("brick.idx")
	c.wait(5) // nothing of the drive is needed but to look whether the index changed

	// A copy that is damaged is made again.
	c.set(rule{indexes: []int{1}, errors: true})
	drive.Fail.Store(false)
	damaged := bytes.Clone(e.indexes[1])
	for i := len(damaged) / 2; i < len(damaged); i++ {
		damaged[i] ^= 1
	}
	if err := os.WriteFile(filepath.Join(copies, only().Name()), damaged, 0o644); err != nil {
		t.Fatal(err)
	}
	c.wait(len(e.questions) * 3)
	c.set(rule{indexes: []int{1}})
	c.wait(5)
	made := 0
	for i, p := range c.servers {
		if h := p.held(copies); h.maps > 1 || p.held(path).maps > 0 {
			t.Errorf("connection %d holds %+v", i, h)
		}
	}
	c.end()
	for _, p := range c.servers {
		made += strings.Count(p.stderr.String(), ", made now: ")
	}
	if made != 3 {
		t.Errorf("%d copies were made of two indexes, one of them damaged once", made)
	}
	t.Logf("%s", c.servers[0].stderr.Bytes())
}

// TestLocalCopyImpossible serves the index itself.
func TestLocalCopyImpossible(t *testing.T) {
	path := indexPath(t)
	out, stderr, _ := runBinary(t, handshake+callLine("1", "brick_cycles"), path, "--local-copy", path)
	if !strings.Contains(out, "query_schema_version") || !strings.Contains(stderr, "without a local copy: ") {
		t.Errorf("%.300s\n%s", out, stderr)
	}
}

func readDir(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}
