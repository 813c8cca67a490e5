package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"brick/project"
)

// An indexer is a program that writes a SCIP index of a language.
type indexer struct {
	language  string
	program   string
	install   string
	marker    []string // files that a project of it has in its folder
	extension string   // of its sources, where there need be no marker
	skip      []string // folders that hold none of its projects
	names     []string // files that say a project's name
	arguments func(name, output string) []string
}

var indexers = []indexer{
	{
		language: "Go", program: "scip-go", install: "go install github.com/scip-code/scip-go/cmd/scip-go@v0.2.9",
		marker:    []string{"go.mod"},
		arguments: func(_, output string) []string { return []string{"index", "--module-root", ".", "-o", output} },
	},
	{
		language: "TypeScript", program: "scip-typescript", install: "npm install -g @sourcegraph/scip-typescript@0.4.0",
		marker:    []string{"tsconfig.json"},
		arguments: func(_, output string) []string { return []string{"index", "--output", output} },
	},
	{
		language: "Python", program: "scip-python", install: "npm install -g @sourcegraph/scip-python@0.6.6",
		marker: []string{"pyproject.toml", "setup.py", "setup.cfg"}, extension: ".py", skip: []string{"venv", "site-packages", "__pycache__"},
		names: []string{"pyproject.toml", "setup.cfg"},
		arguments: func(name, output string) []string {
			// Without a version it asks git, which need not know. The name is
			// in all ids: "." stands for none, for which import scip takes the
			// project's folder in the checkout.
			return []string{"index", ".", "--project-name", cmp.Or(name, "."), "--project-version", "0", "--output", output}
		},
	},
	{
		language: "Rust", program: "rust-analyzer", install: "rustup component add rust-analyzer",
		marker: []string{"Cargo.toml"}, skip: []string{"target"},
		arguments: func(_, output string) []string { return []string{"scip", ".", "--output", output} },
	},
}

// An indexerRun is an indexer with a folder to run it in.
type indexerRun struct {
	*indexer
	project string
	name    string // that the project declares, "" for none
}

func (r indexerRun) what() string { return fmt.Sprintf("%s in %s", r.language, r.project) }

// findProjects finds the projects in a folder: for each indexer the folders
// with a marker that lie in no other one, or the folder itself when it has
// sources and no marker. Modules of Go may lie in each other; each is one.
func findProjects(ctx context.Context, dir string) ([]indexerRun, error) {
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	files, _, err := tree.Walk(ctx)
	if err != nil {
		return nil, err
	}
	projects := map[*indexer][]string{}
	loose := map[*indexer]bool{}
	for _, f := range files {
		base, folder := path.Base(f.Path), path.Dir(f.Path)
		within := strings.Split(folder, "/")
		if folder != "." && slices.ContainsFunc(within, func(name string) bool { return strings.HasPrefix(name, ".") || name == "testdata" }) {
			continue
		}
		place := filepath.Join(dir, filepath.FromSlash(folder))
		for i := range indexers {
			x := &indexers[i]
			switch {
			case slices.ContainsFunc(within, func(name string) bool { return slices.Contains(x.skip, name) }):
			case slices.Contains(x.marker, base) && !slices.Contains(projects[x], place):
				projects[x] = append(projects[x], place)
			case x.extension != "" && path.Ext(base) == x.extension:
				loose[x] = true
			}
		}
	}
	var runs []indexerRun
	for i := range indexers {
		x := &indexers[i]
		list := projects[x]
		if len(list) == 0 && loose[x] {
			list = []string{dir}
		}
		for _, project := range list {
			if x.program == "scip-go" || !slices.ContainsFunc(list, func(other string) bool { return isInside(other, project) }) {
				r := indexerRun{indexer: x, project: project}
				if rel, err := filepath.Rel(dir, project); err == nil && len(x.names) > 0 {
					r.name = tree.Name(filepath.ToSlash(rel), x.names...)
				}
				runs = append(runs, r)
			}
		}
	}
	return runs, nil
}

// isInside says whether a folder lies in another.
func isInside(outer, folder string) bool {
	rel, err := filepath.Rel(outer, folder)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// index runs the indexer, whose output goes to stderr.
func (r indexerRun) index(ctx context.Context, dir, output string, stderr io.Writer) error {
	program, err := r.find(dir)
	if err != nil {
		return err
	}
	project, err := filepath.Abs(r.project)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s\n", r.what(), r.program)
	cmd := exec.CommandContext(ctx, program, r.arguments(r.name, output)...)
	cmd.Dir = project
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s failed (%w); it is installed with: %s", r.program, err, r.install)
	}
	if _, err := os.Stat(output); err != nil {
		return fmt.Errorf("%s wrote no index", r.program)
	}
	return nil
}

// find looks for the indexer's program.
func (r indexerRun) find(dir string) (string, error) {
	if program, err := exec.LookPath(r.program); err == nil {
		return filepath.Abs(program)
	}
	folders := []string{os.Getenv("GOBIN")}
	for _, gopath := range filepath.SplitList(os.Getenv("GOPATH")) {
		folders = append(folders, filepath.Join(gopath, "bin"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, "go", "bin"))
	}
	folders = append(folders, filepath.Join(dir, "node_modules", ".bin"))
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if program, err := exec.LookPath(filepath.Join(folder, r.program)); err == nil {
			return filepath.Abs(program)
		}
	}
	return "", errors.New(r.program + " is not installed; install it with: " + r.install)
}

// runIndexers runs the indexers of a folder's projects that are installed, and
// returns the indexes that they made, until remove removes them.
func runIndexers(ctx context.Context, dir string, stderr io.Writer) (indexes []string, remove func() error, err error) {
	runs, err := findProjects(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	temp, err := os.MkdirTemp("", "brick-scan-")
	if err != nil {
		return nil, nil, err
	}
	for i, r := range runs {
		made := filepath.Join(temp, fmt.Sprintf("%d.scip", i))
		if err := r.index(ctx, dir, made, stderr); err != nil {
			if ctx.Err() != nil {
				return nil, nil, errors.Join(ctx.Err(), os.RemoveAll(temp))
			}
			fmt.Fprintf(stderr, "%s is left out: %v\n", r.what(), err)
			continue
		}
		indexes = append(indexes, made)
	}
	if len(indexes) == 0 {
		return nil, nil, errors.Join(errors.New("no indexer made an index, so nothing was built: scan without --indexers needs none"), os.RemoveAll(temp))
	}
	return indexes, func() error { return os.RemoveAll(temp) }, nil
}
