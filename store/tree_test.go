package store

import (
	"bytes"
	"os"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func everyBucket(string) bool { return true }

// TestReadTreeAgreesWithBbolt compares what is found in a file with what bbolt
// finds in it.
func TestReadTreeAgreesWithBbolt(t *testing.T) {
	path := t.TempDir() + "/db"
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: pageSize})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// More buckets than a root page holds, inline ones and large ones.
	for i := range 300 {
		err := db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket(extentName(Section(i%7), i))
			if err != nil {
				return err
			}
			for k := range i % 5 {
				if err := b.Put(extentKey(k), bytes.Repeat([]byte{byte(i)}, i*i%20_000)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	copied := t.TempDir() + "/copy"
	if err := db.View(func(tx *bolt.Tx) error { return tx.CopyFile(copied, 0o600) }); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	buckets, err := readTree(bytes.NewReader(file), int64(len(file)), everyBucket)
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(func(tx *bolt.Tx) error {
		i := 0
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if i >= len(buckets) || buckets[i].name != string(name) {
				t.Fatalf("bucket %d is not %x", i, name)
			}
			k := 0
			err := b.ForEach(func(key, want []byte) error {
				at := buckets[i].values[k]
				if got := file[at.offset : at.offset+int64(at.size)]; !bytes.Equal(got, want) {
					t.Errorf("bucket %x, key %x: %d bytes, want %d", name, key, len(got), len(want))
				}
				k++
				return nil
			})
			if k != len(buckets[i].values) {
				t.Errorf("bucket %x: %d values, want %d", name, len(buckets[i].values), k)
			}
			i++
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
