//go:build linux

package main

import (
	"encoding/json"

	"brick/store"
)

// picks are what questions are asked about.
type picks struct {
	few        []string // functions with 1 to 5 callers
	hub        string   // the function with the most callers
	hubCallers int
	nodes      []string // some of all kinds
	edges      []string
}

const (
	fewPicks = 1000
	fewest   = 1
	most     = 5
)

// pick chooses from all over the index, always the same.
func pick(path string) (p picks, err error) {
	ix, err := store.Open(path)
	if err != nil {
		return p, err
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	var few []uint32
	var hub uint32
	for n := range uint32(ix.Manifest.Nodes) {
		row, err := v.NodeRow(n)
		if err != nil {
			return p, err
		}
		if row.Function == store.NoFunction {
			continue
		}
		callers := int(row.InCalls - row.In)
		if callers >= fewest && callers <= most {
			few = append(few, n)
		}
		if callers > p.hubCallers {
			hub, p.hubCallers = n, callers
		}
	}
	id := func(record []byte, e error) string {
		var r struct{ ID string }
		if e == nil {
			e = json.Unmarshal(record, &r)
		}
		if e != nil {
			err = e
		}
		return r.ID
	}
	p.hub = id(v.AppendNode(nil, hub))
	for i := range min(fewPicks, len(few)) {
		p.few = append(p.few, id(v.AppendNode(nil, few[i*len(few)/min(fewPicks, len(few))])))
	}
	for i := range fewPicks {
		p.nodes = append(p.nodes, id(v.AppendNode(nil, uint32(i*ix.Manifest.Nodes/fewPicks))))
		p.edges = append(p.edges, id(v.AppendEdge(nil, uint32(i*ix.Manifest.Edges/fewPicks))))
	}
	return p, err
}
