package jsonmodel

import (
	"context"
	"io"
)

// A readAhead reads a reader from a goroutine of its own: unpacking goes on beside
// the check, and a reader that blocks (a pipe that nobody writes to) does not
// keep the check from ending when ctx does.
type readAhead struct {
	ctx  context.Context
	full chan chunk
	free chan []byte

	buffer []byte // of the current chunk
	rest   []byte // of it
	err    error
}

// A chunk is what one Read returned.
type chunk struct {
	buffer []byte
	n      int
	err    error
}

const readAheadChunks = 3

func newReadAhead(ctx context.Context, r io.Reader) *readAhead {
	a := &readAhead{ctx: ctx, full: make(chan chunk, readAheadChunks), free: make(chan []byte, readAheadChunks)}
	for range readAheadChunks {
		a.free <- make([]byte, inputBuffer)
	}
	go func() {
		for {
			var c chunk
			select {
			case c.buffer = <-a.free:
			case <-ctx.Done():
				return
			}
			c.n, c.err = r.Read(c.buffer)
			select {
			case a.full <- c:
			case <-ctx.Done():
				return
			}
			if c.err != nil {
				return
			}
		}
	}()
	return a
}

// Read implements io.Reader.
func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.buffer != nil {
			a.free <- a.buffer
			a.buffer = nil
		}
		select {
		case c := <-a.full:
			a.buffer, a.rest, a.err = c.buffer, c.buffer[:c.n], c.err
		case <-a.ctx.Done():
			return 0, context.Cause(a.ctx)
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}
