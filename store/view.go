package store

import (
	"encoding/binary"
	"sort"
)

// Slots of a view's caches. Tables are read by graph searches, several at
// once and mostly in order, 4 KiB a block; records in order, about 10 KiB a
// block.
const (
	tableSlots  = 128
	recordSlots = 16
)

// A View reads an index for one question. It is not safe for concurrent use.
// What it returns is a copy, the caller's to keep, unless said otherwise.
//
// Every method's error is a *DamageError.
type View struct {
	ix       *Index
	question int // counts the questions; blocks of older ones are forgotten
	scratch  []byte
	tables   [tableSlots]cachedBlock
	records  [recordSlots]cachedBlock
}

type cachedBlock struct {
	question int // that the block was read for, from 1
	section  Section
	block    int
	data     []byte
	ends     []itemEnd // of a record section's block, once item looked
}

// View returns a view, to be given back by Release. It has no blocks of
// earlier questions: each reads and checks its own.
func (ix *Index) View() *View {
	v := ix.views.Get().(*View)
	v.question++
	return v
}

// Release gives a view back.
func (v *View) Release() { v.ix.views.Put(v) }

// block returns the contents of a block, valid until the next call.
func (v *View) block(s Section, n int) ([]byte, error) {
	slot, err := v.slot(s, n)
	if err != nil {
		return nil, err
	}
	return slot.data, nil
}

// slot returns the cache slot that holds a block, valid until the next call.
func (v *View) slot(s Section, n int) (*cachedBlock, error) {
	slot := &v.records[(n+int(s)*5)%recordSlots]
	if columns[s] > 0 {
		slot = &v.tables[(n+int(s)*17)%tableSlots]
	}
	if slot.question == v.question && slot.section == s && slot.block == n {
		return slot, nil
	}
	slot.question = 0
	if err := v.copyBlock(s, n); err != nil {
		return nil, err
	}
	packing, payload, err := checkBlock(v.ix.key, s, n, v.scratch)
	if err != nil {
		return nil, err
	}
	if slot.data, err = unpack(slot.data, s, n, packing, payload); err != nil {
		return nil, err
	}
	slot.question, slot.section, slot.block, slot.ends = v.question, s, n, slot.ends[:0]
	return slot, nil
}

// copyBlock copies a block from the map into v.scratch. Nothing else reads
// the map once the index is open.
func (v *View) copyBlock(s Section, n int) error {
	extents := v.ix.extents[s]
	i := sort.Search(len(extents), func(i int) bool { return extents[i].first > n }) - 1
	if i < 0 || n < 0 || n-extents[i].first >= extents[i].blocks {
		return damaged(blockName(s, n), "there is no such block")
	}
	e := extents[i]
	return catchFault(func() error {
		at := 4 * (n - e.first)
		start, end := binary.LittleEndian.Uint32(e.data[at:]), binary.LittleEndian.Uint32(e.data[at+4:])
		if start > end || int(end) > len(e.data) {
			return damaged(blockName(s, n), "it is outside its extent")
		}
		if end-start > 2*pageSize {
			adviseSoon(v.ix.data, e.at+int(start), e.at+int(end))
		}
		v.scratch = append(v.scratch[:0], e.data[start:end]...)
		return nil
	})
}

// row returns the columns of a table's row, valid until the next call.
func (v *View) row(s Section, i uint32) ([]byte, error) {
	per := rowsPerBlock(s)
	b, err := v.block(s, int(i)/per)
	if err != nil {
		return nil, err
	}
	size := 4 * columns[s]
	at := int(i) % per * size
	if at+size > len(b) {
		return nil, damaged(blockName(s, int(i)/per), "it has no row %d", i)
	}
	return b[at : at+size], nil
}

func column(row []byte, i int) uint32 { return binary.LittleEndian.Uint32(row[4*i:]) }

// NodeRow returns the row of a node.
func (v *View) NodeRow(node uint32) (NodeRow, error) {
	b, err := v.row(Nodes, node)
	if err != nil {
		return NodeRow{}, err
	}
	r := NodeRow{
		In: column(b, 0), InCalls: column(b, 1), InImports: column(b, 2), InDeps: column(b, 3),
		Out: column(b, 4), OutDeps: column(b, 5),
		Function: column(b, 6), Cycle: column(b, 7),
	}
	if b, err = v.row(Nodes, node+1); err != nil {
		return NodeRow{}, err
	}
	r.InEnd, r.OutEnd = column(b, 0), column(b, 4)
	return r, nil
}

// EdgeRow returns the row of an edge.
func (v *View) EdgeRow(edge uint32) (EdgeRow, error) {
	b, err := v.row(Edges, edge)
	if err != nil {
		return EdgeRow{}, err
	}
	return EdgeRow{Source: column(b, 0), Target: column(b, 1), Rank: column(b, 2)}, nil
}

// CycleRow returns the row of a cycle.
func (v *View) CycleRow(cycle uint32) (CycleRow, error) {
	b, err := v.row(Cycles, cycle)
	if err != nil {
		return CycleRow{}, err
	}
	r := CycleRow{ID: uint64(column(b, 0))<<32 | uint64(column(b, 1)), Nodes: column(b, 2), Edges: column(b, 3)}
	if b, err = v.row(Cycles, cycle+1); err != nil {
		return CycleRow{}, err
	}
	r.NodesEnd, r.EdgesEnd = column(b, 2), column(b, 3)
	return r, nil
}

// Number returns a row of a table of one column: OutEdges, Uncalled,
// CycleNodes, CycleEdges, Bridges, a section of ranks, or Complex.
func (v *View) Number(s Section, row uint32) (uint32, error) {
	b, err := v.row(s, row)
	if err != nil {
		return 0, err
	}
	return column(b, 0), nil
}

