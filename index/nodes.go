package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"brick/model"
	"brick/store"
)

// nodeColumns is what stays in memory of the nodes, by number.
type nodeColumns struct {
	numbers *idTable
	clash   bool // some id is used twice

	class                []nodeClass
	name, language, path []uint32 // numbers of texts
	spans                []span
	ownTest              []bool   // test code by its own flag
	kind, qualified      []uint32 // numbers of texts
	lines, complexity    []uint32 // store.Unknown where there are none

	names, languages, paths, kinds, qualifieds *interner
	functionNames                              map[uint32]struct{}  // names that functions have
	files                                      map[uint32]fileFlags // by path
}

type nodeClass uint8

const (
	otherNode nodeClass = iota
	functionNode
	unresolvedSymbol
	unknownNode // its kind was refused
)

// fileFlags are the flags of a path's file nodes that count for the functions
// in them: of several nodes, for each flag, the first whose flag holds.
type fileFlags struct {
	parseIncomplete, testCode []byte
	node                      uint32 // the first of them
}

func newNodeColumns() nodeColumns {
	c := nodeColumns{
		names: newInterner(), languages: newInterner(), paths: newInterner(),
		kinds: newInterner(), qualifieds: newInterner(),
		functionNames: map[uint32]struct{}{},
		files:         map[uint32]fileFlags{},
	}
	// Number 0 is "none" of each.
	c.languages.number(nil)
	c.paths.number(nil)
	c.qualifieds.number(nil)
	return c
}

// reserve makes room for n nodes.
func (c *nodeColumns) reserve(n int) {
	c.class = slices.Grow(c.class, n)
	c.spans = slices.Grow(c.spans, n)
	c.ownTest = slices.Grow(c.ownTest, n)
	for _, column := range []*[]uint32{&c.name, &c.language, &c.path, &c.kind, &c.qualified, &c.lines, &c.complexity} {
		*column = slices.Grow(*column, n)
	}
}

// isTest says whether a node is test code, by its own flag or its file's. All
// nodes must have been added.
func (c *nodeColumns) isTest(node uint32) bool {
	return c.ownTest[node] || c.files[c.path[node]].testCode != nil
}

func (c *nodeColumns) len() int { return len(c.class) }

func classOf(kind []byte) nodeClass {
	switch string(kind) {
	case "function", "method":
		return functionNode
	case "unresolved_symbol":
		return unresolvedSymbol
	case "":
		return unknownNode
	}
	return otherNode
}

// numberNodes takes the nodes in the order of their ids.
func (b *builder) numberNodes(ctx context.Context) error {
	var out *store.RecordWriter
	if b.writing() {
		out = b.w.Records(store.NodeRecords)
		defer out.Close()
	}
	c := &b.nodes
	var n spilledNode
	var last, head, entry, lower []byte
	merge := b.nodeSorter.Merge()
	defer merge.Close()
	for first := true; merge.Next(); first = false {
		if c.len()%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		id, value := merge.Record()
		if !first && bytes.Equal(id, last) {
			c.clash = true
			continue
		}
		last = append(last[:0], id...)
		n.read(value)
		number := uint32(c.len())
		c.numbers.add(b.hash.ofBytes(id), number)
		c.add(&n)
		b.digest.Write(n.digest)
		if out == nil {
			continue
		}
		head = binary.AppendUvarint(head[:0], uint64(n.idOffset))
		out.Add(head, n.record)
		b.ids.Add(id, number<<1)
		if lower = append(lower[:0], bytes.ToLower(id)...); !bytes.Equal(lower, id) {
			b.foldedIDs.Add(lower, number)
		}
		entry = appendString(entry[:0], id)
		entry = appendFlags(entry, n.flags)
		if err := b.spool.write(entry); err != nil {
			return err
		}
	}
	if out != nil {
		if err := out.Close(); err != nil {
			return err
		}
	}
	return merge.Err()
}

func (c *nodeColumns) add(n *spilledNode) {
	class := classOf(n.kind)
	name := c.names.number(n.name)
	path := c.paths.number(n.path)
	c.class = append(c.class, class)
	c.name = append(c.name, name)
	c.language = append(c.language, c.languages.number(n.language))
	c.path = append(c.path, path)
	c.spans = append(c.spans, n.span)
	c.ownTest = append(c.ownTest, slices.ContainsFunc(n.flags, func(f model.FlagValue) bool { return f.Flag == model.FlagTestCode }))
	c.kind = append(c.kind, c.kinds.number(n.kind))
	c.qualified = append(c.qualified, c.qualifieds.number(n.qualified))
	c.lines = append(c.lines, n.lines)
	c.complexity = append(c.complexity, n.complexity)
	if class == functionNode {
		c.functionNames[name] = struct{}{}
	}
	if string(n.kind) == "file" && path != 0 {
		f, seen := c.files[path]
		if !seen {
			f.node = uint32(len(c.class) - 1)
		}
		for _, flag := range n.flags {
			switch {
			case flag.Flag == model.FlagParseIncomplete && f.parseIncomplete == nil:
				f.parseIncomplete = bytes.Clone(flag.Value)
			case flag.Flag == model.FlagTestCode && f.testCode == nil:
				f.testCode = bytes.Clone(flag.Value)
			}
		}
		c.files[path] = f
	}
}

// appendFlags writes flags for the spool; spooledFlags reads them.
func appendFlags(b []byte, flags []model.FlagValue) []byte {
	for _, f := range flags {
		b = append(b, byte(f.Flag))
		b = appendString(b, f.Value)
	}
	return b
}

func spooledFlags(f fields, flags []model.FlagValue) []model.FlagValue {
	flags = flags[:0]
	for len(f) > 0 {
		flags = append(flags, model.FlagValue{Flag: model.Flag(f.byte()), Value: f.string()})
	}
	return flags
}

// writing says whether records are worth writing: a model with faults gives
// no index.
func (b *builder) writing() bool { return b.w != nil && b.faults.Total() == 0 }
