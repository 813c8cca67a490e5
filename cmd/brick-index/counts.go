package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"brick/internal/show"
	"brick/store"
)

// counts is what an index counts, as build and info print it.
type counts struct {
	Nodes        kinds    `json:"nodes"`
	Edges        kinds    `json:"edges"`
	Cycles       int      `json:"cycles"`
	LargestCycle int      `json:"largest_cycle_nodes"`
	Bridges      int      `json:"bridges"`
	Functions    statuses `json:"functions"`
}

type kinds struct {
	Total  int            `json:"total"`
	ByKind map[string]int `json:"by_kind"`
}

type statuses struct {
	Resolved      int `json:"resolved"`
	RecursiveOnly int `json:"recursive_only"`
	Unknown       int `json:"unknown"`
	Unreferenced  int `json:"unreferenced"`
}

func countsOf(m *store.Manifest) counts {
	byKind := func(list []store.KindCount) map[string]int {
		object := map[string]int{}
		for _, k := range list {
			object[k.Kind] = k.Count
		}
		return object
	}
	f := m.Functions.Open
	return counts{
		Nodes:  kinds{m.Nodes, byKind(m.NodeKinds)},
		Edges:  kinds{m.Edges, byKind(m.EdgeKinds)},
		Cycles: m.Cycles, LargestCycle: m.LargestCycle, Bridges: m.Bridges,
		Functions: statuses{f.Resolved, f.RecursiveOnly, f.Unknown, f.Unreferenced},
	}
}

func (c counts) print(w io.Writer) {
	fmt.Fprintf(w, "nodes    %s\n", c.Nodes)
	fmt.Fprintf(w, "edges    %s\n", c.Edges)
	fmt.Fprintf(w, "cycles   %d", c.Cycles)
	if c.Cycles > 0 {
		fmt.Fprintf(w, ", the largest of %s", show.Count(c.LargestCycle, "node"))
	}
	fmt.Fprintf(w, "\nbridges  %d\n", c.Bridges)
	f := c.Functions
	fmt.Fprintf(w, "callers  %s: %d resolved (%d of them only by themselves), %d unknown, %d unreferenced\n",
		show.Count(f.Resolved+f.Unknown+f.Unreferenced, "function"), f.Resolved, f.RecursiveOnly, f.Unknown, f.Unreferenced)
}

// String lists the kinds, most frequent first.
func (k kinds) String() string {
	names := make([]string, 0, len(k.ByKind))
	for name := range k.ByKind {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(k.ByKind[b], k.ByKind[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", k.ByKind[name], printable(name))
	}
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", k.Total, strings.Join(names, ", "))
}

// bytesText writes a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return show.Count(int(n), "byte")
}
