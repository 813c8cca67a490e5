package index

import (
	"cmp"
	"slices"

	"brick/internal/canon"
	"brick/store"
)

// unspecified is what functions without a language are counted under.
const unspecified = "unspecified"

// tally counts the functions of a language, and lists those that nothing
// calls, and those that only test code does.
type tally struct {
	counts                                                           store.LanguageCounts
	unreferencedOpen, unknownOpen, unreferencedClosed, unknownClosed []uint32
	testsOnly                                                        []uint32
}

func (t *tally) add(function uint32, r *store.Report) {
	count(&t.counts.Open, r, len(r.Reasons), function, &t.unreferencedOpen, &t.unknownOpen)
	count(&t.counts.Closed, r, r.Closed, function, &t.unreferencedClosed, &t.unknownClosed)
	if r.TestsOnly {
		t.testsOnly = append(t.testsOnly, function)
	}
}

func count(c *store.StatusCounts, r *store.Report, reasons int, function uint32, unreferenced, unknown *[]uint32) {
	switch {
	case r.Resolved:
		c.Resolved++
		if r.RecursiveOnly {
			c.RecursiveOnly++
		}
		if r.TestsOnly {
			c.TestsOnly++
		}
	case reasons > 0:
		c.Unknown++
		*unknown = append(*unknown, function)
	default:
		c.Unreferenced++
		*unreferenced = append(*unreferenced, function)
	}
}

// languageOf is the language that a function is counted under.
func (b *builder) languageOf(function uint32) string {
	if l := b.nodes.languages.text(b.nodes.language[function]); l != "" {
		return l
	}
	return unspecified
}

// writeUncalled writes the lists of all tallies and returns their counts.
func (b *builder) writeUncalled(out *store.TableWriter, all *tally, byLanguage map[string]*tally) {
	order := b.uncalledOrder()
	write := func(functions []uint32) store.Range {
		slices.SortFunc(functions, order)
		r := store.Range{Start: uint32(out.Rows())}
		for _, f := range functions {
			out.Row(f)
		}
		r.End = uint32(out.Rows())
		return r
	}
	finish := func(t *tally) store.LanguageCounts {
		t.counts.Uncalled = store.UncalledLists{
			UnreferencedOpen:   write(t.unreferencedOpen),
			UnknownOpen:        write(t.unknownOpen),
			UnreferencedClosed: write(t.unreferencedClosed),
			UnknownClosed:      write(t.unknownClosed),
			TestsOnly:          write(t.testsOnly),
		}
		return t.counts
	}
	b.functions = finish(all)
	for _, name := range canon.SortedNames(byLanguage) {
		byLanguage[name].counts.Name = name
		b.languages = append(b.languages, finish(byLanguage[name]))
	}
}

// uncalledOrder compares functions by path, start line and id.
func (b *builder) uncalledOrder() func(x, y uint32) int {
	c := &b.nodes
	paths := c.paths.texts()
	byText := make([]uint32, len(paths))
	for i := range byText {
		byText[i] = uint32(i)
	}
	slices.SortFunc(byText, func(x, y uint32) int { return cmp.Compare(paths[x], paths[y]) })
	place := make([]uint32, len(paths))
	for i, path := range byText {
		place[path] = uint32(i)
	}
	return func(x, y uint32) int {
		return cmp.Or(
			cmp.Compare(place[c.path[x]], place[c.path[y]]),
			cmp.Compare(c.spans[x].StartLine, c.spans[y].StartLine),
			cmp.Compare(x, y),
		)
	}
}
