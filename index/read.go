package index

import (
	"context"
	"errors"
	"io"
	"runtime"
)

// ReadOptions says how Read works. None of it changes what Read finds.
type ReadOptions struct {
	Workers int // how many check records at a time; 0 for one per processor

	// Progress, if not nil, is called about once per MB, and at the end, with
	// the number of bytes of the document read so far, always from the same
	// goroutine.
	Progress func(bytesRead int64)
}

// Read checks a document as a stream and passes its nodes and edges to sinks.
// newSink is called once for each worker, before Read reads anything; which
// records a sink gets and in which order is not defined.
//
// What is wrong with the model goes into faults, all but what needs more than
// one record to see: ids used twice, endpoints that do not exist, and the kind
// of the target of an unresolved_call. Which faults it finds does not depend
// on the number of workers. A syntax fault ends the check: what is before the
// value with that fault is checked and passed on, what is after it is not.
// When the stream that packs the document is damaged or cut off, that is the
// only fault: what was unpacked of it may have any.
// Read then returns no error, and a Header that says so.
//
// The error is the machine's: that of r, of a sink, or of ctx, as it is.
//
// Read takes time linear in the document. It holds a few MB for each worker,
// and a few times the largest record, member that goes into the Header, other
// string or number, or gap of white space, none of which may have more than 256
// MiB. Members that are not indexed are checked without being held; of their
// names a hash is kept while the object is open.
func Read(ctx context.Context, r io.Reader, newSink func() Sink, faults *Faults, opt ReadOptions) (*Header, error) {
	n := opt.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	later := newLater(faults.limit)
	workers := startWorkers(ctx, cancel, n, func() *worker { return newWorker(newSink(), faults, later) })
	d := &document{
		checker: checker{faults: faults},
		workers: workers,
		header:  &Header{},
	}
	in := newInput(ctx, r, opt.Progress)
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
		fault := Fault{Place: syntax.place, Syntax: true, Message: syntax.message}
		if damage := in.damage(); damage != nil {
			fault.Message = damage.Error()
			faults.only(fault)
		} else {
			faults.Add(fault)
		}
	} else if err != nil {
		return nil, err
	}
	later.decide(faults, d.sole, d.header.NodesUnknown)
	d.header.RepositoryID = d.sole.id
	return d.header, nil
}
