package query

import "brick/store"

// children returns the nodes that a node contains or defines, in order.
func (q *question) children(node uint32) ([]uint32, error) {
	n := q.ix.Items(store.Contained)
	start, err := firstOf(0, n, func(row uint32) (bool, error) {
		parent, _, err := q.view.Contained(row)
		return parent >= node, err
	})
	if err != nil {
		return nil, err
	}
	var children []uint32
	for row := start; row < n; row++ {
		parent, child, err := q.view.Contained(row)
		if err != nil {
			return nil, err
		}
		if parent != node {
			break
		}
		children = append(children, child)
	}
	return children, nil
}

// contained returns a node and all that it contains, directly or through
// others, the nearest first.
func (q *question) contained(node uint32) ([]uint32, error) {
	nodes := []uint32{node}
	seen := map[uint32]bool{node: true}
	for i := 0; i < len(nodes); i++ {
		if err := q.step(); err != nil {
			return nil, err
		}
		children, err := q.children(nodes[i])
		if err != nil {
			return nil, err
		}
		for _, child := range children {
			if !seen[child] {
				seen[child] = true
				nodes = append(nodes, child)
			}
		}
	}
	return nodes, nil
}
