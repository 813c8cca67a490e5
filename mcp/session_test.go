package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"brick/query"
)

// A fakeIndex answers each tool by a function of that name.
type fakeIndex map[string]func(ctx context.Context) (result []byte, notice string, err error)

func (f fakeIndex) Answer(ctx context.Context, t *query.Tool, _ query.Arguments) ([]byte, string, error) {
	return f[t.Name](ctx)
}

// fakeTools are tools without parameters of these names, in this order.
func fakeTools(index answerer, names ...string) *toolbox {
	b := &toolbox{index: index}
	for _, name := range names {
		b.tools = append(b.tools, &query.Tool{Name: name, Title: "Title of " + name, Description: "About " + name + "."})
	}
	return b
}

// result is a tool's answer that is always the same.
func result(text string) func(context.Context) ([]byte, string, error) {
	return func(context.Context) ([]byte, string, error) { return []byte(text), "", nil }
}

// A peer is a client of a session in this process.
type peer struct {
	t       *testing.T
	session *session
	in      *io.PipeWriter
	lines   chan string   // closed at the end of the output
	stop    chan struct{} // the signal
	ended   chan struct{} // closed when the session has ended
}

// connect starts a session with these tools.
func connect(t *testing.T, b *toolbox) *peer {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	p := &peer{
		t:       t,
		session: newSession(newServer(b), b, DefaultMaxLine),
		in:      inWrite,
		lines:   make(chan string),
		stop:    make(chan struct{}),
		ended:   make(chan struct{}),
	}
	go func() {
		p.session.run(inRead, outWrite, p.stop)
		close(p.ended)
		outWrite.Close()
		inRead.Close()
	}()
	go func() {
		defer close(p.lines)
		scanner := bufio.NewScanner(outRead)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		inWrite.Close()
		outRead.Close()
	})
	return p
}

// ready is connect with the handshake done.
func ready(t *testing.T, b *toolbox) *peer {
	p := connect(t, b)
	p.send(strings.TrimSuffix(handshake, "\n"))
	p.expect(greeting(`"hello"`, "2025-06-18"))
	return p
}

func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) call(id, tool string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

func (p *peer) receive() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatal("the output has ended")
		}
		return line
	case <-time.After(patience):
		p.t.Fatal("no answer")
	}
	panic("unreachable")
}

func (p *peer) expect(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if got := p.receive(); got != w {
			p.t.Fatalf("got  %s\nwant %s", got, w)
		}
	}
}

// expectEnd wants the session to end without another line.
func (p *peer) expectEnd() {
	p.t.Helper()
	wait(p.t, p.ended)
	for line := range p.lines {
		p.t.Errorf("got %s, want no more", line)
	}
}

func wait(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("waited in vain")
	}
}

// A slowTool answers when it is let go.
type slowTool struct {
	started   chan struct{} // one for each call
	proceed   chan struct{} // closed to let all calls answer
	cancelled chan struct{} // one for each call that was cancelled
}

func newSlowTool() *slowTool {
	return &slowTool{make(chan struct{}, 10000), make(chan struct{}), make(chan struct{}, 10000)}
}

func (s *slowTool) answer(ctx context.Context) ([]byte, string, error) {
	s.started <- struct{}{}
	select {
	case <-s.proceed:
		return []byte(`{"slow":true}`), "", nil
	case <-ctx.Done():
		s.cancelled <- struct{}{}
		return nil, "", ctx.Err()
	}
}

