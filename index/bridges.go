package index

// undirected is a multigraph without direction whose edges have numbers. The
// edges at v are in[v]: the numbers from inStarts[v] to inEnds[v], whose other
// ends are in source; and outgoing[outStarts[v]:outEnds[v]], whose other ends
// are in target.
type undirected struct {
	inStarts, inEnds   []uint32
	outStarts, outEnds []uint32
	outgoing           []uint32
	source, target     []uint32
}

// bridges returns the numbers of the edges whose removal would leave fewer
// nodes connected, in no particular order. A self-loop is none, nor is one of
// several edges between the same two nodes.
//
// It is the lowpoint algorithm of Hopcroft and Tarjan (Efficient Algorithms
// for Graph Manipulation, CACM 16, 1973), iterative, told apart by edge
// number instead of parent so that parallel edges count: O(nodes + edges)
// time, 16 bytes a node.
func (g *undirected) bridges() []uint32 {
	n := len(g.inStarts)
	order := make([]uint32, n) // of discovery, from 1; 0 before it
	low := make([]uint32, n)
	via := make([]uint32, n)  // the edge that v was reached by
	next := make([]uint32, n) // how many of v's edges were looked at
	const noEdge = ^uint32(0)
	var found, path []uint32
	count := uint32(0)
	for s := range n {
		if order[s] != 0 {
			continue
		}
		count++
		order[s], low[s], via[s] = count, count, noEdge
		path = append(path[:0], uint32(s))
		for len(path) > 0 {
			v := path[len(path)-1]
			incoming := g.inEnds[v] - g.inStarts[v]
			degree := incoming + g.outEnds[v] - g.outStarts[v]
			descended := false
			for next[v] < degree {
				var e, w uint32
				if next[v] < incoming {
					e = g.inStarts[v] + next[v]
					w = g.source[e]
				} else {
					e = g.outgoing[g.outStarts[v]+next[v]-incoming]
					w = g.target[e]
				}
				next[v]++
				if e == via[v] || w == v {
					continue
				}
				if order[w] == 0 {
					count++
					order[w], low[w], via[w] = count, count, e
					path = append(path, w)
					descended = true
					break
				}
				low[v] = min(low[v], order[w])
			}
			if descended {
				continue
			}
			path = path[:len(path)-1]
			if len(path) == 0 {
				continue
			}
			parent := path[len(path)-1]
			low[parent] = min(low[parent], low[v])
			if low[v] > order[parent] {
				found = append(found, via[v])
			}
		}
	}
	return found
}
