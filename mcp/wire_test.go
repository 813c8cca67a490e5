package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"brick/internal/test/wire"
	"brick/query"
)

// patience is how long a test waits for what must come. Nothing that is right
// takes nearly as long.
const patience = 30 * time.Second

const (
	hello     = wire.Hello
	confirmed = wire.Confirmed
	handshake = wire.Handshake
)

func greeting(id, revision string) string { return wire.Greeting(id, revision, Instructions) }

func errorLine(id string, code int, message string) string { return wire.ErrorLine(id, code, message) }

func pong(id string) string { return wire.Pong(id) }

func callLine(id, tool string) string { return wire.CallLine(id, tool) }

// serveAll gives an input to a server without an index and returns what it
// answers.
func serveAll(t *testing.T, input string, maxLine int) string {
	t.Helper()
	var out strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		Serve("missing.idx", Options{MaxAnswer: query.DefaultMaxAnswer, MaxLine: maxLine}, strings.NewReader(input), &out, nil)
	}()
	wait(t, done)
	return out.String()
}

const (
	early      = "server not initialized"
	badID      = "id must be a string or an integer"
	badVersion = `jsonrpc must be "2.0"`
	badMethod  = "method must be a string"
	badParams  = "params must be an object"
	batch      = "a message is one JSON object on one line; batches are not served"
	badHello   = "initialize: protocolVersion must be a string that is not empty"
)

