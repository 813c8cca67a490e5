package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// searchTexts are the distinct names, paths and qualified names in the orders
// of their sections, and their grams. They are known when the nodes are.
type searchTexts struct {
	terms, paths, qualified orderedTexts
	termGrams, pathGrams    []gramList
}

// orderTexts begins to order the texts of the nodes, which must all be there,
// and returns what waits for the outcome.
func (c *nodeColumns) orderTexts() func() *searchTexts {
	var t searchTexts
	wait := beside(func() error {
		t.terms = ordered(c.names, 0, symbol.Fold)
		t.termGrams = gramsOf(t.terms.list, func(grams []symbol.Gram, text string) []symbol.Gram {
			return symbol.WordGrams(symbol.Grams(grams, symbol.Fold(text)), symbol.Words(text))
		})
		t.paths = ordered(c.paths, 1, func(string) string { return "" })
		t.pathGrams = gramsOf(t.paths.list, func(grams []symbol.Gram, text string) []symbol.Gram {
			return symbol.Grams(grams, symbol.Fold(text))
		})
		t.qualified = ordered(c.qualifieds, 1, func(text string) string { return symbol.Key(symbol.Parts(text)) })
		return nil
	})
	return func() *searchTexts {
		wait()
		return &t
	}
}

// orderedTexts are texts in their order, and the place of each by its number.
type orderedTexts struct {
	list   []string
	places []uint32
}

// ordered returns the texts from number first on, in the order of their keys,
// then of their bytes; the place of the numbers before is none.
func ordered(in *interner, first int, key func(string) string) (t orderedTexts) {
	// Most are told apart by how their keys begin.
	type entry struct {
		begin     uint64
		key, text string
		number    uint32
	}
	entries := make([]entry, 0, in.len())
	for n := first; n < in.len(); n++ {
		e := entry{text: in.text(uint32(n)), number: uint32(n)}
		e.key = key(e.text)
		var begin [8]byte
		copy(begin[:], e.key)
		e.begin = binary.BigEndian.Uint64(begin[:])
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(x, y entry) int {
		if x.begin != y.begin {
			return cmp.Compare(x.begin, y.begin)
		}
		return cmp.Or(strings.Compare(x.key, y.key), strings.Compare(x.text, y.text))
	})
	t.places = make([]uint32, in.len())
	for n := range first {
		t.places[n] = store.Unknown
	}
	t.list = make([]string, len(entries))
	for place, e := range entries {
		t.places[e.number], t.list[place] = uint32(place), e.text
	}
	return t
}

// gramList is which texts have a gram: their numbers as uvarints, each less the
// one before.
type gramList struct {
	gram  symbol.Gram
	next  uint32 // the last text's number, plus 1
	count uint32
	steps []byte
}

// gramsOf returns the grams that texts have, in order.
func gramsOf(texts []string, of func([]symbol.Gram, string) []symbol.Gram) []gramList {
	places := map[symbol.Gram]int{}
	var lists []gramList
	var grams []symbol.Gram
	for i, text := range texts {
		grams = of(grams[:0], text)
		for _, gram := range grams {
			place, ok := places[gram]
			if !ok {
				place = len(lists)
				places[gram] = place
				lists = append(lists, gramList{gram: gram})
			}
			l := &lists[place]
			number := uint32(i)
			if l.next == number+1 {
				continue // has it twice
			}
			l.steps = binary.AppendUvarint(l.steps, uint64(number-max(l.next, 1)+1))
			l.next = number + 1
			l.count++
		}
	}
	slices.SortFunc(lists, func(x, y gramList) int { return cmp.Compare(x.gram, y.gram) })
	return lists
}
