// Package randmodel makes Brick JSON documents for tests: random ones that
// have every oddity that the contract allows, and large ones of a simple
// shape.
package randmodel

import (
	"math/rand/v2"
	"slices"
)

// A Doc is a valid document.
type Doc struct {
	// Top has the members of the document other than nodes and edges.
	Top   Object
	Nodes []Object
	Edges []Object
}

// JSON writes the document in canonical form. The order of the nodes and edges
// is not that of their ids.
func (d *Doc) JSON() []byte {
	return append(Canonical(nil, d.whole(d.Nodes, d.Edges)), '\n')
}

// Shuffled writes the same model in another way: nodes, edges and the members
// of objects at every depth in another order, with white space, with other
// escapes in strings, and sometimes with a byte order mark. The arrays in
// records stay as they are.
func (d *Doc) Shuffled(seed uint64) []byte {
	s := scrambler{rand.New(rand.NewPCG(seed, 0))}
	nodes, edges := slices.Clone(d.Nodes), slices.Clone(d.Edges)
	s.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	s.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	var b []byte
	if s.IntN(8) == 0 {
		b = append(b, "\uFEFF"...)
	}
	return s.space(s.value(s.space(b), d.whole(nodes, edges)))
}

func (d *Doc) whole(nodes, edges []Object) Object {
	return append(slices.Clone(d.Top),
		Member{"nodes", array(nodes)},
		Member{"edges", array(edges)})
}

func array(objects []Object) Array {
	a := Array{}
	for _, o := range objects {
		a = append(a, o)
	}
	return a
}

// GoString makes failing tests print documents as JSON.
func (d *Doc) GoString() string { return string(d.JSON()) }

// NodeIDs returns the ids of the nodes, in the order of the document.
func (d *Doc) NodeIDs() []string { return ids(d.Nodes) }

// EdgeIDs returns the ids of the edges, in the order of the document.
func (d *Doc) EdgeIDs() []string { return ids(d.Edges) }

// FunctionIDs returns the ids of the nodes that the caller queries take.
func (d *Doc) FunctionIDs() []string {
	var functions []Object
	for _, n := range d.Nodes {
		if kind := n.text("kind"); kind == "function" || kind == "method" {
			functions = append(functions, n)
		}
	}
	return ids(functions)
}

func ids(records []Object) []string {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.text("id"))
	}
	return ids
}
