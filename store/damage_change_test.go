package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// A change is what damage does to a file: patches are written over it, in this
// order, and it gets a size. A large file is damaged and mended by little
// writing.
type change struct {
	patches []patch
	size    int
}

type patch struct {
	at   int
	data []byte
}

// write overwrites what is at an offset. The change keeps data.
func (c *change) write(at int, data []byte) { c.patches = append(c.patches, patch{at, data}) }

// make damages the file.
func (c *change) make(path string) error {
	return patchFile(path, c.size, c.patches)
}

// undo makes the file again what it was.
func (c *change) undo(path string, whole []byte) error {
	var patches []patch
	if c.size < len(whole) {
		patches = append(patches, patch{c.size, whole[c.size:]})
	}
	for _, p := range c.patches {
		end := min(p.at+len(p.data), len(whole))
		if p.at < end {
			patches = append(patches, patch{p.at, whole[p.at:end]})
		}
	}
	return patchFile(path, len(whole), patches)
}

// patchFile changes a file in place: it may be open and mapped.
func patchFile(path string, size int, patches []patch) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, p := range patches {
		if _, err = file.WriteAt(p.data, int64(p.at)); err != nil {
			break
		}
	}
	return errors.Join(err, file.Truncate(int64(size)), file.Close())
}

// overwrite gives a file other contents, in place: it may be open.
func overwrite(path string, contents []byte) error {
	return patchFile(path, len(contents), []patch{{0, contents}})
}

// checkFile returns an error unless these are the file's contents.
func checkFile(path string, contents []byte) error {
	got, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(got, contents) {
		err = fmt.Errorf("%s is not what it was", path)
	}
	return err
}