func slowAnswer(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"{\"slow\":true}"}],"structuredContent":{"slow":true}}}`
}

func quiet(t *testing.T) *strings.Builder {
	var b strings.Builder
	log.SetOutput(&b)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	return &b
}

func TestToolsList(t *testing.T) {
	p := ready(t, fakeTools(nil, "zebra", "ant", "mouse"))
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              any
				Annotations              map[string]any
			}
			NextCursor any
		}
	}
	if err := json.Unmarshal([]byte(p.receive()), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
		if tool.Title != "Title of "+tool.Name || tool.Description != "About "+tool.Name+"." || tool.InputSchema == nil {
			t.Errorf("tool %+v", tool)
		}
		want := map[string]any{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
		if fmt.Sprint(tool.Annotations) != fmt.Sprint(want) {
			t.Errorf("annotations %v", tool.Annotations)
		}
	}
	if want := []string{"zebra", "ant", "mouse"}; !slices.Equal(names, want) || list.Result.NextCursor != nil {
		t.Errorf("tools %q, want %q; next cursor %v", names, want, list.Result.NextCursor)
	}
	// A cursor that says nothing is none.
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}`)
	if line := p.receive(); !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{`) {
		t.Error(line)
	}
}

func TestToolResults(t *testing.T) {
	log := quiet(t)
	index := fakeIndex{
		"plain":   result(`{"a":1}`),
		"escapes": result("{\"a\":\"<b> & 'c' \\\"d\\\" \\\\ \\n \u2028 é \U0001f600\",\"n\":0.90,\"big\":123456789012345678901234567890}"),
		"notice":  func(context.Context) ([]byte, string, error) { return []byte(`{}`), "the file is \"damaged\"", nil },
		"failed": func(context.Context) ([]byte, string, error) {
			return nil, "", errors.New("no node \"<x>\"\nlike it: y")
		},
		"both": func(context.Context) ([]byte, string, error) { return nil, "mind the gap", errors.New("no") },
		"refused": func(context.Context) ([]byte, string, error) {
			return nil, "", &query.ArgumentError{Tool: "refused", Argument: "cursor", Problem: "is not one of this index"}
		},
		"wrapped": func(context.Context) ([]byte, string, error) {
			return nil, "", fmt.Errorf("page: %w", &query.ArgumentError{Tool: "wrapped", Argument: "cursor", Problem: "is damaged"})
		},
		"panics":   func(context.Context) ([]byte, string, error) { panic("secret") },
		"nil":      func(context.Context) ([]byte, string, error) { var p *peer; return []byte(p.t.Name()), "", nil },
		"twoLines": result("{\n}"),
	}
	const fault = "internal fault; the server goes on, and the details are on its standard error"
	tests := []struct{ tool, want string }{
		{"plain", `"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`},
		{"escapes", `"result":{"content":[{"type":"text","text":"` +
			"{\\\"a\\\":\\\"<b> & 'c' \\\\\\\"d\\\\\\\" \\\\\\\\ \\\\n \u2028 é \U0001f600\\\",\\\"n\\\":0.90,\\\"big\\\":123456789012345678901234567890}" +
			`"}],"structuredContent":` +
			"{\"a\":\"<b> & 'c' \\\"d\\\" \\\\ \\n \u2028 é \U0001f600\",\"n\":0.90,\"big\":123456789012345678901234567890}}"},
		{"notice", `"result":{"content":[{"type":"text","text":"{}"},{"type":"text","text":"the file is \"damaged\""}],"structuredContent":{}}`},
		{"failed", `"result":{"content":[{"type":"text","text":"no node \"<x>\"\nlike it: y"}],"isError":true}`},
		{"both", `"result":{"content":[{"type":"text","text":"no"},{"type":"text","text":"mind the gap"}],"isError":true}`},
		{"refused", `"error":{"code":-32602,"message":"refused: argument \"cursor\" is not one of this index"}`},
		{"wrapped", `"error":{"code":-32602,"message":"wrapped: argument \"cursor\" is damaged"}`},
		{"panics", `"result":{"content":[{"type":"text","text":"panics: ` + fault + `"}],"isError":true}`},
		{"nil", `"result":{"content":[{"type":"text","text":"nil: ` + fault + `"}],"isError":true}`},
		{"twoLines", `"error":{"code":-32603,"message":"tools/call: the answer is not on one line"}`},
	}
	var names []string
	for name := range index {
		names = append(names, name)
	}
	p := ready(t, fakeTools(index, names...))
	for _, test := range tests {
		p.call(`"`+test.tool+`"`, test.tool)
		p.expect(`{"jsonrpc":"2.0","id":"` + test.tool + `",` + test.want + `}`)
	}
	if !strings.Contains(log.String(), "fault: secret") {
		t.Errorf("log %q lacks the panic", log.String())
	}
}

// Messages take effect in the order of their lines: a call may follow the
// handshake without waiting for it, and is not answered before it.
func TestOrder(t *testing.T) {
	for range 50 {
		p := connect(t, fakeTools(fakeIndex{"x": result(`{}`)}, "x"))
		p.send(`%s{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`, handshake)
		p.expect(greeting(`"hello"`, "2025-06-18"),
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}`)
		p.in.Close()
		p.expectEnd()
	}
}

func TestSlowQueryHoldsNothingUp(t *testing.T) {
	slow := newSlowTool()
	p := ready(t, fakeTools(fakeIndex{"slow": slow.answer, "fast": result(`{}`)}, "slow", "fast"))
	p.call("1", "slow")
	wait(t, slow.started)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	p.expect(pong("2"))
	p.call("3", "fast")
	p.expect(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}}`)
	close(slow.proceed)
	p.expect(slowAnswer("1"))
}

