package mcp

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is a quarter of what a user may ask for, and four times what a pipe
// has otherwise.
const pipeSize = 256 << 10

// enlarge lets a pipe hold more of an answer. Each time it is full or empty
// one end has to wake the other, which takes longer than to copy what a usual
// pipe holds. What is no pipe, or may not be larger, stays as it is.
func enlarge(w io.Writer) {
	f, ok := w.(*os.File)
	if !ok {
		return
	}
	if size, err := unix.FcntlInt(f.Fd(), unix.F_GETPIPE_SZ, 0); err == nil && size < pipeSize {
		unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, pipeSize)
	}
}
