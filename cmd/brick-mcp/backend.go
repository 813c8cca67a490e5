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

// A liveIndex answers from the index that has a name at the moment. The first
// call opens it, so that the handshake doesn't wait for it; a file that can't
// be opened is tried again by each call: it may be built meanwhile.
type liveIndex struct {
	path string
	live *store.Live

	mu   sync.Mutex
	said string // what is on standard error already
}

func newLiveIndex(path string) *liveIndex {
	return &liveIndex{path: path, live: store.NewLive(path)}
}

// Answer answers a call, from one index.
func (l *liveIndex) Answer(ctx context.Context, t *query.Tool, a query.Arguments) (result []byte, notice string, err error) {
	ix, notice, release, err := l.live.Acquire()
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no index at %s: make one with: brick-index build MODEL -o %s", l.path, l.path)
	}
	if err != nil {
		l.say(err.Error())
		return nil, "", err
	}
	defer release()
	l.say(notice)
	result, err = t.Answer(ctx, ix, a)
	if _, damaged := errors.AsType[*store.DamageError](err); damaged {
		l.live.Doubt(ix)
	}
	return result, notice, err
}

// say logs what is wrong with the index, once until something else is.
func (l *liveIndex) say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text != "" && text != l.said {
		log.Print(text)
	}
	l.said = text
}
