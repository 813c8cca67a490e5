package query

import (
	"cmp"
	"fmt"
	"slices"

	"brick/store"
)

var files = &Tool{
	Name:  "brick_files",
	Title: "Files with their functions",
	Description: "Files by path: lines, functions by status, how many other files depend on each (fan_in) and it on them " +
		"(fan_out), by what is resolved. Use it to see what is in a folder.",
	Parameters:   paged(100, pathFilter, testsFilter, groupBy),
	OutputSchema: schema("files"),
	run:          answerFiles,
}

func answerFiles(q *question, a Arguments) error {
	rows := span(0, uint32(q.files()))
	if q.filter.path != nil {
		var err error
		if rows, err = q.filesOf(q.filter.path); err != nil {
			return err
		}
	}
	rows, err := q.filesAsked(rows)
	if err != nil {
		return err
	}
	q.leftOut = q.files() - len(rows)
	if a.string(groupBy.Name) != "" {
		paths, err := readAll(q, store.Files, rows, func(row uint32) (uint32, error) {
			file, err := q.view.FileRow(row)
			return file.Path, err
		})
		if err != nil {
			return err
		}
		_, err = q.grouped(column{name: "files", paths: paths})
		return err
	}
	q.has(len(rows), "file")
	start, end := q.pageOf(len(rows), 0)
	q.key("files")
	if err := q.soonFiles(rows[start:end]); err != nil {
		return err
	}
	err = list(q, rows[start:end], q.file)
	q.endPage(len(rows), end < len(rows), uint64(end))
	return err
}

// soonFiles says that rows of files and their paths will be read.
func (q *question) soonFiles(files []uint32) error {
	rows, err := readAll(q, store.Files, files, q.view.FileRow)
	if err != nil {
		return err
	}
	paths := make([]uint32, len(rows))
	for i, row := range rows {
		paths[i] = row.Path
	}
	q.view.Prefetch(store.Paths, paths)
	return nil
}

// filesOf returns the files among paths.
func (q *question) filesOf(paths *candidates) ([]uint32, error) {
	rows := []uint32{}
	q.view.Prefetch(store.PathRows, paths.texts)
	for _, path := range paths.texts {
		if err := q.step(); err != nil {
			return nil, err
		}
		row, err := q.view.PathRow(path)
		if err != nil {
			return nil, err
		}
		if row.File == store.Unknown {
			continue
		}
		is, err := paths.has(path)
		if err != nil {
			return nil, err
		}
		if is {
			rows = append(rows, row.File)
		}
	}
	return rows, nil
}

// filesAsked returns the files of the sorts that are asked for. A file is test
// code when its node is.
func (q *question) filesAsked(files []uint32) ([]uint32, error) {
	tests := q.arguments.string(testsFilter.Name)
	if tests == "" {
		return files, nil
	}
	rows, err := readAll(q, store.Files, files, q.view.FileRow)
	if err != nil {
		return nil, err
	}
	asked := []uint32{}
	for i, row := range rows {
		test := false
		if row.Node != store.Unknown {
			facts, err := q.view.Facts(row.Node)
			if err != nil {
				return nil, err
			}
			sorts := q.ix.Manifest.Sorts
			test = int(facts.Sort) < len(sorts) && sorts[facts.Sort].Test
		}
		if test == (tests == onlyTests) {
			asked = append(asked, files[i])
		}
	}
	return asked, nil
}

