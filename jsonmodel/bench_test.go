package jsonmodel

import (
	"fmt"
	"strings"
	"testing"

	"brick/model"
)

// benchmarkModel writes a model as Go's encoding/json would: names sorted, no
// white space, ">" escaped.
func benchmarkModel(nodes int) string {
	id := func(i int) string {
		return fmt.Sprintf("go:(*example.org/project/pkg/group%d/part%d.Type%d).Method%d", i%17, i%331, i%1013, i)
	}
	var b strings.Builder
	b.WriteString(`{"schema_version":4,"root":".","repositories":[{"id":"repo"}],"scope":{},"nodes":[`)
	for i := range nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"attributes":{"metrics.cyclomatic":%d,"metrics.lines":%d,"metrics.parameters":2,"source.exported":true},"id":%q,"kind":"method","language":"go","name":"Method%d","path":"pkg/group%d/part%d.go","qualified_name":%q,"span":{"end_column":2,"end_line":%d,"start_column":1,"start_line":%d}}`,
			i%9+1, i%80, id(i), i, i%17, i%331, id(i)[3:], i%1000+20, i%1000+1)
	}
	b.WriteString(`],"edges":[`)
	for i := range 3 * nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		from, to := id(i%nodes), id(i*7%nodes)
		fmt.Fprintf(&b, `{"evidence":[{"backend":"go/types","confidence":0.95,"lane":"symbolic","provenance":"pkg/group%d/part%d.go:%d:2"}],"id":"calls:%s-\u003e%s","kind":"calls","source":%q,"target":%q}`,
			i%17, i%331, i%1000, from, to, from, to)
	}
	b.WriteString(`]}`)
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	for _, form := range []struct {
		name   string
		change func(string) string
	}{
		{"sorted", func(s string) string { return s }},
		{"canonical", strings.NewReplacer(`\u003e`, `>`).Replace},
		{"unsorted", strings.NewReplacer(`"kind":"method",`, ``, `{"attributes"`, `{"kind":"method","attributes"`, `"kind":"calls",`, ``, `{"evidence"`, `{"kind":"calls","evidence"`).Replace},
		{"spaced", strings.NewReplacer(`,"`, ",\n      \"", `":`, `": `).Replace},
	} {
		b.Run(form.name, func(b *testing.B) {
			document := form.change(benchmarkModel(10_000))
			b.SetBytes(int64(len(document)))
			b.ReportAllocs()
			for b.Loop() {
				faults := model.NewFaults(1)
				_, err := Read(strings.NewReader(document), Options{}).ProduceRecords(b.Context(), func() model.RecordSink { return brokenSink{} }, faults)
				if err != nil || faults.Total() != 0 {
					b.Fatal(err, faults.List())
				}
			}
		})
	}
}
