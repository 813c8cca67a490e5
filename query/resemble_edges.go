package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/go-json-experiment/json/jsontext"

	"brick/store"
)

// maxOutgoing is how many edges of a node are looked at for one that is meant.
const maxOutgoing = 2048

// arrow stands between the ends in the ids of edges that are made of them, as
// scanners do: calls:SOURCE->TARGET.
const arrow = "->"

// edgesLike returns up to five ids of edges that an id resembles which is
// made of those of its ends, nearest by edit distance first: edges from a node
// that the source resembles, to one that the target resembles where there are
// such. It returns none for an id of another form.
func (q *question) edgesLike(id string) ([]string, error) {
	kind, ends, ok := strings.Cut(id, ":")
	if !ok {
		return nil, nil
	}
	from, to, ok := strings.Cut(ends, arrow)
	if !ok {
		return nil, nil
	}
	sources, err := q.meant(from)
	if err != nil {
		return nil, err
	}
	targets, err := q.meant(to)
	if err != nil {
		return nil, err
	}
	type near struct {
		id       string
		rank     int // 0 for what has the right target, 1 for other edges
		distance int
	}
	var found []near
	for _, source := range sources {
		row, err := q.view.NodeRow(source)
		if err != nil {
			return nil, err
		}
		edges, err := q.numbers(store.OutEdges, row.Out, min(row.OutEnd, row.Out+maxOutgoing))
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			edge, err := q.view.EdgeRow(e)
			if err != nil {
				return nil, err
			}
			other, err := q.edgeID(e)
			if err != nil {
				return nil, err
			}
			n := near{id: other, distance: levenshtein.ComputeDistance(compared(id), compared(other))}
			if !slices.Contains(targets, edge.Target) {
				n.rank = 2
			}
			if !strings.HasPrefix(other, kind+":") {
				n.rank++
			}
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.distance, y.distance), strings.Compare(x.id, y.id))
	})
	var ids []string
	for _, n := range found[:min(len(found), maxResembling)] {
		ids = append(ids, n.id)
	}
	return ids, nil
}

// meant returns the node of an id, else those that it resembles.
func (q *question) meant(id string) ([]uint32, error) {
	e, found, err := q.view.Find(id)
	if err != nil {
		return nil, err
	}
	if found && !e.Edge {
		return []uint32{e.Number}, nil
	}
	return q.proposed(id, anyNode)
}

func (q *question) edgeID(edge uint32) (string, error) {
	literal, err := q.view.AppendEdgeID(nil, edge)
	if err != nil {
		return "", err
	}
	id, err := jsontext.AppendUnquote(nil, literal)
	return string(id), err
}
