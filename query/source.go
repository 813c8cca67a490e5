package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"

	"brick/internal/show"
	"brick/store"
)

const startLine = "start_line"

var source = &Tool{
	Name:  "brick_source",
	Title: "The text of a file, as it was scanned",
	Description: "Lines of a file as it was when the index was built, if it has a snapshot of the source; else it says how to " +
		"get one. The file may have changed since.",
	Parameters: []Parameter{
		{Name: "path", Type: String, Required: true, NotEmpty: true, Description: "The file's path in the graph."},
		{Name: startLine, Type: Integer, Default: int64(1), Description: "The first line, from 1."},
		{Name: endLine, Type: Integer, Description: "The last line."},
	},
	OutputSchema: schema("source"),
	run:          answerSource,
}

func answerSource(q *question, a Arguments) error {
	start, end := a.integer(startLine), a.integer(endLine)
	_, bounded := a[endLine]
	switch {
	case start < 1:
		return &ArgumentError{Tool: q.tool.Name, Argument: startLine, Problem: "must be at least 1: lines count from 1"}
	case bounded && end < start:
		return &ArgumentError{Tool: q.tool.Name, Argument: endLine, Problem: fmt.Sprintf("must not be less than start_line, %d", start)}
	}
	path := a.string("path")
	if len(q.ix.Manifest.Source) == 0 {
		return &NotFoundError{
			Problem: "this index has no snapshot of the source.",
			Next:    "Build one with: brick-index build MODEL --source DIR, where DIR is the folder that was scanned. The other tools give path and line of what they name.",
		}
	}
	f, err := q.sourceFile(path)
	if err != nil {
		return err
	}
	path = f.Path
	if f.Absent != "" {
		return &NotFoundError{Problem: fmt.Sprintf("the snapshot does not have %s: %s.", quoted(path), f.Absent)}
	}
	text, err := q.view.Text(store.Texts, uint32(f.Text))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); !bytes.Equal(sum[:], f.SHA256) {
		return &store.DamageError{Part: "the text of " + quoted(path), Problem: "its SHA-256 is not that of the snapshot"}
	}
	part, total := lines(text, start, end, bounded)
	switch {
	case start > max(int64(total), 1):
		return q.pastEnd(path, total, startLine, start)
	case bounded && end > int64(total):
		return q.pastEnd(path, total, endLine, end)
	case !bounded:
		end = int64(total)
	}
	q.has(total, "line")
	q.has(len(text), "byte")
	q.key("path")
	q.text(path)
	q.key(startLine)
	q.number(int(start))
	q.key(endLine)
	q.number(int(end))
	q.key("total_lines")
	q.number(total)
	q.key("sha256")
	q.text(hex.EncodeToString(f.SHA256))
	q.key("text")
	if q.max > 0 && len(part) > q.max {
		return errTooLarge
	}
	q.text(string(part))
	return nil
}

func (q *question) pastEnd(path string, total int, argument string, line int64) error {
	return &NotFoundError{Problem: fmt.Sprintf("%s has %s, and %s is %d.", quoted(path), show.Count(total, "line"), argument, line)}
}

// sourceFile returns the snapshot of a file.
func (q *question) sourceFile(path string) (store.SourceFile, error) {
	if number, found, err := q.findPath(path); err != nil {
		return store.SourceFile{}, err
	} else if found {
		text, err := q.view.Text(store.Paths, number)
		if err != nil {
			return store.SourceFile{}, err
		}
		path = string(text)
	}
	n := q.ix.Items(store.Sources)
	var failed error
	at := func(i int) (f store.SourceFile) {
		if failed == nil {
			f, failed = q.view.Source(uint32(i))
		}
		return f
	}
	i := sort.Search(int(n), func(i int) bool { return at(i).Path >= path || failed != nil })
	if failed == nil && uint32(i) < n {
		if f := at(i); failed == nil && f.Path == path {
			return f, nil
		}
	}
	if failed != nil {
		return store.SourceFile{}, failed
	}
	return store.SourceFile{}, q.noPath(path)
}

// lines returns the lines from start to end of a text, with their ends, and
// how many it has in all. Behind the last newline there is no line.
func lines(text []byte, start, end int64, bounded bool) (part []byte, total int) {
	from, to := len(text), len(text)
	for at := 0; at < len(text); {
		total++
		if int64(total) == start {
			from = at
		}
		next := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if bounded && int64(total) == end {
			to = next
		}
		at = next
	}
	return text[from:max(from, to)], total
}
