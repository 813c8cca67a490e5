//go:build linux

package main

import (
	"fmt"
	"io"
	"os/exec"
	"time"
)

// hubQuestions are those with the large answers.
func hubQuestions(s *sample) []question {
	return []question{
		{fmt.Sprintf("callers of a hub (%d)", s.picks.hubCallers), "brick_callers", arguments{"node_id": s.picks.hub}},
		{"impact of depth 2 of the hub", "brick_impact", arguments{"node_id": s.picks.hub, "max_depth": 2}},
	}
}

type question struct {
	what, tool string
	arguments  arguments
}

// hubRows are large answers through MCP. Their peer takes the same bytes through
// two pipes with cat between them.
func hubRows(b *bench) ([]result, error) {
	s, err := b.sample(b.published, 1)
	if err != nil {
		return nil, err
	}
	c, _, err := b.serve(s)
	if err != nil {
		return nil, err
	}
	cat, err := startCat(b)
	if err != nil {
		return nil, err
	}
	var rows []result
	for _, q := range hubQuestions(s) {
		var p pairs
		size := 0
		for i := range 3*b.runs + 1 {
			answer, ours, err := c.mustAsk(q.tool, q.arguments)
			if err != nil {
				return nil, err
			}
			size = len(answer)
			theirs, err := cat.pass(answer)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				p.add(milliseconds(ours), milliseconds(theirs))
			}
		}
		rows = append(rows, result{
			what:   fmt.Sprintf("%s through MCP, %s", q.what, megabytes(int64(size))),
			figure: spread(p.ours, "ms"), peer: "the bytes through cat " + spread(p.peer, "ms"),
			value: p.ratio(), bar: 10, goal: 3,
		})
	}
	if err := cat.stop(); err != nil {
		return nil, err
	}
	return rows, c.stop()
}

// serve starts brick-mcp with any answer allowed.
func (b *bench) serve(s *sample) (*client, time.Duration, error) {
	return start(b.ctx, append([]string{b.brickMCP, s.index}, b.unbounded...)...)
}

// cat is a running cat.
type cat struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *lineReader
}

func startCat(b *bench) (*cat, error) {
	c := &cat{cmd: exec.CommandContext(b.ctx, "cat")}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = newLineReader(out)
	return c, c.cmd.Start()
}

// pass takes a line through.
func (c *cat) pass(line []byte) (time.Duration, error) {
	line = append(line[:len(line):len(line)], '\n')
	failed := make(chan error, 1)
	begin := time.Now()
	go func() {
		_, err := c.in.Write(line)
		failed <- err
	}()
	if _, err := c.out.line(); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	return took, <-failed
}

func (c *cat) stop() error {
	c.in.Close()
	return c.cmd.Wait()
}
