//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brick/model"
	"brick/query"
)

// catalogueTests are requests about what the server has beside its tools,
// with parts of their answers. They need no index but where it is said.
var catalogueTests = []struct {
	name, method, params string
	index                bool
	want                 []string // in the result
	code                 int      // of the error, 0 for a result
	message              string   // in the error
}{
	{"resources", "resources/list", `{}`, false, []string{
		`{"uri":"brick://summary","name":"summary",`, `{"uri":"brick://schema","name":"schema",`, `{"uri":"brick://caveats","name":"caveats",`, `"mimeType":"application/json"`}, 0, ""},
	{"resources, an empty cursor", "resources/list", `{"cursor":""}`, false, []string{`{"resources":[`}, 0, ""},
	{"resources, another cursor", "resources/list", `{"cursor":"x"}`, false, nil, -32602, "resources/list: unknown cursor"},
	{"templates", "resources/templates/list", `{}`, false, []string{`{"uriTemplate":"brick://node/{id}",`, `{"uriTemplate":"brick://file/{path}",`}, 0, ""},
	{"templates, a cursor", "resources/templates/list", `{"cursor":"x"}`, false, nil, -32602, "unknown cursor"},
	{"the schema", "resources/read", `{"uri":"brick://schema"}`, false, []string{`{"contents":[{"uri":"brick://schema","mimeType":"application/schema+json","text":`}, 0, ""},
	{"caveats", "resources/read", `{"uri":"brick://caveats"}`, false, []string{`"mimeType":"text/markdown"`, "not proof of dead code", "`unreferenced`", "`heuristic`"}, 0, ""},
	{"the summary", "resources/read", `{"uri":"brick://summary"}`, true, []string{`"uri":"brick://summary","mimeType":"application/json"`, `\"query\":\"brick_summary\"`}, 0, ""},
	{"a node", "resources/read", `{"uri":"brick://node/go%3A(*go.etcd.io%2Fbbolt.DB).grow"}`, true, []string{`\"query\":\"brick_evidence\"`, `\"entity_kind\":\"node\"`}, 0, ""},
	{"a node, not encoded", "resources/read", `{"uri":"brick://node/go:(*go.etcd.io/bbolt.DB).grow"}`, true, []string{`\"entity_kind\":\"node\"`}, 0, ""},
	{"a file", "resources/read", `{"uri":"brick://file/cmd/bbolt/main.go"}`, true, []string{`\"query\":\"brick_file\"`}, 0, ""},
	{"no node", "resources/read", `{"uri":"brick://node/frob"}`, true, nil, -32002, "frob"},
	{"no file", "resources/read", `{"uri":"brick://file/frob.go"}`, true, nil, -32002, "frob.go"},
	{"a file of no name", "resources/read", `{"uri":"brick://file/"}`, true, nil, -32602, "path"},
	{"not encoded as it should be", "resources/read", `{"uri":"brick://node/%zz"}`, true, nil, -32602, "percent-encoded"},
	{"no resource", "resources/read", `{"uri":"brick://frob"}`, false, nil, -32002, `there is no resource "brick://frob"`},
	{"a resource elsewhere", "resources/read", `{"uri":"file:///etc/passwd"}`, false, nil, -32002, "there is no resource"},
	{"no URI", "resources/read", `{}`, false, nil, -32602, "uri must be a string"},
	{"a URI that is none", "resources/read", `{"uri":7}`, false, nil, -32602, "uri must be a string"},
	{"a summary without an index", "resources/read", `{"uri":"brick://summary"}`, false, nil, -32603, "there is no index"},

	{"prompts", "prompts/list", `{}`, false, []string{`{"name":"assess-change",`, `"arguments":[{"name":"node",`, `"required":true}`, `{"name":"review-uncalled",`, `{"name":"language",`, `"required":false}`, `{"name":"break-cycle",`}, 0, ""},
	{"prompts, a cursor", "prompts/list", `{"cursor":"x"}`, false, nil, -32602, "prompts/list: unknown cursor"},
	{"assess a change", "prompts/get", `{"name":"assess-change","arguments":{"node":"Bucket.Get"}}`, false,
		[]string{`"messages":[{"role":"user","content":{"type":"text","text":"Assess what a change of ` + "`Bucket.Get`", "brick_callers", "brick_impact"}, 0, ""},
	{"review functions", "prompts/get", `{"name":"review-uncalled"}`, false, []string{"Review the functions of every language", `{\"include_unknown\": true`}, 0, ""},
	{"review functions of a language", "prompts/get", `{"name":"review-uncalled","arguments":{"language":"go"}}`, false, []string{"Review the functions of go ", `{\"language\": \"go\", \"include_unknown\": true`}, 0, ""},
	{"break a cycle", "prompts/get", `{"name":"break-cycle","arguments":{"cycle":"cycle:0123456789abcdef"}}`, false, []string{"cycle cycle:0123456789abcdef holds together"}, 0, ""},
	{"no prompt", "prompts/get", `{"name":"frob"}`, false, nil, -32602, `unknown prompt "frob"`},
	{"a prompt of no name", "prompts/get", `{}`, false, nil, -32602, "name must be a string"},
	{"an argument is missing", "prompts/get", `{"name":"assess-change"}`, false, nil, -32602, `argument "node" is required`},
	{"an argument is empty", "prompts/get", `{"name":"assess-change","arguments":{"node":""}}`, false, nil, -32602, "must be a string that is not empty"},
	{"an argument of another type", "prompts/get", `{"name":"assess-change","arguments":{"node":7}}`, false, nil, -32602, "must be a string"},
	{"an unknown argument", "prompts/get", `{"name":"review-uncalled","arguments":{"Language":"go"}}`, false, nil, -32602, `argument "Language" is unknown`},
	{"arguments that are none", "prompts/get", `{"name":"review-uncalled","arguments":[]}`, false, nil, -32602, "must be an object"},

	{"complete what isn't there", "completion/complete", `{"ref":{"type":"ref/prompt","name":"assess-change"},"argument":{"name":"node","value":"zzzz"}}`, true, []string{`{"completion":{"values":[],"hasMore":false}}`}, 0, ""},
	{"complete a name", "completion/complete", `{"ref":{"type":"ref/prompt","name":"assess-change"},"argument":{"name":"node","value":"DB.grow"}}`, true, []string{`"values":["go:(*go.etcd.io/bbolt.DB).grow"`, `"hasMore":false`}, 0, ""},
	{"complete an id", "completion/complete", `{"ref":{"type":"ref/resource","uri":"brick://node/{id}"},"argument":{"name":"id","value":"MustCreateDB"}}`, true, []string{`"go:go.etcd.io/bbolt/internal/btesting.MustCreateDB"`}, 0, ""},
	{"complete a path", "completion/complete", `{"ref":{"type":"ref/resource","uri":"brick://file/{path}"},"argument":{"name":"path","value":"cmd/bbolt/m"}}`, true, []string{`"values":["cmd/bbolt/main.go"]`}, 0, ""},
	{"complete a language", "completion/complete", `{"ref":{"type":"ref/prompt","name":"review-uncalled"},"argument":{"name":"language","value":""}}`, true, []string{`"values":["go"],"hasMore":false`}, 0, ""},
	{"complete a cycle", "completion/complete", `{"ref":{"type":"ref/prompt","name":"break-cycle"},"argument":{"name":"cycle","value":"cycle:"}}`, true, []string{`"cycle:`}, 0, ""},
	{"complete without a ref", "completion/complete", `{"argument":{"name":"node","value":""}}`, false, nil, -32602, "ref and argument must be objects"},
	{"complete without a value", "completion/complete", `{"ref":{"type":"ref/prompt","name":"assess-change"},"argument":{"name":"node"}}`, false, nil, -32602, "the strings name and value"},
	{"complete for no prompt", "completion/complete", `{"ref":{"type":"ref/prompt","name":"frob"},"argument":{"name":"node","value":""}}`, false, nil, -32602, `unknown prompt "frob"`},
	{"complete no argument", "completion/complete", `{"ref":{"type":"ref/prompt","name":"assess-change"},"argument":{"name":"frob","value":""}}`, false, nil, -32602, `unknown argument "frob"`},
	{"complete for no template", "completion/complete", `{"ref":{"type":"ref/resource","uri":"brick://summary"},"argument":{"name":"id","value":""}}`, false, nil, -32602, "unknown resource template"},
	{"complete another ref", "completion/complete", `{"ref":{"type":"ref/frob"},"argument":{"name":"id","value":""}}`, false, nil, -32602, "ref must be of type"},
	{"complete without an index", "completion/complete", `{"ref":{"type":"ref/prompt","name":"assess-change"},"argument":{"name":"node","value":"x"}}`, false, nil, -32603, "there is no index"},

	{"what the server hasn't", "resources/subscribe", `{"uri":"brick://summary"}`, false, nil, -32601, "not found"},
}

