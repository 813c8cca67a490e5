//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is the running command, its input open.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	read   *os.File // the end of the output that the test has
	stderr bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startFor(t, patience, args...)
}

// startFor starts the command, which is killed after that time.
func startFor(t *testing.T, life time.Duration, args ...string) *process {
	t.Helper()
	return startAs(t, life, nil, command, args...)
}

// startAs starts a copy of the command with attributes of its process.
func startAs(t *testing.T, life time.Duration, attributes *syscall.SysProcAttr, command string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), life)
	t.Cleanup(cancel)
	p := &process{t: t, cmd: exec.CommandContext(ctx, command, args...)}
	p.cmd.SysProcAttr = attributes
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.read, p.out = read, bufio.NewReader(read)
	t.Cleanup(func() { read.Close() })
	p.cmd.Stdout, p.cmd.Stderr = write, &p.stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	return p
}

func (p *process) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) expect(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if got, err := p.out.ReadString('\n'); got != w+"\n" {
			p.t.Fatalf("got %q (%v), want %q", got, err, w)
		}
	}
}

// expectExit wants exit code 0, no more output and nothing on standard error.
func (p *process) expectExit() {
	p.t.Helper()
	rest, _ := io.ReadAll(p.out)
	err := p.cmd.Wait()
	if err != nil || len(rest) > 0 || p.stderr.Len() > 0 {
		p.t.Errorf("%v; output %q, standard error %q", err, rest, p.stderr.String())
	}
}

func TestSignals(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Run("idle", func(t *testing.T) {
				p := start(t, "missing.idx")
				p.send(handshake)
				p.expect(greeting(`"hello"`, "2025-06-18"))
				p.cmd.Process.Signal(sig)
				p.expectExit()
			})
			t.Run("lines before it", func(t *testing.T) {
				p := start(t, "missing.idx")
				p.send(handshake)
				p.expect(greeting(`"hello"`, "2025-06-18"))
				var lines strings.Builder
				var want []string
				for i := range 200 {
					fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
					want = append(want, pong(fmt.Sprint(i)))
				}
				p.send(lines.String() + `{"jsonrpc":"2.0","id":"cut off","method":"ping"}`)
				p.cmd.Process.Signal(sig)
				p.expect(want...)
				p.expectExit()
			})
		})
	}
}

// A client that has gone ends the server, quietly, though the input is open.
func TestClosedStdout(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"before a request", handshake, `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"},
		{"at rest", handshake, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.after == "" && runtime.GOOS != "linux" {
				t.Skip("only Linux tells without a write")
			}
			p := start(t, "missing.idx")
			p.send(test.before)
			p.expect(greeting(`"hello"`, "2025-06-18"))
			p.read.Close()
			io.WriteString(p.in, test.after)
			if err := p.cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v; standard error %q", err, p.stderr.String())
			}
		})
	}
}

// Nothing is read but the index, and nothing is written but messages.
func TestWritesNothing(t *testing.T) {
	dir := t.TempDir()
	p := start(t, filepath.Join(dir, "missing.idx"))
	p.send(handshake + callLine("1", "brick_cycles"))
	p.expect(greeting(`"hello"`, "2025-06-18"))
	p.in.Close()
	io.Copy(io.Discard, p.out)
	p.cmd.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
