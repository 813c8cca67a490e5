package query

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

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
// ids of nodes that it resembles, see proposed.
func (q *question) resembling(id, problem string, filter nodeFilter) error {
	e := &NotFoundError{Problem: problem, Next: nextID(nested.ReplaceAllString(id, ""))}
	nodes, err := q.proposed(id, filter)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		other, err := q.nodeID(node)
		if err != nil {
			return err
		}
		if other != id {
			e.Resemble = append(e.Resemble, other)
		}
	}
	return e
}

// proposed returns up to five nodes that an id, or a name in its place,
// resembles: first the function that a nested one of that id would be in; then
// those that brick_find finds by it; those whose name is its last word, and
// those that stand next to it in the order of ids, nearest by edit distance
// first (Levenshtein); where there are none of these, those with a similar
// name, and at last those that brick_find finds by the last word. It takes
// some look-ups, whatever the index's size, but for similar names.
func (q *question) proposed(id string, filter nodeFilter) ([]uint32, error) {
	nodes, err := q.around(id, filter)
	if err != nil {
		return nil, err
	}
	for _, more := range []func(string, nodeFilter) ([]uint32, error){q.found, q.near} {
		others, err := more(id, filter)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, others...)
	}
	if len(nodes) == 0 {
		if nodes, err = q.similar(id, filter); err != nil {
			return nil, err
		}
	}
	if len(nodes) == 0 && len(lastWord(id)) > 2 && lastWord(id) != id {
		if nodes, err = q.found(lastWord(id), filter); err != nil {
			return nil, err
		}
	}
	var distinct []uint32
	for _, node := range nodes {
		if !slices.Contains(distinct, node) && len(distinct) < maxResembling {
			distinct = append(distinct, node)
		}
	}
	return distinct, nil
}

// writeNearest writes the member nearest of a search that found nothing: the
// ids of nodes that its text resembles. So what was misspelt is not taken for
// what isn't there.
func (q *question) writeNearest(text string) error {
	nodes, err := q.proposed(text, anyNode)
	if err != nil || len(nodes) == 0 {
		return err
	}
	q.key("nearest")
	return list(q, nodes, func(node uint32) (err error) {
		q.out, err = q.view.AppendNodeID(q.out, node)
		return err
	})
}

// nested is what names of functions without a name end with: Go's closures
// and method values, Java's and JavaScript's numbered ones, Python's locals.
var nested = regexp.MustCompile(`(\.func\d+|\.\d+|-fm|-range\d+|\$\d+|\.?<locals>.*|\.?<lambda>.*|\.?\{closure.*)+$`)

// around returns the function that a nested one is in.
func (q *question) around(id string, filter nodeFilter) ([]uint32, error) {
	outer := nested.ReplaceAllString(id, "")
	if outer == "" || outer == id {
		return nil, nil
	}
	e, is, err := q.view.Find(outer)
	if err != nil {
		return nil, err
	}
	if !is || e.Edge {
		return q.found(outer, filter)
	}
	row, err := q.view.NodeRow(e.Number)
	if err != nil || !filter(row) {
		return nil, err
	}
	return []uint32{e.Number}, nil
}

// nextID says how to find an id.
func nextID(id string) string {
	word := lastWord(id)
	if word == "" {
		word = "name"
	}
	text, err := json.Marshal(map[string]string{"text": word})
	if err != nil {
		return ""
	}
	return "brick_find finds ids by a name, a part of one, or a path: " + string(text)
}

const nextPath = `brick_files lists the files, by glob ({"path": "dir/**"}); brick_find finds one by a part of its path.`

// found returns what brick_find finds by a text, but by other things than a
// part of a name or path.
func (q *question) found(text string, filter nodeFilter) ([]uint32, error) {
	if text == "" || !utf8.ValidString(text) {
		return nil, nil
	}
	s, err := q.newSearch(text)
	if err != nil {
		return nil, err
	}
	matches, err := s.first(match{}, maxNamesakes)
	var nodes []uint32
	for _, m := range matches {
		row, err := q.view.NodeRow(m.node)
		if err != nil {
			return nil, err
		}
		if filter(row) && len(nodes) < maxResembling {
			nodes = append(nodes, m.node)
		}
	}
	return nodes, err
}

// near returns the nodes whose id is at a small edit distance, or that have
// the name that is the id's last word.
func (q *question) near(id string, filter nodeFilter) ([]uint32, error) {
	candidates, err := q.namesakes(lastWord(id))
	if err != nil {
		return nil, err
	}
	beside, err := q.beside(id)
	if err != nil {
		return nil, err
	}
	candidates = append(candidates, beside...)
	slices.Sort(candidates)
	type near struct {
		node     uint32
		distance int
	}
	var matches []near
	for _, node := range slices.Compact(candidates) {
		row, err := q.view.NodeRow(node)
		if err != nil {
			return nil, err
		}
		other, err := q.nodeID(node)
		if err != nil {
			return nil, err
		}
		if other == id || !filter(row) {
			continue
		}
		a, b := compared(id), compared(other)
		distance := levenshtein.ComputeDistance(a, b)
		if 2*distance > max(len(a), len(b)) && !strings.EqualFold(lastWord(id), lastWord(other)) {
			continue
		}
		matches = append(matches, near{node, distance})
	}
	// Nodes are numbered in the order of their ids.
	slices.SortFunc(matches, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.node, b.node))
	})
	nodes := make([]uint32, len(matches))
	for i, m := range matches {
		nodes[i] = m.node
	}
	return nodes, nil
}

// pathsLike returns the paths that one resembles, nearest first: those that
// contain its last part, and those beside it in order.
func (q *question) pathsLike(path string) ([]string, error) {
	path = strings.ToValidUTF8(path, "")
	plain := strings.TrimRight(strings.TrimRight(path, "*"), "/")
	last := plain[strings.LastIndexByte(plain, '/')+1:]
	candidates := []uint32{}
	if g, err := compileGlob(last, "/"); err == nil && g.literal != "" {
		c, err := q.containing(&paths, symbol.Fold(g.literal))
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, c.texts[:min(len(c.texts), maxNamesakes)]...)
	}
	place, _, err := q.path(plain)
	if err != nil {
		return nil, err
	}
	n := q.ix.Items(store.Paths)
	candidates = append(candidates, span(place-min(place, neighbourhood), min(place+neighbourhood, n))...)
	slices.Sort(candidates)
	type near struct {
		path     string
		distance int
	}
	var matches []near
	for _, number := range slices.Compact(candidates) {
		text, err := q.view.Text(store.Paths, number)
		if err != nil {
			return nil, err
		}
		other := string(text)
		distance := levenshtein.ComputeDistance(compared(plain), compared(other))
		if 2*distance > max(len(plain), len(other)) && (last == "" || !strings.Contains(symbol.Fold(other), symbol.Fold(last))) {
			continue
		}
		matches = append(matches, near{other, distance})
	}
	slices.SortFunc(matches, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.path, b.path))
	})
	var list []string
	for _, m := range matches[:min(len(matches), maxResembling)] {
		list = append(list, m.path)
	}
	return list, nil
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
	words := strings.FieldsFunc(id, notOfWord)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func notOfWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// compared is the part of an id that counts for its distance from another:
// the end, which tells ids of one package apart.
func compared(id string) string {
	return strings.ToValidUTF8(id[max(len(id)-maxCompared, 0):], "")
}
