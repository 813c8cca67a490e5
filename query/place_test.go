package query_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"brick/internal/test/testbuild"
	"brick/query"
	"brick/store"
)

// windows is a model whose scanner writes backslashes, below a root.
const windows = `{"schema_version":4,"root":"C:\\src\\shop","repositories":[{"id":"r"}],"scope":{},"edges":[],"nodes":[
	{"id":"f1","kind":"file","name":"cart.cs","path":"src\\web\\cart.cs"},
	{"id":"Cart","kind":"class","name":"Cart","path":"src\\web\\cart.cs","span":{"start_line":3,"end_line":40}},
	{"id":"Add","kind":"method","name":"Add","path":"src\\web\\cart.cs","span":{"start_line":5,"start_column":2,"end_line":9,"end_column":3}},
	{"id":"Pay","kind":"method","name":"Pay","path":"src\\web\\cart.cs","span":{"start_line":9,"start_column":5,"end_line":20,"end_column":3}},
	{"id":"total","kind":"field","name":"total","path":"src\\web\\cart.cs","span":{"start_line":4,"end_line":4}},
	{"id":"f2","kind":"file","name":"cart.cs","path":"src\\old\\cart.cs"},
	{"id":"Old","kind":"function","name":"Old","path":"src\\old\\cart.cs","span":{"start_line":1}},
	{"id":"f3","kind":"file","name":"main.cs","path":"main.cs"}]}`

// TestPlaces asks what is at places, written in ways that people and programs
// write them.
func TestPlaces(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(windows))
	defer ix.Close()
	for _, test := range []struct{ text, want string }{
		{`src\web\cart.cs:6`, "place Add, place Cart, place f1"},
		{`src/web/cart.cs:6`, "place Add, place Cart, place f1"},
		{`./src/web/cart.cs:6`, "place Add, place Cart, place f1"},
		{`C:\src\shop\src\web\cart.cs:6`, "place Add, place Cart, place f1"},
		{`web/cart.cs:6`, "place Add, place Cart, place f1"},
		{`web/cart.cs:6:`, "place Add, place Cart, place f1"}, // as compilers write it
		{`web/cart.cs:4`, "place Cart, place f1"},
		{`web/cart.cs:9`, "place Pay, place Add, place Cart, place f1"},
		{`web/cart.cs:9:3`, "place Add, place Cart, place f1"},
		{`web/cart.cs:9:4`, "place Cart, place f1"},
		{`web/cart.cs:9:5`, "place Pay, place Cart, place f1"},
		{`web/cart.cs:1-6`, "touched Cart, touched Add, place f1"},
		{`web/cart.cs:6-12`, "place Cart, touched Add, touched Pay, place f1"},
		{`web/cart.cs:50`, "place f1"},
		{`old/cart.cs:1`, "place Old, place f2"},
		{`old/cart.cs:2`, "place f2"},
		{`main.cs:1`, "place f3"},
	} {
		if got := found(t, ix, test.text); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"cart.cs:3", `several paths of the model end with "cart.cs"`},
		{"art.cs:3", `no path of the model is or matches "art.cs"`},
		{"/usr/lib/main.cs:3", `no path of the model is or matches "/usr/lib/main.cs"`}, // another project's
		{"main.cs:0", "is no place"},
		{"main.cs:5-4", "is no place"},
		{"main.cs:3:0", "is no place"},
		{"main.cs:4294967297", "is no place"},
	} {
		_, err := answerJSON(ix, "brick_find", map[string]any{"text": test.text})
		if !errors.As(err, new(*query.NotFoundError)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.text, err, test.want)
		}
	}
}

