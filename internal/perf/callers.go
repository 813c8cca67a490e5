//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"brick/query"
	"brick/store"
)

// callersRows are questions in process, warm: of functions with few callers
// against the naive server and SQLite, of the hub's impact against SQLite.
func callersRows(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	ours, err := fewCallers(b.ctx, s)
	if err != nil {
		return nil, err
	}
	naive, err := naiveCallers(b, s)
	if err != nil {
		return nil, err
	}
	sqlite, err := sqliteCallers(b, s)
	if err != nil {
		return nil, err
	}
	hub, err := sqliteImpact(b)
	if err != nil {
		return nil, err
	}
	figure := fmt.Sprintf("%s µs, 95%% %s µs", number(median(ours)), number(quantile95(ours)))
	what := fmt.Sprintf("callers of a function with %d to %d, in process", fewest, most)
	return []result{
		{what: what, figure: figure, peer: "naive server in memory " + number(naive) + " µs", value: median(ours), unit: "µs", bar: 50, goal: 15},
		{what: what + ", against SQLite", figure: figure, peer: "SQLite " + number(sqlite) + " µs", value: median(ours) / sqlite},
		hub,
	}, nil
}

// ask answers a question in process.
func ask(ctx context.Context, ix *store.Index, tool string, a query.Arguments) ([]byte, time.Duration, error) {
	begin := time.Now()
	answer, err := query.Lookup(tool).Answer(ctx, ix, a)
	return answer, time.Since(begin), err
}

// fewCallers is the microseconds of each question when all have been asked
// before.
func fewCallers(ctx context.Context, s *sample) ([]float64, error) {
	ix, err := store.Open(s.index)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	var times []float64
	for range 2 {
		times = times[:0]
		for _, id := range s.picks.few {
			_, took, err := ask(ctx, ix, "brick_callers", query.Arguments{"node_id": id})
			if err != nil {
				return nil, err
			}
			times = append(times, microseconds(took))
		}
	}
	return times, nil
}

// naiveCallers is the median microseconds of the naive server.
func naiveCallers(b *bench, s *sample) (float64, error) {
	ids := b.file("few.txt")
	err := write(ids, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(s.picks.few, "\n")+"\n")
		return err
	})
	if err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(b.ctx, b.naiveload, s.json, ids).Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}
