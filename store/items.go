package store

import (
	"bytes"
	"encoding/binary"

	"github.com/vmihailenco/msgpack/v5"

	"brick/internal/canon"
)

// itemEnd is where an item of a block ends, and whether it is a long one.
type itemEnd struct {
	end  uint32
	long bool
}

// item returns an item of a record section. Its memory is the view's, valid
// until the next call.
func (v *View) item(s Section, i uint32) ([]byte, error) {
	per := uint32(itemsPerBlock[s])
	n := int(i / per)
	slot, err := v.slot(s, n)
	if err != nil {
		return nil, err
	}
	if len(slot.ends) == 0 {
		count := min(int(per), v.ix.Manifest.sections[s].Items-n*int(per))
		if slot.ends, err = itemEnds(slot.ends, s, n, count, slot.data); err != nil {
			slot.question = 0
			return nil, err
		}
	}
	k := int(i % per)
	if k+1 >= len(slot.ends) {
		return nil, damaged(blockName(s, n), "it has no item %d", i)
	}
	item := slot.data[slot.ends[k].end:slot.ends[k+1].end]
	if !slot.ends[k+1].long {
		return item, nil
	}
	return v.longItem(s, n, item)
}

// itemEnds appends where the items of a block end, after where the first one
// begins.
func itemEnds(ends []itemEnd, s Section, n, count int, block []byte) ([]itemEnd, error) {
	ends = append(ends, itemEnd{})
	at, end := 0, uint64(0)
	for range count {
		length, size := binary.Uvarint(block[at:])
		if size <= 0 || length>>1 > uint64(len(block)) {
			return ends[:0], damaged(blockName(s, n), "its lengths are wrong")
		}
		at += size
		end += length >> 1
		ends = append(ends, itemEnd{uint32(end), length&1 == 1})
	}
	if end != uint64(len(block)-at) {
		return ends[:0], damaged(blockName(s, n), "its lengths do not add up")
	}
	for i := range ends {
		ends[i].end += uint32(at)
	}
	return ends, nil
}

// longItem reads the chunks of an item that was too long for its block.
func (v *View) longItem(s Section, block int, item []byte) ([]byte, error) {
	first, n := binary.Uvarint(item)
	size, m := binary.Uvarint(item[max(n, 0):])
	if n <= 0 || m <= 0 || first > uint64(none) {
		return nil, damaged(blockName(s, block), "an item's chunks are not given")
	}
	var blocks []int
	for chunk := first; chunk <= first+size/chunkSize && chunk < uint64(v.ix.Manifest.sections[Chunks].Blocks); chunk++ {
		blocks = append(blocks, int(chunk))
	}
	v.prefetchBlocks(Chunks, blocks)
	var long []byte
	for chunk := int(first); uint64(len(long)) < size; chunk++ {
		b, err := v.block(Chunks, chunk)
		if err != nil {
			return nil, err
		}
		if len(b) == 0 || uint64(len(long)+len(b)) > size {
			return nil, damaged(blockName(Chunks, chunk), "it is not of the size that it should be")
		}
		long = append(long, b...)
	}
	return long, nil
}

// A Record is a node's or edge's. The memory is the view's, valid until the
// next call.
type Record struct {
	Text   []byte // canonical
	ID     int    // where the string literal of its id begins
	claims uint64 // of an edge: see section EdgeRecords
}

// Evidence is the number of an edge's evidence records.
func (r Record) Evidence() int { return int(r.claims >> 4) }

// Has says whether an edge has evidence in the lane of that place in LaneNames.
func (r Record) Has(lane int) bool { return r.claims>>lane&1 == 1 }

// Record returns an item of NodeRecords or EdgeRecords.
func (v *View) Record(s Section, i uint32) (r Record, err error) {
	item, err := v.item(s, i)
	if err != nil {
		return Record{}, err
	}
	offset, n := binary.Uvarint(item)
	m := 0
	if s == EdgeRecords && n > 0 {
		r.claims, m = binary.Uvarint(item[n:])
		if m <= 0 {
			n = 0
		}
	}
	if n <= 0 || offset >= uint64(len(item)-n-m) || item[n+m+int(offset)] != '"' {
		return Record{}, damaged(blockName(s, int(i)/itemsPerBlock[s]), "a record's id is not where it should be")
	}
	r.Text, r.ID = item[n+m:], int(offset)
	return r, nil
}

