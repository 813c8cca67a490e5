package query

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/symbol"
	"brick/store"
)

const (
	maxResembling = 5
	maxNamesakes  = 256 // nodes of one name that are compared
	maxCompared   = 256 // bytes of an id that are compared
	neighbourhood = 8   // nodes before and behind where the id would stand
)

// A nodeFilter says which nodes are worth proposing.
type nodeFilter func(store.NodeRow) bool

func anyNode(store.NodeRow) bool        { return true }
func isFunction(row store.NodeRow) bool { return row.Function != store.NoFunction }

// resembling makes the error that something of that id isn't there, with the
// ids of nodes that it resembles: those whose name is the id's last word, and
// those that stand next to it in the order of ids, nearest by edit distance
// first (Levenshtein). It takes a few look-ups, whatever the index's size.
func (q *question) resembling(id, problem string, filter nodeFilter) error {
	candidates, err := q.namesakes(lastWord(id))
	if err != nil {
		return err
	}
	beside, err := q.beside(id)
	if err != nil {
		return err
	}
	candidates = append(candidates, beside...)
	slices.Sort(candidates)
	type match struct {
		id       string
		distance int
	}
	var matches []match
	for _, node := range slices.Compact(candidates) {
		row, err := q.view.NodeRow(node)
		if err != nil {
			return err
		}
		other, err := q.nodeID(node)
		if err != nil {
			return err
		}
		if other == id || !filter(row) {
			continue
		}
		a, b := compared(id), compared(other)
		distance := levenshtein.ComputeDistance(a, b)
		if 2*distance > max(len(a), len(b)) && !strings.EqualFold(lastWord(id), lastWord(other)) {
			continue
		}
		matches = append(matches, match{other, distance})
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.id, b.id))
	})
	e := &NotFoundError{Problem: problem}
	for _, m := range matches[:min(len(matches), maxResembling)] {
		e.Resemble = append(e.Resemble, m.id)
	}
	return e
}

// namesakes returns nodes of that name, without regard to case.
func (q *question) namesakes(name string) ([]uint32, error) {
	folded := symbol.Fold(name)
	start, err := q.termsFrom(folded)
	if err != nil {
		return nil, err
	}
	end, err := q.termsFrom(folded + "\x00")
	if err != nil {
		return nil, err
	}
	r, err := q.rows(&terms, start, end)
	if err != nil {
		return nil, err
	}
	ranks, err := q.numbers(store.TermRanks, r.Start, min(r.End, r.Start+maxNamesakes))
	if err != nil {
		return nil, err
	}
	for i, rank := range ranks {
		row, err := q.view.Ranked(rank)
		if err != nil {
			return nil, err
		}
		ranks[i] = row.Node
	}
	return ranks, nil
}

// beside returns the nodes around the place of an id in the order of ids.
func (q *question) beside(id string) ([]uint32, error) {
	n := q.ix.Manifest.Nodes
	var err error
	place := sort.Search(n, func(i int) bool {
		var other string
		if err == nil {
			other, err = q.nodeID(uint32(i))
		}
		return other >= id
	})
	if err != nil {
		return nil, err
	}
	return span(uint32(max(place-neighbourhood, 0)), uint32(min(place+neighbourhood, n))), nil
}

func (q *question) nodeID(node uint32) (string, error) {
	literal, err := q.view.AppendNodeID(nil, node)
	if err != nil {
		return "", err
	}
	id, err := jsontext.AppendUnquote(nil, literal)
	return string(id), err
}

// lastWord is the last run of letters, digits and underscores, "Get" of
// "go:(*example.com/kv.Bucket).Get".
func lastWord(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// compared is the part of an id that counts for its distance from another:
// the end, which tells ids of one package apart.
func compared(id string) string {
	return strings.ToValidUTF8(id[max(len(id)-maxCompared, 0):], "")
}
