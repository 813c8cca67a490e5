package extsort

import (
	"runtime"
	"sync"
)

// buffers are the run buffers that the writers of all sorters use by turns, so
// that a sorter whose records have come to their end holds no memory while
// another one's are added. They are kept as long as there are writers: a
// sync.Pool loses them at each collection of garbage, and new memory costs
// more than what is put into it.
var buffers bufferList

type bufferList struct {
	mu      sync.Mutex
	writers int
	spare   []*runBuffer
}

// open says that there is one more writer.
func (l *bufferList) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writers++
}

// close says that there is one less.
func (l *bufferList) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writers--; l.writers == 0 {
		l.spare = nil
	}
}

// get returns an empty buffer.
func (l *bufferList) get() *runBuffer {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := len(l.spare) - 1
	if last < 0 {
		return new(runBuffer)
	}
	b := l.spare[last]
	l.spare = l.spare[:last]
	return b
}

// put gives a buffer back, unless a huge record has grown it.
func (l *bufferList) put(b *runBuffer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cap(b.arena) <= 2*maxRunSize && len(l.spare) < 2*runtime.GOMAXPROCS(0) {
		b.entries, b.arena = b.entries[:0], b.arena[:0]
		l.spare = append(l.spare, b)
	}
}
