package index

import (
	"errors"
	"strings"
	"testing"

	"brick/jsonmodel"
	"brick/model"
)

// faultLines checks a model and returns its faults as lines.
func faultLines(t *testing.T, document string) []string {
	t.Helper()
	_, _, err := Check(t.Context(), jsonmodel.Read(strings.NewReader(document), jsonmodel.Options{}), t.TempDir(), Options{})
	var refused *model.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("%s: %v", document, err)
	}
	var lines []string
	for _, f := range refused.Faults {
		lines = append(lines, f.Line("m"))
	}
	return lines
}

// What only shows between records is reported although a syntax fault ends the
// document: but for ends that may be among the nodes that were not read.
func TestFaultsBeforeASyntaxFault(t *testing.T) {
	const document = `{"nodes":[
{"id":"n","kind":"k","name":""},
{"id":"n","kind":"k","name":""}],"edges":[
{"id":"n","kind":"unresolved_call","source":"n","target":"n","evidence":[{"lane":"symbolic","backend":"b"}]},
{"id":"e","kind":"calls","source":"n","target":"unknown","evidence":[{"lane":"symbolic","backend":"b"}]}
], x`
	got := strings.Join(faultLines(t, document), "\n")
	want := strings.Join([]string{
		`m:3:7: /nodes/1/id: the id is used twice, first at 2:7 (id "n")`,
		`m:4:7: /edges/0/id: the id is used twice, first at 2:7 (id "n")`,
		`m:4:58: /edges/0/target: the target of an unresolved_call must be a node of kind "unresolved_symbol", and "n" is none (id "n")`,
	}, "\n")
	last := "\nm:6:4: byte "
	if !strings.HasPrefix(got, want+last) || strings.Count(got, "\n") != 3 {
		t.Errorf("got\n%s\nwant\n%s%s…", got, want, last)
	}
}

// A pointer shows no character that could forge or hide a line; the fault
// itself has the true one.
func TestFaultLineIsOneLine(t *testing.T) {
	f := model.Fault{Pointer: "/nodes/0/a\n\x1b", Place: model.Place{Line: 1, Column: 2}, Message: "m"}
	if got, want := f.Line("a\nb"), `a\u000ab:1:2: /nodes/0/a\u000a\u001b: m`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
