//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// client is a server's client, one request at a time.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *lineReader
	id  int
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"perf","version":"1"}}}` + "\n"

// start starts a server. It returns when initialize is answered, and how long
// that took.
func start(ctx context.Context, command ...string) (*client, time.Duration, error) {
	c := &client{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, 0, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	c.out = newLineReader(out)
	begin := time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, 0, err
	}
	if _, err := io.WriteString(c.in, initialize); err != nil {
		return nil, 0, err
	}
	answer, err := c.out.line()
	took := time.Since(begin)
	if err == nil && !bytes.Contains(answer, []byte(`"serverInfo"`)) {
		err = fmt.Errorf("initialize: %s", answer)
	}
	if err == nil {
		_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return c, took, err
}

// arguments are a question's.
type arguments map[string]any

// ask asks a question. The answer, the line without its end, is valid until the
// next one. An answer that is an error is no error here: see mustAsk.
func (c *client) ask(tool string, a arguments) ([]byte, time.Duration, error) {
	c.id++
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": c.id, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": a},
	})
	if err != nil {
		return nil, 0, err
	}
	begin := time.Now()
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		return nil, 0, err
	}
	answer, err := c.out.line()
	return answer, time.Since(begin), err
}

// mustAsk asks a question that must be answered.
func (c *client) mustAsk(tool string, a arguments) ([]byte, time.Duration, error) {
	answer, took, err := c.ask(tool, a)
	if err == nil && !bytes.Contains(answer, []byte(`"structuredContent"`)) {
		err = fmt.Errorf("%s %v: %.500s", tool, a, answer)
	}
	return answer, took, err
}

func (c *client) stop() error {
	c.in.Close()
	return c.cmd.Wait()
}

// lineReader reads lines of any length, one at a time: nothing may follow a
// line before it was read. So it reads into the line itself.
type lineReader struct {
	r      io.Reader
	buffer []byte
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r, make([]byte, 1<<18)} }

// line returns a line without its end, valid until the next one.
func (l *lineReader) line() ([]byte, error) {
	for size := 0; ; {
		if size == len(l.buffer) {
			l.buffer = append(l.buffer, make([]byte, size)...)
		}
		n, err := l.r.Read(l.buffer[size:])
		if size += n; n > 0 && l.buffer[size-1] == '\n' {
			return l.buffer[:size-1], nil
		}
		if err != nil {
			return nil, err
		}
	}
}
