package extsort

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

type record struct{ key, value []byte }

func compareRecords(a, b record) int {
	if c := bytes.Compare(a.key, b.key); c != 0 {
		return c
	}
	return bytes.Compare(a.value, b.value)
}

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check adds each list of records by a writer of its own, all at once, and
// reads them back twice.
func check(t tester, path string, lists [][]record) {
	t.Helper()
	s, err := New(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	errs := make([]error, len(lists))
	var writers sync.WaitGroup
	for i, list := range lists {
		writers.Go(func() {
			w := s.Writer()
			for j, r := range list {
				// A value is the concatenation of its parts, however many.
				cut := len(r.value) * (j % 3) / 2
				var err error
				if j%4 == 0 {
					err = w.Add(r.key, r.value)
				} else {
					err = w.Add(r.key, r.value[:cut], nil, r.value[cut:])
				}
				errs[i] = errors.Join(errs[i], err)
			}
			errs[i] = errors.Join(errs[i], w.Close())
		})
	}
	writers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatalf("%v", err)
	}
	want := slices.Concat(lists...)
	slices.SortFunc(want, compareRecords)
	for range 2 {
		compareMerge(t, s.Merge(), want)
	}
	// Two merges do not disturb each other.
	first, second := s.Merge(), s.Merge()
	for range min(len(want), 3) {
		if !first.Next() || !second.Next() {
			t.Fatalf("a merge ends too early: %v, %v", first.Err(), second.Err())
		}
	}
	if err := s.Close(); err != nil {
		t.Fatalf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the file is still there after Close: %v", err)
	}
}

func compareMerge(t tester, m *Merge, want []record) {
	t.Helper()
	n := 0
	for ; m.Next(); n++ {
		key, value := m.Record()
		if n == len(want) {
			t.Fatalf("there are more than %d records", n)
		}
		if !bytes.Equal(key, want[n].key) || !bytes.Equal(value, want[n].value) {
			t.Fatalf("record %d is %.60q (%d bytes), %.60q (%d bytes); want %.60q, %.60q",
				n, key, len(key), value, len(value), want[n].key, want[n].value)
		}
	}
	if err := m.Err(); err != nil {
		t.Fatalf("%v", err)
	}
	if n != len(want) {
		t.Fatalf("there are %d records, want %d", n, len(want))
	}
	if m.Next() {
		t.Fatalf("there is a record after the end")
	}
}

func genRecord() *rapid.Generator[record] {
	text := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 'b', 0x7F, 0x80, 0xFF}), 0, 4)
	return rapid.Custom(func(t *rapid.T) record {
		r := record{text.Draw(t, "key"), text.Draw(t, "value")}
		// Now and then about as long as a chunk.
		if rapid.IntRange(0, 30).Draw(t, "long") == 30 {
			tail := bytes.Repeat([]byte{'x'}, chunkSize+rapid.IntRange(-20, 20).Draw(t, "length"))
			if rapid.Bool().Draw(t, "which") {
				r.key = append(r.key, tail...)
			} else {
				r.value = append(r.value, tail...)
			}
		}
		return r
	})
}

func TestSort(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		lists := rapid.SliceOfN(rapid.SliceOfN(genRecord(), 0, 60), 0, 4).Draw(t, "records")
		check(t, filepath.Join(dir, fmt.Sprint(n)), lists)
	})
}

// TestRuns sorts more than a run holds, which has to be written and merged.
func TestRuns(t *testing.T) {
	random := func(r *rand.Rand, n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for _, test := range []struct {
		name  string
		lists func(r *rand.Rand) [][]record
	}{
		{"one writer, several runs", func(r *rand.Rand) [][]record {
			var list []record
			for size := 0; size < 5*maxRunSize/2; size += 4096 {
				list = append(list, record{random(r, r.IntN(9)), random(r, r.IntN(8192))})
			}
			return [][]record{list}
		}},
		{"several writers, several runs", func(r *rand.Rand) [][]record {
			lists := make([][]record, 3)
			for i := range lists {
				for size := 0; size < 3*maxRunSize/2; size += 4096 {
					lists[i] = append(lists[i], record{random(r, r.IntN(3)), bytes.Repeat([]byte{byte(r.IntN(4))}, r.IntN(8192))})
				}
			}
			return lists
		}},
		{"many equal records", func(r *rand.Rand) [][]record {
			list := make([]record, maxRunSize/8)
			for i := range list {
				list[i] = record{[]byte("same key"), []byte{'v', byte(r.IntN(3))}}
			}
			return [][]record{list, list[:100]}
		}},
		{"values longer than a run", func(r *rand.Rand) [][]record {
			return [][]record{
				{{[]byte("b"), random(r, maxRunSize+1)}, {[]byte("a"), nil}, {[]byte("b"), random(r, 2*maxRunSize+chunkSize)}, {nil, nil}},
				{{[]byte("b"), random(r, maxRunSize-1)}, {[]byte("c"), bytes.Repeat([]byte("z"), maxRunSize)}, {[]byte("a"), []byte("1")}},
			}
		}},
		{"a key longer than a run", func(r *rand.Rand) [][]record {
			key := random(r, maxRunSize+chunkSize)
			return [][]record{{{key, nil}, {key[:len(key)-1], []byte("v")}, {slices.Concat(key, []byte{0}), nil}}}
		}},
		{"records as long as a run", func(r *rand.Rand) [][]record {
			var list []record
			for i := range 3 {
				list = append(list, record{[]byte{byte(3 - i)}, random(r, maxRunSize-1)}, record{[]byte{1}, random(r, chunkSize)})
			}
			return [][]record{list}
		}},
		{"writers that add nothing", func(*rand.Rand) [][]record {
			return [][]record{nil, {{[]byte("k"), []byte("v")}}, nil}
		}},
		{"empty records", func(*rand.Rand) [][]record {
			return [][]record{make([]record, 200_000)}
		}},
		{"nothing", func(*rand.Rand) [][]record { return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, filepath.Join(t.TempDir(), "runs"), test.lists(rand.New(rand.NewPCG(1, 1))))
		})
	}
}

func TestNewDoesNotOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(path, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err := New(path); err == nil {
		s.Close()
		t.Fatal("no error for a file that is there")
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "precious" {
		t.Errorf("the file is now %q, %v", b, err)
	}
}

// TestMergeOfDamage reads a file that was cut off: an error, not fewer records.
func TestMergeOfDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut")
	s, err := New(path)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Writer()
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		value := make([]byte, 4096)
		for i := range value {
			value[i] = byte(r.Uint32())
		}
		if err := w.Add([]byte("k"), value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	m := s.Merge()
	for m.Next() {
	}
	if m.Err() == nil {
		t.Error("no error from a file that was cut off")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
