package store

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// Entity is a node or an edge.
type Entity struct {
	Edge   bool
	Number uint32
}

// lookup returns the values of a key's hash in a lookup section, those of
// other keys with the same hash among them. That the key is not there is
// certain: the block that would hold it was read and checked.
func (v *View) lookup(s Section, key []byte) ([]uint32, error) {
	hash := xxhash.Sum64(key)
	n := bucketOf(hash, max(v.ix.Manifest.sections[s].Blocks, 1))
	b, err := v.block(s, n)
	if err != nil {
		return nil, err
	}
	var values []uint32
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint32(b) == uint32(hash) {
			values = append(values, binary.LittleEndian.Uint32(b[4:]))
		}
	}
	return values, nil
}

// Find returns the node or edge with that id, and whether there is one.
func (v *View) Find(id string) (e Entity, found bool, err error) {
	literal, err := jsontext.AppendQuote(nil, id)
	if err != nil {
		return Entity{}, false, nil // not UTF-8: no id of a model
	}
	values, err := v.lookup(IDs, []byte(id))
	if err != nil {
		return Entity{}, false, err
	}
	for _, value := range values {
		e := Entity{Edge: value&1 == 1, Number: value >> 1}
		s := NodeRecords
		if e.Edge {
			s = EdgeRecords
		}
		r, err := v.Record(s, e.Number)
		if err != nil {
			return Entity{}, false, err
		}
		if bytes.HasPrefix(r.Text[r.ID:], literal) {
			return e, true, nil
		}
	}
	return Entity{}, false, nil
}

// Folded returns nodes whose id in lower case is that, where that is another
// text than the id, and perhaps a few others whose id has the same hash.
func (v *View) Folded(lower string) ([]uint32, error) { return v.lookup(FoldedIDs, []byte(lower)) }