// More slow queries than are at work at once hold up no ping, and all of them
// are answered at the end of input.
func TestManySlowQueries(t *testing.T) {
	const calls = 1020
	slow := newSlowTool()
	p := ready(t, fakeTools(fakeIndex{"slow": slow.answer}, "slow"))
	var want []string
	for i := range calls {
		p.call(fmt.Sprint(i), "slow")
		want = append(want, slowAnswer(fmt.Sprint(i)))
	}
	for range maxRunning {
		wait(t, slow.started)
	}
	p.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	p.expect(pong(`"p"`))
	if n := len(slow.started); n != 0 {
		t.Errorf("%d more requests at work than %d", n, maxRunning)
	}
	p.in.Close()
	close(slow.proceed)
	var got []string
	for range calls {
		got = append(got, p.receive())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Error("the answers are not those of the calls")
	}
	p.expectEnd()
}

func TestCancellation(t *testing.T) {
	slow := newSlowTool()
	p := ready(t, fakeTools(fakeIndex{"slow": slow.answer}, "slow"))
	for _, id := range []string{"5", `"5"`, `"a"`, "-0", "9007199254740993", `"e"`} {
		p.call(id, "slow")
		wait(t, slow.started)
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"5"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061","reason":"changed my mind"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`,
		// These have no effect.
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740992}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5.0}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestID":5}}`,
		`{"jsonrpc":"1.0","method":"notifications/cancelled","params":{"requestId":5}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"requestId":5}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"frob"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[5]}`,
	} {
		p.send("%s", line)
	}
	for range 3 {
		wait(t, slow.cancelled)
	}
	// An id that was cancelled is free again.
	p.call(`"a"`, "slow")
	wait(t, slow.started)
	p.in.Close()
	close(slow.proceed)
	want := []string{slowAnswer("5"), slowAnswer("9007199254740993"), slowAnswer(`"e"`), slowAnswer(`"a"`)}
	var got []string
	for range want {
		got = append(got, p.receive())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.expectEnd()
}

// A request that waits for its turn can be cancelled, too, and work that
// doesn't stop when it is cancelled doesn't hold up the end.
func TestCancelWaiting(t *testing.T) {
	release := make(chan struct{})
	started := make(chan struct{}, maxRunning)
	stubborn := func(context.Context) ([]byte, string, error) {
		started <- struct{}{}
		<-release
		return []byte(`{}`), "", nil
	}
	defer close(release)
	p := ready(t, fakeTools(fakeIndex{"stubborn": stubborn}, "stubborn"))
	for i := range maxRunning + 1 {
		p.call(fmt.Sprint(i), "stubborn")
	}
	for range maxRunning {
		wait(t, started)
	}
	for i := range maxRunning + 1 {
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i)
	}
	p.in.Close()
	p.expectEnd()
}

func TestIDInFlight(t *testing.T) {
	const taken = "a request with this id is in flight"
	slow := newSlowTool()
	p := ready(t, fakeTools(fakeIndex{"slow": slow.answer}, "slow"))
	p.call(`"a"`, "slow")
	wait(t, slow.started)
	p.call(`"a"`, "slow")
	p.expect(errorLine(`"a"`, -32600, taken))
	p.send(`{"jsonrpc":"2.0","id":"\u0061","method":"ping"}`)
	p.expect(`{"jsonrpc":"2.0","id":"\u0061","error":{"code":-32600,"message":"` + taken + `"}}`)
	p.send(`{"jsonrpc":"2.0","id":"a","method":"frob"}`)
	p.expect(errorLine(`"a"`, -32600, taken))
	close(slow.proceed)
	p.expect(slowAnswer(`"a"`))
	p.call(`"a"`, "slow") // answered, so the id is free
	p.expect(slowAnswer(`"a"`))
}

// At end of input every request in flight is answered, however long it takes.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := func(context.Context) ([]byte, string, error) {
			<-time.After(time.Hour)
			return []byte(`{"slow":true}`), "", nil
		}
		out := runInBubble(t, fakeTools(fakeIndex{"late": late}, "late"), nil, handshake, callLine("1", "late"))
		if want := greeting(`"hello"`, "2025-06-18") + "\n" + slowAnswer("1") + "\n"; out != want {
			t.Errorf("got %s", out)
		}
	})
}

// runInBubble runs a session in a bubble of virtual time and returns its
// output. With a stop channel the input doesn't end.
func runInBubble(t *testing.T, b *toolbox, stop chan struct{}, input ...string) string {
	in, inWrite := io.Pipe()
	var out lockedBuilder
	ended := make(chan struct{})
	go func() {
		newSession(newServer(b), b, DefaultMaxLine).run(in, &out, stop)
		close(ended)
	}()
	io.WriteString(inWrite, strings.Join(input, ""))
	if stop == nil {
		inWrite.Close()
	} else {
		close(stop)
	}
	<-ended
	in.Close()
	return out.String()
}

