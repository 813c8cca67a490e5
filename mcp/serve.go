// Package mcp is a server of the Model Context Protocol for one client: its
// lines, envelopes, handshake and requests in flight, around the tools of
// package query. It keeps to one index, which it opens when first asked.
package mcp

import (
	"io"
	"log"

	"brick/query"
)

// DefaultMaxLine is the bound on lines of input where nothing else is said.
const DefaultMaxLine = 4 << 20

// Options are the bounds of a server, and where it reads.
type Options struct {
	MaxAnswer int    // bytes of an answer; 0 for any number
	MaxLine   int    // bytes of a line of input
	Records   string // how answers write records where a call does not say: of query.RecordsForms
	LocalCopy string // the folder to read a copy of the index from; "" for the index itself
}

// Serve serves the index at a path to the client that writes to in and reads
// out, until in ends, stop is closed, or nobody can read out any more. It logs
// to the standard logger.
func Serve(path string, o Options, in io.Reader, out io.Writer, stop <-chan struct{}) {
	index := newLiveIndex(path, o.MaxAnswer)
	if o.LocalCopy != "" {
		index.live.CopyTo(o.LocalCopy, func(how string) { log.Print(how) })
	}
	tools := &toolbox{tools: query.ToolsWith(o.Records), index: index}
	enlarge(out)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		newSession(newServer(tools), tools, o.MaxLine).run(in, out, stop)
	}()
	select {
	case <-ended:
	case <-hungUp(out):
	}
}
