//go:build linux

package main

const startRuns = 40

// startRow is how long a server takes from exec to the answer of initialize.
func startRow(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	var p pairs
	for i := range startRuns + 1 {
		ours, err := startTime(b, b.brickMCP, s.index)
		if err != nil {
			return nil, err
		}
		empty, err := startTime(b, b.emptyserver)
		if err != nil {
			return nil, err
		}
		if i > 0 { // the first ones read the programs from the disk
			p.add(ours, empty)
		}
	}
	return []result{{
		what:   "server, exec to initialize",
		figure: spread(p.ours, "ms"), peer: "empty mcp-go server " + spread(p.peer, "ms"),
		value: p.ratio(), bar: 1.3, goal: 1.1,
	}}, nil
}

// startTime is in milliseconds.
func startTime(b *bench, command ...string) (float64, error) {
	c, took, err := start(b.ctx, command...)
	if err != nil {
		return 0, err
	}
	return milliseconds(took), c.stop()
}
