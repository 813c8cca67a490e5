package index

import (
	"encoding/binary"
	"hash/maphash"
)

// hash128 stands for an id in memory. Its seeds are random, so that no model
// can be made to have two ids of one hash; the 96 bits of it that count make
// the odds of such a pair among a billion ids one in 10^11.
type hash128 struct{ high, low uint64 }

type idHash struct{ high, low maphash.Seed }

func newIDHash() *idHash { return &idHash{maphash.MakeSeed(), maphash.MakeSeed()} }

func (h *idHash) of(id string) hash128 {
	return hash128{maphash.String(h.high, id), maphash.String(h.low, id)}
}

func (h *idHash) ofBytes(id []byte) hash128 {
	return hash128{maphash.Bytes(h.high, id), maphash.Bytes(h.low, id)}
}

func (h hash128) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, h.high)
	return binary.LittleEndian.AppendUint64(b, h.low)
}

func readHash(b []byte) hash128 {
	return hash128{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// idTable finds nodes by their ids' hashes. It is an open-addressing hash
// table, 16 bytes a slot: one cache miss a look-up, of which an edge needs
// three.
type idTable struct {
	slots []idSlot // a power of two, at most half of them taken
	count int
}

type idSlot struct {
	low    uint64
	high   uint32
	number uint32 // plus one; 0 when the slot is free
}

// newIDTable returns a table with room for n nodes.
func newIDTable(n int) *idTable {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &idTable{slots: make([]idSlot, size)}
}

// slot returns the slot of a hash, or the free one that it would take.
func (t *idTable) slot(low uint64, high uint32) *idSlot {
	for i := int(high) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if s.number == 0 || s.low == low && s.high == high {
			return s
		}
	}
}

func (t *idTable) find(h hash128) (number uint32, found bool) {
	s := t.slot(h.low, uint32(h.high))
	return s.number - 1, s.number != 0
}

func (t *idTable) add(h hash128, number uint32) {
	if 2*t.count >= len(t.slots) {
		old := t.slots
		t.slots = make([]idSlot, 2*len(old))
		for _, s := range old {
			if s.number != 0 {
				*t.slot(s.low, s.high) = s
			}
		}
	}
	*t.slot(h.low, uint32(h.high)) = idSlot{h.low, uint32(h.high), number + 1}
	t.count++
}
