package mcp

import (
	"runtime"
	"runtime/debug"
	"time"
)

const (
	largeReply = 2 << 20         // bytes, of which an answer is half
	tidyDelay  = 3 * time.Second // since the last large reply
)

// tidyLater has memory given back to the system when no large reply is sent
// for a while. Go does that by itself, but minutes later, and a machine may
// have a hundred servers.
func (s *session) tidyLater(r reply) {
	if r.size() < largeReply {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tidy != nil {
		s.tidy.Stop()
	}
	s.tidy = time.AfterFunc(tidyDelay, s.giveBack)
}

// giveBackMemory empties the pools, which takes two collections, and returns
// what is free.
func giveBackMemory() {
	runtime.GC()
	debug.FreeOSMemory()
}
