package query

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// candidates are texts of a book that may be what is sought; each is looked at
// once, when it is asked for.
type candidates struct {
	q      *question
	book   *book
	texts  []uint32               // ascending
	is     []uint64               // the same as a set of bits
	verify func(text string) bool // nil when all are what is sought
	seen   map[uint32]bool
}

func (q *question) newCandidates(b *book, texts []uint32, verify func(string) bool) *candidates {
	c := &candidates{q: q, book: b, texts: texts, verify: verify}
	if len(texts) > 0 {
		c.is = make([]uint64, texts[len(texts)-1]/64+1)
		for _, text := range texts {
			c.is[text/64] |= 1 << (text % 64)
		}
	}
	return c
}

// has says whether a text is what is sought.
func (c *candidates) has(text uint32) (bool, error) {
	if c == nil || int(text/64) >= len(c.is) || c.is[text/64]>>(text%64)&1 == 0 {
		return false, nil
	}
	if c.verify == nil {
		return true, nil
	}
	if is, ok := c.seen[text]; ok {
		return is, nil
	}
	b, err := c.q.view.Text(c.book.texts, text)
	if err != nil {
		return false, err
	}
	if c.seen == nil {
		c.seen = map[uint32]bool{}
	}
	is := c.verify(string(b))
	c.seen[text] = is
	return is, nil
}

// containing returns the texts of a book that contain folded, without regard
// to case.
func (q *question) containing(b *book, folded string) (*candidates, error) {
	if folded == "" {
		return q.newCandidates(b, span(0, q.ix.Items(b.texts)), nil), nil
	}
	verify := func(text string) bool { return strings.Contains(symbol.Fold(text), folded) }
	// Up to three bytes are what a gram says, but for the bytes that have
	// another meaning in grams.
	if len(folded) <= 3 && !strings.ContainsAny(folded, "\x00\x01") {
		verify = nil
	}
	var lists []gramList
	if len(folded) < 3 {
		lists = append(lists, beginning(folded))
	}
	for i := 0; i+3 <= len(folded); i++ {
		g := symbol.MakeGram(folded[i], folded[i+1], folded[i+2])
		lists = append(lists, gramList{g, g + 1})
	}
	texts, err := q.inAll(b, lists)
	return q.newCandidates(b, texts, verify), err
}

// withWords returns the terms that have words that begin with these, in their
// order.
func (q *question) withWords(words []string) (*candidates, error) {
	if len(words) == 0 {
		return nil, nil
	}
	var lists []gramList
	for _, word := range words {
		lists = append(lists, beginning(string(rune(symbol.Begin))+word[:min(len(word), 2)]))
		for i := 0; i+3 <= len(word); i++ {
			g := symbol.MakeGram(word[i], word[i+1], word[i+2])
			lists = append(lists, gramList{g, g + 1})
		}
	}
	texts, err := q.inAll(&terms, lists)
	return q.newCandidates(&terms, texts, func(text string) bool {
		return symbol.HasWords(symbol.Words(text), words)
	}), err
}

// A gramList stands for the texts that have a gram from from to to, to
// excluded.
type gramList struct{ from, to symbol.Gram }

// beginning is the list of the grams that begin with one to three bytes.
func beginning(text string) gramList {
	switch len(text) {
	case 1:
		return gramList{symbol.MakeGram(text[0], 0, 0), symbol.MakeGram(text[0], 0, 0) + 1<<16}
	case 2:
		return gramList{symbol.MakeGram(text[0], text[1], 0), symbol.MakeGram(text[0], text[1], 0) + 1<<8}
	}
	g := symbol.MakeGram(text[0], text[1], text[2])
	return gramList{g, g + 1}
}

// How many lists of grams are looked up and read for a text. The rarest tell
// most; what they leave is looked at itself.
const (
	maxGrams = 32
	maxLists = 4
)

