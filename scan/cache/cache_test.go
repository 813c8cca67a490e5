package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestValuesComeBackByTheirKey(t *testing.T) {
	c := Open(filepath.Join(t.TempDir(), "cache"))
	k := NewKey("engine 1", []byte("content"))
	if _, ok := c.Get(k); ok {
		t.Fatal("an empty cache has a value")
	}
	want := bytes.Repeat([]byte("facts "), 1000)
	c.Put(k, want)
	got, ok := c.Get(k)
	if !ok || !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes, %v; want %d", len(got), ok, len(want))
	}
	if _, ok := c.Get(NewKey("engine 2", []byte("content"))); ok {
		t.Error("another version of the code gets the value too")
	}
}

func TestKeysTellPartsApart(t *testing.T) {
	keys := map[Key]string{}
	for name, k := range map[string]Key{
		"ab":      NewKey("v", []byte("ab")),
		"a, b":    NewKey("v", []byte("a"), []byte("b")),
		"b, a":    NewKey("v", []byte("b"), []byte("a")),
		"ab, ":    NewKey("v", []byte("ab"), nil),
		"version": NewKey("va", []byte("b")),
	} {
		if other, ok := keys[k]; ok {
			t.Errorf("%q and %q have one key", name, other)
		}
		keys[k] = name
	}
}

func TestDamageIsAbsence(t *testing.T) {
	c := Open(t.TempDir())
	k := NewKey("v")
	c.Put(k, []byte("what was found"))
	packed, err := os.ReadFile(c.path(k))
	if err != nil {
		t.Fatal(err)
	}
	for i := range packed {
		for _, damaged := range [][]byte{packed[:i], flip(packed, i)} {
			if err := os.WriteFile(c.path(k), damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if value, ok := c.Get(k); ok && string(value) != "what was found" {
				t.Fatalf("byte %d: a damaged value came back as %q", i, value)
			}
		}
	}
}

func flip(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 0x41
	return b
}

func TestNoCache(t *testing.T) {
	var c *Cache
	c.Put(NewKey("v"), []byte("x"))
	if _, ok := c.Get(NewKey("v")); ok {
		t.Error("a cache that is off has a value")
	}
	readOnly := Open(filepath.Join(t.TempDir(), "file", "cache"))
	if err := os.WriteFile(filepath.Dir(readOnly.dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	readOnly.Put(NewKey("v"), []byte("x"))
	if _, ok := readOnly.Get(NewKey("v")); ok {
		t.Error("a cache that can't be written has a value")
	}
}
