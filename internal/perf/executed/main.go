// Command executed checks that no function that ran is called unreferenced.
//
//	executed ROOT ANSWER PROFILE…
//
// ROOT is the folder of a Go module. ANSWER is the answer to brick_uncalled,
// with --assume-closed-world and a --limit that leaves nothing out. PROFILE is
// what go test -coverprofile wrote, best with -coverpkg=./... . Exit status 1
// means that a function ran that is called unreferenced.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/cover"
)

func main() {
	if len(os.Args) < 4 {
		log.Fatal("usage: executed ROOT ANSWER PROFILE…")
	}
	root := os.Args[1]
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		log.Fatal(err)
	}
	claimed := unreferenced(os.Args[2])
	ran := map[string]bool{}
	for _, name := range os.Args[3:] {
		profiles, err := cover.ParseProfiles(name)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range profiles {
			path := strings.TrimPrefix(strings.TrimPrefix(p.FileName, modfile.ModulePath(gomod)), "/")
			executed(root, path, p.Blocks, ran)
		}
	}
	wrong := 0
	for place := range ran {
		if id := claimed[place]; id != "" {
			wrong++
			fmt.Printf("ran, but is called unreferenced: %s %s\n", place, id)
		}
	}
	fmt.Printf("functions that ran: %d; functions called unreferenced: %d; both: %d\n", len(ran), len(claimed), wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}

// unreferenced gives ids by place.
func unreferenced(file string) map[string]string {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	var answer struct {
		Total        int `json:"unreferenced_total"`
		Unreferenced []struct {
			Function struct {
				ID, Path string
				Span     struct {
					Line int `json:"start_line"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		log.Fatalf("%s: %v", file, err)
	}
	if answer.Total != len(answer.Unreferenced) {
		log.Fatalf("%s: not all %d are there: give a --limit", file, answer.Total)
	}
	list := map[string]string{}
	for _, r := range answer.Unreferenced {
		list[fmt.Sprintf("%s:%d", r.Function.Path, r.Function.Span.Line)] = r.Function.ID
	}
	return list
}

// executed adds the places of the functions of a file in which a block ran.
func executed(root, path string, blocks []cover.ProfileBlock, ran map[string]bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		start, end := fset.PositionFor(d.Type.Func, false), fset.PositionFor(d.End(), false)
		for _, b := range blocks {
			if b.Count > 0 && b.NumStmt > 0 && b.StartLine >= start.Line && b.EndLine <= end.Line {
				ran[fmt.Sprintf("%s:%d", path, start.Line)] = true
				break
			}
		}
	}
}
