//go:build linux

package main

import "fmt"

// growthRows are the figures of the server on many copies over those on one.
func growthRows(b *bench) ([]result, error) {
	figures := []struct {
		what, unit string
		of         *base
		measure    func(b *bench, s *sample) (float64, error)
	}{
		{"exec to initialize", "ms", b.model, medianStart},
		{"anonymous memory after mixed queries", "MB", b.model, memoryAfter},
		{"callers of a function with few", "µs", b.model, medianFewCallers},
		{"callers of the hub through MCP, for each MB of the answer", "ms", b.published, medianHub(0)},
		{"impact of depth 2 of the hub through MCP, for each MB of the answer", "ms", b.published, medianHub(1)},
		{"cold: pages read by one brick_callers", "pages", b.model, medianCold},
		{"cold: pages read by opening", "pages", b.model, medianOpening},
	}
	var rows []result
	for _, f := range figures {
		one, err := b.sample(f.of, 1)
		if err != nil {
			return nil, err
		}
		many, err := b.sample(f.of, b.copies)
		if err != nil {
			return nil, err
		}
		var p pairs
		for range 3 {
			large, err := f.measure(b, many)
			if err != nil {
				return nil, err
			}
			small, err := f.measure(b, one)
			if err != nil {
				return nil, err
			}
			p.add(large, small)
		}
		rows = append(rows, result{
			what:   "growth: " + f.what,
			figure: fmt.Sprintf("%s %s %s", copiesText(b.copies), number(median(p.ours)), f.unit),
			peer:   fmt.Sprintf("one copy %s %s", number(median(p.peer)), f.unit),
			value:  p.ratio(), bar: 1.5, goal: 1.1,
		})
	}
	return rows, nil
}

func medianStart(b *bench, s *sample) (float64, error) {
	var times []float64
	for range startRuns / 2 {
		t, err := startTime(b, b.brickMCP, s.index)
		if err != nil {
			return 0, err
		}
		times = append(times, t)
	}
	return median(times), nil
}

func medianFewCallers(b *bench, s *sample) (float64, error) {
	times, err := fewCallers(b.ctx, s)
	if err != nil {
		return 0, err
	}
	return median(times), nil
}

// medianHub is for each megabyte because the ties between copies give a hub
// more to reach: the depth-2 impact of the published one has 64 MB in one copy
// and half as much again in twelve.
func medianHub(i int) func(b *bench, s *sample) (float64, error) {
	return func(b *bench, s *sample) (float64, error) {
		times, size, err := askOften(b, s, 3*b.runs, func(int) question { return hubQuestions(s)[i] })
		if err != nil {
			return 0, err
		}
		return median(times) / (float64(size) / 1e6), nil
	}
}

func medianCold(b *bench, s *sample) (float64, error) {
	_, asking, err := coldPages(b.ctx, s)
	if err != nil {
		return 0, err
	}
	return median(asking), nil
}

func medianOpening(b *bench, s *sample) (float64, error) {
	opening, _, err := coldPages(b.ctx, s)
	if err != nil {
		return 0, err
	}
	return median(opening), nil
}

// askOften asks a warm server questions and returns the milliseconds of each,
// and the bytes of the last answer.
func askOften(b *bench, s *sample, times int, next func(i int) question) (list []float64, size int, err error) {
	c, _, err := b.serve(s)
	if err != nil {
		return nil, 0, err
	}
	for i := range times + 1 {
		q := next(i)
		answer, took, err := c.mustAsk(q.tool, q.arguments)
		if err != nil {
			return nil, 0, err
		}
		if i > 0 {
			list = append(list, milliseconds(took))
		}
		size = len(answer)
	}
	return list, size, c.stop()
}
