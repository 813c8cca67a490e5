package query

import "sync"

// The memory of answers is used again: to get it from the system, clear it
// and collect it takes longer than to fill it. The garbage collector empties
// what has not been used for a while. That of large answers is kept apart, so
// that small questions don't go on using it, and that of answers which become
// too large is not kept: who asks for one will not ask for it again.
var smallMemory, largeMemory sync.Pool // of *[]byte

// large is the size from which memory is.
const large = 64 << 10

func memoryOf(size int) *sync.Pool {
	if size < large {
		return &smallMemory
	}
	return &largeMemory
}

// take returns memory of that size or more, but not of very much more: what
// medium answers go on using is not collected.
func take(size int) []byte {
	if m, ok := memoryOf(size).Get().(*[]byte); ok && cap(*m) >= size && cap(*m) <= 8*max(size, large) {
		return (*m)[:0]
	}
	return make([]byte, 0, size)
}

// withRoom returns b with room for size more bytes. It may use b's own memory
// for something else.
func withRoom(b []byte, size int) []byte {
	if cap(b)-len(b) >= size {
		return b
	}
	grown := append(take(len(b)+size), b...)
	Recycle(b)
	return grown
}

// Recycle lets later answers use the memory of one that nobody reads any more.
// It need not be called.
func Recycle(answer []byte) {
	if cap(answer) > 0 {
		memoryOf(cap(answer)).Put(&answer)
	}
}