// TestTraces pastes lines of stack traces, and of compilers and tests.
func TestTraces(t *testing.T) {
	model := `{"schema_version":4,"root":".","repositories":[{"id":"repo:shop"}],"scope":{},"edges":[],"nodes":[`
	for i, path := range []string{"cart.go", "web/cart.go", "shop/cart.py", "src/cart.ts", "src/main/java/com/shop/Cart.java", "src/test/java/com/old/Cart.java", "crates/cart/src/lib.rs"} {
		if i > 0 {
			model += ","
		}
		model += `{"id":"` + path + `","kind":"function","name":"f","path":"` + path + `","span":{"start_line":10,"end_line":20}}`
	}
	ix := testbuild.Open(t, t.TempDir(), []byte(model+"]}"))
	defer ix.Close()
	for _, test := range []struct{ line, want string }{
		{"\t/home/me/shop/cart.go:12 +0x1d4", "place cart.go"},
		{"\t/root/go/pkg/mod/example.com/shop@v1.2.3/cart.go:12 +0x1d4", "place cart.go"},
		{"/build/shop/web/cart.go:12 +0x1d4", "place web/cart.go"},
		{"    cart.go:15: unexpected total", "place cart.go"},
		{`  File "/srv/app/shop/cart.py", line 12, in total`, "place shop/cart.py"},
		{`  File "shop/cart.py", line 20`, "place shop/cart.py"},
		{"    at Cart.add (/srv/app/src/cart.ts:10:5)", "place src/cart.ts"},
		{"    at async Cart.add (file:///srv/app/src/cart.ts:10:5)", "place src/cart.ts"},
		{"    at /srv/app/src/cart.ts:12:1", "place src/cart.ts"},
		{"    at Array.map (<anonymous>)", ""},
		{"\tat com.shop.Cart.add(Cart.java:12)", "place src/main/java/com/shop/Cart.java"},
		{"\tat app//com.old.Cart$Line.<init>(Cart.java:12)", "place src/test/java/com/old/Cart.java"},
		{"             at ./crates/cart/src/lib.rs:12:9", "place crates/cart/src/lib.rs"},
		{"             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/panicking.rs:12:9", "error"},
		{"/usr/local/go/src/net/cart.go:12 +0x1d4", "error"}, // not the repository's
		{"shop/cart.py:12: error: Name is not defined", "place shop/cart.py"},
	} {
		if test.want == "error" {
			if _, err := answerJSON(ix, "brick_find", map[string]any{"text": test.line}); !errors.As(err, new(*query.NotFoundError)) {
				t.Errorf("%q: error %v, want one", test.line, err)
			}
			continue
		}
		if got := found(t, ix, test.line); got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
	}
}

// found is what brick_find finds by a text.
func found(t *testing.T, ix *store.Index, text string) string {
	t.Helper()
	answer, err := answerJSON(ix, "brick_find", map[string]any{"text": text})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var got struct {
		Matches []struct {
			Match string
			Node  struct{ ID string }
		}
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range got.Matches {
		list = append(list, m.Match+" "+m.Node.ID)
	}
	return strings.Join(list, ", ")
}

// TestPlacesForNodes gives places where nodes are asked for.
func TestPlacesForNodes(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(windows))
	defer ix.Close()
	for _, test := range []struct{ tool, argument, asked, want string }{
		{"brick_callers", "node_id", "web/cart.cs:6", "Add"},
		{"brick_callers", "node_id", "web/cart.cs:5-9", "Add"},
		{"brick_impact", "node_id", "web/cart.cs:4", "Cart"},
		{"brick_impact", "node_id", "main.cs", "f3"},
		{"brick_impact", "node_id", "main.cs:7", "f3"},
		{"brick_evidence", "entity_id", "old/cart.cs:1", "Old"},
	} {
		answer, err := answerJSON(ix, test.tool, map[string]any{test.argument: test.asked})
		if err != nil {
			t.Errorf("%s: %v", test.asked, err)
			continue
		}
		var got struct {
			Places []struct {
				Asked  string
				NodeID string `json:"node_id"`
			}
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatal(err)
		}
		if p := got.Places; len(p) != 1 || p[0].Asked != test.asked || p[0].NodeID != test.want {
			t.Errorf("%s %s: %+v, want %s", test.tool, test.asked, p, test.want)
		}
	}
	for _, test := range []struct {
		asked string
		want  []string // resembling ids
	}{
		{"web/cart.cs:1-12", []string{"Cart", "Add", "Pay"}},
		{"main.cs:7", nil},
		{"main.cs", nil},
	} {
		_, err := answerJSON(ix, "brick_callers", map[string]any{"node_id": test.asked})
		var none *query.NotFoundError
		if !errors.As(err, &none) || !slices.Equal(none.Resemble, test.want) {
			t.Errorf("%s: error %v, want one that names %v", test.asked, err, test.want)
		}
	}
}

// TestSlashes gives paths of another system's separators.
func TestSlashes(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(windows))
	defer ix.Close()
	if got := found(t, ix, "src/web"); got != "substring Add, substring Cart, substring Pay, substring f1, substring total" {
		t.Errorf("src/web: %s", got)
	}
	for _, path := range []string{"src/web/cart.cs", `src\web\cart.cs`, "web/cart.cs"} {
		answer, err := answerJSON(ix, "brick_file", map[string]any{"path": path})
		if err != nil || !strings.Contains(string(answer), `"path":"src\\web\\cart.cs","file":{`) {
			t.Errorf("%s: %s, error %v", path, answer, err)
		}
	}
	for glob, want := range map[string]int{"src/**": 2, "**/web/*.cs": 1, "src/*/cart.cs": 2} {
		answer, err := answerJSON(ix, "brick_files", map[string]any{"path": glob})
		if err != nil {
			t.Errorf("%s: %v", glob, err)
			continue
		}
		var got struct{ Total int }
		if err := json.Unmarshal(answer, &got); err != nil || got.Total != want {
			t.Errorf("%s: %d files, want %d", glob, got.Total, want)
		}
	}
}
