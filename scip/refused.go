package scip

import (
	"fmt"

	"brick/internal/show"
)

// A RefusedError says that an index can't be imported: it is no SCIP index,
// damaged, or not of the sources that it was given with.
type RefusedError struct {
	File     string // the index
	Document string // the document in it; empty when the fault is the index's
	Offset   int64  // of the message with the fault, in the index
	Problem  string
}

func (e *RefusedError) Error() string {
	if e.Document == "" {
		return fmt.Sprintf("%s: byte %d: %s", show.Visible(e.File), e.Offset, e.Problem)
	}
	return fmt.Sprintf("%s: byte %d: document %s: %s", show.Visible(e.File), e.Offset, show.Quote(e.Document), e.Problem)
}