// Room is about how many bytes so many records of nodes and edges take.
func (ix *Index) Room(nodes, edges int) int {
	room := func(s Section, n int) int {
		info := ix.Manifest.sections[s]
		return n * (info.Bytes/max(info.Items, 1) + 1)
	}
	return room(NodeRecords, nodes) + room(EdgeRecords, edges)
}

// AppendNode appends a node's canonical record to dst.
func (v *View) AppendNode(dst []byte, node uint32) ([]byte, error) {
	r, err := v.Record(NodeRecords, node)
	return append(dst, r.Text...), err
}

// AppendEdge appends an edge's canonical record to dst.
func (v *View) AppendEdge(dst []byte, edge uint32) ([]byte, error) {
	r, err := v.Record(EdgeRecords, edge)
	return append(dst, r.Text...), err
}

// AppendNodeID appends a node's id to dst as a canonical JSON string.
func (v *View) AppendNodeID(dst []byte, node uint32) ([]byte, error) {
	return v.appendID(dst, NodeRecords, node)
}

// AppendEdgeID appends an edge's id to dst as a canonical JSON string.
func (v *View) AppendEdgeID(dst []byte, edge uint32) ([]byte, error) {
	return v.appendID(dst, EdgeRecords, edge)
}

func (v *View) appendID(dst []byte, s Section, i uint32) ([]byte, error) {
	r, err := v.Record(s, i)
	if err != nil {
		return dst, err
	}
	return append(dst, r.Text[r.ID:canon.End(r.Text, r.ID)]...), nil
}

// Text returns an item of Terms, Paths, Qualified or Texts. The memory is the
// view's, valid until the next call.
func (v *View) Text(s Section, i uint32) ([]byte, error) { return v.item(s, i) }

// Gram returns the row of a gram in TermGramKeys or PathGramKeys: the gram,
// and how many texts have it.
func (v *View) Gram(keys Section, row uint32) (gram, count uint32, err error) {
	b, err := v.row(keys, row)
	if err != nil {
		return 0, 0, err
	}
	return column(b, 0), column(b, 1), nil
}

// GramTexts appends the numbers of the texts that have the gram of a row.
func (v *View) GramTexts(dst []uint32, lists Section, row uint32) ([]uint32, error) {
	item, err := v.item(lists, row)
	if err != nil {
		return nil, err
	}
	last := uint64(0)
	for at := 0; at < len(item); {
		step, n := binary.Uvarint(item[at:])
		if last += step; n <= 0 || last >= uint64(none) {
			return nil, damaged(blockName(lists, int(row)/itemsPerBlock[lists]), "a list does not decode")
		}
		dst = append(dst, uint32(last))
		at += n
	}
	return dst, nil
}

// Encode returns the file as an item of section Sources.
func (f *SourceFile) Encode() ([]byte, error) { return pack(f) }

// Source returns an item of Sources.
func (v *View) Source(i uint32) (SourceFile, error) {
	item, err := v.item(Sources, i)
	if err != nil {
		return SourceFile{}, err
	}
	var f SourceFile
	if err := msgpack.Unmarshal(item, &f); err != nil {
		return SourceFile{}, damaged(blockName(Sources, int(i)/itemsPerBlock[Sources]), "source %d does not decode", i)
	}
	return f, nil
}

// Encode returns the report as an item of section Reports.
func (r *Report) Encode() ([]byte, error) { return pack(r) }

// Report returns a function's caller report.
func (v *View) Report(function uint32) (Report, error) {
	item, err := v.item(Reports, function)
	if err != nil {
		return Report{}, err
	}
	var r Report
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(bytes.NewReader(item))
	if err := d.Decode(&r); err != nil || r.Closed < 0 || r.Closed > len(r.Reasons) ||
		r.Resolution < -1 || r.Resolution >= len(v.ix.Manifest.ResolutionOf) {
		return Report{}, damaged(blockName(Reports, int(function)/itemsPerBlock[Reports]), "report %d does not decode", function)
	}
	return r, nil
}
