package mcp

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
	path      string
	live      *store.Live
	maxAnswer int // bytes; 0 for any number

	mu   sync.Mutex
	said string // what is on standard error already
}

func newLiveIndex(path string, maxAnswer int) *liveIndex {
	return &liveIndex{path: path, live: store.NewLive(path), maxAnswer: maxAnswer}
}

// Answer answers a call, from one index.
func (l *liveIndex) Answer(ctx context.Context, t *query.Tool, a query.Arguments) (result []byte, notice string, err error) {
	before := l.live.Identity()
	ix, notice, release, err := l.acquire()
	if err != nil {
		return nil, "", err
	}
	defer release()
	o := query.Options{MaxAnswer: l.maxAnswer}
	if before != nil {
		o.Before = &query.Identity{Index: before.Identity, Model: before.Digest}
	}
	result, err = t.AnswerWith(ctx, ix, a, o)
	if _, damaged := errors.AsType[*store.DamageError](err); damaged {
		l.live.Doubt(ix)
	}
	return result, notice, err
}

// Complete implements completer.
func (l *liveIndex) Complete(ctx context.Context, what, text string) (values []string, more bool, err error) {
	ix, _, release, err := l.acquire()
	if err != nil {
		return nil, false, err
	}
	defer release()
	return query.Complete(ctx, ix, what, text)
}

// acquire returns the index that answers now.
func (l *liveIndex) acquire() (ix *store.Index, notice string, release func(), err error) {
	ix, notice, release, err = l.live.Acquire()
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no index at %s: make one with: brick-index build MODEL -o %s", l.path, l.path)
	}
	if err != nil {
		l.say(err.Error())
		return nil, "", nil, err
	}
	l.say(notice)
	return ix, notice, release, nil
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