// file writes one file.
func (q *question) file(file uint32) error {
	row, err := q.view.FileRow(file)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"path":`...)
	if err := q.pathText(row.Path); err != nil {
		return err
	}
	q.key("functions")
	q.number(int(row.Functions))
	q.key("lines")
	q.figure(row.Lines)
	q.key("statuses")
	q.statuses(store.StatusCounts{
		Resolved: int(row.Resolved), RecursiveOnly: int(row.RecursiveOnly),
		Unknown: int(row.Unknown), Unreferenced: int(row.Unreferenced),
		TestsOnly: int(row.TestsOnly),
	})
	q.key("fan_in")
	q.number(int(row.UsersEnd - row.Users))
	q.key("fan_out")
	q.number(int(row.UsesEnd - row.Uses))
	q.out = append(q.out, '}')
	return nil
}

func (q *question) pathText(path uint32) error {
	text, err := q.view.Text(store.Paths, path)
	q.text(string(text))
	return err
}

var oneFile = &Tool{
	Name:  "brick_file",
	Title: "One file: what it defines and what it hangs on",
	Description: "One file: its definitions by line (lines, complexity, number of callers, status), the files that it depends " +
		"on and that depend on it, and its cycles. Use it before changing or splitting a file. What the scanner did " +
		"not resolve is not in it.",
	Parameters: paged(0,
		Parameter{Name: "path", Type: String, Required: true, NotEmpty: true, Description: "The file's path in the graph."},
		kindsFilter, testsFilter,
	),
	OutputSchema: schema("file"),
	run:          answerFile,
}

func answerFile(q *question, a Arguments) error {
	number, is, err := q.findPath(a.string("path"))
	if err != nil {
		return err
	}
	if !is {
		return q.noPath(a.string("path"))
	}
	text, err := q.view.Text(store.Paths, number)
	if err != nil {
		return err
	}
	path := string(text)
	row, err := q.view.PathRow(number)
	if err != nil {
		return err
	}
	if row.File == store.Unknown {
		return &NotFoundError{Problem: fmt.Sprintf("%s is the path of nodes, but of no file or function.", quoted(path)), Next: nextPath}
	}
	file, err := q.view.FileRow(row.File)
	if err != nil {
		return err
	}
	nodes, err := q.definitions(row, file.Node)
	if err != nil {
		return err
	}
	if nodes, err = kept(q, nodes, func(d definition) uint32 { return d.node }); err != nil {
		return err
	}
	cycles, err := q.cyclesOf(row)
	if err != nil {
		return err
	}
	q.has(len(nodes), "definition")
	q.has(int(file.UsesEnd-file.Uses+file.UsersEnd-file.Users), "neighbouring file")
	q.key("path")
	q.text(path)
	q.key("file")
	if file.Node == store.Unknown {
		q.null()
	} else if err := q.node(file.Node); err != nil {
		return err
	}
	q.key("definitions")
	start, end := q.pageOf(len(nodes), 0)
	if err := q.writeDefinitions(nodes[start:end]); err != nil {
		return err
	}
	ends, more := []uint64{uint64(end)}, end < len(nodes)
	for i, l := range []struct {
		name  string
		total int
		write func(start, end uint32) error
	}{
		{"depends_on", int(file.UsesEnd - file.Uses), func(start, end uint32) error {
			return q.uses(store.FileUses, file.Uses+start, file.Uses+end)
		}},
		{"dependents", int(file.UsersEnd - file.Users), func(start, end uint32) error {
			return q.uses(store.FileUsers, file.Users+start, file.Users+end)
		}},
		{"cycles", len(cycles), func(start, end uint32) error { return list(q, cycles[start:end], q.cycleLine) }},
	} {
		start, end := q.pageOf(l.total, i+1)
		ends, more = append(ends, uint64(end)), more || end < l.total
		if q.page.limited {
			q.key(l.name + "_total")
			q.number(l.total)
		}
		q.key(l.name)
		if err := l.write(uint32(start), uint32(end)); err != nil {
			return err
		}
	}
	q.key("caveat")
	q.text(caveat)
	q.endPage(len(nodes), more, ends...)
	return nil
}

// definition is a node in a file.
type definition struct{ node, line uint32 }

// definitions returns the nodes of a path but for the file's own, by line, then
// by id.
func (q *question) definitions(row store.PathRow, file uint32) ([]definition, error) {
	var nodes []definition
	all, err := q.nodesAt(store.PathRanks, span(row.Start, row.End))
	if err != nil {
		return nil, err
	}
	q.view.Prefetch(store.Facts, numbersOfNodes(all))
	for _, node := range all {
		if node.Node == file {
			continue
		}
		facts, err := q.view.Facts(node.Node)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, definition{node.Node, facts.Line})
	}
	slices.SortFunc(nodes, func(a, b definition) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.node, b.node)) })
	return nodes, nil
}

// nodesAt returns the nodes of rows of a section of ranks.
func (q *question) nodesAt(s store.Section, rows []uint32) ([]store.RankedRow, error) {
	ranks, err := readAll(q, s, rows, func(row uint32) (uint32, error) { return q.view.Number(s, row) })
	if err != nil {
		return nil, err
	}
	return readAll(q, store.Ranked, ranks, q.view.Ranked)
}

func numbersOfNodes(rows []store.RankedRow) []uint32 {
	nodes := make([]uint32, len(rows))
	for i, r := range rows {
		nodes[i] = r.Node
	}
	return nodes
}

// writeDefinitions writes nodes of a file.
func (q *question) writeDefinitions(definitions []definition) error {
	nodes := make([]uint32, len(definitions))
	for i, d := range definitions {
		nodes[i] = d.node
	}
	q.soonNodes(nodes)
	q.view.Prefetch(store.Facts, nodes)
	rows, err := readAll(q, store.Nodes, nodes, q.view.NodeRow)
	if err != nil {
		return err
	}
	var calls, reports []uint32
	for _, row := range rows {
		if row.Function != store.NoFunction {
			calls, reports = append(calls, span(row.In, row.InCalls)...), append(reports, row.Function)
		}
	}
	q.view.Prefetch(store.Edges, calls)
	q.view.Prefetch(store.Reports, reports)
	return list(q, nodes, q.definition)
}

// definition writes a node of a file.
func (q *question) definition(node uint32) error {
	facts, err := q.view.Facts(node)
	if err != nil {
		return err
	}
	row, err := q.view.NodeRow(node)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"node":`...)
	if err := q.node(node); err != nil {
		return err
	}
	q.key("lines")
	q.figure(facts.Lines)
	if q.names && row.Function == store.NoFunction {
		q.out = append(q.out, '}')
		return nil
	}
	q.key("complexity")
	q.figure(facts.Complexity)
	q.key("callers")
	if row.Function == store.NoFunction {
		q.null()
		q.key("status")
		q.null()
		q.out = append(q.out, '}')
		return nil
	}
	callers := map[uint32]bool{}
	for e := row.In; e < row.InCalls; e++ {
		if err := q.step(); err != nil {
			return err
		}
		edge, err := q.view.EdgeRow(e)
		if err != nil {
			return err
		}
		if edge.Source != node {
			callers[edge.Source] = true
		}
	}
	q.number(len(callers))
	report, err := q.view.Report(row.Function)
	if err != nil {
		return err
	}
	q.key("status")
	q.text(statusOf(&report, len(report.Reasons)))
	q.out = append(q.out, '}')
	return nil
}

