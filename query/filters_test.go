package query_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"brick/internal/test/testbuild"
	"brick/query"
	"brick/store"
)

// filtersModel: used is called by other and a test, helper by tests alone and
// itself, checked by a test in a test file and one outside of them.
var filtersModel = `{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[
{"id":"used","kind":"function","name":"used","language":"go","path":"pkg/a/a.go"},
{"id":"other","kind":"method","name":"other","language":"go","path":"pkg/b.go"},
{"id":"helper","kind":"function","name":"helper","language":"go","path":"pkg/a/[x].go"},
{"id":"checked","kind":"function","name":"checked","language":"go","path":"main.go"},
{"id":"TestUsed","kind":"function","name":"TestUsed","language":"go","path":"pkg/a/a_test.go"},
{"id":"testing","kind":"function","name":"testing","language":"go","attributes":{"source.test-code":"by hand"}},
{"id":"file:test","kind":"file","name":"a_test.go","path":"pkg/a/a_test.go","attributes":{"source.test-code":true}}
],"edges":[` + callEdges + `]}`

var callEdges = func() string {
	var edges []string
	for _, call := range [][2]string{
		{"other", "used"}, {"TestUsed", "used"}, {"TestUsed", "helper"}, {"testing", "helper"}, {"helper", "helper"}, {"testing", "checked"}, {"TestUsed", "testing"},
	} {
		edges = append(edges, `{"id":"`+call[0]+"->"+call[1]+`","kind":"calls","source":"`+call[0]+`","target":"`+call[1]+`","evidence":[{"lane":"symbolic","backend":"b"}]}`)
	}
	return strings.Join(edges, ",\n")
}()

// ids are the ids of an answer's list: of nodes, or of what caller edges come
// from.
func ids(t *testing.T, ix *store.Index, tool string, args map[string]any) (list []string, answer map[string]json.RawMessage) {
	t.Helper()
	args["records"] = "brief"
	text, err := answerJSON(ix, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	var parts struct {
		Nodes  []struct{ ID string }
		Report struct {
			CallerEdges []struct{ Source string } `json:"caller_edges"`
		}
		Matches            []struct{ Node struct{ ID string } }
		CalledOnlyByTests  []struct{ Function struct{ ID string } } `json:"called_only_by_tests"`
		Files, Definitions []struct{ Path string }
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	for _, n := range parts.Nodes {
		list = append(list, n.ID)
	}
	for _, e := range parts.Report.CallerEdges {
		list = append(list, e.Source)
	}
	for _, m := range parts.Matches {
		list = append(list, m.Node.ID)
	}
	for _, r := range parts.CalledOnlyByTests {
		list = append(list, r.Function.ID)
	}
	for _, f := range parts.Files {
		list = append(list, f.Path)
	}
	slices.Sort(list)
	return list, answer
}

func TestFilters(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(filtersModel))
	defer ix.Close()
	for _, test := range []struct {
		tool string
		args map[string]any
		want string // ids, and how many were left out
	}{
		{"brick_callers", map[string]any{"node_id": "used", "tests": "without"}, "other|1"},
		{"brick_callers", map[string]any{"node_id": "used", "tests": "only"}, "TestUsed|1"},
		{"brick_callers", map[string]any{"node_id": "used", "path": "pkg", "kinds": []string{"Method"}}, "other|1"},
		{"brick_callers", map[string]any{"node_id": "used", "path": "main.go"}, "|2"},
		{"brick_callers", map[string]any{"node_id": "used", "tests": "without", "limit": 0}, "|1"},
		{"brick_impact", map[string]any{"node_id": "used", "kinds": []string{"calls"}}, "TestUsed other|0"},
		{"brick_impact", map[string]any{"node_id": "checked", "max_depth": 9, "tests": "only"}, "TestUsed testing|0"},
		{"brick_uncalled", map[string]any{"include_called_only_by_tests": true}, "checked helper|"},
		{"brick_uncalled", map[string]any{"include_called_only_by_tests": true, "path": "./pkg/"}, "helper|1"},
		{"brick_files", map[string]any{"tests": "without", "path": "pkg/a"}, "pkg/a/[x].go pkg/a/a.go|3"},
		{"brick_find", map[string]any{"text": "e", "tests": "without", "kinds": []string{"function"}}, "checked helper used|"},
	} {
		got, answer := ids(t, ix, test.tool, test.args)
		if s := strings.Join(got, " ") + "|" + string(answer["left_out"]); s != test.want {
			t.Errorf("%s %v: %s, want %s", test.tool, test.args, s, test.want)
		}
	}
	// A folder, a file or a glob alike; what the model has comes before what a
	// glob means.
	for paths, want := range map[string]string{
		"pkg pkg/ ./pkg ./pkg/ pkg/**":         "pkg/a/[x].go pkg/a/a.go pkg/a/a_test.go pkg/b.go",
		"pkg/b.go ./pkg/b.go pkg/?.go p*/b.go": "pkg/b.go",
		"pkg/a/[x].go":                         "pkg/a/[x].go",
		". ./ ** ./**":                         "main.go pkg/a/[x].go pkg/a/a.go pkg/a/a_test.go pkg/b.go",
		"pkg/* pkg/*.go":                       "pkg/b.go",
		"*/a/ pkg/a {pkg,cmd}/a/":              "pkg/a/[x].go pkg/a/a.go pkg/a/a_test.go",
		"**/*_test.go pkg/a/*_test.go ./pkg/a/a_test.go pk*/**/a_*": "pkg/a/a_test.go",
	} {
		for _, path := range strings.Fields(paths) {
			if got, _ := ids(t, ix, "brick_files", map[string]any{"path": path}); strings.Join(got, " ") != want {
				t.Errorf("path %s: %q, want %s", path, got, want)
			}
		}
	}
	// What nothing is, is an error that says what there is.
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"brick_callers", map[string]any{"node_id": "used", "kinds": []string{"clas"}}, `no node has the kind "clas"; there are: file, function, method.`},
		{"brick_impact", map[string]any{"node_id": "used", "kinds": []string{"import"}}, `no node or edge has the kind "import"; there are: calls, file, function, method.`},
		{"brick_hotspots", map[string]any{"path": "pgk/"}, `no path of the model is or matches "pgk/"`},
		{"brick_uncalled", map[string]any{"language": "Rust", "records": "brief"}, `no function has the language "Rust"; there are: go.`},
	} {
		_, err := answerJSON(ix, test.tool, test.args)
		if !errors.As(err, new(*query.NotFoundError)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v: error %v, want %s", test.tool, test.args, err, test.want)
		}
	}
}

