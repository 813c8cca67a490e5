package query

import (
	"bytes"
	"sort"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// A book is one of the sections of distinct texts, with what leads from them
// to nodes and from grams to them.
type book struct {
	texts, rows, ranks store.Section
	gramKeys, grams    store.Section // 0 where it has none
}

var (
	terms     = book{store.Terms, store.TermRows, store.TermRanks, store.TermGramKeys, store.TermGrams}
	paths     = book{store.Paths, store.PathRows, store.PathRanks, store.PathGramKeys, store.PathGrams}
	qualified = book{texts: store.Qualified, rows: store.QualifiedRows, ranks: store.QualifiedRanks}
)

// first returns the first text of a book for which from holds. It must hold
// for all behind it.
func (q *question) first(b *book, from func(text []byte) bool) (uint32, error) {
	return q.firstIn(b, 0, q.ix.Items(b.texts), from)
}

// firstIn is first among the texts from start to end, end excluded; end when
// there is none.
func (q *question) firstIn(b *book, start, end uint32, from func(text []byte) bool) (uint32, error) {
	return firstOf(start, end, func(i uint32) (bool, error) {
		text, err := q.view.Text(b.texts, i)
		return err == nil && from(text), err
	})
}

// firstOf returns the first number from start to end, end excluded, for which
// from holds, and must hold for all behind it; end when there is none. It ends
// with the first error of from.
func firstOf(start, end uint32, from func(i uint32) (bool, error)) (uint32, error) {
	var failed error
	i := sort.Search(int(end-start), func(i int) bool {
		if failed != nil {
			return true
		}
		var is bool
		is, failed = from(start + uint32(i))
		return is || failed != nil
	})
	return start + uint32(i), failed
}

// endOf returns the end of the texts from start on for which in holds, which
// holds for none behind them. It takes steps that double, since they are few
// mostly.
func (q *question) endOf(b *book, start uint32, in func(text []byte) bool) (uint32, error) {
	n := q.ix.Items(b.texts)
	last := start // in holds for all before it
	for step := uint32(1); ; step *= 2 {
		at := last + step - 1
		if at >= n {
			return q.firstIn(b, last, n, func(text []byte) bool { return !in(text) })
		}
		text, err := q.view.Text(b.texts, at)
		if err != nil {
			return 0, err
		}
		if !in(text) {
			return q.firstIn(b, last, at, func(text []byte) bool { return !in(text) })
		}
		last = at + 1
	}
}

// termsFrom returns the first term whose lower case is not less than folded.
func (q *question) termsFrom(folded string) (uint32, error) {
	return q.first(&terms, func(text []byte) bool { return symbol.Fold(string(text)) >= folded })
}

// path returns the number of a path.
func (q *question) path(text string) (uint32, bool, error) {
	i, err := q.first(&paths, func(other []byte) bool { return bytes.Compare(other, []byte(text)) >= 0 })
	return q.is(&paths, i, text, err)
}

// is says whether a text of a book, if there is one of that number, is this.
func (q *question) is(b *book, i uint32, text string, err error) (uint32, bool, error) {
	if err != nil || i >= q.ix.Items(b.texts) {
		return i, false, err
	}
	other, err := q.view.Text(b.texts, i)
	return i, string(other) == text, err
}

// namesEnding returns the range of qualified names that end with these parts.
func (q *question) namesEnding(parts []string) (start, end uint32, err error) {
	key := symbol.Key(parts)
	of := func(text []byte) string { return symbol.Key(symbol.Parts(string(text))) }
	start, err = q.first(&qualified, func(text []byte) bool { return of(text) >= key })
	if err != nil {
		return 0, 0, err
	}
	end, err = q.endOf(&qualified, start, func(text []byte) bool { return strings.HasPrefix(of(text), key) })
	return start, end, err
}

// rows returns where the ranks of texts [start, end) of a book are.
func (q *question) rows(b *book, start, end uint32) (store.Range, error) {
	var r store.Range
	var err error
	if r.Start, err = q.startOf(b, start); err != nil {
		return r, err
	}
	r.End, err = q.startOf(b, end)
	return r, err
}

func (q *question) startOf(b *book, text uint32) (uint32, error) {
	if b.rows == store.PathRows {
		return q.view.PathStart(text)
	}
	return q.view.Number(b.rows, text)
}
