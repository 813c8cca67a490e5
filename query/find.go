package query

import (
	"cmp"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

var find = &Tool{
	Name:  "brick_find",
	Title: "Find nodes by name or path",
	Description: "Finds functions, types, files and all else by name, qualified name, path or id, best first. Use it when you " +
		"know a name: other tools take ids from it. Bucket.Get and (*Bucket).Get find the method; gBy finds getById; " +
		"any part of a name or path finds it; db.go:1230 or db.go:10-20 what is at a place. No match means that the graph has no such name, not that the code has " +
		"none.",
	Parameters: paged(20,
		Parameter{Name: "text", Type: String, Required: true, NotEmpty: true, Description: "A name, a part of one, a path, an id, or path:line."},
		Parameter{Name: "kind", Type: String, NotEmpty: true, Description: "Only this kind."},
		Parameter{Name: "language", Type: String, NotEmpty: true, Description: "Only this language."},
		pathFilter, kindsFilter, testsFilter, groupBy,
	),
	OutputSchema: schema("find"),
	run:          answerFind,
}

// matchClasses are how a node can match, best first. Class 0 is no match.
var matchClasses = [...]string{1: "equal", 2: "equal-but-for-case", 3: "prefix", 4: "qualified", 5: "words", 6: "substring"}

const classes = len(matchClasses) - 1

func answerFind(q *question, a Arguments) error {
	if kind, language := a.string("kind"), a.string("language"); kind != "" || language != "" {
		if err := q.keepSortsOf(kind, language); err != nil {
			return err
		}
	}
	if p, is, err := q.placeAsked(a.string("text")); err != nil {
		return err
	} else if is {
		return q.findPlace(p)
	}
	s, err := q.newSearch(a.string("text"))
	if err != nil {
		return err
	}
	s.filter = q.filter
	if a.string(groupBy.Name) != "" {
		return q.groupedMatches(s)
	}
	// The cursor's numbers are the class and rank of the first match that was
	// not given, and how many were.
	given := int(min(q.position(2), MaxInteger))
	from := match{class: int(min(q.position(0), uint64(classes))), rank: uint32(q.position(1))}
	matches, total, err := s.matches(from, int(q.page.limit))
	if err != nil {
		return err
	}
	q.key("text")
	q.text(s.text)
	q.key("matches")
	page := matches[:min(len(matches), int(q.page.limit))]
	nodes := make([]uint32, len(page))
	for i, m := range page {
		nodes[i] = m.node
	}
	q.soonNodes(nodes)
	err = list(q, page, func(m match) error {
		q.out = append(q.out, `{"match":`...)
		q.text(matchClasses[m.class])
		q.key("node")
		if err := q.node(m.node); err != nil {
			return err
		}
		q.out = append(q.out, '}')
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case total >= 0:
		q.key("total")
		q.number(total)
	case len(page) == len(matches): // there are no more
		q.key("total")
		q.number(given + len(page))
	default:
		q.key("total_at_least")
		q.number(given + len(matches))
	}
	if written := placesIn(s.text); total == 0 && len(written) > 0 {
		return q.noPath(placeForm.FindStringSubmatch(written[0])[1])
	}
	if total == 0 {
		return q.writeNearest(s.text)
	}
	if len(page) < len(matches) {
		next := matches[len(page)]
		q.nextCursor(true, uint64(next.class), uint64(next.rank), uint64(given+len(page)))
	}
	return nil
}

// groupedMatches counts all matches. It looks at each.
func (q *question) groupedMatches(s *search) error {
	matches, _, err := s.matches(match{}, MaxInteger)
	if err != nil {
		return err
	}
	nodes := make([]uint32, len(matches))
	for i, m := range matches {
		nodes[i] = m.node
	}
	q.key("text")
	q.text(s.text)
	q.leftOut = -1 // those that would match are not looked at
	_, err = q.grouped(column{name: "matches", nodes: nodes})
	return err
}

// A search is what a text can match.
type search struct {
	q            *question
	text, folded string
	filter       filter

	idEqual, idFolded               []uint32 // ranks
	term                            uint32   // that is the text
	termStart, termFolded, termEnd  uint32   // equal but for case up to termFolded, beginning with it up to termEnd
	qualifiedEqual, qualifiedFolded []uint32
	qualifiedStart, qualifiedEnd    uint32 // ending with its parts

	// These are looked up when they are asked for: by few texts.
	loose               bool // they have been
	words, names, paths *candidates

	sets findSets
}

// A match is a node that matches.
type match struct {
	class      int
	rank, node uint32
}

// newSearch looks up what a text can match: a few look-ups in each book.
func (q *question) newSearch(text string) (*search, error) {
	s := &search{q: q, text: text, folded: symbol.Fold(text), term: store.Unknown}
	for _, step := range []func() error{s.findIDs, s.findTerms, s.findQualified} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// loosen looks up what a text can match as words or as a part.
func (s *search) loosen() (err error) {
	if s.loose {
		return nil
	}
	if s.words, err = s.q.withWords(symbol.Words(s.text)); err != nil {
		return err
	}
	if s.names, err = s.q.containing(&terms, s.folded); err != nil {
		return err
	}
	s.paths, err = s.q.containing(&paths, s.folded)
	if err == nil && len(s.paths.texts) == 0 && strings.Contains(s.folded, "/") {
		s.paths, err = s.q.containing(&paths, strings.ReplaceAll(s.folded, "/", `\`))
	}
	s.loose = err == nil
	return err
}

func (s *search) findIDs() error {
	add := func(ranks *[]uint32, node uint32) error {
		facts, err := s.q.view.Facts(node)
		*ranks = append(*ranks, facts.Rank)
		return err
	}
	e, found, err := s.q.view.Find(s.text)
	if err == nil && found && !e.Edge {
		err = add(&s.idEqual, e.Number)
	}
	if err != nil {
		return err
	}
	if e, found, err = s.q.view.Find(s.folded); err == nil && found && !e.Edge {
		err = add(&s.idFolded, e.Number)
	}
	if err != nil {
		return err
	}
	nodes, err := s.q.view.Folded(s.folded)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		id, err := s.q.nodeID(node)
		if err != nil {
			return err
		}
		if symbol.Fold(id) == s.folded {
			if err := add(&s.idFolded, node); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) findTerms() (err error) {
	if s.termStart, err = s.q.termsFrom(s.folded); err != nil {
		return err
	}
	for s.termFolded = s.termStart; s.termFolded < s.q.ix.Items(store.Terms); s.termFolded++ {
		b, err := s.q.view.Text(store.Terms, s.termFolded)
		if err != nil {
			return err
		}
		if string(b) == s.text {
			s.term = s.termFolded
		}
		if symbol.Fold(string(b)) != s.folded {
			break
		}
	}
	s.termEnd, err = s.q.endOf(&terms, s.termFolded, func(text []byte) bool {
		return strings.HasPrefix(symbol.Fold(string(text)), s.folded)
	})
	return err
}

func (s *search) findQualified() (err error) {
	parts := symbol.Parts(s.text)
	key := symbol.Key(parts)
	keyOf := func(text string) string { return symbol.Key(symbol.Parts(text)) }
	if len(parts) > 0 {
		if s.qualifiedStart, s.qualifiedEnd, err = s.q.namesEnding(parts); err != nil {
			return err
		}
	}
	i := s.qualifiedStart
	for ; i < s.q.ix.Items(store.Qualified); i++ {
		b, err := s.q.view.Text(store.Qualified, i)
		if err != nil {
			return err
		}
		text := string(b)
		if keyOf(text) != key {
			break
		}
		switch {
		case text == s.text:
			s.qualifiedEqual = append(s.qualifiedEqual, i)
		case symbol.Fold(text) == s.folded:
			s.qualifiedFolded = append(s.qualifiedFolded, i)
		}
	}
	return nil
}

// class says how a node matches.
func (s *search) class(rank uint32, r store.RankedRow) (int, error) {
	switch {
	case r.Term == s.term || slices.Contains(s.qualifiedEqual, r.Qualified) || slices.Contains(s.idEqual, rank):
		return 1, nil
	case s.termStart <= r.Term && r.Term < s.termFolded || slices.Contains(s.qualifiedFolded, r.Qualified) || slices.Contains(s.idFolded, rank):
		return 2, nil
	case s.termFolded <= r.Term && r.Term < s.termEnd:
		return 3, nil
	case r.Qualified != store.Unknown && s.qualifiedStart <= r.Qualified && r.Qualified < s.qualifiedEnd:
		return 4, nil
	}
	if err := s.loosen(); err != nil {
		return 0, err
	}
	if is, err := s.words.has(r.Term); is || err != nil {
		return 5, err
	}
	if is, err := s.names.has(r.Term); is || err != nil {
		return 6, err
	}
	if r.Path == store.Unknown {
		return 0, nil
	}
	is, err := s.paths.has(r.Path)
	if is {
		return 6, err
	}
	return 0, err
}

// Nodes up to this many are gathered and looked at one by one. For more, nodes
// are looked at in the order of ranks, until enough have been found.
const maxGathered = 600

// matches returns the matches from a place on, one more than limit when there
// are as many; and how many there are in all, -1 when that was not counted.
func (s *search) matches(from match, limit int) (matches []match, total int, err error) {
	limit = min(limit, MaxInteger-1) + 1
	all := make([]int, 0, classes)
	for class := 1; class <= classes; class++ {
		all = append(all, class)
	}
	matches, counted, err := s.gather(all...)
	if err != nil {
		return nil, 0, err
	}
	if counted {
		start, _ := slices.BinarySearchFunc(matches, from, compareMatches)
		return matches[start:min(len(matches), start+limit)], len(matches), nil
	}
	matches, err = s.first(from, limit)
	return matches, -1, err
}

// first returns the first matches from a place on.
func (s *search) first(from match, limit int) (matches []match, err error) {
	for class := max(from.class, 1); class <= classes && len(matches) < limit; class++ {
		start := uint32(0)
		if class == from.class {
			start = from.rank
		}
		left := limit - len(matches)
		found, next, err := s.probe(class, start, left)
		if err != nil {
			return nil, err
		}
		if len(found) < left && next != noRank {
			rest, err := s.sift(class, next, left-len(found))
			if err != nil {
				return nil, err
			}
			found = append(found, rest...)
		}
		matches = append(matches, found...)
	}
	return matches, nil
}

// Most searches find enough among the first nodes that they look at. This
// many of each class are looked at before sets are made of what can match.
const maxTries = 64

// noRank stands for there being no more nodes.
const noRank = store.Unknown

// probe looks at the nodes that can match in a class in the order of ranks,
// from start on, until it has found enough or has looked at too many. It
// returns the rank to go on from.
func (s *search) probe(class int, start uint32, limit int) (found []match, next uint32, err error) {
	d, err := s.driver(class)
	if err != nil {
		return nil, 0, err
	}
	next = noRank
	tries := 0
	each := func(rank uint32) (bool, error) {
		if tries++; tries > maxTries {
			next = rank
			return false, nil
		}
		m, err := s.look(rank)
		if m.class == class {
			found = append(found, m)
		}
		return len(found) < limit, err
	}
	if !d.huge {
		err = d.merge(start, each)
		return found, next, err
	}
	s.q.view.PrefetchRows(store.Ranked, start, min(start+maxTries, s.q.ix.Items(store.Ranked)))
	for rank := start; rank < s.q.ix.Items(store.Ranked); rank++ {
		if more, err := each(rank); !more || err != nil {
			return found, next, err
		}
	}
	return found, next, nil
}

func compareMatches(x, y match) int {
	return cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(x.rank, y.rank))
}

// look looks at one node.
func (s *search) look(rank uint32) (match, error) {
	if err := s.q.step(); err != nil {
		return match{}, err
	}
	r, err := s.q.view.Ranked(rank)
	if err != nil {
		return match{}, err
	}
	return s.see(rank, r)
}

// see says how a node matches, if it is asked for.
func (s *search) see(rank uint32, r store.RankedRow) (match, error) {
	class, err := s.class(rank, r)
	if class == 0 || err != nil {
		return match{}, err
	}
	asked, err := s.filter.has(r)
	if !asked || err != nil {
		return match{}, err
	}
	return match{class, rank, r.Node}, nil
}

// driver returns lists of nodes that are all that can match in some classes:
// those of the text, or those that the filter leaves, whichever are fewer.
func (s *search) driver(of ...int) (*driver, error) {
	d := &driver{q: s.q}
	for _, class := range of {
		if err := s.drive(d, class); err != nil {
			return nil, err
		}
		if d.huge || d.count > maxGathered && len(of) > 1 {
			break // too many to be gathered, however many more there are
		}
	}
	if !d.huge && d.count <= maxGathered || s.filter.all() {
		return d, nil
	}
	filtered, err := s.filtered()
	if err != nil {
		return nil, err
	}
	if d.huge || !filtered.huge && filtered.count < d.count {
		return filtered, nil
	}
	return d, nil
}

// filtered returns lists of the nodes that the filter leaves.
func (s *search) filtered() (*driver, error) {
	if s.sets.filtered == nil {
		d, sorts := &driver{q: s.q}, &driver{q: s.q}
		if s.filter.path != nil {
			if err := candidateNodes(d, s.filter.path); err != nil {
				return nil, err
			}
		}
		for _, rows := range s.filter.sortRows(s.q.ix) {
			sorts.add(store.SortRanks, rows)
		}
		if s.filter.path == nil || s.filter.sorts != nil && (d.huge || sorts.count < d.count) {
			d = sorts
		}
		s.sets.filtered = d
	}
	return s.sets.filtered, nil
}

// gather returns all matches of some classes, in order, or says that too many
// nodes would have to be looked at.
func (s *search) gather(of ...int) (matches []match, few bool, err error) {
	d, err := s.driver(of...)
	if err != nil || d.huge || d.count > maxGathered {
		return nil, false, err
	}
	ranks, err := d.all()
	if err != nil {
		return nil, false, err
	}
	slices.Sort(ranks)
	s.q.view.Prefetch(store.Ranked, ranks)
	for _, rank := range slices.Compact(ranks) {
		m, err := s.look(rank)
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(of, m.class) {
			matches = append(matches, m)
		}
	}
	slices.SortFunc(matches, compareMatches)
	return matches, true, nil
}

// drive adds to a driver or a set all nodes that can match in a class.
func (s *search) drive(to nodes, class int) error {
	switch class {
	case 1:
		to.some(s.idEqual)
		if s.term != store.Unknown {
			if err := to.texts(&terms, s.term, s.term+1); err != nil {
				return err
			}
		}
		return each(to, &qualified, s.qualifiedEqual)
	case 2:
		to.some(s.idFolded)
		if err := to.texts(&terms, s.termStart, s.termFolded); err != nil {
			return err
		}
		return each(to, &qualified, s.qualifiedFolded)
	case 3:
		return to.texts(&terms, s.termFolded, s.termEnd)
	case 4:
		return to.texts(&qualified, s.qualifiedStart, s.qualifiedEnd)
	}
	if err := s.loosen(); err != nil {
		return err
	}
	if class == 5 {
		return candidateNodes(to, s.words)
	}
	if err := candidateNodes(to, s.names); err != nil {
		return err
	}
	return candidateNodes(to, s.paths)
}
