package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"brick/internal/show"
)

const (
	// Requests at work at once. They wait for nothing but pages of the index:
	// more of them would only hold more answers in memory.
	maxRunning = 16

	// Bytes of requests that are read and not answered yet, each counted with
	// what it costs to keep. Reading stops there until some are answered.
	maxWaiting  = 64 << 20
	requestCost = 4 << 10

	// After a signal, lines that are already on their way are taken until
	// there is a pause; they count as read before it.
	signalPause = 100 * time.Millisecond
	signalGrace = 2 * time.Second
)

// The protocol revisions that are served.
const (
	revision       = "2025-06-18" // offered to whoever asks for another one
	laterRevision  = "2025-11-25"
	methodInit     = "initialize"
	methodPing     = "ping"
	methodList     = "tools/list"
	methodCall     = "tools/call"
	noteInit       = "notifications/initialized"
	noteCancelled  = "notifications/cancelled"
	notInitialized = "server not initialized"
)

// A session is one client's conversation. Messages take effect in the order of
// their lines, on the goroutine that runs it; requests for tools are then
// answered by workers, goroutines of their own.
type session struct {
	mcp     *server.MCPServer
	tools   *toolbox
	maxLine int

	grace    time.Duration // signalGrace, but for tests
	giveBack func()        // giveBackMemory, but for tests

	phase   phase
	out     *outbox
	waiting budget
	serial  atomic.Int64 // the ids that mcp-go sees

	mu       sync.Mutex
	inFlight map[string]*flight // by the key of the id
	queue    []func()           // answers those that wait for a worker, in order
	workers  int
	resting  int       // workers that wait for a request
	wake     sync.Cond // there is one, or the session is over
	over     bool
	tidy     *time.Timer   // calls giveBack; nil before the first large reply
	idle     chan struct{} // once set, closed when nothing is in flight
}

// A phase is how far the handshake has come.
type phase int

const (
	phaseNew     phase = iota
	phaseGreeted       // initialize is answered
	phaseReady         // and the client has confirmed it
)

// A flight is a request that is in flight: it has an answer coming, unless it
// is cancelled before.
type flight struct {
	cancel context.CancelFunc
}

func newSession(m *server.MCPServer, tools *toolbox, maxLine int) *session {
	s := &session{
		mcp:      m,
		tools:    tools,
		maxLine:  maxLine,
		grace:    signalGrace,
		giveBack: giveBackMemory,
		waiting:  budget{limit: maxWaiting, freed: make(chan struct{}, 1)},
		inFlight: make(map[string]*flight),
	}
	s.wake.L = &s.mu
	return s
}

// run serves the lines of in until it ends or stop is closed, and returns when
// all of them are answered, when the grace after stop is over, or when out
// can't be written to.
func (s *session) run(in io.Reader, out io.Writer, stop <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.out = newOutbox(out)
	defer s.abandon()

	lines := make(chan input)
	go s.readLines(newLineReader(in, s.maxLine), lines, ctx.Done())

	var grace <-chan time.Time
	stopped := stop
	var pause <-chan time.Time
read:
	for {
		select {
		case in, ok := <-lines:
			if !ok {
				break read
			}
			s.accept(ctx, in, stop)
			if pause != nil {
				pause = time.After(signalPause)
			}
		case <-stopped:
			stopped = nil
			grace = time.After(s.grace)
			pause = time.After(signalPause)
		case <-pause:
			break read
		case <-grace:
			return
		case <-s.out.failed:
			return
		}
	}

	idle := s.whenIdle()
	done := s.out.done
	for {
		select {
		case <-idle:
			idle = nil
			s.out.close()
		case <-done:
			return
		case <-stopped:
			stopped = nil
			grace = time.After(s.grace)
		case <-grace:
			return
		case <-s.out.failed:
			return
		}
	}
}

// An input is a line, or one that was too long.
type input struct {
	line []byte
	err  error
}

