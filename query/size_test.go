package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"testing"

	"brick/query"
)

// TestFittingLimit wants the limit that the error of a too large answer names
// to be one with which it is not.
func TestFittingLimit(t *testing.T) {
	ix, _ := bbolt(t)
	named := regexp.MustCompile(`"limit": (\d+), which fits`)
	for _, test := range []struct {
		tool, arguments string
		max             int
	}{
		{"brick_bridges", `{}`, 20000},
		{"brick_bridges", `{}`, 3000},
		{"brick_impact", `{"node_id":"go:(*go.etcd.io/bbolt.DB).Update","max_depth":9}`, 50000},
		{"brick_find", `{"text":"e","limit":2000}`, 100000},
		{"brick_uncalled", `{"include_unknown":true}`, 30000},
	} {
		tool := query.Lookup(test.tool)
		ask := func(limit string) error {
			var members map[string]any
			if err := json.Unmarshal([]byte(test.arguments), &members); err != nil {
				t.Fatal(err)
			}
			if limit != "" {
				members["limit"], _ = strconv.Atoi(limit)
			}
			given, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			a, err := tool.ParseArguments(given)
			if err != nil {
				t.Fatal(err)
			}
			_, err = tool.AnswerWith(context.Background(), ix, a, query.Options{MaxAnswer: test.max})
			return err
		}
		err := ask("")
		var large *query.TooLargeError
		if !errors.As(err, &large) {
			t.Errorf("%s %s: error %v", test.tool, test.arguments, err)
			continue
		}
		m := named.FindStringSubmatch(err.Error())
		if m == nil {
			t.Errorf("%s %s names no limit: %v", test.tool, test.arguments, err)
		} else if err := ask(m[1]); err != nil {
			t.Errorf("%s %s with limit %s: %v", test.tool, test.arguments, m[1], err)
		}
	}
}