func TestCatalogue(t *testing.T) {
	for _, test := range catalogueTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := "missing.idx"
			if test.index {
				path = indexPath(t)
			}
			request := `{"jsonrpc":"2.0","id":1,"method":"` + test.method + `","params":` + test.params + "}\n"
			// Before the handshake it is out of turn, whatever is in it.
			early, _, _ := runBinary(t, request, path)
			want := errorLine("1", -32600, "server not initialized")
			if test.code == -32601 {
				want = errorLine("1", -32601, `method "`+test.method+`" not found`)
			}
			if strings.TrimSpace(early) != want {
				t.Errorf("before the handshake: %s", early)
			}
			stdout, _, code := runBinary(t, handshake+request, path)
			_, line, _ := strings.Cut(stdout, "\n")
			var response struct {
				Result json.RawMessage
				Error  struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(line), &response); err != nil || code != 0 {
				t.Fatalf("exit code %d, answer %q: %v", code, line, err)
			}
			if response.Error.Code != test.code || !strings.Contains(response.Error.Message, test.message) {
				t.Errorf("error %d %q, want %d with %q", response.Error.Code, response.Error.Message, test.code, test.message)
			}
			for _, want := range test.want {
				if !strings.Contains(string(response.Result), want) {
					t.Errorf("the result lacks %s: %.1000s", want, response.Result)
				}
			}
		})
	}
}