type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuilder) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuilder) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// After a signal, what takes longer than 2 s is dropped.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := func(d time.Duration) func(context.Context) ([]byte, string, error) {
			return func(ctx context.Context) ([]byte, string, error) {
				select {
				case <-time.After(d):
					return []byte(`{"slow":true}`), "", nil
				case <-ctx.Done():
					return nil, "", ctx.Err()
				}
			}
		}
		index := fakeIndex{"soon": after(1900 * time.Millisecond), "late": after(2100 * time.Millisecond)}
		start := time.Now()
		out := runInBubble(t, fakeTools(index, "soon", "late"), make(chan struct{}), handshake, callLine("1", "late"), callLine("2", "soon"))
		if want := greeting(`"hello"`, "2025-06-18") + "\n" + slowAnswer("2") + "\n"; out != want {
			t.Errorf("got %s", out)
		}
		if took := time.Since(start); took != signalGrace {
			t.Errorf("it took %v", took)
		}
	})
}

// A signal while nothing is in flight ends the session at once, but for the
// pause in which lines that are on their way are taken.
func TestSignalIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		out := runInBubble(t, fakeTools(nil), make(chan struct{}), `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if want := pong("1") + "\n"; out != want { // the second line has no end
			t.Errorf("got %s", out)
		}
		if took := time.Since(start); took != signalPause {
			t.Errorf("it took %v", took)
		}
	})
}

// A signal after the end of input bounds the wait for the rest.
func TestSignalAfterEnd(t *testing.T) {
	slow := newSlowTool()
	p := ready(t, fakeTools(fakeIndex{"slow": slow.answer}, "slow"))
	p.session.grace = time.Millisecond
	p.call("1", "slow")
	wait(t, slow.started)
	p.in.Close()
	close(p.stop)
	p.expectEnd()
	wait(t, slow.cancelled)
}

// Memory is given back once, when no large answer was sent for a while, of
// virtual time.
func TestTidy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := `{"text":"` + strings.Repeat("a", largeReply) + `"}`
		p := ready(t, fakeTools(fakeIndex{"large": result(large), "small": result(`{}`)}, "large", "small"))
		var given atomic.Int32
		p.session.giveBack = func() { given.Add(1) }
		ask := func(tool string) {
			t.Helper()
			p.call("1", tool)
			p.receive()
			synctest.Wait()
		}
		ask("small")
		time.Sleep(2 * tidyDelay)
		if given.Load() != 0 {
			t.Errorf("given back %d times after a small answer", given.Load())
		}
		for range 3 {
			ask("large")
			ask("small")
			time.Sleep(tidyDelay - time.Second)
		}
		if given.Load() != 0 {
			t.Errorf("given back %d times between large answers", given.Load())
		}
		time.Sleep(10 * tidyDelay)
		if given.Load() != 1 {
			t.Errorf("given back %d times after large answers, want once", given.Load())
		}
		p.in.Close()
		p.expectEnd()
	})
}

// A client may write all its requests before it reads any answer.
func TestUnreadOutput(t *testing.T) {
	p := connect(t, fakeTools(nil))
	for i := range 1020 {
		p.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
	}
	p.in.Close()
	for i := range 1020 {
		p.expect(pong(fmt.Sprint(i)))
	}
	p.expectEnd()
}

// An output that can't be written to ends the session, whatever it does.
func TestClosedOutput(t *testing.T) {
	slow := newSlowTool()
	b := fakeTools(fakeIndex{"slow": slow.answer}, "slow")
	in, inWrite := io.Pipe()
	defer inWrite.Close()
	outRead, outWrite := io.Pipe()
	ended := make(chan struct{})
	go func() {
		newSession(newServer(b), b, DefaultMaxLine).run(in, outWrite, nil)
		close(ended)
	}()
	io.WriteString(inWrite, handshake+callLine("1", "slow"))
	if _, err := bufio.NewReader(outRead).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	wait(t, slow.started)
	outRead.Close()
	io.WriteString(inWrite, `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
	wait(t, ended)
	wait(t, slow.cancelled)
}

func TestBudget(t *testing.T) {
	b := budget{limit: 10, freed: make(chan struct{}, 1)}
	b.take(100, nil) // more than all, but alone
	took := make(chan struct{})
	go func() {
		b.take(4, nil)
		b.take(6, nil)
		took <- struct{}{}
		b.take(1, nil)
		took <- struct{}{}
	}()
	b.give(100)
	wait(t, took)
	select {
	case <-took:
		t.Fatal("took more than there is")
	default:
	}
	b.give(6)
	wait(t, took)
	stop := make(chan struct{})
	close(stop)
	b.take(1000, stop) // does not wait
	if b.used != 4+1+1000 {
		t.Errorf("used %d", b.used)
	}
}
