package query_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"brick/query"
)

// TestEveryFault wants all that is wrong with the arguments in one error, with
// the right name where one was misspelt.
func TestEveryFault(t *testing.T) {
	for _, test := range []struct{ tool, arguments, want string }{
		{"brick_evidence", `{"node_id":"x"}`,
			`brick_evidence: argument "entity_id" is required; argument "node_id" is unknown, perhaps "entity_id" is meant: it takes entity_id, path, kinds, tests, group_by, limit, cursor, records`},
		{"brick_impact", `{"Node_id":"x","max_depth":-1,"direction":"up","depth":1}`,
			`brick_impact: argument "node_id" is required; argument "direction" must be one of dependents, dependencies, not "up"; argument "max_depth" must be an integer from 0 to 2147483647, not -1; argument "Node_id" is unknown, perhaps "node_id" is meant; argument "depth" is unknown, perhaps "max_depth" is meant: it takes `},
		{"brick_find", `{"query":"x"}`, `argument "text" is required; argument "query" is unknown, perhaps "text" is meant: it takes `},
		{"brick_reload", `{"zzz":1}`, `brick_reload: argument "zzz" is unknown: it takes no arguments`},
	} {
		_, err := query.Lookup(test.tool).ParseArguments([]byte(test.arguments))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) && !strings.HasSuffix(err.Error(), test.want) && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v, want %s", test.tool, test.arguments, err, test.want)
		}
	}
}

func TestNearestName(t *testing.T) {
	tools := query.Names()
	for name, want := range map[string]string{
		"Brick_cycles": "brick_cycles", "brick_caller": "brick_callers", "brick-file": "brick_file", "find_callers": "brick_callers",
		"callers": "brick_callers", "brick_impacts": "brick_impact", "brick_uses": "", "": "", "frob": "", "\xff": "",
	} {
		if got := query.Nearest(name, tools); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestSlips wants the right id as the first proposal, or among them, for one
// that was misspelt.
func TestSlips(t *testing.T) {
	ix, _ := bbolt(t)
	const grow = "go:(*go.etcd.io/bbolt.DB).grow"
	for _, test := range []struct {
		tool, argument, asked string
		want                  string // the first that is proposed
	}{
		{"brick_callers", "node_id", grow + ".func1", grow},
		{"brick_callers", "node_id", grow + ".func2.1", grow},
		{"brick_callers", "node_id", grow + "-fm", grow},
		{"brick_callers", "node_id", "go:(*go.etcd.io/bbolt.DB).gorw", grow},
		{"brick_impact", "node_id", "DB.grow", grow},
		{"brick_impact", "node_id", "DB.gorw", grow},
		{"brick_evidence", "entity_id", "DisableVerifcations", "go:go.etcd.io/bbolt/internal/common.DisableVerifications"},
		{"brick_evidence", "entity_id", "calls:go:(*go.etcd.io/bbolt.Tx).Commit->go:(*go.etcd.io/bbolt.DB).grw", "calls:go:(*go.etcd.io/bbolt.Tx).Commit->" + grow},
		{"brick_evidence", "entity_id", "calls:go:(*go.etcd.io/bbolt.Tx).Comit->" + grow, "calls:go:(*go.etcd.io/bbolt.Tx).Commit->" + grow},
		{"brick_evidence", "entity_id", "call:go:(*go.etcd.io/bbolt.Tx).Commit->" + grow, "calls:go:(*go.etcd.io/bbolt.Tx).Commit->" + grow},
		{"brick_cycles", "cycle_id", "cycle:2a1ba25d5d8ca277", "cycle:2a1ba25d5d8ca276"},
		{"brick_evidence", "entity_id", "cycle:2a1ba25d5d8ca277", "cycle:2a1ba25d5d8ca276"},
		{"brick_file", "path", "cursro.go", "cursor.go"},
		{"brick_files", "path", "cmd/bbolt/mian.go", "cmd/bbolt/main.go"},
	} {
		_, err := answerJSON(ix, test.tool, map[string]any{test.argument: test.asked})
		var missing *query.NotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("%s %q: error %v", test.tool, test.asked, err)
			continue
		}
		if len(missing.Resemble) == 0 || missing.Resemble[0] != test.want {
			t.Errorf("%s %q: proposed %q, want %q first", test.tool, test.asked, missing.Resemble, test.want)
		}
	}
	// A cycle's id where a node's or edge's is wanted.
	_, err := answerJSON(ix, "brick_evidence", map[string]any{"entity_id": "cycle:2a1ba25d5d8ca276"})
	if err == nil || !strings.Contains(err.Error(), `brick_cycles shows it: {"cycle_id":"cycle:2a1ba25d5d8ca276"}`) {
		t.Errorf("evidence of a cycle: %v", err)
	}
	var cycles struct{ Cycles []struct{ ID string } }
	text, err := answerJSON(ix, "brick_cycles", map[string]any{"cycle_id": "cycle:2a1ba25d5d8ca276"})
	if err == nil {
		err = json.Unmarshal(text, &cycles)
	}
	if err != nil || len(cycles.Cycles) != 1 || cycles.Cycles[0].ID != "cycle:2a1ba25d5d8ca276" {
		t.Errorf("the cycle of an id: %s, error %v", text, err)
	}
}

// TestNearest wants a search that finds nothing to say what is like its text.
func TestNearest(t *testing.T) {
	ix, _ := bbolt(t)
	for _, test := range []struct {
		tool string
		args map[string]any
		want string // among the nearest
	}{
		{"brick_find", map[string]any{"text": "Cursr.seek"}, "go:(*go.etcd.io/bbolt.Cursor).seek"},
		{"brick_find", map[string]any{"text": "DisableVerifcations"}, "go:go.etcd.io/bbolt/internal/common.DisableVerifications"},
		{"brick_find", map[string]any{"text": "grow", "kind": "class"}, "go:(*go.etcd.io/bbolt.DB).grow"},
		{"brick_calls", map[string]any{"pattern": "*.Inspekt"}, "go:(*go.etcd.io/bbolt.Tx).Inspect"},
	} {
		text, err := answerJSON(ix, test.tool, test.args)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Nearest []string }
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(answer.Nearest, test.want) {
			t.Errorf("%s %v: nearest %q, want %q", test.tool, test.args, answer.Nearest, test.want)
		}
	}
	// Kinds and languages are matched without regard to case.
	for _, args := range []map[string]any{{"text": "grow", "kind": "Method", "language": "GO"}, {"text": "grow", "kind": "method", "language": "go"}} {
		text, err := answerJSON(ix, "brick_find", args)
		if err != nil || !strings.Contains(string(text), "go:(*go.etcd.io/bbolt.DB).grow") {
			t.Errorf("%v: %s, error %v", args, text, err)
		}
	}
}
