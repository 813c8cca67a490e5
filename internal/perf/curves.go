//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// curve is a figure by the number of copies.
type curve struct {
	title  string
	points plotter.XYs
}

// curveRows are the figures at each number of copies, and the plot.
func curveRows(b *bench) ([]result, error) {
	curves := []*curve{
		{title: "build, seconds"},
		{title: "build, peak memory in MB"},
		{title: "index / JSON"},
		{title: "callers of a function with few, µs"},
		{title: "impact of depth 2 of the hub, ms, MCP"},
		{title: "cold: pages read by one brick_callers"},
	}
	var rows []result
	for word := range strings.SplitSeq(b.curve, ",") {
		copies, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("-curve: %w", err)
		}
		s, err := b.sample(b.model, copies)
		if err != nil {
			return nil, err
		}
		seconds, peak, err := buildOften(b, s)
		if err != nil {
			return nil, err
		}
		few, err := medianFewCallers(b, s)
		if err != nil {
			return nil, err
		}
		impact, err := medianHub(1)(b, s)
		if err != nil {
			return nil, err
		}
		cold, err := medianCold(b, s)
		if err != nil {
			return nil, err
		}
		size := float64(s.jsonSize)
		figures := []float64{seconds, peak, float64(s.indexSize) / size, few, impact, cold}
		for i, f := range figures {
			curves[i].points = append(curves[i].points, plotter.XY{X: float64(copies), Y: f})
		}
		rows = append(rows, result{
			what:   fmt.Sprintf("curve: %s, %s", copiesText(copies), megabytes(s.jsonSize)),
			figure: fmt.Sprintf("build %s s, %s MB, index %s of the JSON", number(figures[0]), number(figures[1]), number(figures[2])),
			peer:   fmt.Sprintf("callers %s µs, impact %s ms, %s cold pages", number(few), number(impact), number(cold)),
		})
		if copies > b.copies { // not needed any more, and large
			if err := errors.Join(os.Remove(s.json), os.Remove(s.index)); err != nil {
				return nil, err
			}
			delete(b.samples, s.key)
		}
	}
	if b.plot == "" {
		return rows, nil
	}
	return rows, drawCurves(b.plot, curves)
}

// buildOften is the median seconds and peak megabytes of a few builds.
func buildOften(b *bench, s *sample) (seconds, peak float64, err error) {
	var times, peaks []float64
	for range min(b.runs, 3) {
		u, err := b.measure(b.brickIndex, "build", "--quiet", s.json, "-o", b.file("again.idx"))
		if err != nil {
			return 0, 0, err
		}
		times, peaks = append(times, u.Seconds), append(peaks, float64(u.Peak)/1e6)
	}
	return median(times), median(peaks), nil
}

// drawCurves draws a plot a curve, two in a row.
func drawCurves(path string, curves []*curve) error {
	const across = 2
	down := (len(curves) + across - 1) / across
	canvas := vgsvg.New(across*10*vg.Centimeter, vg.Length(down)*6*vg.Centimeter)
	const pad = 4 * vg.Millimeter
	tiles := draw.Tiles{Rows: down, Cols: across, PadX: pad, PadY: pad, PadTop: pad, PadRight: pad, PadBottom: pad, PadLeft: pad}
	for i, c := range curves {
		p := plot.New()
		p.Title.Text = c.title
		p.X.Label.Text = "copies of the model"
		line, points, err := plotter.NewLinePoints(c.points)
		if err != nil {
			return err
		}
		p.Add(plotter.NewGrid(), line, points)
		p.Y.Min, p.X.Min = 0, 0
		p.Draw(tiles.At(draw.New(canvas), i%across, i/across))
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(file)
	return errors.Join(err, file.Close())
}
