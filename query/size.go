package query

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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

// fittingLimit returns a limit with which the answer is small enough, 0 when
// there is none or the tool takes none. It asks again, at most four times.
func (q *question) fittingLimit() (int64, error) {
	if !slices.ContainsFunc(q.tool.Parameters, func(p Parameter) bool { return p.Name == limit.Name }) {
		return 0, nil
	}
	for _, most := range []int64{1000, 100, 10, 1} {
		if q.page.limited && q.page.limit <= most {
			continue
		}
		a := maps.Clone(q.arguments)
		delete(a, cursor.Name) // it goes with another limit
		a[limit.Name] = most
		o := q.options
		o.asks = true
		answer, err := q.tool.AnswerWith(q.ctx, q.ix, a, o)
		Recycle(answer)
		if err == nil {
			return most, nil
		}
		if _, large := errors.AsType[*TooLargeError](err); !large {
			return 0, err
		}
	}
	return 0, nil
}

// tooLarge is the error of an answer that is. fitting is a limit with which it
// would not be, 0 for none.
func (q *question) tooLarge(fitting int64) error {
	e := &TooLargeError{Tool: q.tool.Name, Bound: q.max, Whole: q.whole}
	for _, p := range q.tool.Parameters {
		switch p.Name {
		case limit.Name:
			if fitting > 0 {
				e.Helps = append(e.Helps, fmt.Sprintf("\"limit\": %d, which fits (next_cursor leads to the next page)", fitting))
			}
		case records.Name:
			if !q.names {
				e.Helps = append(e.Helps, `"records": "names" (or "brief"), for records of a tenth of the size`)
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