// AppendNumbers appends rows of a table of one column to dst. It looks
// each block up once.
func (v *View) AppendNumbers(dst []uint32, s Section, rows Range) ([]uint32, error) {
	per := uint32(rowsPerBlock(s))
	for row := rows.Start; row < rows.End; {
		n := row / per
		end := min(rows.End, (n+1)*per)
		b, err := v.block(s, int(n))
		if err != nil {
			return nil, err
		}
		if int(end-n*per)*4 > len(b) {
			return nil, damaged(blockName(s, int(n)), "it has no row %d", end-1)
		}
		for b = b[4*(row-n*per) : 4*(end-n*per)]; len(b) > 0; b = b[4:] {
			dst = append(dst, binary.LittleEndian.Uint32(b))
		}
		row = end
	}
	return dst, nil
}

// Facts returns the facts of a node.
func (v *View) Facts(node uint32) (FactsRow, error) {
	b, err := v.row(Facts, node)
	if err != nil {
		return FactsRow{}, err
	}
	return FactsRow{
		Rank: column(b, 0), Line: column(b, 1), Lines: column(b, 2), Complexity: column(b, 3),
		Dependents: column(b, 4), Dependencies: column(b, 5), Sort: column(b, 6), Also: column(b, 7), Module: column(b, 8),
	}, nil
}

// Ranked returns the node of a rank.
func (v *View) Ranked(rank uint32) (RankedRow, error) {
	b, err := v.row(Ranked, rank)
	if err != nil {
		return RankedRow{}, err
	}
	return RankedRow{Node: column(b, 0), Term: column(b, 1), Path: column(b, 2), Qualified: column(b, 3), Sort: column(b, 4)}, nil
}

// PathRow returns the row of a path.
func (v *View) PathRow(path uint32) (PathRow, error) {
	b, err := v.row(PathRows, path)
	if err != nil {
		return PathRow{}, err
	}
	r := PathRow{Start: column(b, 0), File: column(b, 1), Spans: column(b, 2)}
	if b, err = v.row(PathRows, path+1); err != nil {
		return PathRow{}, err
	}
	r.End, r.SpansEnd = column(b, 0), column(b, 2)
	return r, nil
}

// Span returns a row of Spans.
func (v *View) Span(row uint32) (SpanRow, error) {
	b, err := v.row(Spans, row)
	if err != nil {
		return SpanRow{}, err
	}
	return SpanRow{
		StartLine: column(b, 0), StartColumn: column(b, 1), EndLine: column(b, 2), EndColumn: column(b, 3),
		Node: column(b, 4), Outer: column(b, 5),
	}, nil
}

// Contained returns a row of Contained: a node, and one that it contains.
func (v *View) Contained(row uint32) (node, inside uint32, err error) {
	b, err := v.row(Contained, row)
	if err != nil {
		return 0, 0, err
	}
	return column(b, 0), column(b, 1), nil
}

// ModuleCycle returns a row of ModuleCycles.
func (v *View) ModuleCycle(row uint32) (ModuleCycleRow, error) {
	b, err := v.row(ModuleCycles, row)
	if err != nil {
		return ModuleCycleRow{}, err
	}
	return ModuleCycleRow{By: column(b, 0), Cycle: column(b, 1), Node: column(b, 2)}, nil
}

// ModuleUse returns a row of ModuleUses.
func (v *View) ModuleUse(row uint32) (ModuleUse, error) {
	b, err := v.row(ModuleUses, row)
	if err != nil {
		return ModuleUse{}, err
	}
	return ModuleUse{
		From: column(b, 0), To: column(b, 1),
		Calls: column(b, 2), Imports: column(b, 3), Inherits: column(b, 4), Edge: column(b, 5), Import: column(b, 6),
	}, nil
}

// FileRow returns the row of a file.
func (v *View) FileRow(file uint32) (FileRow, error) {
	b, err := v.row(Files, file)
	if err != nil {
		return FileRow{}, err
	}
	r := FileRow{
		Path: column(b, 0), Node: column(b, 1), Functions: column(b, 2), Lines: column(b, 3),
		Resolved: column(b, 4), RecursiveOnly: column(b, 5), Unknown: column(b, 6), Unreferenced: column(b, 7),
		Uses: column(b, 8), Users: column(b, 9), TestsOnly: column(b, 10),
	}
	if b, err = v.row(Files, file+1); err != nil {
		return FileRow{}, err
	}
	r.UsesEnd, r.UsersEnd = column(b, 8), column(b, 9)
	return r, nil
}

// FileUse returns a row of FileUses or FileUsers.
func (v *View) FileUse(s Section, row uint32) (FileUse, error) {
	b, err := v.row(s, row)
	if err != nil {
		return FileUse{}, err
	}
	return FileUse{File: column(b, 0), Calls: column(b, 1), Imports: column(b, 2), Inherits: column(b, 3)}, nil
}

// Largest returns a row of Largest.
func (v *View) Largest(row uint32) (LargestRow, error) {
	b, err := v.row(Largest, row)
	if err != nil {
		return LargestRow{}, err
	}
	return LargestRow{
		Node: column(b, 0), Lines: column(b, 1), Complexity: column(b, 2), Dependents: column(b, 3), Dependencies: column(b, 4),
	}, nil
}

// Items is the number of items, rows or entries of a section.
func (ix *Index) Items(s Section) uint32 { return uint32(ix.Manifest.sections[s].Items) }

// PathStart returns where the nodes of a path begin in PathRanks; of the
// number of paths, where they end.
func (v *View) PathStart(path uint32) (uint32, error) {
	b, err := v.row(PathRows, path)
	if err != nil {
		return 0, err
	}
	return column(b, 0), nil
}
