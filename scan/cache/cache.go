// Package cache keeps what engines found, by what they found it from, so that
// it need not be found again.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A Key is a digest of everything that a value follows from: the version of
// the code that made it, and the content of the files that it was made of.
type Key [sha256.Size]byte

// NewKey is the key of values made by a version of some code from parts. Where
// one part ends counts.
func NewKey(version string, parts ...[]byte) Key {
	h := sha256.New()
	var size [8]byte
	write := func(part []byte) {
		n := uint64(len(part))
		for i := range size {
			size[i] = byte(n >> (8 * i))
		}
		h.Write(size[:])
		h.Write(part)
	}
	write([]byte(version))
	for _, p := range parts {
		write(p)
	}
	return Key(h.Sum(nil))
}

// A Cache is a folder of values. A nil Cache is empty and keeps nothing. It
// may be used by several goroutines, and by several processes at once.
type Cache struct{ dir string }

// Open opens the cache in a folder, which is made when a value is kept.
func Open(dir string) *Cache { return &Cache{dir} }

// Folder is a folder in the cache for what keeps files of its own, "" when
// nothing is kept. It need not be there yet.
func (c *Cache) Folder(name string) string {
	if c == nil {
		return ""
	}
	return filepath.Join(c.dir, name)
}

func (c *Cache) path(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(c.dir, name[:2], name[2:])
}

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
)

// Get is the value of a key. What is damaged is not there.
func (c *Cache) Get(k Key) (value []byte, ok bool) {
	if c == nil {
		return nil, false
	}
	packed, err := os.ReadFile(c.path(k))
	if err != nil {
		return nil, false
	}
	sealed, err := unpacker.DecodeAll(packed, nil)
	if err != nil || len(sealed) < sealSize {
		return nil, false
	}
	value = sealed[:len(sealed)-sealSize]
	return value, bytes.Equal(sealed[len(value):], seal(k, value))
}

// sealSize is the size of the checksum behind each value, in bytes.
const sealSize = 8

// seal is the checksum of a value, bound to its key.
func seal(k Key, value []byte) []byte {
	h := sha256.New()
	h.Write(k[:])
	h.Write(value)
	return h.Sum(nil)[:sealSize]
}

// Put keeps the value of a key. That it can't is no error: it is then made
// again the next time.
func (c *Cache) Put(k Key, value []byte) {
	if c == nil {
		return
	}
	path := c.path(k)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return
	}
	defer os.Remove(f.Name())
	_, err = f.Write(packer.EncodeAll(slices.Concat(value, seal(k, value)), nil))
	if cerr := f.Close(); err != nil || cerr != nil {
		return
	}
	_ = os.Rename(f.Name(), path)
}
