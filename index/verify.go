package index

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"brick/store"
)

// Verify checks everything in an index that can be checked from it alone: the
// checksum of every block, and then that the file is, byte for byte, what
// Build makes of the records in it. That covers every reference, order and
// derived result, since the same model always gives the same bytes. It calls
// report with each part that is damaged. Other errors are returned: they are
// the machine's.
//
// It takes as long as Build, and room for another index in the system's
// folder for temporary files.
func Verify(ctx context.Context, ix *store.Index, o Options, report func(error)) error {
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
	var refused *RefusedError
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
func rebuild(ctx context.Context, ix *store.Index, path string, o Options) error {
	w, err := store.Create(path)
	if err != nil {
		return err
	}
	view := ix.View()
	defer view.Release()
	var source *indexSource
	if len(ix.Manifest.Source) > 0 {
		source = &indexSource{view: view, n: ix.Items(store.Sources)}
		o.Source = source
	}
	r, out := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		out.CloseWithError(WriteModel(out, ix))
	}()
	_, _, err = Build(ctx, r, w, o)
	r.Close()
	<-written
	if source != nil && err == nil {
		err = source.err
	}
	return errors.Join(err, w.Close())
}

// WriteModel writes the model that an index was made of, in canonical form,
// without the members that are not indexed.
func WriteModel(out io.Writer, ix *store.Index) error {
	m := ix.Manifest
	w := bufio.NewWriterSize(out, 1<<16)
	root, err := jsontext.AppendQuote(nil, m.Root)
	if err != nil {
		return err
	}
	repository, err := jsontext.AppendQuote(nil, m.RepositoryID)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `{"schema_version":4,"root":%s,"repositories":[{"id":%s}],"scope":%s`, root, repository, m.Scope)
	if len(m.Generator) > 0 {
		fmt.Fprintf(w, `,"generator":%s`, m.Generator)
	}
	if len(m.Resolution) > 0 {
		fmt.Fprintf(w, `,"metrics":{"resolution":%s}`, m.Resolution)
	}
	view := ix.View()
	defer view.Release()
	if err := writeRecords(w, "nodes", m.Nodes, view.AppendNode); err != nil {
		return err
	}
	if err := writeRecords(w, "edges", m.Edges, view.AppendEdge); err != nil {
		return err
	}
	w.WriteString("}\n")
	return w.Flush()
}

func writeRecords(w *bufio.Writer, name string, count int, record func([]byte, uint32) ([]byte, error)) error {
	fmt.Fprintf(w, ",\n\"%s\":[", name)
	var b []byte
	for i := range uint32(count) {
		separator := ",\n"
		if i == 0 {
			separator = "\n"
		}
		w.WriteString(separator)
		var err error
		if b, err = record(b[:0], i); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	_, err := w.WriteString("]")
	return err
}

func sameBytes(a, b string) (bool, error) {
	x, err := FileDigest(a)
	if err != nil {
		return false, err
	}
	y, err := FileDigest(b)
	return bytes.Equal(x, y), err
}

// FileDigest returns the SHA-256 of a file's bytes.
func FileDigest(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return sum.Sum(nil), err
}
