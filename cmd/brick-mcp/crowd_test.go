//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"brick/index"
	"brick/internal/test/genmodel"
	"brick/internal/test/testbuild"
	"brick/jsonmodel"
	"brick/query"
	"brick/store"
)

const (
	connections = 8
	// maxAnonymous is the most memory of its own that a server may take.
	maxAnonymous = 64 << 20
)

// modelOf returns one of a family of models that answer the same questions
// differently.
func modelOf(t *testing.T, seed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := genmodel.Write(&b, genmodel.Config{Functions: 300, Seed: seed}); err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(b.Bytes(), []byte(`"resolved":`), fmt.Appendf(nil, `"seed":%d,"resolved":`, seed))
}

// build compiles a model into an index at a path, as brick-index does.
func build(t *testing.T, path string, model []byte) {
	t.Helper()
	buildFrom(t, path, bytes.NewReader(model))
}

func buildFrom(t *testing.T, path string, model io.Reader) {
	t.Helper()
	w, err := store.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := index.Build(t.Context(), jsonmodel.Read(model, jsonmodel.Options{}), w, index.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// An exam is questions, and their right answers by each of several indexes.
type exam struct {
	questions []string   // params of tools/call
	answers   [][]string // by index and question
	indexes   [][]byte   // the files
}

// newExam makes an exam of models.
func newExam(t *testing.T, models ...[]byte) *exam {
	t.Helper()
	e := &exam{}
	type asked struct {
		tool      *query.Tool
		arguments query.Arguments
	}
	var list []asked
	add := func(tool, arguments string) {
		a := asked{tool: query.Lookup(tool)}
		var err error
		if a.arguments, err = a.tool.ParseArguments([]byte(arguments)); err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
		e.questions = append(e.questions, fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	}
	for i, model := range models {
		path := testbuild.File(t, t.TempDir(), model)
		contents, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e.indexes = append(e.indexes, contents)
		ix, err := store.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		if i == 0 {
			add("brick_cycles", `{}`)
			add("brick_bridges", `{}`)
			add("brick_uncalled", `{"include_unknown":true,"limit":20}`)
			add("brick_uncalled", `{"limit":0}`)
			add("brick_evidence", `{"entity_id":"no such id"}`)
			v := ix.View()
			defer v.Release()
			r := rand.New(rand.NewPCG(7, 7))
			for range 6 {
				node, err := v.AppendNodeID(nil, uint32(r.IntN(ix.Manifest.Nodes)))
				if err != nil {
					t.Fatal(err)
				}
				add("brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, node))
				add("brick_callers", fmt.Sprintf(`{"node_id":%s}`, node))
				add("brick_impact", fmt.Sprintf(`{"node_id":%s,"max_depth":3}`, node))
			}
		}
		var answers []string
		for _, a := range list {
			answer, err := a.tool.Answer(t.Context(), ix, a.arguments)
			if _, notFound := errors.AsType[*query.NotFoundError](err); err != nil && !notFound {
				t.Fatal(err)
			} else if notFound {
				answer = []byte(err.Error())
			}
			answers = append(answers, string(answer))
		}
		e.answers = append(e.answers, answers)
	}
	return e
}

// A rule says what answers are right while it is in force.
type rule struct {
	indexes []int // that may have been asked
	errors  bool  // whether errors and notices are right, too
}

// A crowd is clients that ask without pause, each a server of its own.
type crowd struct {
	t    *testing.T
	exam *exam

	mu       sync.Mutex
	changed  *sync.Cond
	rule     *rule
	answered [connections]int
	errors   int // of the answers
	ended    bool
	failure  error

	servers [connections]*process
	clients sync.WaitGroup
}

// newCrowd starts servers of the index at a path, and clients for them.
func newCrowd(t *testing.T, e *exam, path string, first rule, flags ...string) *crowd {
	t.Helper()
	c := &crowd{t: t, exam: e, rule: &first}
	c.changed = sync.NewCond(&c.mu)
	for i := range c.servers {
		c.servers[i] = startFor(t, time.Hour, append([]string{path}, flags...)...)
	}
	for i := range c.servers {
		c.clients.Go(func() { c.client(i) })
	}
	return c
}

// client asks one server until the crowd ends.
func (c *crowd) client(i int) {
	p := c.servers[i]
	r := rand.New(rand.NewPCG(1, uint64(i)))
	err := func() error {
		if _, err := p.in.Write([]byte(handshake)); err != nil {
			return err
		}
		if _, err := p.out.ReadString('\n'); err != nil {
			return err
		}
		for n := 0; ; n++ {
			c.mu.Lock()
			asked := c.rule
			if c.ended || c.failure != nil {
				c.mu.Unlock()
				return nil
			}
			c.mu.Unlock()
			q := r.IntN(len(c.exam.questions))
			if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", n, c.exam.questions[q]); err != nil {
				return err
			}
			p.read.SetReadDeadline(time.Now().Add(patience))
			line, err := p.out.ReadBytes('\n')
			if err != nil {
				return fmt.Errorf("question %d got no answer: %w", n, err)
			}
			if err := c.judge(i, q, n, line, asked); err != nil {
				return err
			}
		}
	}()
	if err != nil {
		c.mu.Lock()
		c.failure = errors.Join(c.failure, fmt.Errorf("connection %d: %w", i, err))
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// judge counts an answer, or says what is wrong with it. It must be right by
// the rule when it was asked, unless that has changed since.
func (c *crowd) judge(i, q, n int, line []byte, asked *rule) error {
	var response struct {
		ID     int
		Result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
			IsError           bool
		}
	}
	if err := json.Unmarshal(line, &response); err != nil || response.ID != n || len(response.Result.Content) == 0 {
		return fmt.Errorf("question %d: %.300q: %v", n, line, err)
	}
	result := response.Result
	text, notice := result.Content[0].Text, ""
	if len(result.Content) > 1 {
		notice = result.Content[1].Text
	}
	from := -1 // the index that it is from
	for k, answers := range c.exam.answers {
		if text == answers[q] && (result.IsError || string(result.StructuredContent) == text) {
			from = k
			break
		}
	}
	failed := from < 0 && result.IsError && (strings.HasPrefix(text, "the index is damaged: ") ||
		strings.HasPrefix(text, "the index file was written over, not replaced, ") ||
		strings.HasPrefix(text, "there is no index at ") || strings.Contains(text, "is not an index: ") ||
		strings.Contains(text, "is a model, not an index: ") || strings.Contains(text, "input/output error"))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answered[i]++
	if failed {
		c.errors++
	}
	c.changed.Broadcast()
	switch {
	case from < 0 && !failed:
		return fmt.Errorf("a wrong answer to %s: %.300q", c.exam.questions[q], text)
	case asked != c.rule:
		return nil
	case !asked.errors && (failed || notice != ""):
		return fmt.Errorf("an error where there should be an answer to %s: %.300q, notice %q", c.exam.questions[q], text, notice)
	case from >= 0 && !asked.allows(c.exam, from, q):
		return fmt.Errorf("the answer to %s is from index %d: %.300q", c.exam.questions[q], from, text)
	}
	return nil
}

// allows says whether an answer of that index may be given: some indexes give
// the same.
func (r *rule) allows(e *exam, from, question int) bool {
	return slices.ContainsFunc(r.indexes, func(k int) bool { return e.answers[k][question] == e.answers[from][question] })
}

// set puts a rule into force: for what is asked from now on.
func (c *crowd) set(r rule) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rule = &r
}

// wait waits until every client has had that many more answers.
func (c *crowd) wait(more int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	start := c.answered
	for c.failure == nil {
		behind := false
		for i := range c.answered {
			behind = behind || c.answered[i] < start[i]+more
		}
		if !behind {
			return
		}
		c.changed.Wait()
	}
	c.t.Fatal(c.failure)
}

// end ends the clients and their servers, which must have lived until now, and
// returns how many answers there were, and how many of them were errors.
func (c *crowd) end() (answers, failed int) {
	c.t.Helper()
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.clients.Wait()
	if c.failure != nil {
		c.t.Fatal(c.failure)
	}
	for i, p := range c.servers {
		p.in.Close()
		if err := p.cmd.Wait(); err != nil {
			c.t.Errorf("connection %d: %v: %s", i, err, p.stderr.Bytes())
		}
		if strings.Contains(p.stderr.String(), "fault:") {
			c.t.Errorf("connection %d: a fault of the server's own: %.2000s", i, p.stderr.Bytes())
		}
		answers += c.answered[i]
	}
	return answers, c.errors
}

// holdings are what a process holds, where the system tells.
type holdings struct {
	maps, descriptors int
	anonymous         int // bytes of memory of its own
}

// held is what a server holds: maps of files that have or had that name, all
// descriptors, and memory.
func (p *process) held(path string) (h holdings) {
	dir := fmt.Sprintf("/proc/%d", p.cmd.Process.Pid)
	maps, err := os.ReadFile(filepath.Join(dir, "maps"))
	if err != nil {
		return h
	}
	h.maps = strings.Count(string(maps), path)
	entries, _ := os.ReadDir(filepath.Join(dir, "fd"))
	h.descriptors = len(entries)
	status, _ := os.ReadFile(filepath.Join(dir, "status"))
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kilobytes, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			h.anonymous = kilobytes << 10
		}
	}
	return h
}
