package jsonmodel

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"brick/model"
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
	source   *File         // what is read, nil when it is another reader
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
	source, _ := r.(*File)
	return &input{ctx: ctx, r: bufio.NewReaderSize(&countingReader{r: newReadAhead(ctx, r)}, inputBuffer), source: source, progress: progress}
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
// starts. UTF-16 and UTF-32 are refused by name: what a JSON parser says of
// them is no help.
func (in *input) begin() (model.Place, error) {
	start := model.Place{Line: 1, Column: 1}
	head, _ := in.r.Peek(4) // an error comes again when it is read
	const mark = "\xEF\xBB\xBF"
	if other := otherEncoding(head); other != "" {
		return start, &syntaxError{start, "the document is " + other + "; it must be UTF-8: convert it"}
	}
	if bytes.HasPrefix(head, []byte(mark)) {
		in.r.Discard(len(mark))
		in.advance(len(mark))
		start.Offset += int64(len(mark))
		start.Column += len(mark)
	}
	return start, nil
}

// otherEncoding names the encoding of a document that starts with head when
// it is UTF-16 or UTF-32, with or without a byte order mark. JSON starts with
// an ASCII character, so that the bytes which are zero tell; and no character
// of it is zero, so that the mark of UTF-32 is not UTF-16's with a zero behind.
func otherEncoding(head []byte) string {
	for _, start := range []string{"\x00\x00\xFE\xFF", "\xFF\xFE\x00\x00"} {
		if string(head) == start {
			return "UTF-32"
		}
	}
	if len(head) == 4 && head[1] == 0 && head[2] == 0 && (head[0] == 0) != (head[3] == 0) {
		return "UTF-32"
	}
	if len(head) < 2 {
		return ""
	}
	a, b := head[0], head[1]
	if a == 0xFE && b == 0xFF || a == 0xFF && b == 0xFE || (a == 0) != (b == 0) {
		return "UTF-16"
	}
	return ""
}
