package query

import (
	"fmt"

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
