package query

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// The arguments that every tool with a list takes. Without them an answer is
// whole.
var (
	limit = Parameter{
		Name: "limit", Type: Integer,
		Description: "The most entries of a list.",
	}
	cursor = Parameter{
		Name: "cursor", Type: String, NotEmpty: true,
		Description: "next_cursor of the page before.",
	}
	records = Parameter{
		Name: "records", Type: String, Default: full, Unfilled: true, Enum: []string{full, brief, names},
		Description: "names: ids and places.",
	}
)

const (
	full  = "full"
	brief = "brief"
	names = "names"
)

// paged adds to a tool's own parameters those of its list. otherwise is the
// limit where none is given, 0 for none.
func paged(otherwise int64, own ...Parameter) []Parameter {
	limit := limit
	if otherwise > 0 {
		limit.Default = otherwise
	}
	return append(own, limit, cursor, records)
}

// RecordsForms are how nodes and edges can be written, smallest first.
func RecordsForms() []string { return []string{names, brief, full} }

// ToolsWith returns the tools with another form of records as their default.
func ToolsWith(form string) []*Tool {
	var with []*Tool
	for _, t := range tools {
		own := *t
		own.Parameters = slices.Clone(t.Parameters)
		for i := range own.Parameters {
			if p := &own.Parameters[i]; p.Name == records.Name {
				p.Default, p.Unfilled = form, form == full
			}
		}
		with = append(with, &own)
	}
	return with
}

// A page is the part of an answer's lists that is asked for.
type page struct {
	limit   int64
	limited bool     // limit or cursor was given, or limit has a default
	from    []uint64 // what the cursor says; nil without one
}

// openPage reads the arguments of paged.
func (q *question) openPage(a Arguments) error {
	q.names = a.string(records.Name) == names
	q.brief = q.names || a.string(records.Name) == brief
	q.page = page{limit: MaxInteger}
	if n, ok := a[limit.Name].(int64); ok {
		q.page.limit, q.page.limited = n, true
	}
	text, ok := a[cursor.Name].(string)
	if !ok {
		return nil
	}
	q.page.limited = true
	binding, positions, ok := decodeCursor(text)
	switch {
	case !ok:
		return q.badCursor("is damaged: give next_cursor of an answer unchanged")
	case binding != q.binding(a):
		return q.badCursor("is not of this question: it goes on only with the tool, the other arguments and the index of the answer that it is from; ask without it to begin again")
	}
	q.page.from = positions
	return nil
}

func (q *question) badCursor(problem string) error {
	return &ArgumentError{Tool: q.tool.Name, Argument: cursor.Name, Problem: problem}
}

// position is the cursor's i-th number, 0 without a cursor.
func (q *question) position(i int) uint64 {
	if i < len(q.page.from) {
		return q.page.from[i]
	}
	return 0
}

// pageOf returns the rows of a list of total that are asked for; i says which
// of the cursor's numbers is where it begins.
func (q *question) pageOf(total, i int) (start, end int) {
	start = int(min(q.position(i), uint64(total)))
	return start, int(min(int64(total), int64(start)+q.page.limit))
}

// endPage writes the members that say what a limited answer leaves out: next
// are where each list goes on, more says that one does.
func (q *question) endPage(total int, more bool, next ...uint64) {
	if !q.page.limited && !q.filter.given() {
		return
	}
	q.key("total")
	q.number(total)
	q.writeLeftOut()
	q.nextCursor(more, next...)
}

// writeLeftOut writes how many entries the filter left out of the answer's
// lists, if there is one and they were counted.
func (q *question) writeLeftOut() {
	if q.filter.given() && q.leftOut >= 0 {
		q.key("left_out")
		q.number(q.leftOut)
	}
}

func (q *question) nextCursor(more bool, next ...uint64) {
	if more {
		q.key("next_cursor")
		q.text(encodeCursor(q.binding(q.arguments), next))
	}
}

// binding stands for a question in its cursors: the index, the tool, and the
// arguments but for the cursor.
func (q *question) binding(a Arguments) uint64 {
	d := xxhash.New()
	d.Write(q.ix.Manifest.Identity)
	write := func(text string) {
		d.Write(binary.AppendUvarint(nil, uint64(len(text))))
		d.WriteString(text)
	}
	write(q.tool.Name)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if name == cursor.Name {
			continue
		}
		write(name)
		switch v := a[name].(type) {
		case string:
			write(v)
		case int64:
			write(string(binary.AppendVarint(nil, v)))
		case bool:
			write(string(binary.AppendVarint(nil, int64(len(truth[v])))))
		case []string:
			for _, word := range v {
				write(word)
			}
			write("")
		}
	}
	return d.Sum64()
}

var truth = map[bool]string{true: "true", false: "false"}

// A cursor is base64url of eight bytes that stand for the question, numbers
// as uvarints, and the XXH64 of both.

func encodeCursor(binding uint64, positions []uint64) string {
	b := binary.LittleEndian.AppendUint64(nil, binding)
	for _, p := range positions {
		b = binary.AppendUvarint(b, p)
	}
	return base64.RawURLEncoding.EncodeToString(binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b)))
}

func decodeCursor(text string) (binding uint64, positions []uint64, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 16 {
		return 0, nil, false
	}
	body := b[:len(b)-8]
	if xxhash.Sum64(body) != binary.LittleEndian.Uint64(b[len(body):]) {
		return 0, nil, false
	}
	binding = binary.LittleEndian.Uint64(body)
	for body = body[8:]; len(body) > 0; {
		p, n := binary.Uvarint(body)
		if n <= 0 {
			return 0, nil, false
		}
		positions, body = append(positions, p), body[n:]
	}
	return binding, positions, true
}
