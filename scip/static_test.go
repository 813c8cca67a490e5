package scip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/static"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestStaticCalls compares the calls of this project's own model with its
// static call graph. $BRICK_OWN_INDEX is its index by scip-go, of exactly
// these sources; .ci/run makes it.
func TestStaticCalls(t *testing.T) {
	index := os.Getenv("BRICK_OWN_INDEX")
	if index == "" {
		t.Skip("BRICK_OWN_INDEX is not set")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var model bytes.Buffer
	if _, err := Import(t.Context(), []string{index}, Options{Source: root}, &model); err != nil {
		t.Fatal(err)
	}
	have, places := modelSites(t, model.Bytes())
	want, literals := staticSites(t, root, places)
	known := 0
	for _, site := range sortedKeys(have) {
		switch {
		case want[site]:
		case literals[site]:
			// The static call graph doesn't go into function literals that
			// nothing calls statically.
			known++
		default:
			t.Errorf("extra: %s", site)
		}
	}
	for _, site := range sortedKeys(want) {
		if !have[site] {
			t.Errorf("missing: %s", site)
		}
	}
	t.Logf("%d call sites in the model, %d in the static call graph, %d more in function literals", len(have), len(want), known)
}

// modelSites are the call sites of the model's calls of its own functions
// that are no methods of interfaces, with the callees' places. names are the
// places of all such functions.
func modelSites(t *testing.T, model []byte) (sites, places map[string]bool) {
	var m struct {
		Nodes []struct {
			ID, Kind, Path string
			Span           struct {
				Line int `json:"start_line"`
			}
			Attributes map[string]any
		}
		Edges []struct {
			Kind, Source, Target string
			Evidence             []struct{ Lane, Provenance string }
		}
	}
	if err := json.Unmarshal(model, &m); err != nil {
		t.Fatal(err)
	}
	functions := map[string]string{}
	places = map[string]bool{}
	for _, n := range m.Nodes {
		if isFunctionKind(n.Kind) && n.Attributes["source.virtual"] == nil {
			place := fmt.Sprintf("%s:%d", n.Path, n.Span.Line)
			functions[n.ID] = place
			places[place] = true
		}
	}
	sites = map[string]bool{}
	for _, e := range m.Edges {
		if e.Kind != calls || functions[e.Target] == "" {
			continue
		}
		for _, v := range e.Evidence {
			if v.Lane != "imported" {
				continue // of a file that the indexer did not read, as those of another module
			}
			parts := strings.Split(v.Provenance, ":")
			sites[parts[0]+":"+parts[1]+" → "+functions[e.Target]] = true
		}
	}
	return sites, places
}

// staticSites are the call sites of the static call graph that lie in the
// repository and lead to one of the places, and the static calls of all
// functions, literals included.
func staticSites(t *testing.T, root string, places map[string]bool) (graph, all map[string]bool) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: root, Tests: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	program, _ := ssautil.AllPackages(loaded, ssa.InstantiateGenerics)
	program.Build()
	place := func(p token.Pos) string {
		at := program.Fset.PositionFor(p, false)
		rel, err := filepath.Rel(root, at.Filename)
		if err != nil || strings.HasPrefix(rel, "..") {
			return ""
		}
		return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), at.Line)
	}
	add := func(sites map[string]bool, at token.Pos, callee *ssa.Function) {
		if callee.Origin() != nil {
			callee = callee.Origin()
		}
		from, to := place(at), place(callee.Pos())
		if from != "" && places[to] && callee.Synthetic == "" {
			sites[from+" → "+to] = true
		}
	}
	graph, all = map[string]bool{}, map[string]bool{}
	callgraph.GraphVisitEdges(static.CallGraph(program), func(e *callgraph.Edge) error {
		add(graph, e.Pos(), e.Callee.Func)
		return nil
	})
	for f := range ssautil.AllFunctions(program) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok && call.Common().StaticCallee() != nil {
					add(all, call.Pos(), call.Common().StaticCallee())
				}
			}
		}
	}
	return graph, all
}
