package jsonmodel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"sync"

	"brick/model"
)

const (
	// batchSize is the size of the text that is handed to a worker at once:
	// large enough that handing over costs nothing, small enough that a few
	// batches for each worker are little memory.
	batchSize = 256 << 10
	// reuseSize bounds the buffers that are kept for the next batch after one
	// with a huge record.
	reuseSize    = 4 * batchSize
	reuseEntries = reuseSize / 64
)

// A batch is some consecutive records of a document.
type batch struct {
	text       []byte // the records, one after the other
	records    []record
	repository repository // as it was known before the first record
}

type record struct {
	end   int // in the batch's text
	place model.Place
	index int // in the array of nodes or edges
	edge  bool
}

// workers check the records of batches, several at a time.
type workers struct {
	work  chan *batch
	free  chan *batch
	batch *batch // the one that is being filled
	group sync.WaitGroup
}

// startWorkers starts n workers. When one fails it calls fail; when ctx is done
// they only return their batches.
func startWorkers(ctx context.Context, fail context.CancelCauseFunc, n int, newWorker func() *worker) *workers {
	ws := &workers{
		work: make(chan *batch, n),
		free: make(chan *batch, 2*n+1),
	}
	for range cap(ws.free) {
		ws.free <- &batch{}
	}
	for range n {
		w := newWorker()
		ws.group.Go(func() {
			for b := range ws.work {
				if ctx.Err() == nil {
					if err := w.check(b); err != nil {
						fail(err)
					}
				}
				ws.free <- b
			}
		})
	}
	return ws
}

// add copies a record into the current batch and hands that on when it is
// full. What is known of the repository changes only between flushes.
func (ws *workers) add(text []byte, r record, known repository) {
	if ws.batch == nil {
		ws.batch = <-ws.free
		ws.batch.reset(known)
	}
	b := ws.batch
	b.text = append(b.text, text...)
	r.end = len(b.text)
	b.records = append(b.records, r)
	if len(b.text) >= batchSize {
		ws.flush()
	}
}

// flush hands the current batch on.
func (ws *workers) flush() {
	if ws.batch != nil {
		ws.work <- ws.batch
		ws.batch = nil
	}
}

// wait waits until all batches are done.
func (ws *workers) wait() {
	close(ws.work)
	ws.group.Wait()
}

func (b *batch) reset(known repository) {
	if cap(b.text) > reuseSize {
		b.text = nil
	}
	if b.text == nil {
		// A little more than a batch, for the record that fills it.
		b.text = make([]byte, 0, batchSize+batchSize/8)
	}
	b.text, b.records, b.repository = b.text[:0], b.records[:0], known
}

// A recordChecker checks nodes and edges.
type recordChecker struct {
	checker
	repository repository
	deferred   *deferred

	sites []model.Site // of the evidence of the current edge
	sum   model.SiteSum
}

// A worker checks records and passes them to its sink.
type worker struct {
	recordChecker
	sink model.RecordSink
	node model.NodeRecord
	edge model.EdgeRecord
	form canonicalizer
}

func newWorker(sink model.RecordSink, faults *model.Faults, deferred *deferred) *worker {
	return &worker{
		recordChecker: recordChecker{
			checker:  checker{faults: faults},
			deferred: deferred,
		},
		sink: sink,
	}
}

// check checks the records of a batch. It returns the error of the sink.
func (w *worker) check(b *batch) error {
	w.recordChecker.repository = b.repository
	start := 0
	for _, r := range b.records {
		text := b.text[start:r.end:r.end]
		start = r.end
		var err error
		if r.edge {
			err = w.passEdge(text, r)
		} else {
			err = w.passNode(text, r)
		}
		if err != nil {
			return err
		}
	}
	w.trim()
	return nil
}

// trim drops the buffers that a huge record left behind.
func (w *worker) trim() {
	if cap(w.form.form) > reuseSize || cap(w.form.moved) > reuseSize || cap(w.form.members) > reuseEntries {
		w.form = canonicalizer{}
	}
	if cap(w.unescaped) > reuseSize {
		w.unescaped = nil
	}
	if cap(w.names) > reuseEntries {
		w.names = nil
	}
	if cap(w.sites) > reuseEntries {
		w.sites = nil
	}
}

func (w *worker) passNode(text []byte, r record) error {
	n := &w.node
	w.startRecord(text, r, nodesStep)
	w.recordChecker.node(n)
	n.Index = r.index
	if w.faulty {
		n.Faulty = true
		w.deferred.claim(n.RefusedIDs)
		return w.sink.Node(n)
	}
	if !w.canonical {
		for i, f := range n.Flags {
			n.Flags[i].Value = bytes.Clone(w.form.canonicalize(f.Value))
		}
	}
	w.form.mark = n.IDOffset
	n.Record = w.canonicalRecord()
	n.IDOffset = w.idOffset(n.Record)
	n.Digest = sha256.Sum256(n.Record)
	return w.sink.Node(n)
}

func (w *worker) passEdge(text []byte, r record) error {
	e := &w.edge
	w.startRecord(text, r, edgesStep)
	w.recordChecker.edge(e)
	e.Index = r.index
	if w.faulty {
		e.Faulty = true
		return w.sink.Edge(e)
	}
	w.form.mark = e.IDOffset
	e.Record = w.canonicalRecord()
	e.IDOffset = w.idOffset(e.Record)
	e.Digest = sha256.Sum256(e.Record)
	return w.sink.Edge(e)
}

var (
	nodesStep = step{name: []byte("nodes")}
	edgesStep = step{name: []byte("edges")}
)

func (w *worker) startRecord(text []byte, r record, array step) {
	w.start(text, r.place, array, step{index: r.index})
	w.isRecord = true
}

// canonicalRecord returns the canonical form of the text, after all of it was
// checked without a fault. Most models are written by machines: the text is
// often canonical already, and the check has seen that.
func (w *worker) canonicalRecord() []byte {
	if w.canonical {
		return w.text
	}
	return w.form.canonicalize(w.text)
}

// idOffset returns where the id is in the canonical record; in the text it is
// at the form's mark.
func (w *worker) idOffset(record []byte) int {
	switch {
	case w.canonical:
		return w.form.mark
	case w.form.marked >= 0:
		return w.form.marked
	}
	c := checker{text: record}
	for o := c.open(); c.next(&o) && string(c.name()) != "id"; {
		c.skip()
	}
	return c.pos
}
