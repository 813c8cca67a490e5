package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json/jsontext"
)

// WriteJSON writes the model of a producer to w as Brick JSON, a record a
// line, each in canonical form. A model with faults is refused with a
// *RefusedError; what only shows between records is not checked.
//
// It keeps the edges in a temporary file while the nodes come, or the nodes
// while the edges do, whichever a producer begins with: both are an array.
func WriteJSON(ctx context.Context, w io.Writer, p Producer) (err error) {
	d := &documentWriter{out: bufio.NewWriterSize(w, 1<<18)}
	defer func() { err = errors.Join(err, d.close()) }()
	faults := NewFaults(DefaultMaxFaults)
	h, err := Checked(p).ProduceRecords(ctx, func() RecordSink { return d }, faults)
	if err != nil {
		return err
	}
	if total := faults.Total(); total > 0 {
		return &RefusedError{Faults: faults.List(), Total: total}
	}
	return d.finish(h)
}

// A documentWriter writes a document.
type documentWriter struct {
	out   *bufio.Writer
	first string        // the one that is open in out: that of the first record
	other *bufio.Writer // the elements of the other array
	file  *os.File      // behind other
}

// Node implements RecordSink.
func (d *documentWriter) Node(n *NodeRecord) error { return d.record("nodes", n.Record) }

// Edge implements RecordSink.
func (d *documentWriter) Edge(e *EdgeRecord) error { return d.record("edges", e.Record) }

func (d *documentWriter) record(array string, record []byte) error {
	w := d.out
	switch {
	case d.first == "":
		d.first = array
		fmt.Fprintf(w, "{\"schema_version\":%d,\n%q:[\n", SchemaVersion, array)
	case array == d.first:
		w.WriteString(",\n")
	case d.other == nil:
		var err error
		if d.file, err = os.CreateTemp("", "brick-model-"); err != nil {
			return err
		}
		d.other = bufio.NewWriterSize(d.file, 1<<16)
		w = d.other
	default:
		w = d.other
		w.WriteString(",\n")
	}
	_, err := w.Write(record)
	return err
}

// finish writes the other array and the header.
func (d *documentWriter) finish(h *RecordHeader) error {
	w := d.out
	if d.first == "" {
		d.first = "nodes"
		fmt.Fprintf(w, "{\"schema_version\":%d,\n\"nodes\":[", SchemaVersion)
	}
	fmt.Fprintf(w, "],\n%q:[\n", map[string]string{"nodes": "edges", "edges": "nodes"}[d.first])
	if d.other != nil {
		if err := d.other.Flush(); err != nil {
			return err
		}
		if _, err := d.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(w, d.file); err != nil {
			return err
		}
	}
	w.WriteString("],\n")
	if h.Generator != nil {
		fmt.Fprintf(w, "\"generator\":%s,\n", h.Generator)
	}
	if h.Resolution != nil {
		fmt.Fprintf(w, "\"metrics\":{\"resolution\":%s},\n", h.Resolution)
	}
	repository, err := jsontext.AppendQuote(nil, h.RepositoryID)
	if err != nil {
		return err
	}
	root, err := jsontext.AppendQuote(nil, h.Root)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\"repositories\":[{\"id\":%s}],\"root\":%s,\n\"scope\":%s}\n", repository, root, h.Scope)
	return w.Flush()
}

// close removes the temporary file.
func (d *documentWriter) close() error {
	if d.file == nil {
		return nil
	}
	return errors.Join(d.file.Close(), os.Remove(d.file.Name()))
}
