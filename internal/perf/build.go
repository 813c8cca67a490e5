//go:build linux

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// buildRows are the time, memory and size of brick-index build. Its peer only
// loads the model.
func buildRows(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	var seconds, cpu, peak pairs
	for range b.runs {
		ours, err := b.measure(b.brickIndex, "build", "--quiet", s.json, "-o", b.file("again.idx"))
		if err != nil {
			return nil, err
		}
		naive, err := b.measure(b.naiveload, s.json)
		if err != nil {
			return nil, err
		}
		seconds.add(ours.Seconds, naive.Seconds)
		cpu.add(ours.CPU, naive.CPU)
		peak.add(float64(ours.Peak)/1e6, float64(naive.Peak)/1e6)
	}
	packed, err := zstdSize(s.json)
	if err != nil {
		return nil, err
	}
	size := float64(s.jsonSize)
	return []result{
		{
			what:   "build, time",
			figure: spread(seconds.ours, "s"), peer: "naive loader " + spread(seconds.peer, "s"),
			value: seconds.ratio(), bar: 0.9, goal: 0.5,
		}, {
			what:   "build, time of all processors",
			figure: spread(cpu.ours, "s"), peer: "naive loader " + spread(cpu.peer, "s"),
			value: cpu.ratio(),
		}, {
			what:   fmt.Sprintf("build, peak memory / %s of JSON", megabytes(s.jsonSize)),
			figure: spread(peak.ours, "MB"), peer: "naive loader " + spread(peak.peer, "MB"),
			value: median(peak.ours) * 1e6 / size, bar: 0.5, goal: 0.25,
		}, {
			what:   "index size / JSON",
			figure: megabytes(s.indexSize), peer: "the JSON by zstd -3 " + megabytes(packed),
			value: float64(s.indexSize) / size, bar: 0.30, goal: 0.15,
		},
	}, nil
}

// zstdSize is the size of a file packed by zstd's level 3.
func zstdSize(path string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var size counter
	z, err := zstd.NewWriter(&size, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(3)))
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(z, file); err != nil {
		return 0, err
	}
	err = z.Close()
	return int64(size), err
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
