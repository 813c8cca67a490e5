package scip

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"brick/index"
	"brick/jsonmodel"
	"brick/model"
)

// A testDocument is a document of a hand-made index, and its text.
type testDocument struct {
	path, language, text string
	encoding             pb.PositionEncoding // UTF-8 when it is unspecified
	symbols              []*pb.SymbolInformation
	marks                []mark
}

// A mark is an occurrence: of a symbol, at the nth place (from 1; 0 is 1) of
// a name in the text. What it encloses, for a definition, starts and ends
// with the given texts.
type mark struct {
	name   string
	nth    int
	symbol string
	define bool
	roles  pb.SymbolRole
	from   string // of the enclosing range; "" for none
	to     string
}

// own is a symbol of the package ex.
func own(descriptors string) string { return "scip-go gomod ex v1 ex/" + descriptors }

// ownID is the id of its node.
func ownID(descriptors string) string { return "scip-go gomod ex ex/" + descriptors }

func (d testDocument) document(t *testing.T) *pb.Document {
	t.Helper()
	encoding := d.encoding
	if encoding == 0 {
		encoding = pb.PositionEncoding_UTF8CodeUnitOffsetFromLineStart
	}
	doc := &pb.Document{RelativePath: d.path, Language: d.language, PositionEncoding: encoding, Symbols: d.symbols}
	for _, m := range d.marks {
		start := nth(d.text, m.name, max(m.nth, 1))
		if start < 0 {
			t.Fatalf("%s has no %q number %d", d.path, m.name, m.nth)
		}
		o := &pb.Occurrence{Symbol: m.symbol, SymbolRoles: int32(m.roles)}
		if m.define {
			o.SymbolRoles |= int32(pb.SymbolRole_Definition)
		}
		o.SetSourceRange(pb.Range{Start: d.position(start, encoding), End: d.position(start+len(m.name), encoding)})
		if m.from != "" {
			from := strings.LastIndex(d.text[:start+len(m.from)], m.from)
			to := strings.Index(d.text[start:], m.to)
			if from < 0 || to < 0 {
				t.Fatalf("%s: nothing encloses %q", d.path, m.name)
			}
			o.SetEnclosingSourceRange(pb.Range{Start: d.position(from, encoding), End: d.position(start+to+len(m.to), encoding)})
		}
		doc.Occurrences = append(doc.Occurrences, o)
	}
	return doc
}

func nth(text, name string, n int) int {
	at := -1
	for range n {
		i := strings.Index(text[at+1:], name)
		if i < 0 {
			return -1
		}
		at += 1 + i
	}
	return at
}

func (d testDocument) position(offset int, e pb.PositionEncoding) pb.Position {
	before := d.text[:offset]
	line := strings.Count(before, "\n")
	column := before[strings.LastIndexByte(before, '\n')+1:]
	units := len(column)
	switch e {
	case pb.PositionEncoding_UTF16CodeUnitOffsetFromLineStart:
		units = 0
		for _, r := range column {
			units++
			if r > 0xFFFF {
				units++
			}
		}
	case pb.PositionEncoding_UTF32CodeUnitOffsetFromLineStart:
		units = len([]rune(column))
	}
	return pb.Position{Line: int32(line), Character: int32(units)}
}

// writeIndex writes an index of the documents and their texts, and returns
// the index's path and the sources' folder.
func writeIndex(t *testing.T, documents ...testDocument) (file, source string) {
	t.Helper()
	index := &pb.Index{Metadata: &pb.Metadata{
		ToolInfo: &pb.ToolInfo{Name: "test", Version: "1"}, ProjectRoot: "file:///src/ex",
	}}
	source = t.TempDir()
	for _, d := range documents {
		index.Documents = append(index.Documents, d.document(t))
		writeFile(t, filepath.Join(source, d.path), d.text)
	}
	return writeMessage(t, index), source
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func writeMessage(t *testing.T, m proto.Message) string {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "index.scip")
	writeFile(t, name, string(b))
	return name
}

// importModel imports, and demands that build takes the model.
func importModel(t *testing.T, o Options, files ...string) *testModel {
	t.Helper()
	var model bytes.Buffer
	if _, err := Import(t.Context(), files, o, &model); err != nil {
		t.Fatal(err)
	}
	checkModel(t, model.Bytes())
	m := &testModel{text: model.Bytes()}
	if err := json.Unmarshal(m.text, m); err != nil {
		t.Fatal(err)
	}
	return m
}

func checkModel(t *testing.T, text []byte) {
	t.Helper()
	_, _, err := index.Check(t.Context(), jsonmodel.Read(bytes.NewReader(text), jsonmodel.Options{}), t.TempDir(), index.Options{})
	var refused *model.RefusedError
	if errors.As(err, &refused) {
		for _, f := range refused.Faults {
			t.Error(f.Line("model"))
		}
	}
	if err != nil {
		t.Fatalf("build refuses the model: %v\n%s", err, text)
	}
}

type testModel struct {
	text         []byte
	Nodes, Edges []map[string]any
	Scope        map[string]any
	Metrics      struct{ Resolution map[string]map[string]any }
}

// wantRecords demands that each record, given as JSON, is in the model exactly
// so. Edges have their ids left out.
func (m *testModel) wantRecords(t *testing.T, records ...string) {
	t.Helper()
	have := map[string]bool{}
	for _, n := range m.Nodes {
		have[canonical(t, n)] = true
	}
	for _, e := range m.Edges {
		without := map[string]any{}
		for k, v := range e {
			if k != "id" {
				without[k] = v
			}
		}
		have[canonical(t, without)] = true
	}
	for _, r := range records {
		var v map[string]any
		if err := json.Unmarshal([]byte(r), &v); err != nil {
			t.Fatalf("%v in %s", err, r)
		}
		if !have[canonical(t, v)] {
			t.Errorf("the model lacks\n%s\nit is\n%s", r, m.text)
		}
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// edge is the lanes of an edge's evidence, with attributes, and its sites;
// "" when there is none.
func (m *testModel) edge(kind, source, target string) string {
	var list []string
	for _, e := range m.Edges {
		if e["kind"] != kind || e["source"] != source || e["target"] != target {
			continue
		}
		for _, v := range e["evidence"].([]any) {
			v := v.(map[string]any)
			s := v["lane"].(string)
			if a, ok := v["attributes"].(map[string]any); ok {
				for k, x := range a {
					s += " " + k + "=" + x.(string)
				}
			}
			list = append(list, s+" "+v["provenance"].(string))
		}
	}
	return strings.Join(list, ", ")
}

// attribute is an attribute of a node, nil for none.
func (m *testModel) attribute(t *testing.T, id, name string) any {
	t.Helper()
	for _, n := range m.Nodes {
		if n["id"] == id {
			a, _ := n["attributes"].(map[string]any)
			return a[name]
		}
	}
	t.Fatalf("there is no node %q in\n%s", id, m.text)
	return nil
}
