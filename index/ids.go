package index

import (
	"encoding/binary"
	"hash/maphash"
)

// hash128 stands for an id in memory. Its seeds are random, so that no model
// can be made to have two ids of one hash; among a billion ids the odds of
// such a pair are one in 10^20.
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

// interner numbers distinct strings in the order in which they come.
type interner struct {
	numbers map[string]uint32
	texts   []string
}

func newInterner() *interner { return &interner{numbers: map[string]uint32{}} }

func (in *interner) number(text []byte) uint32 {
	if n, ok := in.numbers[string(text)]; ok {
		return n
	}
	n := uint32(len(in.texts))
	in.texts = append(in.texts, string(text))
	in.numbers[in.texts[n]] = n
	return n
}
