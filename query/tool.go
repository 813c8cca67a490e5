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
var tools = []*Tool{impact, cycles, bridges, evidence, callers, uncalled}

// Tools returns the tools in the order in which clients list them.
func Tools() []*Tool { return tools }

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
func (t *Tool) Answer(ctx context.Context, ix *store.Index, a Arguments) ([]byte, error) {
	q := &question{ctx: ctx, ix: ix, view: ix.View()}
	defer q.view.Release()
	q.begin(t.Name)
	if err := t.run(q, a); err != nil {
		return nil, err
	}
	return append(q.out, '}'), nil
}

// NotFoundError says that a question was about something that is not in the
// model, or not of the kind that the question is about.
type NotFoundError struct {
	Problem  string   // what was asked for, and what was wrong
	Resemble []string // up to five ids that the asked one resembles, nearest first
}

func (e *NotFoundError) Error() string {
	if len(e.Resemble) == 0 {
		return e.Problem
	}
	text := e.Problem + "\nIt resembles:"
	for _, id := range e.Resemble {
		text += "\n  " + show.Quote(id)
	}
	return text
}
