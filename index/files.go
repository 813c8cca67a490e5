package index

import (
	"cmp"
	"errors"
	"slices"

	"brick/store"
)

// writeFiles writes the paths' rows, and the files: how their functions are
// called, and what depends on what.
func (b *builder) writeFiles() error {
	c := &b.nodes
	rows := make([]store.FileRow, 0, len(c.files))
	fileOf := make([]uint32, len(b.paths)) // by path
	for i := range fileOf {
		fileOf[i] = store.Unknown
	}
	isFile := make([]bool, len(b.paths))
	for v, class := range c.class {
		if path := b.pathOf(uint32(v)); path != store.Unknown && (class == functionNode || c.kinds.text(c.kind[v]) == "file") {
			isFile[path] = true
		}
	}
	for path, is := range isFile {
		if is {
			fileOf[path] = uint32(len(rows))
			rows = append(rows, store.FileRow{Path: uint32(path), Node: store.Unknown, Lines: store.Unknown})
			b.sourcePaths = append(b.sourcePaths, b.paths[path])
		}
	}
	of := func(v uint32) uint32 {
		if path := b.pathOf(v); path != store.Unknown {
			return fileOf[path]
		}
		return store.Unknown
	}
	for _, f := range c.files {
		row := &rows[of(f.node)]
		row.Node, row.Lines = f.node, c.lines[f.node]
	}
	for v, class := range c.class {
		file := of(uint32(v))
		if class != functionNode || file == store.Unknown {
			continue
		}
		row := &rows[file]
		row.Functions++
		switch b.status[v] {
		case statusResolved:
			row.Resolved++
		case statusRecursiveOnly:
			row.Resolved++
			row.RecursiveOnly++
		case statusTestsOnly:
			row.Resolved++
			row.TestsOnly++
		case statusUnknown:
			row.Unknown++
		case statusUnreferenced:
			row.Unreferenced++
		}
	}
	uses := b.fileUses(of)
	table := b.w.Table(store.Files)
	useRows, userRows := b.w.Table(store.FileUses), b.w.Table(store.FileUsers)
	users := slices.Clone(uses)
	slices.SortFunc(users, func(x, y fileUse) int { return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.from, y.from)) })
	use, user := 0, 0
	for i := range uint32(len(rows)) {
		r := &rows[i]
		table.Row(r.Path, r.Node, r.Functions, r.Lines, r.Resolved, r.RecursiveOnly, r.Unknown, r.Unreferenced, uint32(use), uint32(user), r.TestsOnly)
		for ; use < len(uses) && uses[use].from == i; use++ {
			useRows.Row(append([]uint32{uses[use].to}, uses[use].edges[:]...)...)
		}
		for ; user < len(users) && users[user].to == i; user++ {
			userRows.Row(append([]uint32{users[user].from}, users[user].edges[:]...)...)
		}
	}
	table.Row(store.Unknown, store.Unknown, 0, 0, 0, 0, 0, 0, uint32(use), uint32(user), 0)
	spans, spanStarts := b.w.Table(store.Spans), b.spansOfPaths()
	pathRows := b.w.Table(store.PathRows)
	for path, start := range b.pathStarts {
		file := uint32(store.Unknown)
		if path < len(fileOf) {
			file = fileOf[path]
		}
		pathRows.Row(start, file, spanStarts.starts[path])
	}
	spanStarts.write(spans)
	return errors.Join(table.Close(), useRows.Close(), userRows.Close(), pathRows.Close(), spans.Close())
}

// fileUse counts the edges from one file to another, by class.
type fileUse struct {
	from, to uint32
	edges    [classOther]uint32
}

// fileUses adds up the dependency edges between nodes of different files, in
// the order of the files.
func (b *builder) fileUses(of func(v uint32) uint32) []fileUse {
	c := &b.edges
	counts := map[[2]uint32]*[classOther]uint32{}
	for e, class := range c.class {
		if class == classOther {
			continue
		}
		from, to := of(c.source[e]), of(c.target[e])
		if from == to || from == store.Unknown || to == store.Unknown {
			continue
		}
		n := counts[[2]uint32{from, to}]
		if n == nil {
			n = new([classOther]uint32)
			counts[[2]uint32{from, to}] = n
		}
		n[class]++
	}
	uses := make([]fileUse, 0, len(counts))
	for ends, edges := range counts {
		uses = append(uses, fileUse{ends[0], ends[1], *edges})
	}
	slices.SortFunc(uses, func(x, y fileUse) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	return uses
}
