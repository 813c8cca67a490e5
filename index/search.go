package index

import (
	"errors"
	"slices"

	"brick/store"
)

// writeSearch writes what brick_find looks things up in.
func (b *builder) writeSearch() error {
	c, f := &b.nodes, &b.facts
	texts := b.texts()
	terms, paths, qualified := texts.terms.list, texts.paths.list, texts.qualified.list
	of := func(numbers []uint32, places []uint32) func(v uint32) uint32 {
		return func(v uint32) uint32 { return places[numbers[v]] }
	}
	term, path, name := of(c.name, texts.terms.places), of(c.path, texts.paths.places), of(c.qualified, texts.qualified.places)
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
		b.writeGrams(store.TermGramKeys, store.TermGrams, texts.termGrams),
		b.writeGrams(store.PathGramKeys, store.PathGrams, texts.pathGrams),
	)
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
func (b *builder) writeGrams(keys, lists store.Section, grams []gramList) error {
	rows := b.w.Table(keys)
	out := b.w.Records(lists)
	for _, l := range grams {
		rows.Row(uint32(l.gram), l.count)
		out.Add(l.steps)
	}
	return errors.Join(rows.Close(), out.Close())
}
