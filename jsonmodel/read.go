// Package jsonmodel reads Brick JSON: it checks a document as a stream, names
// every fault with its place, and hands its records on in canonical form.
// docs/brick-json.md is what it checks.
package jsonmodel

import (
	"context"
	"errors"
	"io"
	"runtime"

	"brick/model"
)

// Options say how a document is read. None of it changes what is found.
type Options struct {
	Workers int // how many check records at a time; 0 for one per processor

	// Progress, if not nil, is called about once per MB, and at the end, with
	// the number of bytes of the document read so far, always from the same
	// goroutine.
	Progress func(bytesRead int64)
}

// A Producer reads one document, once.
type Producer struct {
	r       io.Reader
	options Options
}

// Read returns the model that is read from r. Nothing is read yet.
func Read(r io.Reader, o Options) *Producer { return &Producer{r, o} }

// ProduceRecords implements model.RecordProducer: it checks the document as a
// stream and passes its nodes and edges on.
//
// Which faults it finds does not depend on the number of workers. A syntax
// fault ends the check: what is before the value with that fault is checked
// and passed on, what is after it is not. When the stream that packs the
// document is damaged or cut off, that is the only fault: what was unpacked of
// it may have any. Then there is no error, and a header that says so.
//
// It takes time linear in the document. It holds a few MB for each worker,
// and a few times the largest record, member that goes into the header, other
// string or number, or gap of white space, none of which may have more than 256
// MiB. Members that are not indexed are checked without being held; of their
// names a hash is kept while the object is open.
func (p *Producer) ProduceRecords(ctx context.Context, newSink func() model.RecordSink, faults *model.Faults) (*model.RecordHeader, error) {
	n := p.options.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	deferred := newDeferred(faults.Limit())
	workers := startWorkers(ctx, cancel, n, func() *worker { return newWorker(newSink(), faults, deferred) })
	d := &document{
		checker: checker{faults: faults},
		workers: workers,
		header:  &model.RecordHeader{},
	}
	in := newInput(ctx, p.r, p.options.Progress)
	start, err := in.begin()
	if err == nil {
		d.stream = newStream(in, start)
		err = d.read()
	}
	workers.wait()
	in.progress(in.read)

	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		d.header.Syntax, d.header.NodesUnknown = true, true
		fault := model.Fault{Place: syntax.place, Syntax: true, Message: syntax.message}
		if damage := in.damage(); damage != nil {
			fault.Message = damage.Error()
			faults.Only(fault)
		} else {
			faults.Add(fault)
		}
	} else if err != nil {
		return nil, err
	}
	deferred.decide(faults, d.sole, d.header.NodesUnknown)
	d.header.RepositoryID = d.sole.id
	return d.header, nil
}
