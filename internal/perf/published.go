//go:build linux

package main

import "fmt"

// publishedRows are the questions for which times of similar servers were
// published: of 100,000 symbols with 212,000 edges, 95th percentile over MCP.
func publishedRows(b *bench) ([]result, error) {
	s, err := b.sample(b.published, 1)
	if err != nil {
		return nil, err
	}
	hub := hubQuestions(s)
	rows := []struct {
		what  string
		ms    float64 // published
		times int
		next  func(i int) question
	}{
		{hub[0].what, 38.2, 20 * b.runs, func(int) question { return hub[0] }},
		{fmt.Sprintf("callers of a function with %d to %d", fewest, most), 13.4, 200 * b.runs, func(i int) question {
			return question{"", "brick_callers", arguments{"node_id": s.picks.few[i%len(s.picks.few)]}}
		}},
		{"a page of uncalled functions", 0.57, 200 * b.runs, func(int) question {
			return question{"", "brick_uncalled", arguments{"limit": 20}}
		}},
		{hub[1].what, 476, 20 * b.runs, func(int) question { return hub[1] }},
	}
	var results []result
	for _, r := range rows {
		times, _, err := askOften(b, s, r.times, r.next)
		if err != nil {
			return nil, err
		}
		p95 := quantile95(times)
		results = append(results, result{
			what:   "published: " + r.what,
			figure: fmt.Sprintf("95%% %s ms, median %s ms", number(p95), number(median(times))),
			peer:   fmt.Sprintf("published 95%% %s ms", number(r.ms)),
			value:  p95 / r.ms, bar: 1, goal: 1,
		})
	}
	return results, nil
}