// TestTestsWithoutMarks wants an error where nothing is known of tests, rather
// than every function or none.
func TestTestsWithoutMarks(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"nodes":[{"id":"f","kind":"function","name":"f"}],"edges":[]}`))
	defer ix.Close()
	for _, tests := range []string{"only", "without"} {
		_, err := answerJSON(ix, "brick_uncalled", map[string]any{"tests": tests})
		if !errors.As(err, new(*query.NotFoundError)) || !strings.Contains(err.Error(), "marks nothing as test code") {
			t.Errorf("%s: error %v", tests, err)
		}
	}
}

func TestGroups(t *testing.T) {
	ix := testbuild.Open(t, t.TempDir(), []byte(filtersModel))
	defer ix.Close()
	for _, test := range []struct {
		tool string
		args map[string]any
		want string // the groups, and what is behind them
	}{
		{"brick_callers", map[string]any{"node_id": "helper", "group_by": "package"},
			`[{"package":"pkg/a","calls":2},{"package":null,"calls":1}],"entries":3,"total":2}`},
		{"brick_callers", map[string]any{"node_id": "helper", "group_by": "file", "limit": 1},
			`[{"file":null,"calls":1}],"entries":3,"total":3,"next_cursor":`},
		{"brick_files", map[string]any{"group_by": "package"},
			`[{"package":"pkg/a","files":3},{"package":".","files":1},{"package":"pkg","files":1}],"entries":5,"total":3}`},
		{"brick_uncalled", map[string]any{"group_by": "package", "include_called_only_by_tests": true, "tests": "without"},
			`[{"package":".","unreferenced":0,"called_only_by_tests":1},{"package":"pkg","unreferenced":1,"called_only_by_tests":0},{"package":"pkg/a","unreferenced":0,"called_only_by_tests":1}],"entries":3,"total":3,"left_out":0}`},
	} {
		text, err := answerJSON(ix, test.tool, test.args)
		if _, groups, _ := strings.Cut(string(text), `"groups":`); err != nil || !strings.HasPrefix(groups, test.want) {
			t.Errorf("%s %v: %s, error %v; want %s", test.tool, test.args, text, err, test.want)
		}
	}
}
