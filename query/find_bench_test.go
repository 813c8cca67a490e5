package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"brick/query"
	"brick/store"
)

// BenchmarkFind reports the median and the 99th percentile of brick_find for
// each class, and for texts that match nothing, in the index that
// BRICK_BENCH_INDEX names (of Kubernetes' model, or of copies of it).
func BenchmarkFind(b *testing.B) {
	path := os.Getenv("BRICK_BENCH_INDEX")
	if path == "" {
		b.Skip("BRICK_BENCH_INDEX names no index")
	}
	ix, err := store.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer ix.Close()
	tool := query.Lookup("brick_find")
	for _, class := range []struct {
		name      string
		arguments []string
	}{
		{"equal", []string{`{"text":"DeepCopy"}`, `{"text":"syncPod"}`, `{"text":"Run"}`, `{"text":"doc.go"}`, `{"text":"go:package:fmt"}`, `{"text":"k8s.io/kubernetes/pkg/kubelet.Kubelet"}`}},
		{"equal but for case", []string{`{"text":"deepcopy"}`, `{"text":"SYNCPOD"}`, `{"text":"nEw"}`, `{"text":"INIT"}`}},
		{"prefix", []string{`{"text":"sync"}`, `{"text":"get"}`, `{"text":"DeepCopyI"}`, `{"text":"a"}`, `{"text":"set"}`, `{"text":"podW"}`}},
		{"qualified", []string{`{"text":"Kubelet.syncPod"}`, `{"text":"(*Kubelet).Run"}`, `{"text":"kubelet::New"}`, `{"text":"v1.Pod"}`, `{"text":"types/types.go"}`}},
		{"words", []string{`{"text":"syPo"}`, `{"text":"pod work"}`, `{"text":"up pod st"}`, `{"text":"gBy"}`, `{"text":"node list by"}`}},
		{"substring", []string{`{"text":"ontroller"}`, `{"text":"pkg/kubelet"}`, `{"text":"ubelet.go"}`, `{"text":"tus"}`, `{"text":"z_gen"}`, `{"text":"x"}`, `{"text":"er"}`}},
		{"nothing", []string{`{"text":"zzzzzz"}`, `{"text":"qqx"}`, `{"text":"getByNoSuchThing"}`, `{"text":"controllerzz"}`, `{"text":"no such words at all"}`, `{"text":"a.b.c.d.e.f.g"}`}},
		{"filtered", []string{`{"text":"get","kind":"class"}`, `{"text":"sync","path":"**/pkg/kubelet/**"}`, `{"text":"e","kind":"interface"}`, `{"text":".go","kind":"method"}`, `{"text":"new","path":"c3/cmd/**"}`, `{"text":"a","kind":"repository"}`}},
		{"kind leaves little", []string{`{"text":".go","kind":"method"}`, `{"text":"go","kind":"method"}`, `{"text":"DeepCopy","kind":"class"}`, `{"text":"String","kind":"function"}`, `{"text":"Run","kind":"interface"}`, `{"text":"pkg/","kind":"external"}`, `{"text":"get","language":"unspecified"}`}},
		{"path leaves little", []string{`{"text":"DeepCopy","path":"**/doc.go"}`, `{"text":"get","path":"c1/cmd/*.go"}`, `{"text":"kubelet","path":"**/scheduler/*.go"}`, `{"text":"sync","path":"c?/pkg/api/**"}`, `{"text":".go","path":"**/doc.go","kind":"method"}`}},
		{"path begins with a star", []string{`{"text":"e","path":"**/*.go","kind":"interface"}`, `{"text":"DeepCopy","path":"c*/cmd/*/*/*.go"}`, `{"text":"x","path":"**/{scheduler,proxy}/**"}`, `{"text":"e","path":"**/[!a-y]*.go","kind":"file"}`, `{"text":"get","path":"*.go"}`}},
		{"brief", []string{`{"text":"sync","records":"brief"}`, `{"text":"Kubelet.syncPod","records":"brief"}`}},
	} {
		b.Run(class.name, func(b *testing.B) {
			var took []time.Duration
			var slowest string
			for b.Loop() {
				for _, text := range class.arguments {
					a, err := tool.ParseArguments(json.RawMessage(text))
					if err != nil {
						b.Fatal(err)
					}
					start := time.Now()
					if _, err := tool.Answer(context.Background(), ix, a); err != nil && !errors.As(err, new(*query.NotFoundError)) {
						b.Fatal(err)
					}
					d := time.Since(start)
					if len(took) == 0 || d > slices.Max(took) {
						slowest = text
					}
					took = append(took, d)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
			b.Logf("slowest: %s", slowest)
		})
	}
}
