package treesitter

import (
	"bytes"
	"encoding/binary"
	"slices"

	"brick/scan/facts"
)

// A Tree is the syntax tree of a file: its nodes in the order in which a walk
// from the root meets them, so that a node's descendants follow it. Node 0 is
// the root.
//
// There are the nodes that the grammar names, and of the others, such as
// operators, those that are a field of their parent.
type Tree struct {
	Language *Language
	Text     []byte
	Nodes    []Node
	Faults   int // nodes that stand for text that is not as the grammar has it

	lines []int32 // where lines begin; nil until it is asked for
}

// A Node is a part of the text.
type Node struct {
	Kind       uint16 // Language.KindName has its name
	Field      uint8  // what it is to its parent; 0 for nothing
	Flags      Flags
	Start, End uint32 // bytes of the text
	Next       uint32 // index of the first node that is no descendant
	Parent     uint32 // index; the root's own for the root
}

// Flags are what is special about a node.
type Flags uint8

// The flags.
const (
	Named   Flags = 1 << iota
	Error         // text that fits nowhere
	Missing       // nothing, where the grammar wants something
	Extra         // what may stand anywhere, as comments
)

const nodeSize = 20

func (t *Tree) decode(raw []byte) {
	n := len(raw) / nodeSize
	t.Nodes = slices.Grow(t.Nodes[:0], n)[:n]
	for i := range t.Nodes {
		b := raw[i*nodeSize : (i+1)*nodeSize]
		u32 := binary.LittleEndian.Uint32
		t.Nodes[i] = Node{binary.LittleEndian.Uint16(b), b[2], Flags(b[3]), u32(b[4:]), u32(b[8:]), u32(b[12:]), u32(b[16:])}
	}
}

// KindName is the grammar's name of a kind of node.
func (l *Language) KindName(kind uint16) string { return l.kinds[kind] }

// KindIDs are the kinds of a name: several where the grammar has aliases.
func (l *Language) KindIDs(name string) []uint16 { return l.kindIDs[name] }

// FieldID is the number of a field, 0 when the grammar has none of that name.
func (l *Language) FieldID(name string) uint8 { return l.fieldIDs[name] }

// Kinds is how many kinds there are.
func (l *Language) Kinds() int { return len(l.kinds) }

// KindName is the name of a node's kind.
func (t *Tree) KindName(n int) string { return t.Language.kinds[t.Nodes[n].Kind] }

// String is a node's text.
func (t *Tree) String(n int) string { return string(t.Bytes(n)) }

// Bytes is a node's text, a part of the tree's.
func (t *Tree) Bytes(n int) []byte { return t.Text[t.Nodes[n].Start:t.Nodes[n].End] }

// Children are a node's children in order, but for comments and the like.
func (t *Tree) Children(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		end := int(t.Nodes[n].Next)
		for c := n + 1; c < end; c = int(t.Nodes[c].Next) {
			if t.Nodes[c].Flags&(Extra|Error) == Extra {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first child with a field, -1 for none.
func (t *Tree) Child(n int, field uint8) int {
	if field != 0 {
		for c := n + 1; c < int(t.Nodes[n].Next); c = int(t.Nodes[c].Next) {
			if t.Nodes[c].Field == field {
				return c
			}
		}
	}
	return -1
}

// Place is where a byte of the text is.
func (t *Tree) Place(at uint32) facts.Place {
	t.index()
	line, found := slices.BinarySearch(t.lines, int32(at))
	if !found {
		line--
	}
	return facts.Place{Line: line + 1, Column: int(at) - int(t.lines[line]) + 1}
}

// Span is where a node is.
func (t *Tree) Span(n int) facts.Span {
	return facts.Span{Start: t.Place(t.Nodes[n].Start), End: t.Place(t.Nodes[n].End)}
}

// Lines is how many lines the text has; what follows the last line's end is
// none when it is empty.
func (t *Tree) Lines() int {
	t.index()
	n := len(t.lines)
	if n > 0 && int(t.lines[n-1]) == len(t.Text) {
		n--
	}
	return n
}

func (t *Tree) index() {
	if t.lines != nil {
		return
	}
	t.lines = append(make([]int32, 0, bytes.Count(t.Text, []byte{'\n'})+1), 0)
	for i, c := range t.Text {
		if c == '\n' {
			t.lines = append(t.lines, int32(i+1))
		}
	}
}
