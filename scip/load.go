package scip

import (
	"context"
	"iter"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A loaded is a document with what was read for it.
type loaded struct {
	*document
	parts  []*pb.Document
	source *source // nil where there is none
	err    error
}

// loadAhead is how many documents are read before they are needed.
const loadAhead = 2

// loadAll reads the documents in order, in a goroutine of its own: to decode
// a document takes about as long as to make records of it. It ends early when
// the context is done.
func (im *importer) loadAll(ctx context.Context) iter.Seq[*loaded] {
	return func(yield func(*loaded) bool) {
		ctx, cancel := context.WithCancel(ctx)
		out := make(chan *loaded, loadAhead)
		go func() {
			defer close(out)
			for _, d := range im.documents {
				select {
				case out <- im.load(d):
				case <-ctx.Done():
					return
				}
			}
		}()
		// The files are closed after the import: wait for their reader.
		defer func() {
			cancel()
			for range out {
			}
		}()
		for l := range out {
			if !yield(l) {
				return
			}
		}
	}
}

func (im *importer) load(d *document) *loaded {
	l := &loaded{document: d}
	if l.source, l.err = im.readSource(d.path, d.lang); l.err != nil {
		return l
	}
	for _, p := range d.parts {
		part, err := p.index.document(p.at)
		if err != nil {
			l.err = err
			return l
		}
		if l.source == nil && part.Text != "" {
			l.source = newSource([]byte(part.Text), d.lang)
		}
		nameFunctions(part, d.lang, l.source)
		l.parts = append(l.parts, part)
	}
	return l
}
