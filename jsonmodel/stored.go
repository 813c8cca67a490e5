package jsonmodel

import (
	"context"
	"iter"
	"runtime"

	"github.com/go-json-experiment/json/jsontext"

	"brick/model"
)

// Stored is a model whose records are texts already, as an index keeps them.
// It is a model.RecordProducer: all that a document is checked for is checked.
type Stored struct {
	Header model.RecordHeader
	// Nodes and Edges give the records' texts, each valid until the next. An
	// error ends them, and is the one of the production.
	Nodes, Edges iter.Seq2[[]byte, error]
}

// ProduceRecords implements model.RecordProducer. A fault has a pointer as if
// the records were a document, but no line.
func (s *Stored) ProduceRecords(ctx context.Context, newSink func() model.RecordSink, faults *model.Faults) (*model.RecordHeader, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sole := repository{repositoryKnown, s.Header.RepositoryID}
	deferred := newDeferred(faults.Limit())
	workers := startWorkers(ctx, cancel, runtime.GOMAXPROCS(0), func() *worker { return newWorker(newSink(), faults, deferred) })
	at := model.Place{}
	hand := func(records iter.Seq2[[]byte, error], edges bool) error {
		index := 0
		for text, err := range records {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				break
			}
			if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
				faults.Add(model.Fault{Place: at, Pointer: recordPointer(edges, index), Message: "the record is no JSON"})
			} else {
				workers.add(text, record{place: at, index: index, edge: edges}, sole)
			}
			index++
			at.Offset += int64(len(text))
		}
		workers.flush()
		return nil
	}
	s.checkHeader(faults)
	err := hand(s.Nodes, false)
	if err == nil {
		err = hand(s.Edges, true)
	}
	workers.wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	deferred.decide(faults, sole, false)
	return &s.Header, nil
}

func recordPointer(edges bool, index int) string {
	if edges {
		return pointer([]step{edgesStep, {index: index}})
	}
	return pointer([]step{nodesStep, {index: index}})
}

// checkHeader checks the header as that of a document.
func (s *Stored) checkHeader(faults *model.Faults) {
	c := checker{faults: faults}
	for _, m := range []struct {
		name  string
		text  []byte
		check func() []byte
	}{
		{"scope", s.Header.Scope, func() []byte { return c.objectForm("scope", (*checker).skip) }},
		{"generator", s.Header.Generator, c.generator},
		{"metrics", s.Header.Resolution, c.resolution},
	} {
		switch {
		case len(m.text) == 0 && m.name != "scope":
		case !jsontext.Value(m.text).IsValid(jsontext.AllowDuplicateNames(true)):
			faults.Add(model.Fault{Pointer: "/" + m.name, Message: m.name + " is no JSON"})
		default:
			c.start(m.text, model.Place{}, step{name: []byte(m.name)})
			m.check()
		}
	}
}