// The resource is the schema as brick-index prints it.
func TestSchemaResource(t *testing.T) {
	stdout, _, _ := runBinary(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"brick://schema"}}`, "missing.idx")
	_, line, _ := strings.Cut(stdout, "\n")
	var response struct {
		Result struct{ Contents []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(line), &response); err != nil {
		t.Fatal(err)
	}
	if got := response.Result.Contents; len(got) != 1 || got[0].Text != string(model.Schema) {
		t.Errorf("contents %+v", got)
	}
}

// An answer over the bound is an error that says by counts how large it would
// be, and what helps.
func TestMaxAnswer(t *testing.T) {
	call := func(id int, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"brick_bridges","arguments":%s}}`, id, arguments) + "\n"
	}
	for _, test := range []struct {
		flag, arguments string
		want            []string
		isError         bool
	}{
		{"", `{}`, []string{`"structuredContent":{`}, false},
		{"--max-answer=20000", `{}`, []string{"larger than 20000 bytes", "229 bridges", `\"limit\": 10, which fits`, "brief"}, true},
		{"--max-answer=20000", `{"records":"brief"}`, []string{"229 bridges", "limit"}, true},
		{"--max-answer=20000", `{"records":"brief","limit":5}`, []string{`"total":229`}, false},
		{"--max-answer=0", `{}`, []string{`"structuredContent":{`}, false},
	} {
		args := []string{indexPath(t)}
		if test.flag != "" {
			args = append(args, test.flag)
		}
		stdout, stderr, code := runBinary(t, handshake+call(1, test.arguments), args...)
		_, line, _ := strings.Cut(stdout, "\n")
		if strings.Contains(line, `"isError":true`) != test.isError || code != 0 {
			t.Errorf("%s %s: exit code %d, %.300s%s", test.flag, test.arguments, code, line, stderr)
		}
		for _, want := range test.want {
			if !strings.Contains(line, want) {
				t.Errorf("%s %s lacks %s: %.300s", test.flag, test.arguments, want, line)
			}
		}
	}
	if _, stderr, code := runBinary(t, "", indexPath(t), "--max-answer=-1"); code != 2 || !strings.Contains(stderr, "--max-answer") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// brick_reload says which index answered before, and which answers now.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "brick.idx")
	copyFile := func(from string) {
		t.Helper()
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "new"), b, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "new"), path); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(dir, "other.idx")
	model := filepath.Join(dir, "model.json")
	if err := os.WriteFile(model, []byte(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[],"edges":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "run", "brick/cmd/brick-index", "build", "--quiet", "-o", other, model).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	copyFile(indexPath(t))
	p := start(t, path)
	p.send(handshake)
	p.expect(greeting(`"hello"`, "2025-06-18"))
	reload := func(id string) (answer struct {
		Replaced bool    `json:"replaced"`
		Old      *string `json:"old_index_digest"`
		New      string  `json:"new_index_digest"`
	}) {
		t.Helper()
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"brick_reload"}}` + "\n")
		var response struct {
			Result struct {
				StructuredContent json.RawMessage `json:"structuredContent"`
			} `json:"result"`
		}
		line, err := p.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(line), &response); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if err := json.Unmarshal(response.Result.StructuredContent, &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		return answer
	}
	first := reload("1")
	if first.Replaced || first.Old != nil || first.New == "" {
		t.Errorf("at first: %+v", first)
	}
	second := reload("2")
	if second.Replaced || second.Old == nil || *second.Old != first.New || second.New != first.New {
		t.Errorf("unchanged: %+v", second)
	}
	copyFile(other)
	third := reload("3")
	if !third.Replaced || third.Old == nil || *third.Old != first.New || third.New == first.New {
		t.Errorf("replaced: %+v", third)
	}
	p.in.Close()
	p.expectExit()
}

// A client that the project did not write understands what the server has
// beside its tools.
func TestSDKCatalogue(t *testing.T) {
	ctx := t.Context()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(command, indexPath(t))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	resources, err := session.ListResources(ctx, nil)
	if err != nil || len(resources.Resources) != 3 {
		t.Fatalf("resources %+v, error %v", resources, err)
	}
	for _, r := range resources.Resources {
		read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(read.Contents) != 1 || read.Contents[0].Text == "" || read.Contents[0].MIMEType != r.MIMEType {
			t.Errorf("%s: %+v, error %v", r.URI, read, err)
		}
	}
	templates, err := session.ListResourceTemplates(ctx, nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Errorf("templates %+v, error %v", templates, err)
	}
	prompts, err := session.ListPrompts(ctx, nil)
	if err != nil || len(prompts.Prompts) != 3 {
		t.Fatalf("prompts %+v, error %v", prompts, err)
	}
	for _, p := range prompts.Prompts {
		arguments := map[string]string{}
		for _, a := range p.Arguments {
			arguments[a.Name] = "x"
		}
		got, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name, Arguments: arguments})
		if err != nil || len(got.Messages) != 1 || got.Messages[0].Role != "user" {
			t.Errorf("%s: %+v, error %v", p.Name, got, err)
			continue
		}
		// The tools that it speaks of are tools.
		text := got.Messages[0].Content.(*mcp.TextContent).Text
		for _, name := range regexp.MustCompile(`brick_\w+`).FindAllString(text, -1) {
			if query.Lookup(name) == nil {
				t.Errorf("%s speaks of %s, which is no tool", p.Name, name)
			}
		}
	}
	completed, err := session.Complete(ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "assess-change"},
		Argument: mcp.CompleteParamsArgument{Name: "node", Value: "DB.grow"},
	})
	if err != nil || len(completed.Completion.Values) == 0 || completed.Completion.Values[0] != "go:(*go.etcd.io/bbolt.DB).grow" {
		t.Errorf("completion %+v, error %v", completed, err)
	}
}

// What every conversation pays for is small: the list of tools has at most
// 5,000 tokens of four bytes.
func TestListIsSmall(t *testing.T) {
	for _, flags := range [][]string{nil, {"--records=names"}} {
		stdout, stderr, code := runBinary(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", append(flags, indexPath(t))...)
		_, line, _ := strings.Cut(stdout, "\n")
		if code != 0 || !strings.Contains(line, `"brick_reload"`) || len(line) > 4*5000 {
			t.Errorf("%v: the list has %d bytes; exit code %d, %s", flags, len(line), code, stderr)
		}
		if want := map[bool]string{false: `"default":"full"`, true: `"default":"names"`}[flags != nil]; !strings.Contains(line, want) {
			t.Errorf("%v: the list lacks %s", flags, want)
		}
	}
	if _, stderr, code := runBinary(t, "", indexPath(t), "--records=terse"); code != 2 || !strings.Contains(stderr, "names, brief or full") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// A server's own records are those of answers that are not asked for others.
func TestRecordsFlag(t *testing.T) {
	call := func(arguments string) string {
		stdout, _, _ := runBinary(t, handshake+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brick_callers","arguments":`+arguments+`}}`+"\n", indexPath(t), "--records=names")
		_, line, _ := strings.Cut(stdout, "\n")
		return line
	}
	const grow = `"node_id":"go:(*go.etcd.io/bbolt.DB).grow"`
	if line := call(`{` + grow + `}`); !strings.Contains(line, `"callers":[{"id":"go:(*go.etcd.io/bbolt.Tx).Commit","at":"tx.go:235"}]`) {
		t.Errorf("names: %s", line)
	}
	if line := call(`{` + grow + `,"records":"full"}`); !strings.Contains(line, `"caller_edges":[{"evidence":[`) || strings.Contains(line, `"records":`) {
		t.Errorf("full: %s", line)
	}
}