// readLines sends the lines to the session, until there are no more.
func (s *session) readLines(r *lineReader, lines chan<- input, done <-chan struct{}) {
	defer close(lines)
	for {
		line, err := r.next()
		if err != nil && !errors.Is(err, errLineTooLong) {
			if err != io.EOF && !closed(done) {
				log.Printf("reading standard input: %v", err)
			}
			return
		}
		select {
		case lines <- input{line, err}:
			// The next read may hold this thread for long before the
			// scheduler lets another one take the line. Beside requests
			// that are at work this goroutine would wait for its turn.
			if s.isAtRest() {
				runtime.Gosched()
			}
		case <-done:
			return
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// accept takes one line.
func (s *session) accept(ctx context.Context, in input, stop <-chan struct{}) {
	if in.err == nil && len(bytes.TrimLeft(in.line, " \t\r")) == 0 {
		return
	}
	cost := len(in.line) + requestCost
	s.waiting.take(cost, stop)
	free := func() { s.waiting.give(cost) }
	if in.err != nil {
		message := "a line may have at most " + strconv.Itoa(s.maxLine) + " bytes"
		s.out.put(errorReply(requestID{}, &rpcError{codeRequest, message}), free)
		return
	}
	s.handle(ctx, parse(in.line), free)
}

// handle lets one message take effect. It calls free once, when nothing of
// the message is kept any more.
func (s *session) handle(ctx context.Context, m message, free func()) {
	switch {
	case m.silent:
		if m.err == nil {
			s.notified(m)
		}
		free()
	case m.err != nil:
		s.out.put(errorReply(m.id, m.err), free)
	case s.isInFlight(m.id):
		s.refuse(m, codeRequest, "a request with this id is in flight", free)
	case m.method == methodInit:
		s.initialize(ctx, m, free)
	case m.method == methodPing:
		r, _ := s.ask(ctx, m.id, m.method, nil, nil)
		s.out.put(r, free)
	case m.method != methodList && m.method != methodCall && catalogue[m.method].answer == nil:
		s.refuse(m, codeMethod, "method "+show.Quote(m.method)+" not found", free)
	case s.phase != phaseReady:
		s.refuse(m, codeRequest, notInitialized, free)
	default:
		s.start(ctx, m, free)
	}
}

func (s *session) refuse(m message, code int, message string, free func()) {
	s.out.put(errorReply(m.id, &rpcError{code, message}), free)
}

// notified takes a notification. One that isn't known, comes early or is
// malformed has no effect.
func (s *session) notified(m message) {
	switch m.method {
	case noteInit:
		if s.phase == phaseGreeted {
			s.phase = phaseReady
		}
	case noteCancelled:
		if id, ok := parseID(member(m.params, "requestId")); ok {
			s.cancel(id)
		}
	}
}

// initialize answers the first step of the handshake, at once: what follows
// it on the next line finds it done.
func (s *session) initialize(ctx context.Context, m message, free func()) {
	if s.phase != phaseNew {
		s.refuse(m, codeRequest, "server already initialized", free)
		return
	}
	asked, ok := stringOf(member(m.params, "protocolVersion"))
	if !ok || asked == "" {
		s.refuse(m, codeParams, "initialize: protocolVersion must be a string that is not empty", free)
		return
	}
	offered := revision
	if asked == laterRevision {
		offered = laterRevision
	}
	r, ok := s.ask(ctx, m.id, m.method, []byte(`{"protocolVersion":"`+offered+`"}`), nil)
	if ok {
		s.phase = phaseGreeted
	}
	s.out.put(r, free)
}

// start puts a request in flight and has it answered by a worker. A request
// that waits for one is only its message: a goroutine for each would cost
// more memory than all the rest when a client sends thousands at once.
func (s *session) start(ctx context.Context, m message, free func()) {
	ctx, cancel := context.WithCancel(ctx)
	f := &flight{cancel}
	answer := func() {
		defer free()
		defer cancel()
		if ctx.Err() == nil {
			s.finish(m.id, f, s.serve(ctx, m))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[m.id.key] = f
	s.queue = append(s.queue, answer)
	if len(s.queue) > s.resting && s.workers < maxRunning {
		s.workers++
		go s.work()
	}
	s.wake.Signal()
}

// work answers requests until the session ends. It waits for the next one: a
// new goroutine's stack would have to grow again.
func (s *session) work() {
	// A page of the index that can't be read is the error of the request that
	// needs it.
	debug.SetPanicOnFault(true)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 {
			if s.over {
				s.mu.Unlock()
				return
			}
			s.queue = nil
			s.resting++
			s.wake.Wait()
			s.resting--
		}
		answer := s.queue[0]
		s.queue[0] = nil
		s.queue = s.queue[1:]
		s.mu.Unlock()
		answer()
	}
}

// finish sends the reply to a request that is still in flight, and returns
// when it is written: until then the request counts as at work, so that not
// more answers are held than requests may be at work.
func (s *session) finish(id requestID, f *flight, r reply) {
	sent := make(chan struct{})
	s.mu.Lock()
	live := s.inFlight[id.key] == f
	if live {
		// In one step, and in this order for the client: it may use the id
		// again as soon as it has read the answer.
		s.land(id)
		s.out.put(r, func() { close(sent) })
		s.leaveIfIdle()
	}
	s.mu.Unlock()
	if live {
		<-sent
	}
	r.recycle()
	s.tidyLater(r)
}

// cancel takes a request out of flight. Its work is told to stop; what it
// still makes is not sent.
func (s *session) cancel(id requestID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.inFlight[id.key]; f != nil {
		f.cancel()
		s.land(id)
		s.leaveIfIdle()
	}
}

// abandon ends the session. What is still in flight isn't answered any more.
func (s *session) abandon() {
	s.mu.Lock()
	clear(s.inFlight)
	s.over = true
	if s.tidy != nil {
		s.tidy.Stop()
	}
	s.wake.Broadcast()
	s.mu.Unlock()
	s.out.close()
}

func (s *session) land(id requestID) { delete(s.inFlight, id.key) }

func (s *session) leaveIfIdle() {
	if s.idle != nil && len(s.inFlight) == 0 {
		close(s.idle)
		s.idle = nil
	}
}

func (s *session) isInFlight(id requestID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight[id.key] != nil
}

// isAtRest reports whether no request is in flight.
func (s *session) isAtRest() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.inFlight) == 0
}

// whenIdle returns a channel that is closed when no request is in flight. It
// is called once, when no more are read.
func (s *session) whenIdle() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle := make(chan struct{})
	s.idle = idle
	s.leaveIfIdle()
	return idle
}

// The methods that are answered here, without mcp-go: it would read their
// parameters again, and more laxly.
var catalogue = map[string]catalogueEntry{
	"resources/list":           {listResources, true},
	"resources/templates/list": {listTemplates, true},
	"resources/read":           {readResource, false},
	"prompts/list":             {listPrompts, true},
	"prompts/get":              {getPrompt, false},
	"completion/complete":      {complete, false},
}

type catalogueEntry struct {
	answer func(context.Context, *toolbox, jsontext.Value) (any, *rpcError)
	list   bool // of one page
}

// serve answers a request of the catalogue.
func (b *toolbox) serve(ctx context.Context, m message, entry catalogueEntry) reply {
	if entry.list {
		if err := checkListParams(m.method, m.params); err != nil {
			return errorReply(m.id, err)
		}
	}
	result, problem := entry.answer(ctx, b, m.params)
	if problem != nil {
		return errorReply(m.id, problem)
	}
	r, err := resultReply(m.id, result)
	if err != nil {
		return errorReply(m.id, &rpcError{codeInternal, m.method + ": " + errorText(err)})
	}
	return r
}

// serve answers a request for the tools, or of the catalogue.
func (s *session) serve(ctx context.Context, m message) (r reply) {
	defer func() {
		if fault := recover(); fault != nil {
			r = errorReply(m.id, &rpcError{codeInternal, m.method + ": " + faultText(fault)})
		}
	}()
	if entry, ok := catalogue[m.method]; ok {
		return s.tools.serve(ctx, m, entry)
	}
	s.tools.register(s.mcp)
	if m.method == methodList {
		if err := checkListParams(m.method, m.params); err != nil {
			return errorReply(m.id, err)
		}
		r, _ = s.ask(ctx, m.id, m.method, nil, nil)
		return r
	}
	c, err := s.tools.parseCall(m.params)
	if err != nil {
		return errorReply(m.id, err)
	}
	params := append([]byte(`{"name":`), appendString(nil, c.tool.Name)...)
	r, _ = s.ask(withCall(ctx, c), m.id, m.method, append(params, '}'), c)
	return r
}

// checkListParams refuses a cursor: the list has one page, so none was given
// out.
func checkListParams(method string, params jsontext.Value) *rpcError {
	if cursor := member(params, "cursor"); cursor != nil && string(cursor) != `""` {
		return &rpcError{codeParams, method + ": unknown cursor"}
	}
	return nil
}

// ask hands mcp-go a message made anew, of exact names and of what it needs
// to know only, and gives its answer the client's id. ok says whether it is a
// result.
func (s *session) ask(ctx context.Context, id requestID, method string, params []byte, c *call) (r reply, ok bool) {
	request := append([]byte(`{"jsonrpc":"2.0","id":`), strconv.FormatInt(s.serial.Add(1), 10)...)
	request = append(request, `,"method":`...)
	request = appendString(request, method)
	if params != nil {
		request = append(request, `,"params":`...)
		request = append(request, params...)
	}
	request = append(request, '}')

	var problem *rpcError
	switch response := s.mcp.HandleMessage(ctx, json.RawMessage(request)).(type) {
	case mcp.JSONRPCResponse:
		r, err := resultReply(id, response.Result)
		if err == nil {
			return r, true
		}
		problem = &rpcError{codeInternal, method + ": " + errorText(err)}
	case mcp.JSONRPCError:
		problem = &rpcError{response.Error.Code, response.Error.Message}
	default:
		problem = &rpcError{codeInternal, method + ": no answer"}
	}
	if c != nil && c.refused != nil {
		problem = c.refused
	}
	return errorReply(id, problem), false
}

// member returns the value of a member of an object that has been checked,
// nil where it has none of that name.
func member(object jsontext.Value, name string) (found jsontext.Value) {
	if object == nil {
		return nil
	}
	_ = readMembers(object, false, func(n string, value jsontext.Value) {
		if n == name {
			found = value
		}
	})
	return found
}

// A budget bounds what is kept. One goroutine takes; any may give back.
type budget struct {
	mu    sync.Mutex
	used  int
	limit int
	freed chan struct{}
}

// take waits until there is room for n, or nothing is taken, or stop is
// closed.
func (b *budget) take(n int, stop <-chan struct{}) {
	for {
		b.mu.Lock()
		fits := b.used == 0 || b.used+n <= b.limit
		if fits {
			b.used += n
		}
		b.mu.Unlock()
		if fits {
			return
		}
		select {
		case <-b.freed:
		case <-stop:
			b.mu.Lock()
			b.used += n
			b.mu.Unlock()
			return
		}
	}
}

func (b *budget) give(n int) {
	b.mu.Lock()
	b.used -= n
	b.mu.Unlock()
	select {
	case b.freed <- struct{}{}:
	default:
	}
}
