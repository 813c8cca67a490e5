package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzEnvelope wants that no line makes parse panic, that a notification is
// silent, and that an id comes back as it is.
func FuzzEnvelope(f *testing.F) {
	for _, test := range wireTests {
		for line := range strings.Lines(test.input) {
			f.Add([]byte(strings.TrimSuffix(line, "\n")))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsRune(line, '\n') {
			return
		}
		m := parse(line)
		if m.silent && m.err == nil && m.method == "" && !bytes.Contains(line, []byte("method")) {
			t.Errorf("a silent message without method is served: %+v", m)
		}
		// The judgement of another library, where it is as strict.
		var object map[string]json.RawMessage
		if json.Unmarshal(line, &object) == nil && object != nil && jsontext.Value(line).IsValid() {
			id, hasID := object["id"]
			_, hasMethod := object["method"]
			_, hasResult := object["result"]
			_, hasError := object["error"]
			if silent := !hasID || !hasMethod && (hasResult || hasError); m.silent != silent {
				t.Errorf("silent %v, want %v", m.silent, silent)
			}
			if m.id.literal != nil && !bytes.Equal(m.id.literal, id) {
				t.Errorf("id %s, want %s", m.id.literal, id)
			}
			if !m.silent && m.err == nil && m.id.literal == nil {
				t.Error("a request without id")
			}
		} else if m.err == nil {
			t.Errorf("%+v", m)
		}
		if m.err != nil {
			checkResponses(t, errorReply(m.id, m.err)[0].bytes, 1)
		}
	})
}

// checkResponses wants n lines at most, each a valid response.
func checkResponses(t *testing.T, out []byte, n int) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var r struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *struct {
				Code    int
				Message string
			} `json:"error"`
		}
		if !utf8.Valid(line) || !bytes.HasSuffix(line, []byte("}\n")) || json.Unmarshal(line, &r) != nil ||
			r.JSONRPC != "2.0" || r.ID == nil || (r.Result == nil) == (r.Error == nil) {
			t.Errorf("response %q", line)
		}
		n--
	}
	if n < 0 {
		t.Errorf("%d responses too many: %q", -n, out)
	}
}

// FuzzSession wants that whatever comes in, each line that isn't blank is
// answered at most once, by one line of valid JSON.
func FuzzSession(f *testing.F) {
	for _, test := range wireTests {
		f.Add([]byte(test.input))
	}
	call := callLine("1", "x")
	f.Add([]byte(handshake + call + callLine("1", "x") + callLine(`"1"`, "frob") + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
	index := fakeIndex{"x": result(`{"a":"b"}`)}
	tools := fakeTools(index, "x")
	server := newServer(tools)
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		// The session returns only when its outbox is done with out.
		newSession(server, tools, 1<<10).run(bytes.NewReader(input), &out, nil)
		requests := 0
		for line := range bytes.Lines(input) {
			if len(bytes.Trim(line, " \t\r\n")) > 0 {
				requests++
			}
		}
		checkResponses(t, out.Bytes(), requests)
	})
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brick_callers","arguments":{"node_id":"function:go.etcd.io/bbolt.(*Bucket).Get"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if m := parse(line); m.err != nil {
			b.Fatal(m.err)
		}
	}
}
