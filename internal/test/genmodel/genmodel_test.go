package genmodel

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"brick/internal/test/testbuild"
	"brick/model"
	"brick/query"
)

func document(t *testing.T, c Config) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameConfigSameModel(t *testing.T) {
	c := Config{Functions: 300, Seed: 5}
	first := document(t, c)
	if !bytes.Equal(first, document(t, c)) {
		t.Error("two models of one configuration differ")
	}
	c.Seed++
	if bytes.Equal(first, document(t, c)) {
		t.Error("two seeds gave the same model")
	}
}

func TestModelSatisfiesSchema(t *testing.T) {
	schemaDocument, err := jsonschema.UnmarshalJSON(bytes.NewReader(model.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", schemaDocument); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, functions := range []int{0, 21, 400} {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(document(t, Config{Functions: functions})))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%d functions: %v", functions, err)
		}
	}
}

// What the package promises of its models is so in the index of one.
func TestPromises(t *testing.T) {
	const functions, nodes, edges = 3000, 5000, 11_000
	c := Config{Functions: functions, Seed: 3, HubCallers: 500, Depth2: 1000, Nodes: nodes, Edges: edges}
	ix := testbuild.Open(t, t.TempDir(), document(t, c))
	defer ix.Close()
	m := ix.Manifest
	if m.Nodes != nodes || m.Edges != edges || m.Functions.Open.Resolved+m.Functions.Open.Unknown+m.Functions.Open.Unreferenced != functions {
		t.Errorf("%d nodes, %d edges, functions %+v", m.Nodes, m.Edges, m.Functions.Open)
	}
	if m.LargestCycle < functions/10 {
		t.Errorf("the largest component has %d nodes", m.LargestCycle)
	}
	if m.Bridges == 0 {
		t.Error("no bridges")
	}
	var answer struct {
		Nodes  []struct{} `json:"nodes"`
		Report struct {
			Callers []struct{} `json:"caller_edges"`
		} `json:"report"`
	}
	ask := func(tool string, a query.Arguments) {
		t.Helper()
		text, err := query.Lookup(tool).Answer(t.Context(), ix, a)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
	}
	ask("brick_callers", query.Arguments{"node_id": Hub})
	if n := len(answer.Report.Callers); n != 500 {
		t.Errorf("the hub has %d callers", n)
	}
	ask("brick_impact", query.Arguments{"node_id": Hub, "direction": "dependents", "max_depth": int64(2)})
	if n := len(answer.Nodes); n != 1000 {
		t.Errorf("%d nodes are in the hub's impact of depth 2", n)
	}
}

func TestPublishedCounts(t *testing.T) {
	n := Published().counts()
	if n.nodes() != 100_000 || n.edges() != 212_000 || n.hubCallers != 18_432 || n.hubCallers+n.ring != 34_564 {
		t.Errorf("%d nodes, %d edges, %d callers, a ring of %d", n.nodes(), n.edges(), n.hubCallers, n.ring)
	}
}
