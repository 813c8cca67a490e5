package scip

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"
)

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRefused(t *testing.T) {
	good := func() *pb.Index {
		return &pb.Index{Metadata: &pb.Metadata{ToolInfo: &pb.ToolInfo{Name: "test"}}, Documents: []*pb.Document{goDocument().document(t)}}
	}
	changed := func(change func(*pb.Index)) []byte {
		index := good()
		change(index)
		b, err := proto.Marshal(index)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole := changed(func(*pb.Index) {})
	for _, c := range []struct {
		name  string
		index []byte
		want  []string // in the error
	}{
		{"empty", nil, []string{"no SCIP index", "no metadata"}},
		{"text", []byte("hello, world\n"), []string{"byte 0", "no SCIP index"}},
		{"JSON", []byte(`{"metadata":{}}`), []string{"byte 0", "no SCIP index"}},
		{"no metadata", changed(func(x *pb.Index) { x.Metadata = nil }), []string{"no metadata"}},
		{"truncated", whole[:len(whole)-1], []string{"cut off"}},
		{"truncated length", []byte{0x0A, 0x00, 0x12, 0x80}, []string{"byte 2", "cut off"}},
		{"enormous length", []byte{0x0A, 0x00, 0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, []string{"byte 2", "cut off"}},
		{"a document that is none", []byte{0x0A, 0x00, 0x12, 0x02, 0xFF, 0xFF}, []string{"byte 4", "can't be decoded"}},
		{"above the root", changed(func(x *pb.Index) { x.Documents[0].RelativePath = "../b.go" }), []string{`"../b.go"`, "outside"}},
		{"absolute", changed(func(x *pb.Index) { x.Documents[0].RelativePath = "/b.go" }), []string{`"/b.go"`, "outside"}},
		{"no path", changed(func(x *pb.Index) { x.Documents[0].RelativePath = "" }), []string{"outside"}},
		{"no range", changed(func(x *pb.Index) { x.Documents[0].Occurrences[1].TypedRange = nil }), []string{`"a.go"`, "occurrence 2", "range"}},
		{"a range that ends before it starts", changed(func(x *pb.Index) {
			x.Documents[0].Occurrences[1].TypedRange = nil
			//lint:ignore SA1019 many producers still write it
			x.Documents[0].Occurrences[1].Range = []int32{3, 5, 2}
		}), []string{`"a.go"`, "occurrence 2", "range"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := t.TempDir()
			writeFile(t, filepath.Join(source, "a.go"), goDocument().text)
			file := filepath.Join(t.TempDir(), "bad.scip")
			writeFile(t, file, string(c.index))
			_, err := Import(t.Context(), []string{file}, Options{Source: source}, io.Discard)
			var refused *RefusedError
			if !errors.As(err, &refused) {
				t.Fatalf("%v, want a refusal", err)
			}
			for _, want := range append(c.want, "bad.scip") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
		})
	}
}

// FuzzImport: whatever the index, it is refused, or the model is sound.
func FuzzImport(f *testing.F) {
	f.Add([]byte{0x0A, 0x00}, "package ex\n")
	d := goDocument()
	b, err := proto.Marshal(&pb.Index{Metadata: &pb.Metadata{}, Documents: []*pb.Document{d.document(&testing.T{})}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, d.text)
	file, source := filepath.Join(f.TempDir(), "index.scip"), f.TempDir() // for all: to make folders takes long
	f.Fuzz(func(t *testing.T, message []byte, text string) {
		writeFile(t, file, string(message))
		for _, name := range []string{"a.go", "a.py", "a.ts", "a.rs"} {
			writeFile(t, filepath.Join(source, name), text)
		}
		for _, o := range []Options{{}, {Source: source}} {
			var model bytes.Buffer
			_, err := Import(t.Context(), []string{file}, o, &model)
			var refused *RefusedError
			switch {
			case err == nil:
				checkReferences(t, model.Bytes())
			case !errors.As(err, &refused):
				t.Fatal(err)
			}
		}
	})
}

// checkReferences checks what an importer may most easily get wrong, faster
// than build does: ids are there, unique and short enough, and edges lead
// from a node to a node with evidence.
func checkReferences(t *testing.T, model []byte) {
	t.Helper()
	var m struct {
		Nodes []struct{ ID, Kind string }
		Edges []struct {
			ID, Kind, Source, Target string
			Evidence                 []struct{ Lane, Backend string }
		}
	}
	if err := json.Unmarshal(model, &m); err != nil {
		t.Fatalf("%v in\n%s", err, model)
	}
	ids, nodes := map[string]bool{}, map[string]bool{}
	use := func(id string) {
		if id == "" || len(id) > maxID || ids[id] {
			t.Errorf("id %q is empty, too long or used twice", id)
		}
		ids[id] = true
	}
	for _, n := range m.Nodes {
		use(n.ID)
		nodes[n.ID] = true
		if n.Kind == "" {
			t.Errorf("node %q has no kind", n.ID)
		}
	}
	for _, e := range m.Edges {
		use(e.ID)
		if e.Kind == "" || !nodes[e.Source] || !nodes[e.Target] || len(e.Evidence) == 0 {
			t.Errorf("edge %q is unsound", e.ID)
		}
		for _, v := range e.Evidence {
			if v.Lane == "" || v.Backend == "" {
				t.Errorf("edge %q has unsound evidence", e.ID)
			}
		}
	}
}
