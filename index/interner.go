package index

import (
	"bytes"
	"hash/maphash"
	"unsafe"
)

// interner numbers distinct strings in the order in which they come. There are
// as many as the model has names, and they stay: so it has no pointer a string,
// which each collection of garbage would have to follow.
type interner struct {
	seed   maphash.Seed
	slots  []internSlot // open addressing: a power of two, at most half of them taken
	pieces [][]byte     // the strings, each whole in one piece
	places []textPlace  // of each, by number
}

type internSlot struct {
	hash   uint32
	number uint32 // plus one; 0 when the slot is free
}

type textPlace struct{ piece, start, length uint32 }

// pieceSize is how much is allocated at once for short strings.
const pieceSize = 64 << 10

func newInterner() *interner {
	return &interner{seed: maphash.MakeSeed(), slots: make([]internSlot, 16)}
}

// len is how many strings there are.
func (in *interner) len() int { return len(in.places) }

// text is the string of a number.
func (in *interner) text(n uint32) string {
	p := in.places[n]
	// What is in a piece never changes.
	return unsafe.String(unsafe.SliceData(in.pieces[p.piece][p.start:]), p.length)
}

// texts are all strings, by number.
func (in *interner) texts() []string {
	list := make([]string, in.len())
	for n := range list {
		list[n] = in.text(uint32(n))
	}
	return list
}

// number returns the number of a string, a new one if need be.
func (in *interner) number(text []byte) uint32 {
	if 2*len(in.places) >= len(in.slots) {
		in.grow()
	}
	hash := maphash.Bytes(in.seed, text)
	s := in.slot(hash, text)
	if s.number == 0 {
		in.add(text)
		*s = internSlot{uint32(hash), uint32(in.len())}
	}
	return s.number - 1
}

// find returns the number of a string that there may be.
func (in *interner) find(text string) (number uint32, found bool) {
	s := in.slot(maphash.String(in.seed, text), []byte(text))
	return s.number - 1, s.number != 0
}

// slot returns the slot of a string, or the free one that it would take.
func (in *interner) slot(hash uint64, text []byte) *internSlot {
	mask := len(in.slots) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		s := &in.slots[i]
		if s.number == 0 || s.hash == uint32(hash) && in.text(s.number-1) == string(text) {
			return s
		}
	}
}

func (in *interner) add(text []byte) {
	last := len(in.pieces) - 1
	switch {
	case len(text) > pieceSize:
		in.pieces = append(in.pieces, bytes.Clone(text))
		last++
	case last < 0 || cap(in.pieces[last])-len(in.pieces[last]) < len(text):
		in.pieces = append(in.pieces, append(make([]byte, 0, pieceSize), text...))
		last++
	default:
		in.pieces[last] = append(in.pieces[last], text...)
	}
	start := len(in.pieces[last]) - len(text)
	in.places = append(in.places, textPlace{uint32(last), uint32(start), uint32(len(text))})
}

// grow doubles the slots.
func (in *interner) grow() {
	in.slots = make([]internSlot, 2*len(in.slots))
	mask := len(in.slots) - 1
	for n := range in.places {
		hash := maphash.String(in.seed, in.text(uint32(n)))
		i := int(hash>>32) & mask
		for in.slots[i].number != 0 {
			i = (i + 1) & mask
		}
		in.slots[i] = internSlot{uint32(hash), uint32(n) + 1}
	}
}
