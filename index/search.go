package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// writeSearch writes what brick_find looks things up in.
func (b *builder) writeSearch() error {
	c, f := &b.nodes, &b.facts
	terms, termOf := ordered(c.names.texts, 0, func(text string) string { return symbol.Fold(text) })
	paths, pathOf := ordered(c.paths.texts, 1, func(text string) string { return "" })
	qualified, qualifiedOf := ordered(c.qualifieds.texts, 1, func(text string) string { return symbol.Key(symbol.Parts(text)) })
	of := func(numbers []uint32, places []uint32) func(v uint32) uint32 {
		return func(v uint32) uint32 { return places[numbers[v]] }
	}
	term, path, name := of(c.name, termOf), of(c.path, pathOf), of(c.qualified, qualifiedOf)
	ranked := b.w.Table(store.Ranked)
	for _, v := range f.ranked {
		ranked.Row(v, term(v), path(v), name(v), f.sort[v])
	}
	b.paths, b.pathOf = paths, path
	termStarts := b.writeRanks(store.TermRanks, len(terms), term)
	pathStarts := b.writeRanks(store.PathRanks, len(paths), path)
	qualifiedStarts := b.writeRanks(store.QualifiedRanks, len(qualified), name)
	sortStarts := b.writeRanks(store.SortRanks, len(b.sorts), func(v uint32) uint32 { return f.sort[v] })
	for i := range b.sorts {
		b.sorts[i].Nodes = store.Range{Start: sortStarts[i], End: sortStarts[i+1]}
	}
	b.pathStarts = pathStarts
	return errors.Join(
		ranked.Close(), b.ranksErr,
		b.writeTexts(store.Terms, terms), b.writeTexts(store.Paths, paths), b.writeTexts(store.Qualified, qualified),
		b.writeStarts(store.TermRows, termStarts), b.writeStarts(store.QualifiedRows, qualifiedStarts),
		b.writeGrams(store.TermGramKeys, store.TermGrams, terms, func(grams []symbol.Gram, text string) []symbol.Gram {
			return symbol.WordGrams(symbol.Grams(grams, symbol.Fold(text)), symbol.Words(text))
		}),
		b.writeGrams(store.PathGramKeys, store.PathGrams, paths, func(grams []symbol.Gram, text string) []symbol.Gram {
			return symbol.Grams(grams, symbol.Fold(text))
		}),
	)
}

// ordered returns the texts from number first on, in the order of their keys,
// then of their bytes, and the place of each in it by number; none stands
// for the numbers before.
func ordered(texts []string, first int, key func(string) string) (list []string, places []uint32) {
	keys := make([]string, len(texts))
	order := make([]uint32, 0, len(texts))
	for i := first; i < len(texts); i++ {
		keys[i] = key(texts[i])
		order = append(order, uint32(i))
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(strings.Compare(keys[x], keys[y]), strings.Compare(texts[x], texts[y]))
	})
	places = make([]uint32, len(texts))
	for i := range first {
		places[i] = store.Unknown
	}
	for place, i := range order {
		places[i] = uint32(place)
		list = append(list, texts[i])
	}
	return list, places
}

// writeRanks writes the ranks of the nodes of each group, and returns where
// each begins, and the end of the last. Nodes of no group have store.Unknown.
func (b *builder) writeRanks(s store.Section, groups int, of func(v uint32) uint32) (starts []uint32) {
	starts = make([]uint32, groups+1)
	for _, v := range b.facts.ranked {
		if g := of(v); g != store.Unknown {
			starts[g+1]++
		}
	}
	for g := range groups {
		starts[g+1] += starts[g]
	}
	next := slices.Clone(starts)
	ranks := make([]uint32, starts[groups])
	for rank, v := range b.facts.ranked {
		if g := of(v); g != store.Unknown {
			ranks[next[g]] = uint32(rank)
			next[g]++
		}
	}
	out := b.w.Table(s)
	for _, rank := range ranks {
		out.Row(rank)
	}
	b.ranksErr = errors.Join(b.ranksErr, out.Close())
	return starts
}

func (b *builder) writeStarts(s store.Section, starts []uint32) error {
	out := b.w.Table(s)
	for _, start := range starts {
		out.Row(start)
	}
	return out.Close()
}

func (b *builder) writeTexts(s store.Section, texts []string) error {
	out := b.w.Records(s)
	for _, text := range texts {
		out.Add([]byte(text))
	}
	return out.Close()
}

// writeGrams writes for each gram which texts have it.
func (b *builder) writeGrams(keys, lists store.Section, texts []string, gramsOf func([]symbol.Gram, string) []symbol.Gram) error {
	type list struct {
		next  uint32 // the last text's number, plus 1
		count uint32
		steps []byte
	}
	byGram := map[symbol.Gram]*list{}
	var grams []symbol.Gram
	for i, text := range texts {
		grams = gramsOf(grams[:0], text)
		for _, gram := range grams {
			l := byGram[gram]
			if l == nil {
				l = &list{}
				byGram[gram] = l
			}
			number := uint32(i)
			if l.next == number+1 {
				continue // has it twice
			}
			last := l.next
			if last > 0 {
				last--
			}
			l.steps = binary.AppendUvarint(l.steps, uint64(number-last))
			l.next = number + 1
			l.count++
		}
	}
	order := make([]symbol.Gram, 0, len(byGram))
	for gram := range byGram {
		order = append(order, gram)
	}
	slices.Sort(order)
	rows := b.w.Table(keys)
	out := b.w.Records(lists)
	for _, gram := range order {
		rows.Row(uint32(gram), byGram[gram].count)
		out.Add(byGram[gram].steps)
	}
	return errors.Join(rows.Close(), out.Close())
}
