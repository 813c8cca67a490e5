package query

import (
	"errors"
	"fmt"
	"strings"

	"brick/internal/show"
)

// DefaultMaxAnswer is the bound of an answer's size where nothing else is
// said: about a million tokens, more than any agent can read.
const DefaultMaxAnswer = 4 << 20

// TooLargeError says that an answer would be larger than its reader allows.
type TooLargeError struct {
	Tool  string
	Bound int
	Whole []string // what the whole answer would have, as "35000 nodes"
	Helps []string // what would make it smaller
}

func (e *TooLargeError) Error() string {
	text := fmt.Sprintf("%s: the answer would be larger than %d bytes", e.Tool, e.Bound)
	if len(e.Whole) > 0 {
		text += ": it has " + strings.Join(e.Whole, ", ")
	}
	text += "."
	if len(e.Helps) > 0 {
		text += " What helps: " + strings.Join(e.Helps, "; ") + "."
	}
	return text
}

// errTooLarge ends the making of an answer that has become too large.
var errTooLarge = errors.New("too large")

// has notes what the whole answer has, for the error of one that is too large.
func (q *question) has(count int, thing string) {
	q.whole = append(q.whole, show.Count(count, thing))
}

// tooLarge is the error of an answer that is.
func (q *question) tooLarge() error {
	e := &TooLargeError{Tool: q.tool.Name, Bound: q.max, Whole: q.whole}
	for _, p := range q.tool.Parameters {
		switch p.Name {
		case limit.Name:
			if !q.page.limited || q.page.limit > 1 {
				e.Helps = append(e.Helps, "limit, for pages of the list (for example \"limit\": 50; next_cursor leads to the next)")
			}
		case records.Name:
			if !q.brief {
				e.Helps = append(e.Helps, `"records": "brief", for records of a tenth of the size`)
			}
		case maxDepth:
			if d := q.arguments.integer(maxDepth); d > 1 {
				e.Helps = append(e.Helps, fmt.Sprintf("max_depth less than %d", d))
			}
		case endLine:
			e.Helps = append(e.Helps, "start_line and end_line, for a part of the file")
		}
	}
	return e
}

const (
	maxDepth = "max_depth"
	endLine  = "end_line"
)
