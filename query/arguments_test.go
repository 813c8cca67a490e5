package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"brick/query"
)

func TestParseArguments(t *testing.T) {
	const (
		impact   = "brick_impact"
		cycles   = "brick_cycles"
		evidence = "brick_evidence"
		callers  = "brick_callers"
		uncalled = "brick_uncalled"
	)
	impactOf := func(direction string, depth int64) query.Arguments {
		return query.Arguments{"node_id": "n", "direction": direction, "max_depth": depth}
	}
	uncalledBy := func(changes query.Arguments) query.Arguments {
		a := query.Arguments{"assume_closed_world": false, "include_unknown": false}
		maps.Copy(a, changes)
		return a
	}
	for _, test := range []struct {
		tool, arguments string
		want            query.Arguments // nil when refused
		argument        string          // that the error is about
	}{
		// Defaults.
		{cycles, ``, query.Arguments{}, ""},
		{cycles, `{}`, query.Arguments{}, ""},
		{cycles, " {\n} ", query.Arguments{}, ""},
		{uncalled, ``, uncalledBy(nil), ""},
		{uncalled, `{}`, uncalledBy(nil), ""},
		{impact, `{"node_id":"n"}`, impactOf("dependents", 1), ""},
		{callers, `{"node_id":"n"}`, query.Arguments{"node_id": "n", "assume_closed_world": false}, ""},
		{evidence, `{"entity_id":"n"}`, query.Arguments{"entity_id": "n"}, ""},

		// Given ones, in any order and spelling.
		{impact, `{"max_depth":0,"direction":"dependencies","node_id":"\u006e"}`, impactOf("dependencies", 0), ""},
		{impact, `{"node_\u0069d":"n"}`, impactOf("dependents", 1), ""},
		{callers, `{"node_id":"","assume_closed_world":true}`, query.Arguments{"node_id": "", "assume_closed_world": true}, ""},
		{uncalled, `{"language":"go","assume_closed_world":true,"include_unknown":true,"limit":3}`,
			query.Arguments{"language": "go", "assume_closed_world": true, "include_unknown": true, "limit": int64(3)}, ""},
		{uncalled, `{"language":"😀"}`, uncalledBy(query.Arguments{"language": "😀"}), ""},

		// Integers in JSON Schema's sense.
		{impact, `{"node_id":"n","max_depth":2.0}`, impactOf("dependents", 2), ""},
		{impact, `{"node_id":"n","max_depth":2e0}`, impactOf("dependents", 2), ""},
		{impact, `{"node_id":"n","max_depth":20E-1}`, impactOf("dependents", 2), ""},
		{impact, `{"node_id":"n","max_depth":0.2e+1}`, impactOf("dependents", 2), ""},
		{impact, `{"node_id":"n","max_depth":-0}`, impactOf("dependents", 0), ""},
		{impact, `{"node_id":"n","max_depth":-0.0e5}`, impactOf("dependents", 0), ""},
		{impact, `{"node_id":"n","max_depth":0e999999999999999999999}`, impactOf("dependents", 0), ""},
		{impact, `{"node_id":"n","max_depth":2147483647}`, impactOf("dependents", 1<<31-1), ""},
		{impact, `{"node_id":"n","max_depth":2147483647.000}`, impactOf("dependents", 1<<31-1), ""},
		{impact, `{"node_id":"n","max_depth":2147483648}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":4294967296}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":18446744073709551617}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":-1}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1.5}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":2147483646.5}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e-1}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e10}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e999999999}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e-999999999}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e99999999999999999999}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":1e-99999999999999999999}`, nil, "max_depth"},

		// Of another type.
		{impact, `{"node_id":"n","max_depth":"2"}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":true}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":null}`, nil, "max_depth"},
		{impact, `{"node_id":"n","max_depth":[2]}`, nil, "max_depth"},
		{impact, `{"node_id":7}`, nil, "node_id"},
		{impact, `{"node_id":null}`, nil, "node_id"},
		{impact, `{"node_id":{}}`, nil, "node_id"},
		{callers, `{"node_id":"n","assume_closed_world":"true"}`, nil, "assume_closed_world"},
		{callers, `{"node_id":"n","assume_closed_world":1}`, nil, "assume_closed_world"},
		{callers, `{"node_id":"n","assume_closed_world":null}`, nil, "assume_closed_world"},

		// Out of range, missing, unknown.
		{impact, `{"node_id":"n","direction":"up"}`, nil, "direction"},
		{impact, `{"node_id":"n","direction":""}`, nil, "direction"},
		{impact, `{"node_id":"n","direction":"Dependents"}`, nil, "direction"},
		{uncalled, `{"language":""}`, nil, "language"},
		{impact, ``, nil, "node_id"},
		{impact, `{}`, nil, "node_id"},
		{impact, `{"max_depth":1}`, nil, "node_id"},
		{evidence, `{"node_id":"n"}`, nil, "entity_id"},
		{cycles, `{"node_id":"n"}`, nil, "node_id"},
		{evidence, `{"entity_id":"n","":1}`, nil, ""},
		{evidence, `{"entity_id":"n","Entity_id":"n"}`, nil, "Entity_id"},
		{evidence, `{"entity-id":"n","entity_id":"n"}`, nil, "entity-id"},

		// No object.
		{cycles, `null`, nil, ""},
		{cycles, `[]`, nil, ""},
		{cycles, `"{}"`, nil, ""},
		{cycles, `1`, nil, ""},
		{cycles, `{`, nil, ""},
		{cycles, `}`, nil, ""},
		{cycles, ` `, nil, ""},
		{cycles, `{} {}`, nil, ""},
		{cycles, `{}}`, nil, ""},
		{evidence, `{"entity_id":"n"`, nil, ""},
		{evidence, `{"entity_id":"n",}`, nil, ""},
		{evidence, `{"entity_id"}`, nil, ""},
		{evidence, `{"entity_id":"n","entity_id":"n"}`, nil, ""},
		{evidence, `{"entity_id":"\ud800"}`, nil, ""},
		{evidence, "{\"entity_id\":\"\xff\"}", nil, ""},
	} {
		t.Run(test.tool+" "+test.arguments, func(t *testing.T) {
			got, err := query.Lookup(test.tool).ParseArguments([]byte(test.arguments))
			if test.want != nil {
				if err != nil || !maps.Equal(got, test.want) {
					t.Errorf("got %v, error %v; want %v", got, err, test.want)
				}
				return
			}
			var refused *query.ArgumentError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, error %v; want an ArgumentError", got, err)
			}
			if refused.Tool != test.tool || refused.Argument != test.argument && test.argument != "" {
				t.Errorf("%v: it is about %q of %s, want %q", err, refused.Argument, refused.Tool, test.argument)
			}
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Errorf("the error is no line: %q", err)
			}
		})
	}
}

