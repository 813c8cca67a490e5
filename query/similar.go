package query

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"brick/internal/symbol"
	"brick/store"
)

// How much is looked at for names that are similar to one.
const (
	maxSimilarGrams = 24  // of the name
	maxSimilar      = 256 // names that have most grams with it in common
)

// similar returns nodes whose name is at a small edit distance from the last
// word of an id, nearest first; of equally near ones those come first whose
// id has more of the other words, then those that more depend on. It reads the
// names of each of the word's grams: time in proportion to the model's
// distinct names at worst.
func (q *question) similar(id string, filter nodeFilter) ([]uint32, error) {
	terms, err := q.similarTerms(lastWord(id))
	if err != nil {
		return nil, err
	}
	type near struct {
		node            uint32
		place, distance int
		words           int
	}
	var found []near
	words := strings.FieldsFunc(symbol.Fold(id), notOfWord)
	for _, t := range terms {
		nodes, err := q.nodesOfTerm(t.term)
		if err != nil {
			return nil, err
		}
		for place, node := range nodes {
			row, err := q.view.NodeRow(node)
			if err != nil {
				return nil, err
			}
			if !filter(row) {
				continue
			}
			other, err := q.nodeID(node)
			if err != nil {
				return nil, err
			}
			n := near{node: node, place: place, distance: t.distance}
			others := strings.FieldsFunc(symbol.Fold(other), notOfWord)
			for _, word := range words {
				if slices.Contains(others, word) {
					n.words++
				}
			}
			found = append(found, n)
		}
	}
	slices.SortStableFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(y.words, x.words), cmp.Compare(x.place, y.place))
	})
	nodes := make([]uint32, 0, maxResembling)
	for _, n := range found[:min(len(found), maxResembling)] {
		nodes = append(nodes, n.node)
	}
	return nodes, nil
}

// nodesOfTerm returns nodes of a name, those that most depend on first.
func (q *question) nodesOfTerm(term uint32) ([]uint32, error) {
	r, err := q.rows(&terms, term, term+1)
	if err != nil {
		return nil, err
	}
	rows, err := q.nodesAt(store.TermRanks, span(r.Start, min(r.End, r.Start+maxNamesakes)))
	return numbersOfNodes(rows), err
}

// A similarTerm is a name that is near another.
type similarTerm struct {
	term     uint32
	distance int
}

// similarTerms returns names at an edit distance of up to a third of a word,
// nearest first.
func (q *question) similarTerms(word string) ([]similarTerm, error) {
	folded := symbol.Fold(word)
	if folded == "" || len(folded) > maxCompared {
		return nil, nil
	}
	grams := symbol.WordGrams(symbol.Grams(nil, folded), symbol.Words(word))
	slices.Sort(grams)
	grams = slices.Compact(grams)
	common := map[uint32]int{}
	for _, gram := range grams[:min(len(grams), maxSimilarGrams)] {
		texts, err := q.inAll(&terms, []gramList{{gram, gram + 1}})
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			common[text]++
		}
	}
	numbers := slices.SortedFunc(maps.Keys(common), func(x, y uint32) int {
		return cmp.Or(cmp.Compare(common[y], common[x]), cmp.Compare(x, y))
	})
	var similar []similarTerm
	for _, term := range numbers[:min(len(numbers), maxSimilar)] {
		text, err := q.view.Text(store.Terms, term)
		if err != nil {
			return nil, err
		}
		other := symbol.Fold(string(text))
		distance := levenshtein.ComputeDistance(folded, other)
		if distance == 2 && slices.Equal(slices.Sorted(strings.SplitSeq(folded, "")), slices.Sorted(strings.SplitSeq(other, ""))) {
			distance = 1 // two letters have changed places
		}
		if 3*distance <= max(len(folded), len(other)) {
			similar = append(similar, similarTerm{term, distance})
		}
	}
	slices.SortStableFunc(similar, func(x, y similarTerm) int { return cmp.Compare(x.distance, y.distance) })
	return similar, nil
}
