package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/pierrec/lz4/v4"
)

// blockOverhead is what a block has besides its payload.
const blockOverhead = 1 + 8

// checksum is the XXH64 of a block, bound to the index that it belongs to and
// to its place in it.
func checksum(index uint64, s Section, block int, b []byte) uint64 {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:], index)
	binary.LittleEndian.PutUint64(place[8:], uint64(s)<<56|uint64(block))
	d := digests.Get().(*xxhash.Digest)
	defer digests.Put(d)
	d.ResetWithSeed(xxhash.Sum64(place[:]))
	d.Write(b)
	return d.Sum64()
}

var digests = sync.Pool{New: func() any { return new(xxhash.Digest) }}

// sealBlock writes the checksum into the last eight bytes of b.
func sealBlock(index uint64, s Section, block int, b []byte) {
	body := b[:len(b)-8]
	binary.LittleEndian.PutUint64(b[len(body):], checksum(index, s, block, body))
}

// checkBlock checks a block's checksum and returns packing and payload.
func checkBlock(index uint64, s Section, block int, b []byte) (packing byte, payload []byte, err error) {
	if len(b) < blockOverhead {
		return 0, nil, damaged(blockName(s, block), "it is cut off")
	}
	body := b[:len(b)-8]
	if binary.LittleEndian.Uint64(b[len(body):]) != checksum(index, s, block, body) {
		return 0, nil, damaged(blockName(s, block), "its checksum does not match")
	}
	return body[0], body[1:], nil
}

// unpack returns the contents of a checked block that is packed, in dst's
// memory where they fit.
func unpack(dst []byte, s Section, block int, packing byte, payload []byte) ([]byte, error) {
	if packing != packedLZ4 || len(payload) < 4 {
		return nil, damaged(blockName(s, block), "it is packed in an unknown way")
	}
	size := int(binary.LittleEndian.Uint32(payload))
	if size > maxBlockSize(s) {
		return nil, damaged(blockName(s, block), "it claims to unpack to %d bytes", size)
	}
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	n, err := lz4.UncompressBlock(payload[4:], dst[:size])
	if err != nil || n != size {
		return nil, damaged(blockName(s, block), "it does not unpack")
	}
	return dst[:size], nil
}

// maxBlockSize is the largest size of a section's unpacked block.
func maxBlockSize(s Section) int {
	if columns[s] > 0 {
		return tableBlockSize
	}
	if s == Chunks {
		return chunkSize
	}
	return itemsPerBlock[s] * (maxInline + binary.MaxVarintLen64)
}

func blockName(s Section, block int) string { return fmt.Sprintf("block %d of the %s", block, s) }

// packBlock appends to dst a block that holds raw, its checksum still to be
// filled in. Packed is chosen where it saves an eighth.
func packBlock(dst, raw []byte, c *lz4.Compressor) []byte {
	start := len(dst)
	dst = append(dst, packedLZ4, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(dst[start+1:], uint32(len(raw)))
	head := len(dst)
	limit := len(raw) - len(raw)/8
	dst = slices.Grow(dst, limit+8)
	n, err := c.CompressBlock(raw, dst[head:head+limit])
	if err != nil || n == 0 {
		return rawBlock(dst[:start], raw)
	}
	return append(dst[:head+n], noChecksum[:]...)
}

// rawBlock appends to dst a block that holds raw as it is.
func rawBlock(dst, raw []byte) []byte {
	dst = append(dst, packedRaw)
	dst = append(dst, raw...)
	return append(dst, noChecksum[:]...)
}

// noChecksum holds the place of a checksum.
var noChecksum [8]byte
