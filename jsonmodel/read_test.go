package jsonmodel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"brick/model"
)

// A recorder is a Sink that keeps copies of what it gets.
type recorder struct {
	mu    *sync.Mutex
	nodes map[int]model.NodeRecord
	edges map[int]model.EdgeRecord
}

func newRecorder() *recorder {
	return &recorder{&sync.Mutex{}, map[int]model.NodeRecord{}, map[int]model.EdgeRecord{}}
}

func (r *recorder) Node(n *model.NodeRecord) error {
	c := *n
	c.Record = bytes.Clone(n.Record)
	c.RefusedIDs = cloneStrings(n.RefusedIDs)
	c.ID, c.Kind, c.Name = strings.Clone(n.ID), strings.Clone(n.Kind), strings.Clone(n.Name)
	c.QualifiedName, c.Language, c.Path = strings.Clone(n.QualifiedName), strings.Clone(n.Language), strings.Clone(n.Path)
	c.Flags = nil
	for _, f := range n.Flags {
		c.Flags = append(c.Flags, model.FlagValue{Flag: f.Flag, Value: bytes.Clone(f.Value)})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.nodes[n.Index]; ok {
		return fmt.Errorf("node %d came twice", n.Index)
	}
	r.nodes[n.Index] = c
	return nil
}

func (r *recorder) Edge(e *model.EdgeRecord) error {
	c := *e
	c.Record = bytes.Clone(e.Record)
	c.ID, c.Kind = strings.Clone(e.ID), strings.Clone(e.Kind)
	c.Source, c.Target = strings.Clone(e.Source), strings.Clone(e.Target)
	if s := e.Sites; s != nil {
		c.Sites = &model.Sites{Count: s.Count, Examples: cloneStrings(s.Examples)}
		for reason, n := range s.ByReason {
			if c.Sites.ByReason == nil {
				c.Sites.ByReason = map[string]int{}
			}
			c.Sites.ByReason[strings.Clone(reason)] = n
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.edges[e.Index]; ok {
		return fmt.Errorf("edge %d came twice", e.Index)
	}
	r.edges[e.Index] = c
	return nil
}

func cloneStrings(list []string) (clone []string) {
	for _, s := range list {
		clone = append(clone, strings.Clone(s))
	}
	return clone
}

// A reading is all that Read did with a document.
type reading struct {
	header *model.RecordHeader
	faults []model.Fault
	total  int
	*recorder
}

const testLimit = 20

// readWith reads a document that may be at fault, but not the machine.
func readWith(t testing.TB, document string, workers int) reading {
	t.Helper()
	r := newRecorder()
	faults := model.NewFaults(testLimit)
	header, err := Read(strings.NewReader(document), Options{Workers: workers}).ProduceRecords(context.Background(), func() model.RecordSink { return r }, faults)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return reading{header, faults.List(), faults.Total(), r}
}

// readText reads a document and checks that the number of workers makes no
// difference.
func readText(t testing.TB, document string) reading {
	t.Helper()
	one := readWith(t, document, 1)
	if many := readWith(t, document, 8); !reflect.DeepEqual(one, many) {
		t.Fatalf("1 worker and 8 workers differ:\n%+v\n%+v", one, many)
	}
	return one
}

// text is a document with these nodes and edges and no other fault.
func text(nodes, edges string) string {
	return `{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[` + nodes + `],"edges":[` + edges + `]}`
}

// marked removes the marks § from a document and returns the place of each,
// counted from the contract: bytes from 0, lines and columns from 1.
func marked(document string) (string, []model.Place) {
	var b strings.Builder
	var places []model.Place
	p := model.Place{Line: 1, Column: 1}
	for rest := document; rest != ""; {
		if after, ok := strings.CutPrefix(rest, "§"); ok {
			places = append(places, p)
			rest = after
			continue
		}
		b.WriteByte(rest[0])
		p.Offset++
		p.Column++
		if rest[0] == '\n' {
			p.Line++
			p.Column = 1
		}
		rest = rest[1:]
	}
	return b.String(), places
}

func node(members string) string { return `{"id":"n","kind":"k","name":"x"` + members + `}` }

const evidenceText = `{"lane":"symbolic","backend":"b"}`

func edge(members string) string {
	return `{"id":"e","kind":"k","source":"n","target":"n"` + members + `}`
}

func edgeWith(evidence string) string { return edge(`,"evidence":[` + evidence + `]`) }

// A faultTest is a document with a mark § at the place of each fault, and what
// the faults are, in order: "pointer|id|message", the message in part.
type faultTest struct {
	name     string
	document string
	want     []string
}

func TestReadFaults(t *testing.T) {
	long := strings.Repeat("x", 4097)
	tests := []faultTest{
		{"none", text(node(""), edgeWith(evidenceText)), nil},

		// The document.
		{"document type", `§[]`, []string{`||the document must be an object, not an array`}},
		{"document scalar", ` §12 `, []string{`||the document must be an object, not a number`}},
		{"every member missing", `§§§§§§{}`, []string{
			`||missing member "edges"`, `||missing member "nodes"`, `||missing member "repositories"`,
			`||missing member "root"`, `||missing member "schema_version"`, `||missing member "scope"`}},
		{"types of members",
			`{"schema_version":§"4","generator":§[],"root":§1,"repositories":§{},"scope":§null,"metrics":§true,"nodes":§{},"edges":§"x"}`,
			[]string{
				`/schema_version||schema_version must be the number 4, not the string "4"`,
				`/generator||generator must be an object, not an array`,
				`/root||root must be a string, not a number`,
				`/repositories||repositories must be an array, not an object`,
				`/scope||scope must be an object, not null`,
				`/metrics||metrics must be an object, not a boolean`,
				`/nodes||nodes must be an array, not an object`,
				`/edges||edges must be an array, not a string`}},
		{"root empty", strings.Replace(text("", ""), `"."`, `§""`, 1), []string{`/root||root must not be empty`}},
		{"schema version", strings.Replace(text("", ""), `4`, `§5`, 1), []string{`/schema_version||schema_version must be 4, not 5`}},
		{"schema version type", strings.Replace(text("", ""), `4`, `§[4]`, 1), []string{`/schema_version||schema_version must be the number 4, not an array`}},
		{"generator members", strings.Replace(text("", ""), `{`, `{"generator":{"name":§1,"version":§null,"more":[]},`, 1), []string{
			`/generator/name||generator.name must be a string, not a number`,
			`/generator/version||generator.version must be a string, not null`}},
		{"resolution type", strings.Replace(text("", ""), `{`, `{"metrics":{"resolution":§[]},`, 1), []string{
			`/metrics/resolution||metrics.resolution must be an object, not an array`}},
		{"resolution members", strings.Replace(text("", ""), `{`, `{"metrics":{"resolution":{"go":{},"c":§1}},`, 1), []string{
			`/metrics/resolution/c||the resolution of language "c" must be an object, not a number`}},
		{"no repository", strings.Replace(text(node(`,"repository_id":"q"`), ""), `[{"id":"r"}]`, `§[]`, 1), []string{
			`/repositories||repositories must have exactly one element, not 0`}},
		{"two repositories", strings.Replace(text(node(`,"repository_id":"q"`), ""), `[{"id":"r"}]`, `§[{"id":"r"},{"id":§""}]`, 1), []string{
			`/repositories||repositories must have exactly one element, not 2`,
			`/repositories/1/id||id must not be empty`}},
		{"repository id twice", strings.Replace(text(node(`,"repository_id":"s"`), ""), `"id":"r"`, `"id":"r",§"id":"s"`, 1), []string{
			`/repositories/0/id||duplicate name "id"`}},
		{"repositories twice", strings.Replace(text(node(`,"repository_id":"s"`), ""), `"scope"`, `§"repositories":[{"id":"s"}],"scope"`, 1), []string{
			`/repositories||duplicate name "repositories"`}},
		{"repository type", strings.Replace(text("", ""), `{"id":"r"}`, `§"r"`, 1), []string{
			`/repositories/0||a repository must be an object, not a string`}},
		{"repository without id", strings.Replace(text(node(`,"repository_id":"q"`), ""), `{"id":"r"}`, `§{}`, 1), []string{
			`/repositories/0||missing member "id"`}},
		{"repository id type", strings.Replace(text("", ""), `"r"`, `§7`, 1), []string{
			`/repositories/0/id||id must be a string, not a number`}},

		// Nodes.
		{"node type", text(`§1,§[[]]`, ""), []string{
			`/nodes/0||a node must be an object, not a number`,
			`/nodes/1||a node must be an object, not an array`}},
		{"node members missing", text(`§§§{}`, ""), []string{
			`/nodes/0||missing member "id"`, `/nodes/0||missing member "kind"`, `/nodes/0||missing member "name"`}},
		{"node member types", text(`{"id":§1,"kind":§2,"name":§null,"qualified_name":§[],"language":§{},"path":§true,"span":§"1","repository_id":§1,"attributes":§[]}`, ""), []string{
			`/nodes/0/id||id must be a string, not a number`,
			`/nodes/0/kind||kind must be a string, not a number`,
			`/nodes/0/name||name must be a string, not null`,
			`/nodes/0/qualified_name||qualified_name must be a string, not an array`,
			`/nodes/0/language||language must be a string, not an object`,
			`/nodes/0/path||path must be a string, not a boolean`,
			`/nodes/0/span||span must be an object, not a string`,
			`/nodes/0/repository_id||repository_id must be a string, not a number`,
			`/nodes/0/attributes||attributes must be an object, not an array`}},
		{"node ranges", text(`{"kind":§"","name":"","id":§""}`, ""), []string{
			`/nodes/0/kind||kind must not be empty`, `/nodes/0/id||id must not be empty`}},
		{"id before and after a fault", text(`{"kind":§"","id":"i\u0064","name":§1}`, ""), []string{
			`/nodes/0/kind|id|kind must not be empty`, `/nodes/0/name|id|name must be a string`}},
		{"id too long", text(`{"id":§"`+long+`","kind":"k","name":"x"}`, ""), []string{
			`/nodes/0/id||id must have at most 4096 bytes, not 4097: "xxx`}},
		{"id length in bytes", text(`{"id":§"`+strings.Repeat("é", 2049)+`","kind":"k","name":"x"}`, ""), []string{
			`/nodes/0/id||id must have at most 4096 bytes, not 4098`}},
		{"id of the greatest length", text(`{"id":"`+strings.Repeat(`\u00e9`, 2048)+`","kind":"k","name":"x"}`, ""), nil},
		{"span", text(node(`,"span":{"start_line":§0,"start_column":§1.5,"end_line":§2147483648,"end_column":§"1"}`), ""), []string{
			`/nodes/0/span/start_line|n|start_line must be an integer from 1 to 2147483647, not 0`,
			`/nodes/0/span/start_column|n|start_column must be an integer from 1 to 2147483647, not 1.5`,
			`/nodes/0/span/end_line|n|end_line must be an integer from 1 to 2147483647, not 2147483648`,
			`/nodes/0/span/end_column|n|end_column must be an integer from 1 to 2147483647, not a string`}},
		{"span without line", text(node(`,"span":§{"end_line":1}`), ""), []string{
			`/nodes/0/span|n|missing member "start_line"`}},
		{"other repository", text(node(`,"repository_id":"r"`)+`,`+`{"repository_id":§"q","id":"m","kind":"k","name":""}`, ""), []string{
			`/nodes/1/repository_id|m|repository_id must be "r", the id of the sole repository, not "q"`}},
		{"other repository, known later",
			`{"nodes":[` + node(`,"repository_id":§"q"`) + `,` + node(`,"repository_id":"r"`) + `,` + node(`,"repository_id":§"p"`) + `],"repositories":[{"id":"r"}],"edges":[],"scope":{},"root":"x","schema_version":4}`, []string{
				`/nodes/0/repository_id|n|repository_id must be "r", the id of the sole repository, not "q"`,
				`/nodes/2/repository_id|n|repository_id must be "r", the id of the sole repository, not "p"`}},
		{"other repository, never known",
			`§{"nodes":[` + node(`,"repository_id":"q"`) + `],"edges":[],"scope":{},"root":"x","schema_version":4}`, []string{
				`||missing member "repositories"`}},

		// Edges.
		{"edge type", text("", `§null`), []string{`/edges/0||an edge must be an object, not null`}},
		{"edge members missing", text("", `§§§§§{}`), []string{
			`/edges/0||missing member "evidence"`, `/edges/0||missing member "id"`, `/edges/0||missing member "kind"`,
			`/edges/0||missing member "source"`, `/edges/0||missing member "target"`}},
		{"edge member types", text("", `{"id":§[],"kind":§1,"source":§2,"target":§null,"evidence":§{},"attributes":§1}`), []string{
			`/edges/0/id||id must be a string, not an array`,
			`/edges/0/kind||kind must be a string, not a number`,
			`/edges/0/source||source must be a string, not a number`,
			`/edges/0/target||target must be a string, not null`,
			`/edges/0/evidence||evidence must be an array, not an object`,
			`/edges/0/attributes||attributes must be an object, not a number`}},
		{"edge ids", text("", `{"id":§"","kind":§"","source":"a","target":"b","evidence":§[]}`), []string{
			`/edges/0/id||id must not be empty`, `/edges/0/kind||kind must not be empty`,
			`/edges/0/evidence||evidence must have at least one record`}},
		{"endpoints that no node can have", text(node(""), `{"id":"e","kind":"k","source":§"","target":§"`+long+`","evidence":[`+evidenceText+`]}`), []string{
			`/edges/0/source|e|source must be the id of a node, not empty`,
			`/edges/0/target|e|target must be the id of a node, of at most 4096 bytes, not 4097`}},
		{"endpoints that refused nodes claim", text(`{"id":§"","kind":"k","name":""},{"id":§"`+long+`","kind":"k","name":""}`,
			`{"id":"e","kind":"k","source":"","target":"`+long+`","evidence":[`+evidenceText+`]}`), []string{
			`/nodes/0/id||id must not be empty`, `/nodes/1/id||id must have at most`}},
		{"endpoints without nodes", `§{"edges":[{"id":"e","kind":"k","source":"","target":"n","evidence":[` + evidenceText + `]}],"repositories":[{"id":"r"}],"scope":{},"root":"x","schema_version":4}`, []string{
			`||missing member "nodes"`}},

		// Evidence.
		{"evidence type", text(node(""), edgeWith(evidenceText+`,§7`)), []string{
			`/edges/0/evidence/1|e|an evidence record must be an object, not a number`}},
		{"evidence members missing", text(node(""), edgeWith(`§§{}`)), []string{
			`/edges/0/evidence/0|e|missing member "backend"`, `/edges/0/evidence/0|e|missing member "lane"`}},
		{"evidence member types", text(node(""), edgeWith(`{"lane":§1,"backend":§2,"confidence":§[],"provenance":§null,"attributes":§""},{"lane":"imported","backend":"b","confidence":§{}},{"lane":"imported","backend":"b","confidence":§true}`)), []string{
			`/edges/0/evidence/0/lane|e|lane must be a string, not a number`,
			`/edges/0/evidence/0/backend|e|backend must be a string, not a number`,
			`/edges/0/evidence/0/confidence|e|confidence must be a number, a string or null, not an array`,
			`/edges/0/evidence/0/provenance|e|provenance must be a string, not null`,
			`/edges/0/evidence/0/attributes|e|attributes must be an object, not a string`,
			`/edges/0/evidence/1/confidence|e|confidence must be a number, a string or null, not an object`,
			`/edges/0/evidence/2/confidence|e|confidence must be a number, a string or null, not a boolean`}},
		{"confidence", text(node(""), edgeWith(`{"lane":"imported","backend":"b","confidence":1e5},{"lane":"imported","backend":"b","confidence":"x"},{"lane":"imported","backend":"b","confidence":null}`)), nil},
		{"evidence ranges", text(node(""), edgeWith(`{"lane":§"Dynamic","backend":§""},{"lane":§"","backend":"b"}`)), []string{
			`/edges/0/evidence/0/lane|e|lane must be one of syntactic, symbolic, heuristic, imported, not "Dynamic"`,
			`/edges/0/evidence/0/backend|e|backend must not be empty`,
			`/edges/0/evidence/1/lane|e|lane must be one of syntactic, symbolic, heuristic, imported, not ""`}},
		{"lanes", text(node(""), edgeWith(`{"lane":"SYNTACTIC","backend":"b"},{"lane":"Symbolic","backend":"b"},{"lane":"hEURISTIC","backend":"b"},{"lane":"IMPORTEd","backend":"b"}`)), nil},
		{"lane folded beyond ASCII", text(node(""), edgeWith(`{"lane":§"ſymbolic","backend":"b"}`)), []string{
			`/edges/0/evidence/0/lane|e|lane must be one of`}},

		// Duplicate names.
		{"duplicate in the document", strings.Replace(text("", ""), `"scope":{}`, `"scope":{},§"\u0073cope":1`, 1), []string{
			`/scope||duplicate name "scope"`}},
		{"duplicate three times", text(node(`,"a":1,§"a":2,§"a":3`), ""), []string{
			`/nodes/0/a|n|duplicate name "a"`, `/nodes/0/a|n|duplicate name "a"`}},
		{"duplicate of escapes", text(node(`,"a/b~":1,§"\u0061\/b~":2`), ""), []string{
			`/nodes/0/a~1b~0|n|duplicate name "a/b~"`}},
		{"duplicate at depth", text(node(`,"u":[0,{"a":{"b":1,"c":2,§"b":3}}],"attributes":{"x":{"":1,§"":1}}`), ""), []string{
			`/nodes/0/u/1/a/b|n|duplicate name "b"`, `/nodes/0/attributes/x/|n|duplicate name ""`}},
		{"duplicates in everything", `{"x":[{"a":1,"b":{"c":1,§"c":2}}],"generator":{"name":"",§"name":1},"scope":{"a":1,§"a":1},"root":"r",` +
			`"repositories":[{"id":"r",§"id":1}],"metrics":{"m":{"a":1,§"a":1},"resolution":{"go":{"a":1,§"a":1},§"go":{}},§"m":1},` +
			`"nodes":[],"edges":[],"schema_version":4,§"x":{"a":1,§"a":2}}`, []string{
			`/x/0/b/c||duplicate name "c"`, `/generator/name||duplicate name "name"`, `/scope/a||duplicate name "a"`,
			`/repositories/0/id||duplicate name "id"`,
			`/metrics/m/a||duplicate name "a"`, `/metrics/resolution/go/a||duplicate name "a"`, `/metrics/resolution/go||duplicate name "go"`,
			`/metrics/m||duplicate name "m"`, `/x||duplicate name "x"`, `/x/a||duplicate name "a"`}},
		{"duplicates in ill-typed members", `{"root":§{"a":1,§"a":2},"repositories":[{"id":"r"}],"scope":{},"nodes":§{"a":1,§"a":1},"edges":[§[{"a":1,§"a":1}]],"schema_version":4}`, []string{
			`/root||root must be a string, not an object`, `/root/a||duplicate name "a"`,
			`/nodes||nodes must be an array, not an object`, `/nodes/a||duplicate name "a"`,
			`/edges/0||an edge must be an object, not an array`, `/edges/0/0/a||duplicate name "a"`}},
		{"duplicate members of a record", text(node(`,§"id":1,"span":{"start_line":1},§"span":1,§"name":2`), edgeWith(`{"lane":"imported",§"lane":"x","backend":"b"}`)), []string{
			`/nodes/0/id|n|duplicate name "id"`, `/nodes/0/span|n|`, `/nodes/0/name|n|duplicate name "name"`,
			`/edges/0/evidence/0/lane|e|duplicate name "lane"`}},
		{"many names", text(node(`,"attributes":{"o":1,"n":1,"m":1,"l":1,"k":1,"j":1,"i":1,"h":1,"g":1,"f":1,"e":1,"d":1,"c":1,"b":1,"a":1,§"o":1,§"b":1}`), ""), []string{
			`/nodes/0/attributes/o|n|duplicate name "o"`, `/nodes/0/attributes/b|n|duplicate name "b"`}},

		// Places.
		{"line feeds", "{\n \"nodes\": [\n\t{\n\t\t\"id\": §\"\",\n\n\t\t\"kind\": \"k\", \"name\" : §1 }\n],\n\"edges\":[],\"scope\":\n\n§[],\"root\":\".\",\"repositories\":[{\"id\":\"r\"}],\"schema_version\":4}\n", []string{
			`/nodes/0/id||id must not be empty`, `/nodes/0/name||`, `/scope||scope must be an object`}},
		{"carriage returns", "{\r\n\"nodes\":[\r\n{\"id\":§\"\",\r\n\"kind\":§\"\",\"name\":\"\"}\r\n],\"edges\":[],\"scope\":{},\"root\":\".\",\"repositories\":[{\"id\":\"r\"}],\r\n\"schema_version\":\r\n§5}", []string{
			`/nodes/0/id||id must not be empty`, `/nodes/0/kind||kind must not be empty`, `/schema_version||schema_version must be 4, not 5`}},
		{"byte order mark", "\xEF\xBB\xBF§§§§§§{}", []string{
			`||missing member "edges"`, `||missing member "nodes"`, `||missing member "repositories"`,
			`||missing member "root"`, `||missing member "schema_version"`, `||missing member "scope"`}},
		{"columns in bytes", text(`{"id":"é","kind":§"","name":""}`, ""), []string{`/nodes/0/kind|é|kind must not be empty`}},

		// What is shown cannot forge a line.
		{"control characters", text(node(`,"a\n\u001b[1m\u0085\u2028\u202e":1,§"a\n\u001b[1m\u0085\u2028\u202e":1`), ""), []string{
			"/nodes/0/a\n\x1b[1m\u0085\u2028\u202e|n|duplicate name " + `"a\u000a\u001b[1m\u0085\u2028\u202e"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { checkFaults(t, test) })
	}
}

func checkFaults(t *testing.T, test faultTest) {
	t.Helper()
	document, places := marked(test.document)
	if len(places) != len(test.want) {
		t.Fatalf("the test has %d marks for %d faults", len(places), len(test.want))
	}
	got := readText(t, document)
	if got.total != len(test.want) {
		t.Errorf("%d faults, want %d", got.total, len(test.want))
	}
	for i, f := range got.faults {
		if i >= len(test.want) {
			t.Errorf("unexpected: %s", f.Line("-"))
			continue
		}
		want := strings.SplitN(test.want[i], "|", 3)
		if f.Place != places[i] || f.Pointer != want[0] || f.ID != want[1] || !strings.HasPrefix(f.Message, want[2]) || f.Syntax {
			t.Errorf("fault %d:\n got %+v\nwant %+v %q", i, f, places[i], want)
		}
	}
}

func TestReadMissingMember(t *testing.T) {
	got := readText(t, `{}`)
	var members []string
	for _, f := range got.faults {
		members = append(members, f.Member)
	}
	want := []string{"edges", "nodes", "repositories", "root", "schema_version", "scope"}
	if !slices.Equal(members, want) {
		t.Errorf("members %q, want %q", members, want)
	}
}

func TestFaultLine(t *testing.T) {
	got := readText(t, text("{\"id\":\"a\\u000ab\",\n\"kind\":\"\",\"name\":\"\"}", ""))
	if len(got.faults) != 1 {
		t.Fatal(got.faults)
	}
	want := `m.json:2:8: /nodes/0/kind: kind must not be empty (id "a\u000ab")`
	if line := got.faults[0].Line("m.json"); line != want {
		t.Errorf("got  %s\nwant %s", line, want)
	}
}

// Only the faults with the smallest offsets are kept, and all are counted.
func TestReadManyFaults(t *testing.T) {
	const n = 30000
	nodes := strings.Repeat(`{"id":"","kind":"k","name":"","repository_id":"q"},`, n) + node("")
	document := `{"nodes":[` + nodes + `],"edges":[],"scope":{},"root":".","schema_version":4,"repositories":[{"id":"r"}]}`
	got := readText(t, document)
	if got.total != 2*n {
		t.Errorf("%d faults, want %d", got.total, 2*n)
	}
	for i, f := range got.faults {
		want := fmt.Sprintf("/nodes/%d/%s", i/2, []string{"id", "repository_id"}[i%2])
		if f.Pointer != want {
			t.Errorf("fault %d is at %s, want %s", i, f.Pointer, want)
		}
	}
	if len(got.faults) != testLimit {
		t.Errorf("%d kept, want %d", len(got.faults), testLimit)
	}
}

func TestReadNodesUnknown(t *testing.T) {
	rest := `"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[]`
	for _, test := range []struct {
		document string
		unknown  bool
	}{
		{`{` + rest + `,"nodes":[]}`, false},
		{`{` + rest + `,"nodes":[1]}`, false},
		{`{` + rest + `}`, true},
		{`{` + rest + `,"nodes":{}}`, true},
		{`{` + rest + `,"nodes":[],"nodes":[]}`, true},
		{`{` + rest + `,"nodes":[]`, true},
		{`[]`, true},
	} {
		if got := readText(t, test.document).header.NodesUnknown; got != test.unknown {
			t.Errorf("%s: %v, want %v", test.document, got, test.unknown)
		}
	}
}

func TestReadHeader(t *testing.T) {
	members := []string{
		`"schema_version": 4.0`,
		`"generator": {"version": "1", "name": "g\u0041"}`,
		`"root": "\u002e/x"`,
		`"repositories": [ {"name": 1, "id": "r\u0031"} ]`,
		`"scope": { "z": 0.90, "a": [ ] }`,
		`"metrics": {"other": {"x": 1}, "resolution": {"go": {"b": 10000000000000000000000000000000, "a": 1e2}}}`,
		`"nodes": [` + node(`,"repository_id":"r1"`) + `]`,
		`"edges": [` + edgeWith(evidenceText) + `]`,
		`"findings": [{"id": ""}]`,
	}
	want := model.RecordHeader{
		Generator:    []byte(`{"name":"gA","version":"1"}`),
		Root:         "./x",
		RepositoryID: "r1",
		Scope:        []byte(`{"a":[],"z":0.90}`),
		Resolution:   []byte(`{"go":{"a":1e2,"b":10000000000000000000000000000000}}`),
	}
	// Every rotation and its reverse: each member comes first, last, and
	// before and after each other one.
	for i := range members {
		order := append(slices.Clone(members[i:]), members[:i]...)
		for range 2 {
			document := "{" + strings.Join(order, " , ") + "}"
			got := readText(t, document)
			if got.total != 0 || !reflect.DeepEqual(*got.header, want) {
				t.Errorf("%s:\n got %+v %v\nwant %+v", document, *got.header, got.faults, want)
			}
			if len(got.nodes) != 1 || len(got.edges) != 1 {
				t.Errorf("%d nodes and %d edges, want 1 and 1", len(got.nodes), len(got.edges))
			}
			slices.Reverse(order)
		}
	}
}

func TestReadSchemaVersion(t *testing.T) {
	zeros := strings.Repeat("0", 1_000_000)
	for _, test := range []struct{ number, message string }{
		{"4", ""}, {"4.0", ""}, {"4e0", ""}, {"40e-1", ""}, {"0.4E+1", ""}, {"4." + zeros, ""},
		{"4" + zeros + "e-1000000", ""}, {"0." + zeros + "4e1000001", ""}, {"4e" + zeros, ""},
		{"4.0000000000000000000001", "not 4.0000000000000000000001"},
		{"-4", "not -4"}, {"3", "not 3"}, {"40", "not 40"}, {"0.4", "not 0.4"}, {"0", "not 0"},
		{"1e1000000000", "not 1e1000000000"}, {"4e99999999999999999999", "not 4e99999999999999999999"},
		{"4e-99999999999999999999", "not 4e-99999999999999999999"},
		{"4" + zeros, "not 40000000000000000000000000000000… (1000001 bytes)"},
		{"4." + zeros + "1", "not 4.000000000000000000000000000000… (1000003 bytes)"},
	} {
		got := readText(t, strings.Replace(text("", ""), "4", test.number, 1))
		switch {
		case test.message == "" && got.total != 0:
			t.Errorf("%.40s: %v", test.number, got.faults)
		case test.message != "" && (got.total != 1 || !strings.HasSuffix(got.faults[0].Message, test.message)):
			t.Errorf("%.40s: %v, want %s", test.number, got.faults, test.message)
		}
	}
}

func TestReadMachineFaults(t *testing.T) {
	document := text(node(""), "")
	broken := errors.New("broken")
	sink := func() model.RecordSink { return newRecorder() }
	read := func(ctx context.Context, r io.Reader, sink func() model.RecordSink) error {
		_, err := Read(r, Options{Workers: 2}).ProduceRecords(ctx, sink, model.NewFaults(1))
		return err
	}

	for cut := range document {
		r := io.MultiReader(strings.NewReader(document[:cut]), iotest.ErrReader(broken))
		if err := read(t.Context(), r, sink); err != broken {
			t.Fatalf("reader broken after %d bytes: %v", cut, err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := read(cancelled, strings.NewReader(document), sink); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if err := read(t.Context(), strings.NewReader(document), func() model.RecordSink { return brokenSink{broken} }); err != broken {
		t.Errorf("broken sink: %v", err)
	}
	// A sink that fails early ends the reading of a document without end.
	endless := io.MultiReader(strings.NewReader(`{"nodes":[`), endlessReader(node("")+","))
	if err := read(t.Context(), endless, func() model.RecordSink { return brokenSink{broken} }); err != broken {
		t.Errorf("broken sink of an endless document: %v", err)
	}
}

type brokenSink struct{ err error }

func (s brokenSink) Node(*model.NodeRecord) error { return s.err }
func (s brokenSink) Edge(*model.EdgeRecord) error { return s.err }

// An endlessReader repeats its text.
type endlessReader string

func (r endlessReader) Read(p []byte) (n int, err error) {
	for len(p)-n >= len(r) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// The decoder gets the document in pieces of any size.
func TestReadOneByteAtATime(t *testing.T) {
	document := "\xEF\xBB\xBF" + text(node(`,"a":"\ud83d\ude00é","n":12.5e3`), edgeWith(evidenceText))
	r := newRecorder()
	faults := model.NewFaults(1)
	_, err := Read(iotest.OneByteReader(strings.NewReader(document)), Options{}).ProduceRecords(t.Context(), func() model.RecordSink { return r }, faults)
	if err != nil || faults.Total() != 0 || len(r.nodes) != 1 || len(r.edges) != 1 {
		t.Errorf("%v, %v, %d nodes, %d edges", err, faults.List(), len(r.nodes), len(r.edges))
	}
}

func TestReadProgress(t *testing.T) {
	document := text(strings.Repeat(node("")+",", 100_000)+node(""), "")
	var last int64
	calls := 0
	_, err := Read(strings.NewReader(document), Options{
		Progress: func(n int64) {
			if n < last {
				t.Errorf("%d bytes after %d", n, last)
			}
			last = n
			calls++
		},
	}).ProduceRecords(t.Context(), func() model.RecordSink { return brokenSink{} }, model.NewFaults(1))
	if most := len(document)/progressEvery + 1; err != nil || calls < 2 || calls > most || last != int64(len(document)) {
		t.Errorf("%v, %d calls, want up to %d, the last with %d", err, calls, most, last)
	}
}

// A record of any size is read.
func TestReadHugeRecord(t *testing.T) {
	const records = 200_000
	document := text(node(""), edgeWith(strings.Repeat(evidenceText+",", records)+`{"lane":"imported","backend":"b"}`))
	got := readWith(t, document, 2)
	if got.total != 0 || got.edges[0].Evidence != records+1 || !got.edges[0].Imported {
		t.Errorf("%v, %d records", got.faults, got.edges[0].Evidence)
	}
}
