package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"brick/query"
	"brick/store"
)

const modelFile = "../../testdata/bbolt.brick.json.zst"

// buildIndex builds the index of a real model, once, with the command.
var buildIndex = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(command), "bbolt.idx")
	out, err := exec.Command("go", "run", "brick/cmd/brick-index", "build", "--quiet", "-o", path, modelFile).CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

func indexPath(t *testing.T) string {
	t.Helper()
	path, err := buildIndex()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compile compiles a schema as a client gets it.
func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Errorf("%v", err)
	}
}

// A whole session of the official SDK's client, which asks for revision
// 2026-07-28 first and must find its way to the handshake.
func TestSDKClient(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(command, indexPath(t))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	hello := session.InitializeResult()
	if hello.ServerInfo.Name != "brick-mcp" || hello.Instructions != instructions || hello.Capabilities.Tools == nil || hello.Capabilities.Tools.ListChanged {
		t.Errorf("initialize: %+v", hello)
	}
	if err := session.Ping(ctx, nil); err != nil {
		t.Error(err)
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names, want []string
	outputs, inputs := map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		if input, ok := tool.InputSchema.(map[string]any); !ok || input["additionalProperties"] != false || input["type"] != "object" {
			t.Errorf("%s: input schema %v", tool.Name, tool.InputSchema)
		}
		inputs[tool.Name], outputs[tool.Name] = compile(t, tool.InputSchema), compile(t, tool.OutputSchema)
	}
	for _, tool := range query.Tools() {
		want = append(want, tool.Name)
	}
	if !slices.Equal(names, want) || len(names) < 6 {
		t.Errorf("tools %q, want %q", names, want)
	}

	call := func(tool string, arguments map[string]any) string {
		t.Helper()
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		if result.IsError || len(result.Content) != 1 {
			t.Fatalf("%s: %+v", tool, result)
		}
		text := result.Content[0].(*mcp.TextContent).Text
		validate(t, outputs[tool], text)
		given, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		validate(t, inputs[tool], string(given))
		structured, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		validate(t, outputs[tool], string(structured))
		return text
	}
	for _, tool := range list.Tools {
		required, _ := tool.InputSchema.(map[string]any)["required"].([]any)
		if len(required) == 0 {
			call(tool.Name, map[string]any{})
		}
	}
	var uncalled struct {
		Unreferenced, Unknown []struct {
			Function struct{ ID string } `json:"function"`
		}
	}
	text := call("brick_uncalled", map[string]any{"language": "go", "include_unknown": true, "assume_closed_world": true, "limit": 3})
	if err := json.Unmarshal([]byte(text), &uncalled); err != nil {
		t.Fatal(err)
	}
	if len(uncalled.Unreferenced)+len(uncalled.Unknown) == 0 {
		t.Fatal("brick_uncalled found nothing")
	}
	for _, r := range append(uncalled.Unreferenced, uncalled.Unknown...) {
		call("brick_callers", map[string]any{"node_id": r.Function.ID})
		call("brick_impact", map[string]any{"node_id": r.Function.ID, "direction": "dependencies", "max_depth": 2})
		call("brick_evidence", map[string]any{"entity_id": r.Function.ID})
	}

	// What isn't there is an answer; wrong arguments are an error.
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "brick_callers", Arguments: map[string]any{"node_id": "frob"}})
	if err != nil || !result.IsError || result.StructuredContent != nil || len(result.Content) != 1 ||
		!strings.Contains(result.Content[0].(*mcp.TextContent).Text, "frob") {
		t.Errorf("a node that isn't there: %+v, %v", result, err)
	}
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "brick_callers", Arguments: map[string]any{"frob": 1, "node_id": "x"}})
	if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != -32602 || !strings.Contains(wire.Message, "brick_callers") || !strings.Contains(wire.Message, "frob") {
		t.Errorf("an unknown argument: %v", err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// A whole session of the inspector for each step, as it works.
func TestInspector(t *testing.T) {
	inspector := os.Getenv("BRICK_INSPECTOR")
	if inspector == "" {
		var err error
		if inspector, err = exec.LookPath("mcp-inspector"); err != nil {
			t.Skip("no MCP inspector: npm install @modelcontextprotocol/inspector@1.0.3, and give its mcp-inspector in BRICK_INSPECTOR")
		}
	}
	path := indexPath(t)
	inspect := func(into any, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, inspector, append([]string{"--cli", command, path}, args...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.String())
		}
		if err := json.Unmarshal(out, into); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema any
		}
	}
	inspect(&list, "--method", "tools/list")
	var names, want []string
	outputs := map[string]*jsonschema.Schema{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		outputs[tool.Name] = compile(t, tool.OutputSchema)
	}
	for _, tool := range query.Tools() {
		want = append(want, tool.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	for _, args := range [][]string{
		{"brick_cycles"},
		{"brick_uncalled", "--tool-arg", "limit=3"},
	} {
		var result struct {
			Content           []struct{ Type, Text string }
			StructuredContent json.RawMessage
			IsError           bool
		}
		inspect(&result, append([]string{"--method", "tools/call", "--tool-name"}, args...)...)
		if result.IsError || len(result.Content) != 1 || result.StructuredContent == nil {
			t.Fatalf("%q: %+v", args, result)
		}
		validate(t, outputs[args[0]], string(result.StructuredContent))
		validate(t, outputs[args[0]], result.Content[0].Text)
	}
}

// onTheWire is the rest of the line behind its id when a tool answers from the
// index at path.
func onTheWire(t *testing.T, path, tool, arguments string) string {
	t.Helper()
	ix, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	parsed, err := query.Lookup(tool).ParseArguments([]byte(arguments))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := query.Lookup(tool).Answer(t.Context(), ix, parsed)
	if err != nil {
		t.Fatal(err)
	}
	return `"result":{"content":[{"type":"text","text":` + quotedText(t, answer) +
		`}],"structuredContent":` + string(answer) + "}}"
}

// quotedText is an answer as a JSON string.
func quotedText(t *testing.T, answer []byte) string {
	t.Helper()
	text, err := jsontext.AppendQuote(nil, answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Answers come through the wire byte for byte, in both contents.
func TestAnswersByteForByte(t *testing.T) {
	path := indexPath(t)
	for _, arguments := range []struct{ tool, json string }{
		{"brick_cycles", `{}`},
		{"brick_bridges", `{}`},
		{"brick_uncalled", `{"include_unknown":true,"limit":2e3}`},
	} {
		out, stderr, _ := runBinary(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+arguments.tool+`","arguments":`+arguments.json+`}}`, path)
		_, line, _ := strings.Cut(out, "\n")
		want := `{"jsonrpc":"2.0","id":1,` + onTheWire(t, path, arguments.tool, arguments.json) + "\n"
		if line != want || stderr != "" {
			t.Errorf("%s: the answer came as a line of %d bytes, want %d; standard error %q", arguments.tool, len(line), len(want), stderr)
		}
	}
}

// Queries that are piped at once are all answered, each by one whole line.
func TestQueriesPipedAtOnce(t *testing.T) {
	var input strings.Builder
	input.WriteString(handshake)
	calls := []string{
		`"brick_cycles"`,
		`"brick_bridges"`,
		`"brick_uncalled","arguments":{"limit":5}`,
		`"brick_callers","arguments":{"node_id":"frob"}`,
	}
	const n = 1020
	for i := range n {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`+"\n", i, calls[i%len(calls)])
	}
	out, stderr, code := runBinary(t, input.String(), indexPath(t))
	seen := make(map[int]bool)
	answers := make(map[int]string) // by the call
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if i == 0 {
			continue // initialize
		}
		var response struct {
			ID     int
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &response); err != nil || response.Result == nil || seen[response.ID] {
			t.Fatalf("line %.200q: %v", line, err)
		}
		seen[response.ID] = true
		c := response.ID % len(calls)
		if answers[c] == "" {
			answers[c] = string(response.Result)
		} else if answers[c] != string(response.Result) {
			t.Errorf("two answers to %s", calls[c])
		}
	}
	if len(seen) != n || stderr != "" || code != 0 {
		t.Errorf("%d answers, exit code %d, standard error %q", len(seen), code, stderr)
	}
}

// Large answers, whose memory is used again, at once and some of them cancelled:
// each that comes is its own call's.
func TestLargeAnswersAtOnce(t *testing.T) {
	path := indexPath(t)
	var calls, want []string
	for _, c := range []struct{ tool, arguments string }{
		{"brick_bridges", `{}`},
		{"brick_uncalled", `{"include_unknown":true}`},
		{"brick_impact", `{"node_id":"go:(*go.etcd.io/bbolt.DB).Update","max_depth":4}`},
		{"brick_impact", `{"node_id":"go:(*go.etcd.io/bbolt.Bucket).Put","max_depth":3}`},
		{"brick_impact", `{"node_id":"go:(*go.etcd.io/bbolt.Bucket).Put","max_depth":2}`},
		{"brick_cycles", `{}`},
	} {
		calls = append(calls, `{"name":"`+c.tool+`","arguments":`+c.arguments+`}`)
		want = append(want, onTheWire(t, path, c.tool, c.arguments))
	}
	const n = 240
	var input strings.Builder
	input.WriteString(handshake)
	for i := range n {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", i, calls[i%len(calls)])
		if i%5 == 4 {
			fmt.Fprintf(&input, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", i-1)
		}
	}
	out, stderr, code := runBinary(t, input.String(), path)
	if stderr != "" || code != 0 {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	seen := 0
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if i == 0 {
			continue // initialize
		}
		var id int
		if _, err := fmt.Sscanf(line, `{"jsonrpc":"2.0","id":%d,`, &id); err != nil {
			t.Fatalf("line %.200q: %v", line, err)
		}
		if got := strings.TrimPrefix(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, id)); got != want[id%len(want)] {
			t.Errorf("call %d, %s: the answer of %d bytes is not the one of %d that it should be", id, calls[id%len(calls)], len(got), len(want[id%len(want)]))
		}
		seen++
	}
	if seen > n || seen < n-n/5 {
		t.Errorf("%d answers to %d calls", seen, n)
	}
}

// The instructions speak of all the tools.
func TestInstructions(t *testing.T) {
	for _, tool := range query.Tools() {
		if !strings.Contains(instructions, "`"+tool.Name+"`") {
			t.Errorf("instructions.md lacks %s", tool.Name)
		}
	}
	for _, name := range regexp.MustCompile(`brick_\w+`).FindAllString(instructions, -1) {
		if query.Lookup(name) == nil {
			t.Errorf("instructions.md speaks of %s, which is no tool", name)
		}
	}
}

// Arguments are checked before the index is opened.
func TestArguments(t *testing.T) {
	const missing = `"isError":true`
	tests := []struct {
		tool, arguments string   // "" for none
		want            []string // parts of the answer
	}{
		{"brick_impact", ``, []string{`-32602`, `brick_impact`, `node_id`}},
		{"brick_impact", `{}`, []string{`-32602`, `brick_impact`, `node_id`}},
		{"brick_impact", `[]`, []string{`-32602`, `brick_impact`}},
		{"brick_impact", `null`, []string{`-32602`, `brick_impact`}},
		{"brick_impact", `"node_id"`, []string{`-32602`, `brick_impact`}},
		{"brick_impact", `{"node_id":7}`, []string{`-32602`, `brick_impact`, `node_id`}},
		{"brick_impact", `{"node_id":null}`, []string{`-32602`, `brick_impact`, `node_id`}},
		{"brick_impact", `{"Node_id":"a"}`, []string{`-32602`, `brick_impact`}},
		{"brick_impact", `{"node_id":"a","Direction":"dependents"}`, []string{`-32602`, `brick_impact`, `Direction`}},
		{"brick_impact", `{"node_id":"a","frob":1}`, []string{`-32602`, `brick_impact`, `frob`}},
		{"brick_impact", `{"node_id":"a","direction":"up"}`, []string{`-32602`, `brick_impact`, `direction`}},
		{"brick_impact", `{"node_id":"a","max_depth":-1}`, []string{`-32602`, `brick_impact`, `max_depth`}},
		{"brick_impact", `{"node_id":"a","max_depth":2147483648}`, []string{`-32602`, `brick_impact`, `max_depth`}},
		{"brick_impact", `{"node_id":"a","max_depth":1.5}`, []string{`-32602`, `brick_impact`, `max_depth`}},
		{"brick_impact", `{"node_id":"a","max_depth":"1"}`, []string{`-32602`, `brick_impact`, `max_depth`}},
		{"brick_impact", `{"node_id":"a","node_id":"a"}`, []string{`-32600`, `node_id`}},
		{"brick_impact", `{"node_id":"a","max_depth":2.0}`, []string{missing}},
		{"brick_impact", `{"node_id":"a","max_depth":2e0}`, []string{missing}},
		{"brick_impact", `{"node_id":"a","max_depth":2147483647}`, []string{missing}},
		{"brick_callers", `{"node_id":"a","assume_closed_world":"yes"}`, []string{`-32602`, `brick_callers`, `assume_closed_world`}},
		{"brick_evidence", `{"node_id":"a"}`, []string{`-32602`, `brick_evidence`, `_id`}},
		{"brick_uncalled", `{"language":""}`, []string{`-32602`, `brick_uncalled`, `language`}},
		{"brick_uncalled", `{"limit":-1}`, []string{`-32602`, `brick_uncalled`, `limit`}},
		{"brick_uncalled", ``, []string{missing}},
		{"brick_cycles", `{"frob":1}`, []string{`-32602`, `brick_cycles`, `frob`}},
		{"brick_cycles", ``, []string{missing}},
		{"brick_bridges", `{}`, []string{missing}},
	}
	for _, test := range tests {
		arguments := ""
		if test.arguments != "" {
			arguments = `,"arguments":` + test.arguments
		}
		out, _, _ := runBinary(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+test.tool+`"`+arguments+`}}`, "missing.idx")
		_, line, _ := strings.Cut(out, "\n")
		for _, part := range append(test.want, `{"jsonrpc":"2.0","id":1,`) {
			if !strings.Contains(line, part) {
				t.Errorf("%s %s: %s lacks %s", test.tool, test.arguments, line, part)
			}
		}
	}
}

// An index that can't be opened is the error of each query, and one line on
// standard error; the server starts, and goes on.
func TestNoIndex(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, err := os.ReadFile(indexPath(t))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, path, want string }{
		{"missing", filepath.Join(dir, "missing.idx"), "brick-index build"},
		{"a model", write("model.json", `{"schema_version": 4, "nodes": []}`), "brick-index build"},
		{"empty", write("empty.idx", ""), ""},
		{"cut off", write("cut.idx", string(good[:len(good)/2])), ""},
		{"a folder", dir, dir},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, stderr, code := runBinary(t, handshake+callLine("1", "brick_cycles")+callLine("2", "brick_bridges"), test.path)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(lines) != 3 || lines[0] != greeting(`"hello"`, "2025-06-18") || code != 0 {
				t.Fatalf("exit code %d, output %s", code, out)
			}
			slices.Sort(lines[1:])
			for i, line := range lines[1:] {
				var response struct {
					ID     int
					Result map[string]json.RawMessage
				}
				if err := json.Unmarshal([]byte(line), &response); err != nil || response.ID != i+1 || string(response.Result["isError"]) != "true" ||
					response.Result["structuredContent"] != nil || !strings.Contains(string(response.Result["content"]), test.want) {
					t.Errorf("answer %s", line)
				}
			}
			if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "brick-mcp: ") || !strings.Contains(stderr, test.want) {
				t.Errorf("standard error %q", stderr)
			}
		})
	}
}
