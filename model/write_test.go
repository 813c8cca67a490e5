package model

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// produce is a Producer that is one function.
type produce func(Sink) (*Header, error)

func (p produce) Produce(_ context.Context, sink Sink) (*Header, error) { return p(sink) }

var claim = []Evidence{{Lane: Symbolic, Backend: "b"}}

func TestWriteJSON(t *testing.T) {
	node := func(id string) *Node { return &Node{ID: id, Kind: Function, Name: id} }
	edge := func(id string) *Edge {
		return &Edge{ID: id, Kind: Calls, Source: "n", Target: "m", Evidence: claim}
	}
	header := &Header{Root: ".", RepositoryID: "r\n"}
	const n, m, e, f = `{"id":"n","kind":"function","name":"n"}`, `{"id":"m","kind":"function","name":"m"}`,
		`{"evidence":[{"backend":"b","lane":"symbolic"}],"id":"e","kind":"calls","source":"n","target":"m"}`,
		`{"evidence":[{"backend":"b","lane":"symbolic"}],"id":"f","kind":"calls","source":"n","target":"m"}`
	const end = `"repositories":[{"id":"r\n"}],"root":".",` + "\n"
	for _, c := range []struct {
		name string
		p    produce
		want string
	}{
		{"nothing", func(Sink) (*Header, error) { return header, nil },
			"{\"schema_version\":4,\n\"nodes\":[],\n\"edges\":[\n],\n" + end + "\"scope\":{}}\n"},
		{"nodes first", func(s Sink) (*Header, error) {
			return header, errors.Join(s.Node(node("n")), s.Edge(edge("e")), s.Node(node("m")), s.Edge(edge("f")))
		}, "{\"schema_version\":4,\n\"nodes\":[\n" + n + ",\n" + m + "],\n\"edges\":[\n" + e + ",\n" + f + "],\n" + end + "\"scope\":{}}\n"},
		{"edges first", func(s Sink) (*Header, error) {
			h := &Header{Root: ".", RepositoryID: "r\n", Generator: Generator{Version: "1"}, Scope: map[string]any{"b": 1, "a": 1.50}, Resolution: map[string]map[string]int{"go": {"x": 1}}}
			return h, errors.Join(s.Edge(edge("e")), s.Node(node("n")))
		}, "{\"schema_version\":4,\n\"edges\":[\n" + e + "],\n\"nodes\":[\n" + n + "],\n\"generator\":{\"version\":\"1\"},\n\"metrics\":{\"resolution\":{\"go\":{\"x\":1}}},\n" + end + "\"scope\":{\"a\":1.5,\"b\":1}}\n"},
	} {
		var out bytes.Buffer
		if err := WriteJSON(t.Context(), &out, c.p); err != nil || out.String() != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, out.String(), c.want)
		}
	}
}

// What can't be JSON is refused, by name.
func TestRefusedValues(t *testing.T) {
	deep := any("x")
	for range maxLevels - 1 {
		deep = []any{deep}
	}
	deeper := []any{deep}
	cycle := map[string]any{}
	cycle["itself"] = cycle
	for _, c := range []struct {
		value any
		want  string // "" when it is taken
	}{
		{deep.([]any)[0], ""}, {deep, "more than 1000 arrays and objects"}, {deeper, "more than 1000 arrays and objects"}, {cycle, "more than 1000 arrays and objects"},
		{"caf\xe9", "not UTF-8"}, {[]string{"\xff"}, "not UTF-8"}, {map[string]any{"\xff": 1}, "not UTF-8"},
		{math.NaN(), "none of JSON"}, {func() {}, "none of JSON"}, {make(chan int), "none of JSON"},
	} {
		p := produce(func(s Sink) (*Header, error) {
			return &Header{Root: ".", RepositoryID: "r"}, s.Node(&Node{ID: "n", Kind: "k", Attributes: map[string]any{"a": c.value}})
		})
		err := WriteJSON(t.Context(), &bytes.Buffer{}, p)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.20v: error %.200v, want %q", c.value, err, c.want)
		}
	}
}

// The error of a sink, and that of a producer, come back as they are.
func TestProducerFails(t *testing.T) {
	broken := errors.New("broken")
	p := produce(func(Sink) (*Header, error) { return nil, broken })
	if err := WriteJSON(t.Context(), &bytes.Buffer{}, p); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
