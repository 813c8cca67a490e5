package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"brick/internal/test/testbuild"
	"brick/store"
)

// model returns a model of one node.
func model(id string) []byte {
	return []byte(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],` +
		`"nodes":[{"id":"` + id + `","kind":"function","name":"f"}]}`)
}

// replace renames a new file over path.
func replace(t *testing.T, path string, contents []byte) {
	t.Helper()
	next := path + ".next"
	if err := os.WriteFile(next, contents, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

func indexBytes(t *testing.T, id string) []byte {
	t.Helper()
	b, err := os.ReadFile(testbuild.File(t, t.TempDir(), model(id)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// has asks the live index whether a node is in it.
func has(t *testing.T, live *store.Live, id string) (found bool, notice string) {
	t.Helper()
	ix, notice, release, err := live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	v := ix.View()
	defer v.Release()
	_, found, err = v.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return found, notice
}

func TestLiveFollowsReplacement(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brick.idx")
	live := store.NewLive(path)
	defer live.Close()
	if _, _, _, err := live.Acquire(); !os.IsNotExist(err) {
		t.Fatalf("before there is an index: %v", err)
	}
	a, b := indexBytes(t, "a"), indexBytes(t, "b")
	replace(t, path, a)
	if found, notice := has(t, live, "a"); !found || notice != "" {
		t.Errorf("first index: %v, %q", found, notice)
	}

	ix, _, release, err := live.Acquire() // an answer that is still being read
	if err != nil {
		t.Fatal(err)
	}
	replace(t, path, b)
	if found, notice := has(t, live, "b"); !found || notice != "" {
		t.Errorf("after the replacement: %v, %q", found, notice)
	}
	v := ix.View()
	if _, found, err := v.Find("a"); !found || err != nil {
		t.Errorf("the answer that was being read: %v, %v", found, err)
	}
	v.Release()
	release()

	for _, damaged := range [][]byte{b[:len(b)/2], []byte("{}"), nil, bytes.Repeat([]byte{0}, len(b))} {
		replace(t, path, damaged)
		for range 2 {
			if found, notice := has(t, live, "b"); !found || !strings.Contains(notice, "can't be used") {
				t.Errorf("after a damaged replacement: %v, %q", found, notice)
			}
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if found, notice := has(t, live, "b"); !found || !strings.Contains(notice, "can't be found") {
		t.Errorf("after the file was removed: %v, %q", found, notice)
	}
	replace(t, path, a)
	if found, notice := has(t, live, "a"); !found || notice != "" {
		t.Errorf("after a good replacement: %v, %q", found, notice)
	}
}

// Where a file was written over, the index that it was is gone: the next
// question is an error, not an answer from it, until the file is an index again.
func TestLiveOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brick.idx")
	a := indexBytes(t, "a")
	replace(t, path, a)
	live := store.NewLive(path)
	defer live.Close()
	if found, _ := has(t, live, "a"); !found {
		t.Fatal("it is not there")
	}
	for _, junk := range [][]byte{[]byte("junk"), nil, bytes.Repeat([]byte("junk"), len(a))} {
		if err := overwrite(path, junk); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, notice, _, err := live.Acquire(); err == nil || notice != "" || !strings.Contains(err.Error(), "written over") {
				t.Errorf("after %d bytes of junk: notice %q, error %v", len(junk), notice, err)
			}
		}
		if err := overwrite(path, a); err != nil {
			t.Fatal(err)
		}
		if found, notice := has(t, live, "a"); !found || notice != "" {
			t.Errorf("after it was put right: %v, %q", found, notice)
		}
	}
}

// A file that another was written into, within one tick of the clock, looks the
// same as before.
func TestLiveDoubtsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brick.idx")
	replace(t, path, indexBytes(t, "a"))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	live := store.NewLive(path)
	defer live.Close()
	if found, _ := has(t, live, "a"); !found {
		t.Fatal("it is not there")
	}
	err = errors.Join(overwrite(path, indexBytes(t, "b")), os.Chtimes(path, info.ModTime(), info.ModTime()))
	if err != nil {
		t.Fatal(err)
	}
	ix, _, release, err := live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	v := ix.View()
	_, _, err = v.Find("a")
	v.Release()
	if _, damaged := errors.AsType[*store.DamageError](err); !damaged {
		t.Errorf("an index that another was written over: %v", err)
	}
	live.Doubt(ix)
	release()
	if found, notice := has(t, live, "b"); !found || notice != "" {
		t.Errorf("after the doubt: %v, %q", found, notice)
	}
}

// Many readers and many replacements: each answer is of one whole index, and
// the maps of replaced ones are given back.
func TestLiveUnderLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brick.idx")
	indexes := [][]byte{indexBytes(t, "a"), indexBytes(t, "b")}
	replace(t, path, indexes[0])
	live := store.NewLive(path)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ix, notice, release, err := live.Acquire()
				if err != nil || notice != "" {
					t.Errorf("%q, %v", notice, err)
					return
				}
				v := ix.View()
				_, a, errA := v.Find("a")
				_, b, errB := v.Find("b")
				if a == b || errA != nil || errB != nil {
					t.Errorf("a mixed answer: %v, %v; %v, %v", a, b, errA, errB)
				}
				v.Release()
				release()
			}
		})
	}
	for i := range 200 {
		replace(t, path, indexes[i%2])
	}
	close(stop)
	readers.Wait()
	has(t, live, "b")
	if n := maps(t, path); n > 1 {
		t.Errorf("%d maps of the index and its forerunners are left", n)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	if n := maps(t, path); n > 0 {
		t.Errorf("%d maps are left after Close", n)
	}
}

// maps counts the maps of files that have or had that name, where the system
// tells.
func maps(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return 0
	}
	return strings.Count(string(text), path)
}
