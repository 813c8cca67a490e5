package store

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func everyBucket(string) bool { return true }

// TestReadTreeAgreesWithBbolt compares what is found in a file with what bbolt
// finds in it.
func TestReadTreeAgreesWithBbolt(t *testing.T) {
	t.Run("more buckets than a root page holds, inline ones and large ones", func(t *testing.T) {
		var sizes [][]int
		for i := range 300 {
			sizes = append(sizes, slices.Repeat([]int{i * i % 20_000}, i%5))
		}
		compareTrees(t, sizes)
	})
	// bbolt splits no leaf of four elements or fewer, however large they are.
	for size := 900; size <= 1000; size += 4 {
		t.Run(fmt.Sprintf("inline buckets of %d bytes", size), func(t *testing.T) {
			for count := range 9 {
				compareTrees(t, slices.Concat(slices.Repeat([][]int{{3000}}, 8), slices.Repeat([][]int{{size}}, count)))
			}
		})
	}
}

// compareTrees makes a file of buckets whose values have these sizes, one
// transaction each.
func compareTrees(t *testing.T, buckets [][]int) {
	t.Helper()
	path := t.TempDir() + "/db"
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: pageSize, NoSync: true, NoGrowSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, values := range buckets {
		err := db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket(extentName(Section(i/40), i))
			if err != nil {
				return err
			}
			for k, size := range values {
				if err := b.Put(extentKey(k), bytes.Repeat([]byte{byte(i)}, size)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var copied bytes.Buffer
	err = db.View(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(&copied)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := copied.Bytes()
	found, err := readTree(bytes.NewReader(file), int64(len(file)), everyBucket)
	if err != nil {
		t.Fatal(err)
	}
	shallow, err := readTree(bytes.NewReader(file), int64(len(file)), func(string) bool { return false })
	if err != nil || len(shallow) != len(found) {
		t.Fatalf("%d buckets without their pages, with them %d: %v", len(shallow), len(found), err)
	}
	err = db.View(func(tx *bolt.Tx) error {
		i := 0
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if i >= len(found) || found[i].name != string(name) || shallow[i].name != string(name) {
				t.Fatalf("bucket %d is not %x", i, name)
			}
			k := 0
			err := b.ForEach(func(key, want []byte) error {
				at := found[i].values[k]
				if got := file[at.offset : at.offset+int64(at.size)]; !bytes.Equal(got, want) {
					t.Errorf("bucket %x, key %x: %d bytes, want %d", name, key, len(got), len(want))
				}
				k++
				return nil
			})
			if k != len(found[i].values) {
				t.Errorf("bucket %x: %d values, want %d", name, len(found[i].values), k)
			}
			if k == 1 {
				if at, ok := shallow[i].extent(found[i].values[0].size); !ok || at != found[i].values[0] {
					t.Errorf("bucket %x: its only value is expected at %v, and is at %v", name, at, found[i].values[0])
				}
			}
			i++
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
