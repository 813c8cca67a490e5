package query

import (
	"fmt"
	"slices"
	"strings"

	"brick/internal/show"
	"brick/store"
)

// findNode returns the node of that id, or the one at that place. When there is
// none, the error proposes nodes that the filter lets through.
func (q *question) findNode(id string, propose nodeFilter) (uint32, error) {
	entity, found, err := q.view.Find(id)
	if err == nil && !found {
		if node, at, err := q.nodeAt(id, propose); at || err != nil {
			return node, err
		}
	}
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

// findEntity returns the node or edge of that id. When there is none, the
// error proposes what it looks like the id of.
func (q *question) findEntity(id string) (store.Entity, error) {
	entity, found, err := q.view.Find(id)
	if err != nil || found {
		return entity, err
	}
	if node, at, err := q.nodeAt(id, anyNode); at || err != nil {
		return store.Entity{Number: node}, err
	}
	problem := fmt.Sprintf("no node or edge has the id %s.", show.Quote(id))
	if strings.HasPrefix(id, cyclePrefix) {
		_, err := q.findCycle(id)
		if err == nil {
			err = &NotFoundError{Problem: fmt.Sprintf("%s is the id of a cycle, not of a node or an edge.", show.Quote(id)), Next: nextCycle(id)}
		}
		return entity, err
	}
	edges, err := q.edgesLike(id)
	if err != nil {
		return entity, err
	}
	if len(edges) > 0 {
		return entity, &NotFoundError{Problem: problem, Resemble: edges, Next: "brick_evidence of a node shows the ids of all its edges."}
	}
	return entity, q.resembling(id, problem, anyNode)
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

// oneOf returns which of the kinds or languages that things have is asked for:
// the same, else one that differs by case only. What none has is an error.
func (q *question) oneOf(things, what, asked string, have []string) (string, error) {
	if asked == "" || slices.Contains(have, asked) {
		return asked, nil
	}
	if i := slices.IndexFunc(have, func(s string) bool { return strings.EqualFold(s, asked) }); i >= 0 {
		return have[i], nil
	}
	return "", q.notOneOf(things, what, asked, have)
}

// notOneOf is the error that nothing has that kind or language.
func (q *question) notOneOf(things, what, asked string, have []string) error {
	slices.Sort(have)
	have = slices.Compact(have)
	list := strings.Join(have[:min(len(have), 30)], ", ")
	return &NotFoundError{Problem: fmt.Sprintf("no %s has the %s %s; there are: %s.", things, what, show.Quote(asked), show.Visible(list))}
}

func quoted(text string) string { return show.Quote(text) }
