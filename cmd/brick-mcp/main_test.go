package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brick/internal/test/wire"
	"brick/internal/version"
	"brick/mcp"
)

// patience is how long a test waits for what must come. Nothing that is right
// takes nearly as long.
const patience = 30 * time.Second

var instructions = mcp.Instructions

const handshake = wire.Handshake

func greeting(id, revision string) string { return wire.Greeting(id, revision, instructions) }

func errorLine(id string, code int, message string) string { return wire.ErrorLine(id, code, message) }

func pong(id string) string { return wire.Pong(id) }

func callLine(id, tool string) string { return wire.CallLine(id, tool) }

// command is the built command.
var command string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "brick-mcp")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		command = filepath.Join(dir, "brick-mcp")
		if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// runBinary runs the command over an input and returns what it wrote and its
// exit code.
func runBinary(t *testing.T, input string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("brick-mcp %q did not end; it wrote %q", args, out.String())
	}
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestCommandLine(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string // parts; "" for nothing at all
	}{
		{"no argument", nil, 2, "", "brick-index build"},
		{"two arguments", []string{"a.idx", "b.idx"}, 2, "", "one index at a time"},
		{"unknown flag", []string{"--frob", "a.idx"}, 2, "", "unknown flag: --frob"},
		{"unknown short flag", []string{"-x", "a.idx"}, 2, "", "unknown shorthand flag"},
		{"flag without its value", []string{"a.idx", "--max-line"}, 2, "", "--max-line"},
		{"bound is no number", []string{"--max-line", "4M", "a.idx"}, 2, "", "--max-line"},
		{"bound is zero", []string{"--max-line", "0", "a.idx"}, 2, "", "at least one byte"},
		{"help", []string{"--help"}, 0, "brick-mcp app.idx", ""},
		{"version", []string{"--version"}, 0, "brick-mcp " + version.Version + "\n", ""},
		{"no input", []string{"missing.idx"}, 0, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := runBinary(t, "", test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			for _, s := range []struct{ name, got, want string }{{"output", stdout, test.stdout}, {"error", stderr, test.stderr}} {
				if s.want == "" && s.got != "" || !strings.Contains(s.got, s.want) {
					t.Errorf("standard %s %q, want %q", s.name, s.got, s.want)
				}
			}
		})
	}
}
