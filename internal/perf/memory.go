//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

const mixedQueries = 10_000

// memoryRow is the anonymous memory of a server after many questions.
func memoryRow(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	ours, err := memoryAfter(b, s)
	if err != nil {
		return nil, err
	}
	c, _, err := start(b.ctx, b.emptyserver)
	if err != nil {
		return nil, err
	}
	empty, err := anonymous(c)
	if err != nil {
		return nil, err
	}
	return []result{{
		what:   fmt.Sprintf("server, anonymous memory after %d mixed queries", mixedQueries),
		figure: number(ours) + " MB", peer: "empty mcp-go server after initialize " + number(empty) + " MB",
		value: ours, unit: "MB", bar: 40, goal: 20,
	}}, c.stop()
}

// memoryAfter asks a server with its usual bound on answers.
func memoryAfter(b *bench, s *sample) (float64, error) {
	c, _, err := start(b.ctx, b.brickMCP, s.index)
	if err != nil {
		return 0, err
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range mixedQueries {
		tool, a := mixed(random, s, i)
		if _, _, err := c.ask(tool, a); err != nil {
			return 0, err
		}
	}
	megabytes, err := anonymous(c)
	if err != nil {
		return 0, err
	}
	return megabytes, c.stop()
}

// mixed is the i-th of many questions: mostly callers, one in a thousand
// about the whole graph or the hub.
func mixed(random *rand.Rand, s *sample, i int) (tool string, a arguments) {
	any := func(ids []string) string { return ids[random.IntN(len(ids))] }
	switch i % 1000 {
	case 0:
		return "brick_cycles", arguments{}
	case 250:
		return "brick_bridges", arguments{}
	case 500:
		return "brick_callers", arguments{"node_id": s.picks.hub}
	case 750:
		return "brick_impact", arguments{"node_id": s.picks.hub, "max_depth": 2}
	}
	switch random.IntN(20) {
	case 0, 1, 2:
		return "brick_impact", arguments{"node_id": any(s.picks.few), "max_depth": 1 + random.IntN(3)}
	case 3, 4:
		return "brick_evidence", arguments{"entity_id": any(s.picks.nodes)}
	case 5, 6:
		return "brick_evidence", arguments{"entity_id": any(s.picks.edges)}
	case 7:
		return "brick_uncalled", arguments{"limit": 20, "include_unknown": random.IntN(2) == 0}
	case 8: // often no function: an error with what it resembles
		return "brick_callers", arguments{"node_id": any(s.picks.nodes)}
	}
	return "brick_callers", arguments{"node_id": any(s.picks.few)}
}

// anonymous is RssAnon of a server in MB.
func anonymous(c *client) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, field, _ := strings.Cut(string(status), "RssAnon:")
	var kilobytes float64
	if _, err := fmt.Sscanf(field, "%f kB", &kilobytes); err != nil {
		return 0, fmt.Errorf("RssAnon: %w", err)
	}
	return kilobytes * 1024 / 1e6, nil
}
