package index

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// modules are the nodes between which dependencies are counted as those of
// modules.
type modules struct {
	of        []uint32 // by node: see store.ModuleUse
	contained pairs    // what contains what
}

var moduleKinds = []string{"module", "package", "namespace"}

// findModules finds each node's module: linear.
func (b *builder) findModules() {
	c := &b.nodes
	of := make([]uint32, c.len())
	for v := range of {
		of[v] = store.Unknown
	}
	b.modules.contained = b.findContained()
	spread := func(kinds []string) {
		var reached []uint32
		for v := range of {
			if of[v] == store.Unknown && slices.Contains(kinds, c.kinds.text(c.kind[v])) {
				of[v] = uint32(v)
				reached = append(reached, uint32(v))
			}
		}
		// Breadth-first: of several modules that contain a node equally near,
		// the first.
		for len(reached) > 0 {
			v := reached[0]
			reached = reached[1:]
			for child := range b.modules.contained.of(v) {
				if of[child] == store.Unknown {
					of[child] = of[v]
					reached = append(reached, child)
				}
			}
		}
	}
	spread(moduleKinds)
	spread([]string{"file"})
	for v := range of {
		if of[v] == store.Unknown {
			of[v] = uint32(v)
		}
	}
	b.modules.of = of
}

// pairs are pairs of nodes, ascending.
type pairs [][2]uint32

// of returns the second nodes of a first one.
func (p pairs) of(first uint32) iter.Seq[uint32] {
	start, _ := slices.BinarySearchFunc(p, [2]uint32{first, 0}, comparePairs)
	return func(yield func(uint32) bool) {
		for _, pair := range p[start:] {
			if pair[0] != first || !yield(pair[1]) {
				return
			}
		}
	}
}

func comparePairs(x, y [2]uint32) int {
	return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
}

// findContained returns what contains what.
func (b *builder) findContained() pairs {
	c := &b.edges
	p := make(pairs, 0, len(c.containment))
	for _, e := range c.containment {
		if c.source[e] != c.target[e] {
			p = append(p, [2]uint32{c.source[e], c.target[e]})
		}
	}
	p = append(p, b.methodsOfTypes()...)
	slices.SortFunc(p, comparePairs)
	return slices.Compact(p)
}

// methodsOfTypes joins types to their methods by name, since the file defines
// both where a method stands by itself, as in Go and C++: a method's qualified
// name is that of its type and one part more, whatever the separators.
func (b *builder) methodsOfTypes() pairs {
	c := &b.nodes
	type key struct {
		language uint32
		name     string
	}
	methods := map[key][]uint32{}
	var isMethod, isType []bool // by kind
	for _, kind := range c.kinds.texts() {
		isMethod = append(isMethod, kind == "method")
		isType = append(isType, classOf([]byte(kind)) == otherNode && !slices.Contains(unplaced, kind))
	}
	for v, kind := range c.kind {
		if !isMethod[kind] || c.qualified[v] == 0 {
			continue
		}
		if parts := symbol.SplitParts(c.qualifieds.text(c.qualified[v])); len(parts) > 1 {
			k := key{c.language[v], strings.Join(parts[:len(parts)-1], ".")}
			methods[k] = append(methods[k], uint32(v))
		}
	}
	var p pairs
	for v, kind := range c.kind {
		if !isType[kind] || c.qualified[v] == 0 || len(methods) == 0 {
			continue
		}
		name := strings.Join(symbol.SplitParts(c.qualifieds.text(c.qualified[v])), ".")
		for _, method := range methods[key{c.language[v], name}] {
			p = append(p, [2]uint32{uint32(v), method})
		}
	}
	return p
}

func (b *builder) writeContained() error {
	out := b.w.Table(store.Contained)
	for _, pair := range b.modules.contained {
		out.Row(pair[0], pair[1])
	}
	return out.Close()
}

// writeModules writes what modules depend on, and their cycles.
func (b *builder) writeModules() error {
	uses := b.moduleUses()
	rows, users, cycles := b.w.Table(store.ModuleUses), b.w.Table(store.ModuleUsers), b.w.Table(store.ModuleCycles)
	byTarget := make([]uint32, len(uses))
	for i, u := range uses {
		rows.Row(u.From, u.To, u.Calls, u.Imports, u.Inherits, u.Edge, u.Import)
		byTarget[i] = uint32(i)
	}
	slices.SortStableFunc(byTarget, func(x, y uint32) int { return cmp.Compare(uses[x].To, uses[y].To) })
	for _, row := range byTarget {
		users.Row(row)
	}
	imports := slices.DeleteFunc(slices.Clone(uses), func(u store.ModuleUse) bool { return u.Imports == 0 })
	for by, uses := range [][]store.ModuleUse{store.ByAll: uses, store.ByImports: imports} {
		for number, nodes := range moduleCycles(uses) {
			for _, node := range nodes {
				cycles.Row(uint32(by), uint32(number), node)
			}
		}
	}
	return errors.Join(rows.Close(), users.Close(), cycles.Close())
}

// moduleUses adds up the dependency edges between nodes of different modules,
// in the order of the modules.
func (b *builder) moduleUses() []store.ModuleUse {
	c := &b.edges
	numbers := map[[2]uint32]int{}
	var uses []store.ModuleUse
	for e, class := range c.class {
		if class == classOther {
			continue
		}
		ends := [2]uint32{b.modules.of[c.source[e]], b.modules.of[c.target[e]]}
		if ends[0] == ends[1] {
			continue
		}
		i, seen := numbers[ends]
		if !seen {
			i = len(uses)
			numbers[ends] = i
			uses = append(uses, store.ModuleUse{From: ends[0], To: ends[1], Edge: uint32(e), Import: store.Unknown})
		}
		u := &uses[i]
		switch class {
		case classCalls:
			u.Calls++
		case classImports:
			u.Imports++
			if u.Import == store.Unknown || c.rank[e] < c.rank[u.Import] {
				u.Import = uint32(e)
			}
		case classInherits:
			u.Inherits++
		}
		if c.rank[e] < c.rank[u.Edge] {
			u.Edge = uint32(e)
		}
	}
	slices.SortFunc(uses, func(x, y store.ModuleUse) int {
		return comparePairs([2]uint32{x.From, x.To}, [2]uint32{y.From, y.To})
	})
	return uses
}

// moduleCycles returns the strongly connected components of two modules or
// more, each ascending, in the order of their first modules.
func moduleCycles(uses []store.ModuleUse) [][]uint32 {
	var nodes []uint32
	for _, u := range uses {
		nodes = append(nodes, u.From, u.To)
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	numberOf := func(node uint32) uint32 {
		i, _ := slices.BinarySearch(nodes, node)
		return uint32(i)
	}
	starts, ends := make([]uint32, len(nodes)), make([]uint32, len(nodes))
	targets := make([]uint32, len(uses))
	for i, u := range uses { // in the order of where they come from
		from := numberOf(u.From)
		if ends[from] == 0 {
			starts[from] = uint32(i)
		}
		ends[from] = uint32(i) + 1
		targets[i] = numberOf(u.To)
	}
	component, count := components(starts, ends, targets)
	members := make([][]uint32, count)
	for i, k := range component {
		members[k] = append(members[k], nodes[i])
	}
	members = slices.DeleteFunc(members, func(m []uint32) bool { return len(m) < 2 })
	slices.SortFunc(members, func(x, y []uint32) int { return cmp.Compare(x[0], y[0]) })
	return members
}
