package scip

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"brick/project"
)

// A line ends where the language says, as producers count. In each text the
// lines are those between the bars.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct {
		language *language
		text     string
	}{
		{golang, "a\n|b\r\n|c\rd\u2028e\n|"},
		{rust, "a\n|b\r\n|c\rd\u2029e"},
		{python, "a\n|b\r\n|c\r|d\u2028e"},
		{typescript, "a\n|b\r\n|c\r|d\u2028|e\u2029|f\r|\r\n|"},
		{javascript, "// a\u2028|b"},
		{generic("java"), "a\r|b\u2028c\n|\r\n|\r|"},
		{typescript, ""},
		{typescript, "\r|"},
	} {
		want := strings.Split(c.text, "|")
		s := newSource([]byte(strings.Join(want, "")), c.language)
		var got []string
		for i := range s.lines {
			got = append(got, string(s.line(int32(i))))
		}
		for i := range want {
			want[i] = strings.TrimRight(want[i], "\r\n")
			if c.language.text.Separators {
				want[i] = strings.TrimRight(want[i], "\u2028\u2029")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %q: lines %q, want %q", c.language.name, c.text, got, want)
		}
	}
}

// What follows a comment is code, whatever ended its line.
func TestCodeAfterLineEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r", "\r\n", "\u2028", "\u2029"} {
		d := testDocument{path: "a.ts", text: "// x" + end + "f()", marks: []mark{{name: "f", symbol: "scip-typescript npm other 1 `b.ts`/f()."}}}
		doc := d.document(t)
		doc.Occurrences[0].SetSourceRange(pb.Range{Start: pb.Position{Line: 1}, End: pb.Position{Line: 1, Character: 1}})
		source := t.TempDir()
		writeFile(t, filepath.Join(source, "a.ts"), d.text)
		m := importModel(t, Options{Source: source}, writeMessage(t, &pb.Index{Metadata: &pb.Metadata{}, Documents: []*pb.Document{doc}}))
		if got, want := m.edge(calls, "file:a.ts", "scip-typescript npm other 1 `b.ts`/f()."), "imported a.ts:2:1"; got != want {
			t.Errorf("after %q: %q, want %q", end, got, want)
		}
	}
}

// Scope is in every answer: its lists have an end, and say what they lack.
func TestLongListsInScope(t *testing.T) {
	list := make([]project.Skipped, 60)
	got := skippedRecords(list)
	if len(got) != 51 || got[50] != (skippedRecord{"*", "10 more, which are not listed"}) {
		t.Errorf("%d records, the last %v", len(got), got[len(got)-1])
	}
	if got := skippedRecords(list[:50]); len(got) != 50 {
		t.Errorf("%d records of 50", len(got))
	}
}

// A document that is not of its text is taken without it, and named; the
// others are not touched.
func TestDocumentsOfOtherText(t *testing.T) {
	for _, at := range []pb.Range{
		{Start: pb.Position{Line: 70, Character: 1}, End: pb.Position{Line: 70, Character: 2}},
		{Start: pb.Position{Line: 0, Character: 1}, End: pb.Position{Line: 0, Character: 90}},
	} {
		good, bad := goDocument(), goDocument()
		bad.path = "b.go"
		index := &pb.Index{Metadata: &pb.Metadata{ToolInfo: &pb.ToolInfo{Name: "test", Version: "1"}}, Documents: []*pb.Document{good.document(t), bad.document(t)}}
		index.Documents[1] = proto.Clone(index.Documents[1]).(*pb.Document)
		index.Documents[1].Occurrences[1].SetSourceRange(at)
		source := t.TempDir()
		writeFile(t, filepath.Join(source, "a.go"), good.text)
		writeFile(t, filepath.Join(source, "b.go"), bad.text)
		m := importModel(t, Options{Source: source}, writeMessage(t, index))
		if got, want := m.edge(calls, "file:a.go", ownID("help(). a.go")), "imported a.go:11:9"; got != want {
			t.Errorf("the other document: %q, want %q", got, want)
		}
		if got, want := m.edge(calls, "file:b.go", ownID("help(). b.go")), "heuristic scip.call-syntax=unknown b.go:11:9"; got != want {
			t.Errorf("the document: %q, want %q", got, want)
		}
		list, _ := m.Scope["documents_of_other_text"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["path"] != "b.go" || !strings.Contains(list[0].(map[string]any)["reason"].(string), "12 lines") {
			t.Errorf("scope names %v", list)
		}
	}
}
