//go:build unix

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"brick/internal/test/testenv"
)

// TestUnderTheReader damages and removes the index while it is being asked:
// the servers live, each answer is right or an error, and when there is a good
// index again every answer is right again. BRICK_UNDER_ROUNDS is how often
// each thing is done.
func TestUnderTheReader(t *testing.T) {
	e := newExam(t, modelOf(t, 1), modelOf(t, 2))
	path := filepath.Join(t.TempDir(), "brick.idx")
	write := func(path string, contents []byte) {
		t.Helper()
		if err := os.WriteFile(path, contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put := func(contents []byte) { // renamed into the index's place
		t.Helper()
		write(path+".next", contents)
		if err := os.Rename(path+".next", path); err != nil {
			t.Fatal(err)
		}
	}
	inPlace := func(offset int64, contents []byte) {
		t.Helper()
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteAt(contents, offset)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	garbage := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	events := []struct {
		name   string
		damage func(now, other []byte)
	}{
		{"cut off", func(now, _ []byte) {
			if err := os.Truncate(path, int64(r.IntN(len(now)))); err != nil {
				t.Fatal(err)
			}
		}},
		{"emptied", func(_, _ []byte) { write(path, nil) }},
		{"removed", func(_, _ []byte) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
		{"pages overwritten in place", func(now, _ []byte) {
			for range 20 {
				inPlace(int64(r.IntN(len(now)-4096)), garbage(4096))
			}
		}},
		{"overwritten in place by half of another index", func(_, other []byte) { inPlace(0, other[:len(other)/2]) }},
		{"overwritten in place by another index", func(_, other []byte) { write(path, other) }},
		{"a damaged file in its place", func(now, _ []byte) { put(now[:r.IntN(len(now))]) }},
		{"a model in its place", func(_, _ []byte) { put([]byte(`{"schema_version":4}`)) }},
		{"a folder in its place", func(_, _ []byte) {
			if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o777)); err != nil {
				t.Fatal(err)
			}
		}},
	}
	put(e.indexes[0])
	c := newCrowd(t, e, path, rule{indexes: []int{0}})
	c.wait(10)
	for range testenv.Int(t, "BRICK_UNDER_ROUNDS", 1) {
		for i, event := range events {
			now, next := i%2, (i+1)%2
			put(e.indexes[now])
			c.set(rule{indexes: []int{now}})
			c.wait(3)
			c.set(rule{indexes: []int{now, next}, errors: true})
			event.damage(e.indexes[now], e.indexes[next])
			c.wait(10)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if i%3 == 0 { // written in place, not renamed there
				write(path, e.indexes[next])
			} else {
				put(e.indexes[next])
			}
			c.set(rule{indexes: []int{next}})
			c.wait(5)
			if t.Failed() {
				t.Fatalf("after %s", event.name)
			}
		}
	}
	for i, p := range c.servers {
		if h := p.held(path); h.maps > 1 || h.anonymous > maxAnonymous {
			t.Errorf("connection %d holds %+v", i, h)
		}
	}
	answers, failed := c.end()
	t.Logf("%d answers, %d of them errors", answers, failed)
	if failed == 0 {
		t.Error("nothing that was done to the index could be seen")
	}
}

// TestReplacedUnderLoad builds new indexes over the one that is being asked:
// each answer is one index's, nothing fails, and nothing is left of the old
// ones. BRICK_REPLACEMENTS is how many are built.
func TestReplacedUnderLoad(t *testing.T) {
	models := [][]byte{modelOf(t, 1), modelOf(t, 2)}
	e := newExam(t, models...)
	path := filepath.Join(t.TempDir(), "brick.idx")
	build(t, path, models[0])
	c := newCrowd(t, e, path, rule{indexes: []int{0}})
	c.wait(10)
	var before [connections]holdings
	for i, p := range c.servers {
		before[i] = p.held(path)
	}
	n := testenv.Int(t, "BRICK_REPLACEMENTS", 20)
	for i := range n {
		next := (i + 1) % 2
		c.set(rule{indexes: []int{0, 1}})
		build(t, path, models[next])
		c.set(rule{indexes: []int{next}})
		if i%10 == 0 {
			c.wait(2)
		}
	}
	c.wait(2)
	for i, p := range c.servers {
		h := p.held(path)
		if h.maps > 1 || h.descriptors > before[i].descriptors+1 || h.anonymous > maxAnonymous {
			t.Errorf("connection %d holds %+v, and before %+v", i, h, before[i])
		}
	}
	answers, _ := c.end()
	t.Logf("%d answers while %d indexes were built over the one that they are from", answers, n)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
