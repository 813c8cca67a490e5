package model

import (
	"container/heap"
	"fmt"
	"sort"
	"strings"
	"sync"

	"brick/internal/show"
)

// Fault is one thing that is wrong with a model.
type Fault struct {
	Place
	Pointer string // JSON pointer (RFC 6901) of the place, "" for the document
	Origin  string // "path:line" of what a record without a document was made of, "" when unknown
	Syntax  bool   // the text is not JSON: shown by byte offset, not by pointer
	ID      string // the record's id, "" where it has none
	Member  string // orders faults of one offset: the member that is missing
	Message string
}

// Faults collects the faults of one model. It keeps those with the smallest
// offsets up to a limit and counts the rest, so its memory is bounded however
// broken a model is. Its methods may be called from several goroutines.
type Faults struct {
	mu     sync.Mutex
	limit  int
	total  int
	kept   faultHeap
	closed bool // no more are wanted
}

// DefaultMaxFaults is how many faults are listed where nothing else is said.
const DefaultMaxFaults = 20

// NewFaults returns a collector that keeps at most limit faults, at least one.
func NewFaults(limit int) *Faults { return &Faults{limit: max(limit, 1)} }

// Limit is how many faults are kept.
func (f *Faults) Limit() int { return f.limit }

// Add records one fault. It takes O(log limit).
func (f *Faults) Add(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.total++
	if len(f.kept) < f.limit {
		heap.Push(&f.kept, fault)
	} else if before(fault, f.kept[0]) {
		f.kept[0] = fault
		heap.Fix(&f.kept, 0)
	}
}

// Only makes this the one fault, whatever was or will be found besides.
func (f *Faults) Only(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept, f.total, f.closed = faultHeap{fault}, 1, true
}

// Wants reports whether a fault at offset could be among those that are kept.
// When not, it counts that fault, which then need not be put together and
// added: a model can have millions of faults.
func (f *Faults) Wants(offset int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed && (len(f.kept) < f.limit || offset <= f.kept[0].Offset) {
		return true
	}
	if !f.closed {
		f.total++
	}
	return false
}

// Merge adds the faults of another collector with at most the same limit,
// each kept one changed by edit.
func (f *Faults) Merge(other *Faults, edit func(*Fault)) {
	kept := other.List()
	for _, fault := range kept {
		edit(&fault)
		f.Add(fault)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.total += other.Total() - len(kept)
	}
}

// Total is the number of faults found, kept or not.
func (f *Faults) Total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.total
}

// List returns the kept faults in the order of their offsets, those of one
// offset by member name.
func (f *Faults) List() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := append([]Fault(nil), f.kept...)
	sort.Slice(list, func(i, j int) bool { return before(list[i], list[j]) })
	return list
}

// before orders faults totally, so that which ones are kept does not depend
// on the order in which workers found them.
func before(a, b Fault) bool {
	if a.Offset != b.Offset {
		return a.Offset < b.Offset
	}
	if a.Member != b.Member {
		return a.Member < b.Member
	}
	return a.Message < b.Message
}

// faultHeap has the last fault in order at its root.
type faultHeap []Fault

func (h faultHeap) Len() int           { return len(h) }
func (h faultHeap) Less(i, j int) bool { return before(h[j], h[i]) }
func (h faultHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *faultHeap) Push(x any)        { *h = append(*h, x.(Fault)) }
func (h *faultHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// RefusedError says that a model was refused, and why.
type RefusedError struct {
	Faults []Fault // those with the smallest offsets, in order
	Total  int     // all that were found
}

func (e *RefusedError) Error() string {
	if e.Total == 1 {
		return "the model has 1 fault: " + e.Faults[0].Message
	}
	return fmt.Sprintf("the model has %d faults, the first: %s", e.Total, e.Faults[0].Message)
}

// Line writes the fault as one line of text about the named file, whatever
// characters are in names.
func (f Fault) Line(file string) string {
	var b strings.Builder
	b.WriteString(show.Visible(file))
	if f.Place.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Place.Line, f.Column)
	}
	b.WriteString(": ")
	switch {
	case f.Origin != "":
		b.WriteString(show.Visible(f.Origin))
	case f.Place.Line == 0 && f.Pointer == "":
		b.WriteString("the model")
	case f.Syntax:
		fmt.Fprintf(&b, "byte %d", f.Offset)
	case f.Pointer == "":
		b.WriteString("(document)")
	default:
		b.WriteString(show.Visible(f.Pointer))
	}
	b.WriteString(": " + f.Message)
	if f.ID != "" {
		b.WriteString(" (id " + show.Quote(f.ID) + ")")
	}
	return b.String()
}
