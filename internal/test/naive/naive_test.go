package naive

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestGoldens(t *testing.T) {
	goldens, err := Goldens("../../../testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, g := range goldens {
		if names[g.Name] {
			t.Errorf("%s is there twice", g.Name)
		}
		names[g.Name] = true
		t.Run(g.Name, func(t *testing.T) {
			m, err := Load(g.Document)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Answer(g.Tool, g.Args)
			switch {
			case g.Want == nil && err == nil:
				t.Errorf("no error but %s", got)
			case g.Want != nil && err != nil:
				t.Error(err)
			case !bytes.Equal(got, g.Want):
				t.Errorf("got\n%s\nwant\n%s", got, g.Want)
			}
		})
	}
}

func TestQuote(t *testing.T) {
	var all strings.Builder
	for r := range rune(0x11000) {
		if r < 0xd800 || r > 0xdfff {
			all.WriteRune(r)
		}
	}
	want, err := jsontext.AppendQuote(nil, all.String())
	if err != nil {
		t.Fatal(err)
	}
	if got := quote(nil, all.String()); !bytes.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestArgumentTypes(t *testing.T) {
	m, err := Load([]byte(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],
		"nodes":[{"id":"a","kind":"class","name":"a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []any{2, int32(2), int64(2), 2.0} {
		got, err := m.Answer("brick_impact", map[string]any{"node_id": "a", "max_depth": depth})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(got, []byte(`"direction":"dependents","max_depth":2,"nodes":[]`)) {
			t.Errorf("%T: %s", depth, got)
		}
	}
	for _, args := range []map[string]any{
		{"node_id": 1},
		{"node_id": "a", "max_depth": "1"},
		{"node_id": "a", "direction": true},
	} {
		if _, err := m.Answer("brick_impact", args); err == nil {
			t.Errorf("no error for %v", args)
		}
	}
	if _, err := m.Answer("brick_nothing", nil); err == nil {
		t.Error("no error for an unknown tool")
	}
}

func TestDefaultLimit(t *testing.T) {
	var document bytes.Buffer
	document.WriteString(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],"nodes":[`)
	for i := range 101 {
		if i > 0 {
			document.WriteByte(',')
		}
		fmt.Fprintf(&document, `{"id":"n%03d","kind":"function","name":"f"}`, i)
	}
	document.WriteString("]}")
	m, err := Load(document.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Answer("brick_uncalled", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(got, []byte(`"unreferenced_total":101,`)) || bytes.Count(got, []byte(`"function":{`)) != 100 {
		t.Errorf("%s", got)
	}
}
