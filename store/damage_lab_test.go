package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"brick/query"
	"brick/store"
)

const (
	// An answer that is larger is asked for whole in one trial of so many, and
	// in the others a page of it.
	largeAnswer = 1 << 20
	wholeOneIn  = 8
	pageLimit   = 250
)

// A lab asks indexes that may be damaged, and knows the right answers.
type lab struct {
	good      *store.Index
	questions []question
	most      effort
	targets
}

type question struct {
	tool      *query.Tool
	arguments query.Arguments
	text      string
	answer    []byte
	err       string     // when the right answer is an error
	pages     []question // of a large answer
}

// newLab makes a lab of the undamaged index.
func newLab(t testing.TB, path string) *lab {
	t.Helper()
	ix, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	l := &lab{good: ix}
	l.add(t, "brick_cycles", `{}`)
	l.add(t, "brick_bridges", `{}`)
	l.add(t, "brick_uncalled", `{"include_unknown":true,"limit":20}`)
	l.add(t, "brick_uncalled", `{"include_unknown":true,"assume_closed_world":true,"language":"go","limit":3}`)
	l.add(t, "brick_evidence", `{"entity_id":"no such id"}`)
	l.add(t, "brick_impact", `{"node_id":"go.etcd.io/bbolt.Open"}`)
	l.add(t, "brick_callers", `{"node_id":""}`)
	l.add(t, "brick_find", `{"text":"Bucket.Get","records":"brief"}`)
	l.add(t, "brick_find", `{"text":"tx co","limit":3}`)
	l.add(t, "brick_find", `{"text":"e","kind":"method"}`)
	l.add(t, "brick_find", `{"text":"zzz","path":"**/*.go"}`)
	l.add(t, "brick_summary", `{}`)
	l.add(t, "brick_files", `{"path":"cmd/**","limit":7}`)
	l.add(t, "brick_file", `{"path":"cursor.go","limit":3}`)
	l.add(t, "brick_hotspots", `{"sort":"fan_in","limit":5}`)
	l.add(t, "brick_calls", `{"pattern":"*.Close","path":"*.go","limit":3}`)
	l.add(t, "brick_path", `{"from":"go:(*go.etcd.io/bbolt.DB).Update","to":"go:(*go.etcd.io/bbolt.DB).grow"}`)
	l.add(t, "brick_find", `{"text":"db.go:1230:3"}`)
	l.add(t, "brick_callers", `{"node_id":"freelist/shared.go:60"}`)
	l.add(t, "brick_impact", `{"node_id":"db.go","limit":3}`)
	l.add(t, "brick_impact", `{"node_id":"go:package:go.etcd.io/bbolt/internal/freelist","max_depth":2,"records":"brief"}`)
	l.add(t, "brick_impact", `{"node_id":"go:unresolved:Free"}`)
	l.add(t, "brick_impact", `{"node_id":"db.go","level":"module","max_depth":3}`)
	l.add(t, "brick_cycles", `{"level":"module"}`)
	l.add(t, "brick_cycles", `{"level":"imports"}`)
	v := ix.View()
	defer v.Release()
	r := rand.New(rand.NewPCG(0, 0))
	for range 8 {
		edge, err := v.AppendEdgeID(nil, uint32(r.IntN(ix.Manifest.Edges)))
		if err != nil {
			t.Fatal(err)
		}
		l.add(t, "brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, edge))
		node, err := v.AppendNodeID(nil, uint32(r.IntN(ix.Manifest.Nodes)))
		if err != nil {
			t.Fatal(err)
		}
		l.add(t, "brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, node))
		l.add(t, "brick_callers", fmt.Sprintf(`{"node_id":%s,"assume_closed_world":%t}`, node, r.IntN(2) == 0))
		l.add(t, "brick_impact", fmt.Sprintf(`{"node_id":%s,"max_depth":2}`, node))
		l.add(t, "brick_impact", fmt.Sprintf(`{"node_id":%s,"max_depth":3,"direction":"dependencies"}`, node))
		near, err := jsontext.AppendQuote(nil, string(node)[1:len(node)-1]+"x")
		if err != nil {
			t.Fatal(err)
		}
		l.add(t, "brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, near))
	}
	l.aim(t, v)
	l.add(t, "brick_source", `{"path":"no such file"}`)
	for range min(3, len(l.sources)) {
		l.add(t, "brick_source", fmt.Sprintf(`{"path":%q,"start_line":2}`, l.sources[r.IntN(len(l.sources))]))
	}
	return l
}

// add adds a question to what is asked in every trial.
func (l *lab) add(t testing.TB, tool, arguments string) {
	t.Helper()
	q := l.question(t, tool, arguments)
	if len(q.answer) > largeAnswer {
		q.pages = l.pages(t, tool)
	}
	l.questions = append(l.questions, q)
}

// question is one with its right answer.
func (l *lab) question(t testing.TB, tool, arguments string) question {
	t.Helper()
	q := question{tool: query.Lookup(tool), text: tool + " " + arguments}
	var err error
	if q.arguments, err = q.tool.ParseArguments([]byte(arguments)); err != nil {
		t.Fatalf("%s: %v", q.text, err)
	}
	if q.answer, err = q.tool.Answer(t.Context(), l.good, q.arguments); err != nil {
		var notFound *query.NotFoundError
		if !errors.As(err, &notFound) {
			t.Fatalf("%s of the undamaged index: %v", q.text, err)
		}
		q.err = err.Error()
	}
	return q
}

// pages are the pages of a tool's whole answer.
func (l *lab) pages(t testing.TB, tool string) []question {
	t.Helper()
	arguments := fmt.Sprintf(`{"limit":%d}`, pageLimit)
	for pages := []question(nil); ; {
		q := l.question(t, tool, arguments)
		pages = append(pages, q)
		var answer struct {
			Next string `json:"next_cursor"`
		}
		if err := json.Unmarshal(q.answer, &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Next == "" {
			return pages
		}
		arguments = fmt.Sprintf(`{"limit":%d,"cursor":"%s"}`, pageLimit, answer.Next)
	}
}

// some are the questions of a trial.
func (l *lab) some(r *rand.Rand) []question {
	var some []question
	for _, q := range l.questions {
		if len(q.pages) > 0 && r.IntN(wholeOneIn) > 0 {
			q = q.pages[r.IntN(len(q.pages))]
		}
		some = append(some, q)
	}
	return some
}

// A subject is a file that may be a damaged index.
type subject struct {
	path      string
	questions []question
	// These damage the file and mend it, when it is not damaged already. When
	// late, it is damaged after it was opened.
	damage, mend func() error
	late         bool
}

// trial opens a subject and asks it.
func (l *lab) trial(t testing.TB, name string, s subject) outcome {
	t.Helper()
	for attempt := 1; ; attempt++ {
		goroutines := runtime.NumGoroutine()
		ctx, cancel := context.WithTimeout(context.Background(), hung/2)
		var o outcome
		var m meter
		var err error
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
				}
			}()
			o, err = l.ask(ctx, s, &m)
		}()
		select {
		case <-done:
		case <-time.After(hung):
			t.Fatalf("%s: it hangs", name)
		}
		cancel()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.most.bytes > maxAllocated {
			t.Fatalf("%s: %s allocated %d bytes", name, m.most.largest, m.most.bytes)
		}
		for i := 0; runtime.NumGoroutine() > goroutines; i++ {
			if i == 1e6 {
				t.Fatalf("%s: %d goroutines where %d were before", name, runtime.NumGoroutine(), goroutines)
			}
			runtime.Gosched()
		}
		if m.most.took <= maxTime {
			l.most.add(m.most)
			o.trials = 1
			return o
		}
		if attempt == 10 { // not a machine that is busy meanwhile
			t.Fatalf("%s: %s took %v", name, m.most.longest, m.most.took)
		}
	}
}

// ask damages a subject, opens it, asks it, and mends it.
func (l *lab) ask(ctx context.Context, s subject, m *meter) (o outcome, err error) {
	if s.damage != nil {
		defer func() { err = errors.Join(err, s.mend()) }()
	}
	if s.damage != nil && !s.late {
		if err := s.damage(); err != nil {
			return o, err
		}
	}
	m.start()
	ix, err := store.Open(s.path)
	m.stop("opening it")
	if err != nil {
		o.refused++
		return o, checkError(err)
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	if s.damage != nil && s.late {
		if err := s.damage(); err != nil {
			return o, err
		}
	}
	failed := false
	for _, q := range s.questions {
		m.start()
		answer, err := q.tool.Answer(ctx, ix, q.arguments)
		m.stop(q.text)
		var notFound *query.NotFoundError
		switch {
		case err == nil && q.err == "" && bytes.Equal(answer, q.answer):
		case errors.As(err, &notFound) && err.Error() == q.err:
		case err == nil || notFound != nil:
			return o, fmt.Errorf("%s\ngot  %.300s, error %v\nwant %.300s, error %s", q.text, answer, err, q.answer, q.err)
		default:
			failed = true
			if err := checkError(err); err != nil {
				return o, err
			}
		}
	}
	if failed {
		o.wrong++
	} else {
		o.right++
	}
	return o, nil
}

// checkError returns err unless it says that the file is at fault, and how.
func checkError(err error) error {
	var damage *store.DamageError
	var version *store.VersionError
	var notIndex *store.NotAnIndexError
	if errors.As(err, &damage) || errors.As(err, &version) || errors.As(err, &notIndex) {
		return nil
	}
	return fmt.Errorf("the error does not say that the index is damaged: %w", err)
}