// Each case is the input, byte for byte, and the lines that answer it.
var wireTests = []struct {
	name  string
	input string
	want  []string
}{
	// Handshake.
	{"revision 2025-06-18", hello, []string{greeting(`"hello"`, "2025-06-18")}},
	{"revision 2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
		[]string{greeting("1", "2025-11-25")}},
	{"an older revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"the oldest revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"a later revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"a revision that is no date", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x\"y"}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"server/discover before the handshake", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		[]string{errorLine("1", -32601, `method "server/discover" not found`)}},
	{"server/discover after it", handshake + `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32601, `method "server/discover" not found`)}},
	{"keys of the later revision are ignored", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		[]string{pong("1")}},
	{"keys of the later revision in initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"keys of the later revision open nothing", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		[]string{errorLine("1", -32600, early)}},
	{"tools/list before initialize", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{errorLine("1", -32600, early)}},
	{"tools/call before initialize", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brick_cycles"}}`,
		[]string{errorLine("1", -32600, early)}},
	{"tools/list before initialized", hello + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32600, early)}},
	{"ping at any time", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + hello + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n" + confirmed + `{"jsonrpc":"2.0","id":3,"method":"ping"}`,
		[]string{pong("1"), greeting(`"hello"`, "2025-06-18"), pong("2"), pong("3")}},
	{"unknown method at any time", `{"jsonrpc":"2.0","id":1,"method":"frob"}` + "\n" + hello + `{"jsonrpc":"2.0","id":2,"method":"frob"}` + "\n" + confirmed + `{"jsonrpc":"2.0","id":3,"method":"frob"}`,
		[]string{errorLine("1", -32601, `method "frob" not found`), greeting(`"hello"`, "2025-06-18"), errorLine("2", -32601, `method "frob" not found`), errorLine("3", -32601, `method "frob" not found`)}},
	{"methods that mcp-go knows and this server hasn't", handshake + `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"tasks/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32601, `method "subscriptions/listen" not found`), errorLine("2", -32601, `method "logging/setLevel" not found`), errorLine("3", -32601, `method "tasks/list" not found`)}},
	{"a notification's name with an id", `{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`,
		[]string{errorLine("1", -32601, `method "notifications/initialized" not found`)}},
	{"second initialize", hello + `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, "server already initialized")}},
	{"second initialize after initialized", handshake + `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, "server already initialized")}},
	{"second initialize with nothing in it", hello + `{"jsonrpc":"2.0","id":2,"method":"initialize"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, "server already initialized")}},
	{"initialize without params, which does not count", `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n" + hello,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18")}},
	{"initialize without a revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n" + hello,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18")}},
	{"initialize with an empty revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":""}}` + "\n" + hello,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18")}},
	{"initialize with a number for a revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":20250618}}` + "\n" + hello,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18")}},
	{"initialize with null for a revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":null}}` + "\n" + hello,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18")}},
	{"a revision under another name", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"ProtocolVersion":"2025-06-18"}}`,
		[]string{errorLine("1", -32602, badHello)}},
	{"other members of initialize don't matter", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":7,"clientInfo":[]}}`,
		[]string{greeting("1", "2025-06-18")}},
	{"initialized after a failed initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n" + confirmed + hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{errorLine("1", -32602, badHello), greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, early)}},
	{"initialized before initialize", confirmed + hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, early)}},
	{"initialized of another version", hello + `{"jsonrpc":"1.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, early)}},
	{"initialized with no object for params", hello + `{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, early)}},
	{"initialized with a duplicate name", hello + `{"jsonrpc":"2.0","method":"notifications/initialized","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("2", -32600, early)}},
	{"initialize as a notification", `{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n" + confirmed + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		[]string{errorLine("2", -32600, early)}},
	{"initialize, initialized and a call at once", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"frob"}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, `unknown tool "frob"`)}},

	// Envelope: requests.
	{"no version", `{"id":1,"method":"ping"}`, []string{errorLine("1", -32600, badVersion)}},
	{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, []string{errorLine("1", -32600, badVersion)}},
	{"version 2", `{"jsonrpc":"2","id":1,"method":"ping"}`, []string{errorLine("1", -32600, badVersion)}},
	{"version null", `{"jsonrpc":null,"id":"a","method":"ping"}`, []string{errorLine(`"a"`, -32600, badVersion)}},
	{"version with escapes is the same string", `{"jsonrpc":"\u0032.0","id":1,"method":"ping"}`, []string{pong("1")}},
	{"method as a number", `{"jsonrpc":"2.0","id":1,"method":7}`, []string{errorLine("1", -32600, badMethod)}},
	{"method null", `{"jsonrpc":"2.0","id":1,"method":null}`, []string{errorLine("1", -32600, badMethod)}},
	{"method with escapes is the same string", `{"jsonrpc":"2.0","id":1,"method":"\u0070ing"}`, []string{pong("1")}},
	{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, []string{errorLine("1", -32601, `method "" not found`)}},
	{"params as an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, []string{errorLine("1", -32600, badParams)}},
	{"params null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, []string{errorLine("1", -32600, badParams)}},
	{"params as a string", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"{}"}`, []string{errorLine("1", -32600, badParams)}},
	{"params of an unknown method are checked first", `{"jsonrpc":"2.0","id":1,"method":"frob","params":7}`, []string{errorLine("1", -32600, badParams)}},
	{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id 1.5", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id 1.0", `{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id 1e3", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id []", `{"jsonrpc":"2.0","id":[],"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id {}", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{errorLine("null", -32600, badID)}},
	{"id 0", `{"jsonrpc":"2.0","id":0,"method":"ping"}`, []string{pong("0")}},
	{"id -7", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, []string{pong("-7")}},
	{"id over 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{pong("9007199254740993")}},
	{"id over 2^64", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, []string{pong("123456789012345678901234567890")}},
	{"id empty string", `{"jsonrpc":"2.0","id":"","method":"ping"}`, []string{pong(`""`)}},
	{"id a string of digits", `{"jsonrpc":"2.0","id":"5","method":"ping"}`, []string{pong(`"5"`)}},
	{"id a string with escapes", `{"jsonrpc":"2.0","id":"\u0061\n<é\ud83d\ude00","method":"ping"}`, []string{pong(`"\u0061\n<é\ud83d\ude00"`)}},
	{"an id and none of the three", `{"jsonrpc":"2.0","id":1}`, []string{errorLine("1", -32600, badMethod)}},
	{"a bad id and none of the three", `{"id":[]}`, []string{errorLine("null", -32600, badID)}},
	{"an empty object has no id", `{}`, nil},
	{"other members are ignored", `{"jsonrpc":"2.0","id":1,"method":"ping","result":7,"error":8,"extra":[{"a":1}],"Jsonrpc":"1.0"}`, []string{pong("1")}},

	// Envelope: notifications and responses.
	{"notifications are never answered", strings.Join([]string{
		`{"jsonrpc":"2.0","method":"frob"}`,
		`{"jsonrpc":"2.0","method":"ping"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"brick_cycles"}}`,
		`{"jsonrpc":"1.0","method":"ping"}`,
		`{"method":7}`,
		`{"jsonrpc":"2.0","method":"ping","params":[]}`,
		`{"a":1,"a":2}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never seen"}}`,
		`{"jsonrpc":"2.0","ID":1,"method":"ping"}`,
	}, "\n"), nil},
	{"responses are dropped", strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`,
		`{"jsonrpc":"1.0","id":1.5,"result":null}`,
		`{"error":null}`,
		`{"id":1,"id":2,"result":{}}`,
	}, "\n"), nil},

	// Envelope: what is no message.
	{"an array", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, []string{errorLine("null", -32600, batch)}},
	{"an empty array", `[]`, []string{errorLine("null", -32600, batch)}},
	{"an array with a duplicate name in it", `[{"a":1,"a":2}]`, []string{errorLine("null", -32600, batch)}},
	{"a number", `7`, []string{errorLine("null", -32600, batch)}},
	{"a string", `"ping"`, []string{errorLine("null", -32600, batch)}},
	{"null", `null`, []string{errorLine("null", -32600, batch)}},
	{"true", `true`, []string{errorLine("null", -32600, batch)}},

	// Envelope: names.
	{"duplicate id", `{"jsonrpc":"2.0","id":1,"method":"ping","id":1}`, []string{errorLine("null", -32600, `duplicate member name at "/id"`)}},
	{"duplicate id, one of them escaped", `{"jsonrpc":"2.0","id":1,"method":"ping","\u0069d":2}`, []string{errorLine("null", -32600, `duplicate member name at "/id"`)}},
	{"duplicate method", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}`, []string{errorLine("1", -32600, `duplicate member name at "/method"`)}},
	{"duplicate of an unknown name", `{"jsonrpc":"2.0","id":"a","x":1,"x":1,"method":"ping"}`, []string{errorLine(`"a"`, -32600, `duplicate member name at "/x"`)}},
	{"duplicate in params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":1}}`, []string{errorLine("1", -32600, `duplicate member name at "/params/a"`)}},
	{"duplicate deep in an ignored member", `{"jsonrpc":"2.0","id":1,"method":"ping","x":[{"y":{"z":1,"z":2}}]}`, []string{errorLine("1", -32600, `duplicate member name at "/x/0/y/z"`)}},
	{"duplicate and no valid id", `{"jsonrpc":"2.0","id":1.5,"method":"ping","method":"ping"}`, []string{errorLine("null", -32600, `duplicate member name at "/method"`)}},
	{"names that differ in case", `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/list","METHOD":"frob","ID":2,"Id":3}`, []string{pong("1")}},
	{"Method is not method", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, []string{errorLine("1", -32600, badMethod)}},
	{"methods that differ in case", `{"jsonrpc":"2.0","id":1,"method":"Ping"}`, []string{errorLine("1", -32601, `method "Ping" not found`)}},

	// Lines.
	{"blank lines", "\n \n\t\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n \t\r \n   ", []string{pong("1")}},
	{"CRLF", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\r\n", []string{pong("1"), pong("2")}},
	{"no newline behind the last line", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{pong("1")}},
	{"white space around the value", " \t" + `{ "jsonrpc" : "2.0" , "id" : 1 , "method" : "ping" } ` + "\t\r\n", []string{pong("1")}},

	// Tools, whatever there are.
	{"name missing", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, "tools/call: name must be a string, the tool's")}},
	{"params missing", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, "tools/call: name must be a string, the tool's")}},
	{"name no string", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, "tools/call: name must be a string, the tool's")}},
	{"unknown tool", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brick_\"x\"","arguments":{}}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, `unknown tool "brick_\"x\""`)}},
	{"tool names are matched exactly", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Brick_cycles","arguments":{}}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, `unknown tool "Brick_cycles"; perhaps "brick_cycles" is meant`)}},
	{"a cursor that was never given out", handshake + `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"YWJj"}}`,
		[]string{greeting(`"hello"`, "2025-06-18"), errorLine("1", -32602, "tools/list: unknown cursor")}},
}

