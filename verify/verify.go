// Package verify checks everything in an index: it compiles the records in it
// once more, and compares.
package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"brick/index"
	"brick/jsonmodel"
	"brick/model"
	"brick/store"
)

// Index checks everything in an index that can be checked from it alone: the
// checksum of every block, and then that the file is, byte for byte, what
// index.Build makes of the records in it. That covers every reference, order and
// derived result, since the same model always gives the same bytes. It calls
// report with each part that is damaged. Other errors are returned: they are
// the machine's.
//
// It takes as long as a build, and room for another index in the system's
// folder for temporary files.
func Index(ctx context.Context, ix *store.Index, o index.Options, report func(error)) error {
	damaged := false
	err := ix.CheckTree()
	if _, is := errors.AsType[*store.DamageError](err); is {
		damaged = true
		report(err)
	} else if err != nil {
		return err
	}
	ix.CheckBlocks(func(err error) {
		damaged = true
		report(err)
	})
	if damaged {
		return nil
	}
	dir, err := os.MkdirTemp("", "brick-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	again := filepath.Join(dir, "index")
	err = rebuild(ctx, ix, again, o)
	var refused *model.RefusedError
	if errors.As(err, &refused) {
		report(fmt.Errorf("the records in the index are no model: %s", refused.Faults[0].Line("the records")))
		return nil
	}
	if err != nil {
		return err
	}
	same, err := sameBytes(ix.Path, again)
	if same || err != nil {
		return err
	}
	want, err := store.Open(again)
	if err != nil {
		return err
	}
	defer want.Close()
	ix.Compare(want, func(err error) {
		damaged = true
		report(err)
	})
	if !damaged {
		report(errors.New("the file is not what its records give: it was changed outside of its checked parts"))
	}
	return nil
}

// rebuild builds an index of the records of ix.
func rebuild(ctx context.Context, ix *store.Index, path string, o index.Options) error {
	w, err := store.Create(path)
	if err != nil {
		return err
	}
	view := ix.View()
	defer view.Release()
	var source *storedSource
	if len(ix.Manifest.Source) > 0 {
		source = &storedSource{view: view, n: ix.Items(store.Sources)}
		o.Source = source
	}
	_, _, err = index.Build(ctx, storedModel(ix, view), w, o)
	if source != nil && err == nil {
		err = source.err
	}
	return errors.Join(err, w.Close())
}

// storedModel is the model that an index was made of.
func storedModel(ix *store.Index, view *store.View) *jsonmodel.Stored {
	m := ix.Manifest
	records := func(count int, record func([]byte, uint32) ([]byte, error)) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			var text []byte
			for i := range uint32(count) {
				var err error
				text, err = record(text[:0], i)
				if !yield(text, err) {
					return
				}
			}
		}
	}
	return &jsonmodel.Stored{
		Header: model.RecordHeader{Generator: m.Generator, Root: m.Root, RepositoryID: m.RepositoryID, Scope: m.Scope, Resolution: m.Resolution},
		Nodes:  records(m.Nodes, view.AppendNode),
		Edges:  records(m.Edges, view.AppendEdge),
	}
}

func sameBytes(a, b string) (bool, error) {
	x, err := store.FileDigest(a)
	if err != nil {
		return false, err
	}
	y, err := store.FileDigest(b)
	return bytes.Equal(x, y), err
}