// uses writes what stands between a file and others.
func (q *question) uses(s store.Section, start, end uint32) error {
	uses, err := readAll(q, s, span(start, end), func(row uint32) (store.FileUse, error) { return q.view.FileUse(s, row) })
	if err != nil {
		return err
	}
	others := make([]uint32, len(uses))
	for i, use := range uses {
		others[i] = use.File
	}
	if err := q.soonFiles(others); err != nil {
		return err
	}
	return list(q, uses, q.use)
}

// use writes what stands between a file and another.
func (q *question) use(use store.FileUse) error {
	other, err := q.view.FileRow(use.File)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"path":`...)
	if err := q.pathText(other.Path); err != nil {
		return err
	}
	q.key("calls")
	q.number(int(use.Calls))
	q.key("imports")
	q.number(int(use.Imports))
	q.key("inherits")
	q.number(int(use.Inherits))
	q.out = append(q.out, '}')
	return nil
}

// cyclesOf returns the cycles that nodes of a path are in.
func (q *question) cyclesOf(row store.PathRow) ([]uint32, error) {
	in := []uint32{}
	nodes, err := q.nodesAt(store.PathRanks, span(row.Start, row.End))
	if err != nil {
		return nil, err
	}
	rows, err := readAll(q, store.Nodes, numbersOfNodes(nodes), q.view.NodeRow)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Cycle != store.NoCycle {
			in = append(in, r.Cycle)
		}
	}
	slices.Sort(in)
	return slices.Compact(in), nil
}

// cycleLine writes the id of a cycle, and how large it is.
func (q *question) cycleLine(cycle uint32) error {
	row, err := q.view.CycleRow(cycle)
	if err != nil {
		return err
	}
	q.out = append(q.out, `{"id":`...)
	q.text(cycleID(row))
	q.key("nodes")
	q.number(int(row.NodesEnd - row.Nodes))
	q.key("edges")
	q.number(int(row.EdgesEnd - row.Edges))
	q.out = append(q.out, '}')
	return nil
}