func TestWire(t *testing.T) {
	for _, test := range wireTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			stdout := serveAll(t, test.input, DefaultMaxLine)
			want := ""
			if len(test.want) > 0 {
				want = strings.Join(test.want, "\n") + "\n"
			}
			if stdout != want {
				t.Errorf("input:\n%s\nanswers:\n%swant:\n%s", test.input, stdout, want)
			}
		})
	}
}

// Lines that are not JSON here get -32700 with id null, and the next line is
// served.
func TestNotJSON(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	deep := func(levels int) string { // of the whole message
		return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", levels-2) + strings.Repeat("]", levels-2) + "}}"
	}
	tests := []struct {
		name, line string
		code       int // 0 for a pong
	}{
		{"no JSON", "frob", -32700},
		{"byte order mark", "\ufeff" + ping, -32700},
		{"bytes behind the value", ping + "x", -32700},
		{"a second value", ping + ping, -32700},
		{"a comma behind the value", ping + ",", -32700},
		{"a zero byte behind the value", ping + "\x00", -32700},
		{"a form feed behind the value", ping + "\f", -32700},
		{"bytes behind an array", `[] []`, -32700},
		{"cut off", ping[:len(ping)-1], -32700},
		{"not UTF-8 in a string", `{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"ping"}`, -32700},
		{"not UTF-8 in an ignored member", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + "\xc3" + `"}`, -32700},
		{"a surrogate in UTF-8", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + "\xed\xa0\x80" + `"}`, -32700},
		{"not UTF-8 in a notification", `{"jsonrpc":"2.0","method":"` + "\xff" + `"}`, -32700},
		{"unpaired surrogate", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, -32700},
		{"unpaired low surrogate", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\udc00"}}`, -32700},
		{"surrogates the wrong way round", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"\ude00\ud83d"}`, -32700},
		{"unpaired surrogate in a name", `{"jsonrpc":"2.0","id":1,"method":"ping","\ud800":1}`, -32700},
		{"a pair of surrogates", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"\ud83d\ude00"}`, 0},
		{"a duplicate name and then no JSON", `{"jsonrpc":"2.0","id":1,"method":"ping","a":1,"a":2,}`, -32700},
		{"a duplicate name and bytes behind", `{"jsonrpc":"2.0","id":1,"method":"ping","a":1,"a":2} x`, -32700},
		{"NaN", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, -32700},
		{"leading zero", `{"jsonrpc":"2.0","id":01,"method":"ping"}`, -32700},
		{"plus sign", `{"jsonrpc":"2.0","id":+1,"method":"ping"}`, -32700},
		{"single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, -32700},
		{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"\x01\",\"method\":\"ping\"}", -32700},
		{"a line end within the value", "{\"jsonrpc\":\"2.0\",\r\"id\":1,\"method\":\"ping\"}", 0},
		{"10,000 levels", deep(10000), 0},
		{"10,001 levels", deep(10001), -32700},
		{"an array of 10,000 levels", strings.Repeat("[", 10000) + strings.Repeat("]", 10000), -32600},
		{"an array of 10,001 levels", strings.Repeat("[", 10001) + strings.Repeat("]", 10001), -32700},
		{"many more levels", strings.Repeat("[", 1<<20), -32700},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			stdout := serveAll(t, test.line+"\n"+`{"jsonrpc":"2.0","id":"next","method":"ping"}`, DefaultMaxLine)
			lines := strings.SplitAfter(stdout, "\n")
			if len(lines) != 3 || lines[1] != pong(`"next"`)+"\n" {
				t.Fatalf("answers %q", stdout)
			}
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":`, test.code)
			if test.code == 0 {
				want = pong("1")
			}
			if !strings.HasPrefix(lines[0], want) {
				t.Errorf("answer %s, want %s…", lines[0], want)
			}
		})
	}
}

