package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"brick/internal/faultfs"
	"brick/internal/genmodel"
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
// read. BRICK_SLOW_FUNCTIONS is the size of the model; 33,000 are 100 MB. What
// a slow machine can't spoil is tested: how often the drive is asked.
func TestSlowDrive(t *testing.T) {
	folder := t.TempDir()
	largeIndex(t, filepath.Join(folder, "brick.idx"), fromEnvironment(t, "BRICK_SLOW_FUNCTIONS", 12_000))
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
		name, params string
		reads        int64 // the most that are right
	}{
		{"few callers", `{"name":"brick_callers","arguments":{"node_id":` + few + `}}`, 0},
		{"a hub's callers", `{"name":"brick_callers","arguments":{"node_id":"` + genmodel.Hub + `"}}`, 0},
		{"a hub's impact", `{"name":"brick_impact","arguments":{"node_id":"` + genmodel.Hub + `","max_depth":2}}`, 0},
		{"a hub's evidence", `{"name":"brick_evidence","arguments":{"entity_id":"` + genmodel.Hub + `"}}`, 0},
		{"bridges", `{"name":"brick_bridges","arguments":{}}`, 0},
		{"cycles", `{"name":"brick_cycles","arguments":{}}`, 0},
		{"uncalled", `{"name":"brick_uncalled","arguments":{"include_unknown":true,"limit":2000}}`, 0},
	} {
		drive.Forget("brick.idx")
		reads, bytes := drive.Reads.Load(), drive.Bytes.Load()
		started := time.Now()
		p := startFor(t, time.Hour, path)
		p.send(handshake)
		p.expect(greeting(`"hello"`, "2025-06-18"))
		greeted := time.Since(started)
		if drive.Reads.Load() > reads {
			t.Error("the handshake waits for the drive")
		}
		text, took := p.ask(question.params)
		if strings.HasPrefix(text, "the index") {
			t.Fatal(text)
		}
		t.Logf("%-20s started in %v; %8d bytes in %v (%.0f MB/s); %d reads of %d bytes", question.name, greeted, len(text), took,
			float64(len(text))/took.Seconds()/1e6, drive.Reads.Load()-reads, drive.Bytes.Load()-bytes)
		p.in.Close()
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	_, _ = fmt.Print, syscall.EIO
}
