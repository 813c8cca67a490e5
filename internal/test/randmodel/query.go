package randmodel

import (
	"encoding/json"
	"slices"

	"pgregory.net/rapid"
)

// A Query is a call with valid arguments: strings, int64 and bool.
type Query struct {
	Tool string
	Args map[string]any
}

// JSON returns the arguments as a JSON object.
func (q Query) JSON() []byte {
	b, err := json.Marshal(q.Args)
	if err != nil {
		panic(err)
	}
	return b
}

// GenQuery generates queries for d, now and then of something that isn't there
// or is of the wrong kind.
func GenQuery(d *Doc) *rapid.Generator[Query] {
	nodes, edges, functions := d.NodeIDs(), d.EdgeIDs(), d.FunctionIDs()
	return rapid.Custom(func(t *rapid.T) Query {
		g := &gen{T: t}
		// id draws one of ids, rarely another one.
		id := func(ids []string) string {
			switch {
			case g.sometimes(12):
				return place(g)
			case len(ids) == 0 || g.sometimes(12):
				return pick(g, slices.Concat([]string{"no such id", " ", "f", "\U0010ffff"}, nodes, edges))
			case g.sometimes(24):
				return pick(g, ids) + "x"
			}
			return pick(g, ids)
		}
		q := Query{Args: map[string]any{}}
		optional := func(name string, value func() any) {
			if !g.sometimes(3) {
				q.Args[name] = value()
			}
		}
		truth := func() any { return g.sometimes(2) }
		defer func() { filters(g, q) }()
		switch g.upTo(9) {
		case 0:
			q.Tool = "brick_bridges"
		case 1:
			q.Tool = "brick_cycles"
			optional("level", func() any { return pick(g, levels) })
		case 2, 3:
			q.Tool = "brick_evidence"
			q.Args["entity_id"] = id(slices.Concat(nodes, edges))
		case 4, 5:
			q.Tool = "brick_impact"
			q.Args["node_id"] = id(nodes)
			optional("direction", func() any { return pick(g, []string{"dependents", "dependencies"}) })
			optional("max_depth", func() any { return pick(g, []int64{1, 0, 2, 3, 5, 100, 1<<31 - 1}) })
			optional("level", func() any { return pick(g, levels) })
		case 6, 7:
			q.Tool = "brick_callers"
			q.Args["node_id"] = id(functions)
			optional("assume_closed_world", truth)
		default:
			q.Tool = "brick_uncalled"
			if g.sometimes(2) {
				q.Args["language"] = pick(g, []string{
					"go", "c", "cpp", "unspecified", "none", "C", "rust", "\ue000", "😀",
				})
			}
			optional("assume_closed_world", truth)
			optional("include_unknown", truth)
			optional("limit", func() any { return pick(g, []int64{100, 0, 1, 2, 3, 10, 1<<31 - 1}) })
		}
		return q
	})
}

// place draws a place, now and then of a path that isn't there.
func place(g *gen) string {
	path := pick(g, slices.Concat(paths, []string{"none", "a.c", "./b.go", `dir\a.c`, "dir/b.go", "/src/repo/a.c", "/x/dir/a.c", "/home/R/b.go", `C:\\x\\dir\\b.go`}))
	return path + pick(g, []string{"", ":1", ":2", ":3", ":10", ":2:1", ":3:10", ":1:2", ":1-3", ":2-10", ":3-2", ":0", ":9999999999"})
}

var levels = []string{"node", "module", "imports"}

// filters adds now and then arguments that leave entries out of a list, or
// count them in groups.
func filters(g *gen, q Query) {
	if !g.sometimes(2) {
		return
	}
	some := func(name string, values ...any) {
		if g.sometimes(3) {
			q.Args[name] = pick(g, values)
		}
	}
	some("path", "a.c", "./a.c", "dir", "dir/", "./dir", "dir/**", "*.go", "**", ".", "none")
	if q.Tool == "brick_callers" || q.Tool == "brick_uncalled" {
		some("kinds", []string{"method"}, []string{"Function"}, []string{"none"})
	} else {
		some("kinds", []string{"calls"}, []string{"function"}, []string{"Imports", "method"}, []string{"contains"}, []string{"file", "module"})
	}
	some("tests", "only", "without")
	some("group_by", "package", "file")
	if q.Tool == "brick_uncalled" {
		some("include_called_only_by_tests", true)
	}
	some("records", "brief", "names")
	some("limit", int64(2), int64(1000))
}

// EveryQuery returns queries for d that ask for everything there is: each
// node, edge and function, with several forms of arguments.
func EveryQuery(d *Doc) []Query {
	qs := []Query{
		{"brick_cycles", map[string]any{}},
		{"brick_cycles", map[string]any{"level": "module"}},
		{"brick_cycles", map[string]any{"level": "imports"}},
		{"brick_bridges", map[string]any{}},
		{"brick_find", map[string]any{"text": "a.c:1", "limit": int64(100)}},
		{"brick_find", map[string]any{"text": "a.c:2:1", "limit": int64(100)}},
		{"brick_find", map[string]any{"text": "a.c:2-10", "limit": int64(2)}},
		{"brick_find", map[string]any{"text": "dir/b.go:3", "limit": int64(100)}},
		{"brick_uncalled", map[string]any{}},
		{"brick_uncalled", map[string]any{"include_unknown": true, "assume_closed_world": true, "limit": int64(2)}},
		{"brick_uncalled", map[string]any{"include_unknown": true, "language": "unspecified"}},
		{"brick_uncalled", map[string]any{"include_unknown": true, "language": "c", "limit": int64(0)}},
	}
	for _, id := range slices.Concat(d.NodeIDs(), d.EdgeIDs()) {
		qs = append(qs, Query{"brick_evidence", map[string]any{"entity_id": id}})
	}
	for _, id := range d.NodeIDs() {
		for _, direction := range []string{"dependents", "dependencies"} {
			for _, depth := range []int64{0, 1, 2, 1<<31 - 1} {
				qs = append(qs, Query{"brick_impact", map[string]any{"node_id": id, "direction": direction, "max_depth": depth}})
			}
		}
		for _, closed := range []bool{false, true} {
			qs = append(qs, Query{"brick_callers", map[string]any{"node_id": id, "assume_closed_world": closed}})
		}
	}
	return qs
}