func TestLongLine(t *testing.T) {
	// A ping of exactly n bytes.
	ping := func(id string, n int) string {
		head, tail := `{"jsonrpc":"2.0","id":`+id+`,"method":"ping","params":{"x":"`, `"}}`
		return head + strings.Repeat("a", n-len(head)-len(tail)) + tail
	}
	tooLong := func(max int) string {
		return errorLine("null", -32600, fmt.Sprintf("a line may have at most %d bytes", max))
	}
	tests := []struct {
		name, input string
		max         int
		want        []string
	}{
		{"4 MiB", ping("1", 4<<20) + "\n" + ping("2", 100), DefaultMaxLine, []string{pong("1"), pong("2")}},
		{"4 MiB and CRLF", ping("1", 4<<20) + "\r\n" + ping("2", 100), DefaultMaxLine, []string{pong("1"), pong("2")}},
		{"4 MiB and no end", ping("1", 4<<20), DefaultMaxLine, []string{pong("1")}},
		{"one byte more", ping("1", 4<<20+1) + "\n" + ping("2", 100), DefaultMaxLine, []string{tooLong(4 << 20), pong("2")}},
		{"one byte more and CRLF", ping("1", 4<<20+1) + "\r\n" + ping("2", 100), DefaultMaxLine, []string{tooLong(4 << 20), pong("2")}},
		{"one byte more and no end", ping("1", 4<<20+1), DefaultMaxLine, []string{tooLong(4 << 20)}},
		{"much more", ping("1", 50<<20) + "\n" + ping("2", 100), DefaultMaxLine, []string{tooLong(4 << 20), pong("2")}},
		{"a bound of 100", ping("1", 100) + "\n" + ping("2", 101) + "\n" + ping("3", 100) + "\r\n", 100, []string{pong("1"), tooLong(100), pong("3")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout := serveAll(t, test.input, test.max)
			if want := strings.Join(test.want, "\n") + "\n"; stdout != want {
				t.Errorf("answers\n%swant\n%s", stdout, want)
			}
		})
	}
}

// All that is read before the end of input is answered.
func TestPipedAtOnce(t *testing.T) {
	var input strings.Builder
	input.WriteString(handshake)
	want := []string{greeting(`"hello"`, "2025-06-18")}
	for i := range 1020 {
		id := fmt.Sprint(i)
		switch i % 3 {
		case 0:
			input.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
			want = append(want, pong(id))
		case 1:
			input.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"frob"}}` + "\n")
			want = append(want, errorLine(id, -32602, `unknown tool "frob"`))
		default:
			input.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list","params":{"cursor":"x"}}` + "\n")
			want = append(want, errorLine(id, -32602, "tools/list: unknown cursor"))
		}
	}
	stdout := serveAll(t, input.String(), DefaultMaxLine)
	got := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d answers, want %d", len(got), len(want))
	}
}
