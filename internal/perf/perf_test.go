//go:build linux

package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"brick/internal/test/genmodel"
	"brick/internal/test/testbuild"
	"brick/store"
)

func TestScale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	if err := generate(path, genmodel.Config{Functions: 1200}); err != nil {
		t.Fatal(err)
	}
	var one *store.Manifest
	for _, copies := range []int{1, 3} {
		var document bytes.Buffer
		if err := scale(&document, path, copies); err != nil {
			t.Fatal(err)
		}
		ix := testbuild.Open(t, t.TempDir(), document.Bytes())
		m := ix.Manifest
		if one == nil {
			one = m
		}
		if m.Nodes != copies*one.Nodes || m.Edges != copies*one.Edges {
			t.Errorf("%d copies have %d nodes and %d edges, one has %d and %d", copies, m.Nodes, m.Edges, one.Nodes, one.Edges)
		}
		const ties = 3
		if calls := m.EdgeKinds[0]; calls.Kind != "calls" || calls.Count%copies != 0 || copies*ties > calls.Count {
			t.Errorf("%+v", calls)
		}
		v := ix.View()
		for _, id := range []string{"c0/" + genmodel.Hub, "tie:0:" + genmodel.Hub} {
			if _, found, err := v.Find(id); err != nil || !found {
				t.Errorf("%q: found %v, %v", id, found, err)
			}
		}
		v.Release()
		ix.Close()
	}
}

func TestWorstShapes(t *testing.T) {
	const shapes = 8
	list := worstShapes(1000)
	if len(list) != shapes {
		t.Errorf("%d shapes", len(list))
	}
	for _, s := range list {
		var document bytes.Buffer
		if err := s.write(&document); err != nil {
			t.Fatal(err)
		}
		testbuild.Open(t, t.TempDir(), document.Bytes()).Close()
	}
}

func TestMiddle(t *testing.T) {
	list := []float64{4, 1, 3, 2}
	if m := median(list); m != 2.5 {
		t.Errorf("median %v", m)
	}
	if q := quantile95(list); q != 4 {
		t.Errorf("95%%: %v", q)
	}
}

func TestPlot(t *testing.T) {
	c := &curve{title: "a figure", points: nil}
	for x := range 3 {
		c.points = append(c.points, struct{ X, Y float64 }{float64(x), float64(x * x)})
	}
	path := filepath.Join(t.TempDir(), "plot.svg")
	if err := drawCurves(path, []*curve{c, c, c}); err != nil {
		t.Fatal(err)
	}
}