// inAll returns the texts that are in all the lists, or in those of them that
// tell most. It reads a few rows and lists, whatever the book's size.
func (q *question) inAll(b *book, lists []gramList) ([]uint32, error) {
	type rows struct{ start, end, count uint32 }
	var found []rows
	slices.SortFunc(lists, func(x, y gramList) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	lists = slices.Compact(lists)
	step := max(1, (len(lists)+maxGrams-1)/maxGrams)
	for i := 0; i < len(lists); i += step {
		r := rows{}
		var err error
		if r.start, err = q.gramRow(b, lists[i].from); err != nil {
			return nil, err
		}
		for r.end = r.start; r.end < q.ix.Items(b.gramKeys); r.end++ {
			gram, count, err := q.view.Gram(b.gramKeys, r.end)
			if err != nil {
				return nil, err
			}
			if symbol.Gram(gram) >= lists[i].to {
				break
			}
			r.count += count
		}
		if r.count == 0 {
			return nil, nil
		}
		found = append(found, r)
	}
	slices.SortFunc(found, func(x, y rows) int { return cmp.Or(cmp.Compare(x.count, y.count), cmp.Compare(x.start, y.start)) })
	found = found[:min(len(found), maxLists)]
	var read []uint32
	for _, r := range found {
		read = append(read, span(r.start, r.end)...)
	}
	q.view.Prefetch(b.grams, read)
	var texts, list []uint32
	for i, r := range found {
		list = slices.Grow(list[:0], int(min(r.count, q.ix.Items(b.texts))))
		for row := r.start; row < r.end; row++ {
			if err := q.step(); err != nil {
				return nil, err
			}
			var err error
			if list, err = q.view.GramTexts(list, b.grams, row); err != nil {
				return nil, err
			}
		}
		if r.end > r.start+1 {
			list = sortedSet(list, q.ix.Items(b.texts))
		}
		if i == 0 {
			texts = slices.Clone(list)
			continue
		}
		texts = intersect(texts, list)
	}
	return texts, nil
}

// sortedSet sorts numbers below n and drops those that are there already.
func sortedSet(list []uint32, n uint32) []uint32 {
	set := make([]uint64, n/64+1)
	for _, x := range list {
		if x < n {
			set[x/64] |= 1 << (x % 64)
		}
	}
	list = list[:0]
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			list = append(list, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return list
}

// gramRow returns the first row whose gram is not less.
func (q *question) gramRow(b *book, gram symbol.Gram) (uint32, error) {
	return firstOf(0, q.ix.Items(b.gramKeys), func(row uint32) (bool, error) {
		g, _, err := q.view.Gram(b.gramKeys, row)
		return symbol.Gram(g) >= gram, err
	})
}

// intersect keeps of a what is in b; both are ascending.
func intersect(a, b []uint32) []uint32 {
	kept := a[:0]
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == x {
			kept = append(kept, x)
		}
	}
	return kept
}

// pathsBeginning returns the range of paths that begin with a text.
func (q *question) pathsBeginning(prefix string) (start, end uint32, err error) {
	if start, err = q.first(&paths, func(text []byte) bool { return string(text) >= prefix }); err != nil {
		return 0, 0, err
	}
	end, err = q.endOf(&paths, start, func(text []byte) bool { return strings.HasPrefix(string(text), prefix) })
	return start, end, err
}

// settle looks at all texts, so that has need not.
func (c *candidates) settle() error {
	if c.verify == nil {
		return nil
	}
	var texts []uint32
	c.q.view.Prefetch(c.book.texts, c.texts)
	for _, text := range c.texts {
		if err := c.q.step(); err != nil {
			return err
		}
		b, err := c.q.view.Text(c.book.texts, text)
		if err != nil {
			return err
		}
		if c.verify(string(b)) {
			texts = append(texts, text)
		}
	}
	*c = *c.q.newCandidates(c.book, texts, nil)
	return nil
}

// keepSortsOf leaves out nodes of another kind and another language, where one
// is given. What no node has is an error that says so.
func (q *question) keepSortsOf(kind, language string) error {
	all := q.ix.Manifest.Sorts
	var kinds, languages []string
	for _, s := range all {
		kinds, languages = append(kinds, s.Kind), append(languages, languageName(s.Language))
	}
	kind, err := q.oneOf("node", "kind", kind, kinds)
	if err != nil {
		return err
	}
	if language, err = q.oneOf("node", "language", language, languages); err != nil {
		return err
	}
	q.keepSorts(func(s store.NodeSort) bool {
		return (kind == "" || s.Kind == kind) && (language == "" || languageName(s.Language) == language)
	})
	return nil
}

// unspecified is what nodes without a language are counted under.
const unspecified = "unspecified"

// pathsLikeGlob returns the paths that match a glob, which was asked for as
// asked.
func (q *question) pathsLikeGlob(asked, pattern string) (*candidates, error) {
	g, err := compileGlob(pattern, "/")
	if err != nil {
		return nil, &ArgumentError{Tool: q.tool.Name, Argument: "path", Problem: "is no glob: " + err.Error()}
	}
	start, end, err := q.pathsBeginning(g.prefix)
	if err != nil {
		return nil, err
	}
	var texts []uint32
	if end-start > maxGathered && len(g.literal) > len(g.prefix) {
		c, err := q.containing(&paths, symbol.Fold(g.literal))
		if err != nil {
			return nil, err
		}
		texts = c.texts
	} else {
		texts = span(start, end)
	}
	verify := g.match
	if pattern == g.prefix+"**" && g.prefix != "" {
		verify = nil // all of a folder
	}
	if c, err := q.fromFirst(texts, verify); c != nil || err != nil {
		return c, err
	}
	if strings.Contains(pattern, "/") { // of a model that writes \ in its place
		if start, end, err = q.pathsBeginning(strings.ReplaceAll(g.prefix, "/", `\`)); err != nil {
			return nil, err
		}
		c, err := q.fromFirst(span(start, end), func(path string) bool {
			return strings.Contains(path, `\`) && g.match(strings.ReplaceAll(path, `\`, "/"))
		})
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, q.noPath(asked)
}

// fromFirst returns the paths from the first on that is one, nil when none is.
func (q *question) fromFirst(texts []uint32, verify func(string) bool) (*candidates, error) {
	var w window
	for i, text := range texts {
		if err := q.step(); err != nil {
			return nil, err
		}
		if verify != nil {
			w.at(q, store.Paths, i, len(texts), func(start, end int) []uint32 { return texts[start:end] })
		}
		b, err := q.view.Text(store.Paths, text)
		if err != nil {
			return nil, err
		}
		if verify == nil || verify(string(b)) {
			return q.newCandidates(&paths, texts[i:], verify), nil
		}
	}
	return nil, nil
}
