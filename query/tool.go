// Package query answers questions from an index. Each answer is a JSON object
// put together from stored bytes; a file of this package is a question.
//
// The contract of the answers is docs/queries.md.
package query

import (
	"context"
	"encoding/json"

	"brick/internal/show"
	"brick/store"
)

// A Tool is one question. Its name, parameters and texts stand here only:
// the MCP schemas, the command-line flags and the documentation come from it.
type Tool struct {
	Name         string
	Title        string
	Description  string // when to use it, and what its answer does not prove
	Parameters   []Parameter
	OutputSchema json.RawMessage

	run func(q *question, a Arguments) error
}

// tools are in the order in which clients list them.
var tools = []*Tool{impact, cycles, bridges, evidence, callers, uncalled, find, summary, files, oneFile, hotspots, calls, path, source, reload}

// Tools returns the tools in the order in which clients list them.
func Tools() []*Tool { return tools }

// Names are the names of the tools.
func Names() []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return names
}

// Lookup returns the tool of that exact name, or nil.
func Lookup(name string) *Tool {
	for _, t := range tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Answer answers one call: a JSON object that satisfies t.OutputSchema, of
// the tool's own arguments. It takes time and memory in proportion to the
// answer, and stops early with ctx's error when ctx is done. Any other error
// is for the reader of the answer: it says what was asked for and what was
// wrong. It is a *NotFoundError, or the store's.
//
// The cursor in a is checked here, since it belongs to an index: a damaged or
// foreign one is an *ArgumentError.
func (t *Tool) Answer(ctx context.Context, ix *store.Index, a Arguments) ([]byte, error) {
	return t.AnswerWith(ctx, ix, a, Options{})
}

// Options are what an answer depends on besides its question.
type Options struct {
	// MaxAnswer bounds an answer's bytes; 0 is no bound. A larger one is a
	// *TooLargeError, found as soon as it is known.
	MaxAnswer int
	// Before is the index that answered before this one was looked for.
	Before *Identity

	asks bool // only whether the answer is too large is asked
}

// Identity says which index one is.
type Identity struct {
	Index []byte // store.Manifest.Identity
	Model []byte // the model's digest
}

// IdentityOf returns the identity of an open index.
func IdentityOf(ix *store.Index) *Identity {
	return &Identity{Index: ix.Manifest.Identity, Model: ix.Manifest.Digest}
}

// AnswerWith is Answer with options.
func (t *Tool) AnswerWith(ctx context.Context, ix *store.Index, a Arguments, o Options) ([]byte, error) {
	q := &question{ctx: ctx, ix: ix, view: ix.View(), out: take(0), tool: t, arguments: a, options: o, max: o.MaxAnswer}
	defer q.view.Release()
	if err := q.openPage(a); err != nil {
		return nil, err
	}
	if err := q.openFilters(a); err != nil {
		return nil, err
	}
	q.begin(t.Name)
	err := t.run(q, a)
	if err == nil {
		q.out = append(q.out, '}')
		if q.max > 0 && len(q.out) > q.max {
			err = errTooLarge
		}
	}
	switch {
	case err == errTooLarge:
		fitting := int64(0)
		if !o.asks {
			if fitting, err = q.fittingLimit(); err != nil {
				return nil, err
			}
		}
		return nil, q.tooLarge(fitting)
	case err != nil:
		return nil, err
	}
	return q.out, nil
}

// NotFoundError says that a question was about something that is not in the
// model, or not of the kind that the question is about.
type NotFoundError struct {
	Problem  string   // what was asked for, and what was wrong
	Resemble []string // up to five ids, or paths, that the asked one resembles, nearest first
	Next     string   // what to do next; "" where nothing helps
}

func (e *NotFoundError) Error() string {
	text := e.Problem
	if len(e.Resemble) > 0 {
		text += "\nIt resembles:"
		for _, id := range e.Resemble {
			text += "\n  " + show.Quote(id)
		}
	}
	if e.Next != "" {
		text += "\n" + e.Next
	}
	return text
}
