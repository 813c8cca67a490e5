package mcp

import (
	"bufio"
	"io"
	"sync"
)

// An outbox writes replies, each a whole line, in the order in which they were
// put into it, from a goroutine of its own: reading goes on while a client
// that is still writing doesn't read.
type outbox struct {
	w      *bufio.Writer
	failed chan struct{} // closed when the output can't be written to
	done   chan struct{} // closed when the outbox is closed and all is written

	mu     sync.Mutex
	wake   sync.Cond
	queue  []parcel
	closed bool
}

// A parcel is a reply and what is to be done when it has been written, or
// can't be any more.
type parcel struct {
	reply reply
	sent  func()
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{
		w:      bufio.NewWriterSize(w, 128<<10), // half of what enlarge lets a pipe hold
		failed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	o.wake.L = &o.mu
	go o.run()
	return o
}

// put queues a reply. It does not wait.
func (o *outbox) put(r reply, sent func()) {
	o.mu.Lock()
	o.queue = append(o.queue, parcel{r, sent})
	o.mu.Unlock()
	o.wake.Signal()
}

// close lets what is queued be written. Nothing may be put behind it.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.wake.Signal()
}

// take waits for replies; there are none when the outbox is closed.
func (o *outbox) take(batch []parcel) []parcel {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed {
		o.wake.Wait()
	}
	batch, o.queue = o.queue, batch[:0]
	return batch
}

func (o *outbox) run() {
	defer close(o.done)
	failed := false
	var batch []parcel
	for {
		clear(batch) // lets go of the replies
		if batch = o.take(batch); len(batch) == 0 {
			return
		}
		for _, p := range batch {
			p.reply.write(o.w)
		}
		// The writer keeps its first error and writes nothing more.
		if o.w.Flush() != nil && !failed {
			failed = true
			close(o.failed)
		}
		for _, p := range batch {
			p.sent()
		}
	}
}
