package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"sync"

	"brick/query"
	"brick/store"
)

// openIndex opens an index file.
func openIndex(path string) (*store.Index, error) {
	ix, err := store.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no index at %s: make one with: brick-index build MODEL -o %s", path, path)
	}
	return ix, err
}

// A lazyIndex answers from an index file that the first call opens, so that
// the handshake doesn't wait for it. A file that can't be opened is tried again
// by each call: it may be built meanwhile.
type lazyIndex struct {
	path string

	mu    sync.Mutex
	index *store.Index
	said  map[string]bool // the errors that are on standard error already
}

func newLazyIndex(path string) *lazyIndex {
	return &lazyIndex{path: path, said: make(map[string]bool)}
}

// Answer answers a call.
func (l *lazyIndex) Answer(ctx context.Context, t *query.Tool, a query.Arguments) ([]byte, string, error) {
	ix, err := l.open()
	if err != nil {
		return nil, "", err
	}
	result, err := t.Answer(ctx, ix, a)
	return result, "", err
}

func (l *lazyIndex) open() (*store.Index, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index != nil {
		return l.index, nil
	}
	ix, err := openIndex(l.path)
	if err != nil {
		if text := err.Error(); !l.said[text] {
			l.said[text] = true
			log.Print(text)
		}
		return nil, err
	}
	l.index = ix
	return ix, nil
}
