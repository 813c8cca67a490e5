// Command deadcode compares the functions without a caller of an index with
// the unreachable ones of golang.org/x/tools/cmd/deadcode, by kind.
//
//	deadcode ROOT ANSWER UNREACHABLE [MORE]
//
// ROOT is the folder in which deadcode ran. ANSWER is the answer to
// brick_uncalled, with --assume-closed-world, --include-unknown and a --limit
// that leaves nothing out. UNREACHABLE is what deadcode -json printed; MORE is
// what it printed with other options (docs/honesty.md).
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type report struct {
	Function struct {
		ID   string `json:"id"`
		Path string `json:"path"`
		Span struct {
			Line int `json:"start_line"`
		} `json:"span"`
	} `json:"function"`
	Reasons []struct {
		Reason string `json:"reason"`
	} `json:"reasons"`
}

func (r report) place() string { return fmt.Sprintf("%s:%d", r.Function.Path, r.Function.Span.Line) }

func main() {
	if len(os.Args) != 4 && len(os.Args) != 5 {
		log.Fatal("usage: deadcode ROOT ANSWER UNREACHABLE [MORE]")
	}
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var answer struct {
		Unreferenced []report `json:"unreferenced"`
		Unknown      []report `json:"unknown"`
	}
	read(os.Args[2], &answer)
	dead := unreachable(root, os.Args[3])
	more := map[string]string{}
	if len(os.Args) == 5 {
		more = unreachable(root, os.Args[4])
	}

	claimed := map[string][]string{}
	seen := map[string]bool{}
	for _, r := range answer.Unreferenced {
		kind := "not confirmed"
		switch {
		case dead[r.place()] != "":
			kind = "unreachable"
		case more[r.place()] != "":
			kind = "unreachable with the other options"
		}
		claimed[kind] = append(claimed[kind], r.place()+" "+r.Function.ID)
		seen[r.place()] = true
	}
	show("claimed", claimed)

	other := map[string][]string{}
	for _, r := range answer.Unknown {
		if name := dead[r.place()]; name != "" {
			var reasons []string
			for _, x := range r.Reasons {
				reasons = append(reasons, x.Reason)
			}
			kind := "unknown: " + strings.Join(reasons, ", ")
			other[kind] = append(other[kind], r.place()+" "+name)
			seen[r.place()] = true
		}
	}
	for place, name := range dead {
		if !seen[place] {
			other["resolved"] = append(other["resolved"], place+" "+name)
		}
	}
	show("unreachable, not claimed", other)
}

func show(title string, kinds map[string][]string) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Printf("%s, %s: %d\n", title, kind, len(kinds[kind]))
		slices.Sort(kinds[kind])
		for _, line := range kinds[kind] {
			fmt.Printf("\t%s\n", line)
		}
	}
}

// unreachable reads what deadcode -json printed: names by place.
func unreachable(root, file string) map[string]string {
	var packages []struct {
		Path  string
		Funcs []struct {
			Name     string
			Position struct {
				File string
				Line int
			}
		}
	}
	read(file, &packages)
	list := map[string]string{}
	for _, p := range packages {
		for _, f := range p.Funcs {
			path := f.Position.File
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) {
				path = rel
			}
			list[fmt.Sprintf("%s:%d", filepath.ToSlash(path), f.Position.Line)] = p.Path + "." + f.Name
		}
	}
	return list
}

func read(file string, into any) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		log.Fatalf("%s: %v", file, err)
	}
}
