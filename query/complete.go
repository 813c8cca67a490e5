package query

import (
	"bytes"
	"context"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// What can be completed.
const (
	CompleteNode     = "node"     // ids of nodes, by what brick_find finds
	CompletePath     = "path"     // paths of files that begin with the text, then others that contain it
	CompleteLanguage = "language" // languages of functions
	CompleteCycle    = "cycle"    // ids of cycles
)

// MaxCompletions is the most that a completion gives.
const MaxCompletions = 100

// Complete completes a text. more says that there would be more values.
func Complete(ctx context.Context, ix *store.Index, what, text string) (values []string, more bool, err error) {
	q := &question{ctx: ctx, ix: ix, view: ix.View(), tool: find}
	defer q.view.Release()
	switch what {
	case CompleteNode:
		values, err = q.completeNode(text)
	case CompletePath:
		values, err = q.completePath(text)
	case CompleteLanguage:
		for _, l := range ix.Manifest.Languages {
			if strings.HasPrefix(l.Name, text) {
				values = append(values, l.Name)
			}
		}
	case CompleteCycle:
		values, err = q.completeCycle(text)
	}
	more = len(values) > MaxCompletions
	return values[:min(len(values), MaxCompletions)], more, err
}

func (q *question) completeNode(text string) ([]string, error) {
	var matches []match
	if text == "" {
		for rank := range min(q.ix.Items(store.Ranked), MaxCompletions+1) {
			row, err := q.view.Ranked(rank)
			if err != nil {
				return nil, err
			}
			matches = append(matches, match{node: row.Node})
		}
	} else {
		s, err := q.newSearch(text)
		if err != nil {
			return nil, err
		}
		if matches, err = s.first(match{}, MaxCompletions+1); err != nil {
			return nil, err
		}
	}
	var ids []string
	for _, m := range matches {
		id, err := q.nodeID(m.node)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (q *question) completePath(text string) ([]string, error) {
	start, err := q.first(&paths, func(other []byte) bool { return bytes.Compare(other, []byte(text)) >= 0 })
	if err != nil {
		return nil, err
	}
	var list []string
	seen := map[uint32]bool{}
	add := func(i uint32, path string) error {
		row, err := q.view.PathRow(i)
		if err == nil && row.File != store.Unknown && !seen[i] {
			seen[i] = true
			list = append(list, path)
		}
		return err
	}
	err = q.each(&paths, start, func(i uint32, path string) (bool, error) {
		if !strings.HasPrefix(path, text) || len(list) > MaxCompletions {
			return false, nil
		}
		return true, add(i, path)
	})
	if err != nil || len(list) > MaxCompletions || text == "" {
		return list, err
	}
	others, err := q.containing(&paths, symbol.Fold(text))
	if err != nil {
		return nil, err
	}
	for _, i := range others.texts {
		is, err := others.has(i)
		if err != nil {
			return nil, err
		}
		if !is || len(list) > MaxCompletions {
			continue
		}
		path, err := q.view.Text(store.Paths, i)
		if err != nil {
			return nil, err
		}
		if err := add(i, string(path)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (q *question) completeCycle(text string) ([]string, error) {
	var ids []string
	for i := range uint32(q.ix.Manifest.Cycles) {
		if err := q.step(); err != nil {
			return nil, err
		}
		row, err := q.view.CycleRow(i)
		if err != nil {
			return nil, err
		}
		if id := cycleID(row); strings.HasPrefix(id, text) {
			if ids = append(ids, id); len(ids) > MaxCompletions {
				break
			}
		}
	}
	return ids, nil
}
