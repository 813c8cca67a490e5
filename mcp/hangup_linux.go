package mcp

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const hangupDelay = time.Second

// hungUp returns a channel that is closed when nobody can read any more what
// is written to w: writing would tell, too, but a client that has gone asks
// for nothing that would be written. It is nil where that can't be known.
func hungUp(w io.Writer) <-chan struct{} {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	gone := make(chan struct{})
	// The call below keeps a processor of the scheduler's for a moment, until
	// it is seen to block. The handshake is not to wait for that.
	time.AfterFunc(hangupDelay, func() {
		// No events but the ones that are always reported. A file or
		// /dev/null has none, and leaves the goroutine here.
		fds := []unix.PollFd{{Fd: int32(f.Fd())}}
		for {
			n, err := unix.Poll(fds, -1)
			if err == unix.EINTR {
				continue
			}
			if err == nil && n > 0 {
				close(gone)
			}
			return
		}
	})
	return gone
}
