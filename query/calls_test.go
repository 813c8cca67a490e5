package query_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"brick/internal/test/testbuild"
)

// TestCallees counts the nodes that patterns of names match.
func TestCallees(t *testing.T) {
	names := []string{
		"go.etcd.io/bbolt.(*Bucket).Get", "aa.bb.cc.dd", "aa.dd", "lruCache[K, V].Set", "ns::Type::empty?", `App\Model::{closure}`,
	}
	var nodes []string
	for i, name := range names {
		nodes = append(nodes, fmt.Sprintf(`{"id":"%d","kind":"function","name":"n","qualified_name":%q}`, i, name))
	}
	ix := testbuild.Open(t, t.TempDir(), []byte(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[`+strings.Join(nodes, ",")+`],"edges":[]}`))
	defer ix.Close()
	for _, test := range []struct {
		pattern string
		want    int
	}{
		{"aa.**", 2}, {"aa.*", 1}, {"a**.dd", 2}, {"aa.b**", 1}, {"bb**", 2}, {"a**d", 2}, {"aa**dd", 2}, {"a*d", 0}, {"**", 6},
		{"Bucket.Get", 1}, {"bbolt.*.Get", 1}, {"bbolt.Get", 0}, {"bbolt**Get", 1}, {"bucket.get", 0},
		{"lruCache[K, V].Set", 1}, {"lruCache[K].Set", 0}, {"lruCache*.Set", 1},
		{"Type::empty?", 1}, {"Type::empt?", 0}, {`App\Model::{closure}`, 1},
	} {
		text, err := answerJSON(ix, "brick_calls", map[string]any{"pattern": test.pattern})
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		var answer struct{ Callees int }
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Callees != test.want {
			t.Errorf("%s: %d callees, want %d", test.pattern, answer.Callees, test.want)
		}
	}
	_, err := answerJSON(ix, "brick_calls", map[string]any{"pattern": strings.Repeat("*a", 65)})
	if err == nil || !strings.Contains(err.Error(), "more than 64 wildcards") {
		t.Errorf("65 stars: %v", err)
	}
}