// TestInputSchema compares what the schema of each tool's arguments accepts
// with what ParseArguments accepts.
func TestInputSchema(t *testing.T) {
	for _, tool := range query.Tools() {
		t.Run(tool.Name, func(t *testing.T) {
			schema := compileSchema(t, tool.InputSchema())
			names := []string{"", "other", "Node_id", "node_id", "entity_id", "limit"}
			for _, p := range tool.Parameters {
				// These often.
				names = append(names, p.Name, p.Name, p.Name)
			}
			values := []string{
				`"n"`, `""`, `"dependents"`, `"dependencies"`, `"Dependents"`, `"true"`, `"1"`, `"\u0000"`,
				`true`, `false`, `null`, `[]`, `{}`, `["n"]`, `{"node_id":"n"}`,
				`0`, `1`, `-1`, `-0`, `0.0`, `2.0`, `2e0`, `20e-1`, `2e-1`, `1.5`, `-0.5`,
				`2147483647`, `2147483648`, `2147483647.5`, `2147483647.0`, `2147483648e-1`, `2147483.647e3`,
				`1e300`, `1e-300`, `0e300`, `123456789012345678901234567890`, `9007199254740993`,
			}
			accepted := 0
			rapid.Check(t, func(t *rapid.T) {
				object := map[string]json.RawMessage{}
				for _, p := range tool.Parameters {
					if p.Required && rapid.IntRange(0, 3).Draw(t, "given") > 0 || rapid.IntRange(0, len(tool.Parameters)/2).Draw(t, "given") == 0 { // two or so
						fitting := map[query.ParameterType][]string{
							query.String: values[:6], query.Boolean: {`true`, `false`}, query.Integer: values[15:25],
							query.Strings: {`["calls"]`, `["imports","calls"]`, `["calls","calls"]`, `["frob"]`, `[]`},
						}
						for _, word := range p.Enum {
							fitting[query.String] = append([]string{`"` + word + `"`}, fitting[query.String]...)
						}
						object[p.Name] = json.RawMessage(rapid.SampledFrom(fitting[p.Type]).Draw(t, "fitting"))
					}
				}
				for range max(rapid.IntRange(-2, 2).Draw(t, "members"), 0) {
					object[rapid.SampledFrom(names).Draw(t, "name")] = json.RawMessage(rapid.SampledFrom(values).Draw(t, "value"))
				}
				text, err := json.Marshal(object)
				if err != nil {
					t.Fatal(err)
				}
				instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				bySchema := schema.Validate(instance)
				_, byParse := tool.ParseArguments(text)
				if (bySchema == nil) != (byParse == nil) {
					t.Fatalf("%s\nby the schema: %v\nby ParseArguments: %v", text, bySchema, byParse)
				}
				if byParse == nil {
					accepted++
				}
			})
			if accepted < 10 {
				t.Errorf("only %d objects were accepted", accepted)
			}
		})
	}
}

// TestToolTexts checks what clients show of a tool.
func TestToolTexts(t *testing.T) {
	want := []string{"brick_impact", "brick_cycles", "brick_bridges", "brick_evidence", "brick_callers", "brick_uncalled",
		"brick_find", "brick_summary", "brick_files", "brick_file", "brick_hotspots", "brick_calls", "brick_path", "brick_source", "brick_reload"}
	if got := query.Tools(); len(got) != len(want) {
		t.Fatalf("%d tools, want %d", len(got), len(want))
	}
	for _, name := range want {
		tool := query.Lookup(name)
		if tool == nil {
			t.Fatalf("there is no %s", name)
		}
		if tool.Name != name || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: %q, %q, %q", name, tool.Name, tool.Title, tool.Description)
		}
		for _, p := range tool.Parameters {
			if p.Description == "" || p.Required && p.Default != nil {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	for _, name := range []string{"", "impact", "Brick_impact", "brick_impact "} {
		if query.Lookup(name) != nil {
			t.Errorf("there is a tool %q", name)
		}
	}
}

func compileSchema(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("test:schema", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("test:schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
