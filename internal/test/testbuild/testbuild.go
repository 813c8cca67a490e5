// Package testbuild builds indexes for tests.
package testbuild

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"brick/index"
	"brick/jsonmodel"
	"brick/store"
)

// TB is what testing.TB and rapid.T have in common.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// File builds an index of a document in a new folder below dir, and returns
// its path.
func File(t TB, dir string, document []byte) string {
	t.Helper()
	return FileWithSource(t, dir, document, nil)
}

// FileWithSource is File with a snapshot of the source.
func FileWithSource(t TB, dir string, document []byte, source index.SourceReader) string {
	t.Helper()
	dir, err := os.MkdirTemp(dir, "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	path := filepath.Join(dir, "brick.idx")
	w, err := store.Create(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if _, _, err := index.Build(context.Background(), jsonmodel.Read(bytes.NewReader(document), jsonmodel.Options{}), w, index.Options{Source: source}); err != nil {
		t.Fatalf("build: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("%v", err)
	}
	return path
}

// Open builds an index of a document and opens it. The caller closes it.
func Open(t TB, dir string, document []byte) *store.Index {
	t.Helper()
	ix, err := store.Open(File(t, dir, document))
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return ix
}
