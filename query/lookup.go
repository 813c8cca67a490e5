package query

import (
	"fmt"
	"slices"
	"strings"

	"brick/internal/show"
	"brick/store"
)

// findNode returns the node of that id. When there is none, the error proposes
// nodes that the filter lets through.
func (q *question) findNode(id string, propose nodeFilter) (uint32, error) {
	entity, found, err := q.view.Find(id)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, q.resembling(id, fmt.Sprintf("no node has the id %s.", show.Quote(id)), propose)
	case entity.Edge:
		return 0, q.resembling(id, fmt.Sprintf("%s is the id of an edge, not of a node; brick_evidence shows its ends.", show.Quote(id)), propose)
	}
	return entity.Number, nil
}

// findEntity returns the node or edge of that id.
func (q *question) findEntity(id string) (store.Entity, error) {
	entity, found, err := q.view.Find(id)
	if err == nil && !found {
		err = q.resembling(id, fmt.Sprintf("no node or edge has the id %s.", show.Quote(id)), anyNode)
	}
	return entity, err
}

// noPath is the error that no path of the model is the one that was asked
// for, or matches it.
func (q *question) noPath(path string) error {
	e := &NotFoundError{Problem: fmt.Sprintf("no path of the model is or matches %s.", quoted(path)), Next: nextPath}
	near, err := q.pathsLike(path)
	if err != nil {
		return err
	}
	e.Resemble = near
	return e
}

// notOneOf is the error that no node has that kind or language.
func (q *question) notOneOf(what, asked string, have []string) error {
	slices.Sort(have)
	have = slices.Compact(have)
	list := strings.Join(have[:min(len(have), 30)], ", ")
	return &NotFoundError{Problem: fmt.Sprintf("no node has the %s %s; there are: %s.", what, show.Quote(asked), show.Visible(list))}
}

func quoted(text string) string { return show.Quote(text) }
