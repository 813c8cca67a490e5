package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

const (
	inputBuffer   = 256 << 10
	progressEvery = 1 << 20 // bytes

	// maxHeld is how much of a document may have to be in memory at once: one
	// record, other string or number, or gap of white space, and a buffer.
	maxHeld = 256 << 20
)

var errHeld = errors.New("more than 256 MiB in one record, string, number, or gap of white space")

// An input is the reader of a document. It remembers why reading failed,
// reports progress, and stops when the context is done.
type input struct {
	ctx      context.Context
	r        *bufio.Reader // of a countingReader, whose errors last
	source   *Source       // what is read, nil when it is another reader
	progress func(bytesRead int64)
	read     int64
	reported int64
	consumed int64 // of what was read: what is behind it is held in memory
	err      error // why reading failed; nil at the end of the document
}

func newInput(ctx context.Context, r io.Reader, progress func(int64)) *input {
	if progress == nil {
		progress = func(int64) {}
	}
	source, _ := r.(*Source)
	return &input{ctx: ctx, r: bufio.NewReaderSize(&countingReader{r: newAhead(ctx, r)}, inputBuffer), source: source, progress: progress}
}

func (in *input) Read(p []byte) (int, error) {
	if in.ctx.Err() != nil {
		in.err = context.Cause(in.ctx)
		return 0, in.err
	}
	if in.read-in.consumed > maxHeld {
		in.err = errHeld
		return 0, in.err
	}
	n, err := in.r.Read(p)
	in.advance(n)
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

func (in *input) advance(n int) {
	in.read += int64(n)
	if in.read-in.reported >= progressEvery {
		in.reported = in.read
		in.progress(in.read)
	}
}

// maxDrained is how much of a packed document is unpacked only to see whether
// it is damaged.
const maxDrained = 1 << 30

// damage says how the stream that packs the document is damaged, nil when it
// is not known to be. The checksum that tells may stand at its end.
func (in *input) damage() *UnpackError {
	err := in.err
	if err == nil && in.source != nil && in.source.format != "" {
		_, err = io.CopyN(io.Discard, in.r, maxDrained)
	}
	if unpack, ok := errors.AsType[*UnpackError](err); ok && unpack.damaged {
		return unpack
	}
	return nil
}

// begin skips a UTF-8 byte order mark and returns the place where the text
// starts. UTF-16 is refused by name: what a JSON parser says of it is no help.
func (in *input) begin() (Place, error) {
	start := Place{Line: 1, Column: 1}
	head, _ := in.r.Peek(3) // an error comes again when it is read
	switch {
	case isUTF16(head):
		return start, &syntaxError{start, "the document is UTF-16; it must be UTF-8: convert it"}
	case bytes.Equal(head, []byte("\xEF\xBB\xBF")):
		in.r.Discard(len(head))
		in.advance(len(head))
		start.Offset += int64(len(head))
		start.Column += len(head)
	}
	return start, nil
}

// isUTF16 reports whether a document that starts with head is UTF-16, with or
// without a byte order mark: JSON starts with an ASCII character.
func isUTF16(head []byte) bool {
	if len(head) < 2 {
		return false
	}
	a, b := head[0], head[1]
	return a == 0xFE && b == 0xFF || a == 0xFF && b == 0xFE || (a == 0) != (b == 0)
}
