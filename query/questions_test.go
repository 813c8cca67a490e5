package query_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"brick/internal/test/testbuild"
	"brick/query"
)

// A recorded question is one that a maintainer may have, with the calls by
// which an agent answers it and what is right, worked out without brick.
type recordedQuestion struct {
	Question string
	Known    string // how what is right was found
	Calls    []struct {
		Tool string
		Args map[string]any
	}
	Want    []string       // parts of the last answer
	Figures map[string]int // members of it
}

// What a question may cost an agent, at four bytes a token.
const (
	maxCalls  = 3
	maxTokens = 1500
)

// TestQuestions asks what is in testdata/questions, as an agent whose server
// has --records names.
func TestQuestions(t *testing.T) {
	tools := query.ToolsWith("names")
	for _, name := range []string{"bbolt", "kubernetes", "zod"} {
		t.Run(name, func(t *testing.T) {
			ix := testbuild.Open(t, t.TempDir(), unpacked(t, "../testdata/"+name+".brick.json.zst"))
			defer ix.Close()
			text, err := os.ReadFile(filepath.Join("../testdata/questions", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var questions []recordedQuestion
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			if err := d.Decode(&questions); err != nil {
				t.Fatal(err)
			}
			if len(questions) < 10 {
				t.Fatalf("only %d questions", len(questions))
			}
			total := 0
			for _, q := range questions {
				size := 0
				var answer []byte
				for _, call := range q.Calls {
					tool := tools[slices.IndexFunc(tools, func(t *query.Tool) bool { return t.Name == call.Tool })]
					given, err := json.Marshal(call.Args)
					if err != nil {
						t.Fatal(err)
					}
					a, err := tool.ParseArguments(given)
					if err == nil {
						answer, err = tool.Answer(t.Context(), ix, a)
					}
					if err != nil {
						t.Fatalf("%s\n%s %s: %v", q.Question, call.Tool, given, err)
					}
					size += len(answer)
				}
				total += size
				if len(q.Calls) > maxCalls || size > 4*maxTokens {
					t.Errorf("%s: %d calls, %d tokens", q.Question, len(q.Calls), size/4)
				}
				for _, want := range q.Want {
					if !strings.Contains(string(answer), want) {
						t.Errorf("%s\nthe answer lacks %s: %s", q.Question, want, answer)
					}
				}
				var members map[string]any
				if err := json.Unmarshal(answer, &members); err != nil {
					t.Fatal(err)
				}
				for name, want := range q.Figures {
					if members[name] != float64(want) {
						t.Errorf("%s: %s is %v, want %d: %s", q.Question, name, members[name], want, answer)
					}
				}
			}
			t.Logf("%d questions, %d tokens each", len(questions), total/4/len(questions))
		})
	}
}

// TestCallerIsCheap wants a caller to cost at most 40 tokens, of a hub of
// Kubernetes, whose names are long.
func TestCallerIsCheap(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), unpacked(t, "../testdata/kubernetes.brick.json.zst"))
	defer ix.Close()
	text, err := answerJSON(ix, "brick_callers", map[string]any{"node_id": "go:k8s.io/kubernetes/cmd/kubeadm/app/util/errors.Wrapf", "records": "names"})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Report struct{ Callers json.RawMessage }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	if size := len(answer.Report.Callers); size == 0 || size/145 > 4*40 {
		t.Errorf("145 callers have %d bytes", size)
	} else {
		t.Logf("a caller has %d tokens", size/145/4)
	}
}

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
