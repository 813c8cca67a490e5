package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brick/internal/show"
	"brick/jsonmodel"
	"brick/model"
	"brick/scan"
	"brick/scan/cache"
	"brick/scan/facts"
	"brick/scan/golang"
	"brick/scan/python"
	"brick/scan/typescript"
	"brick/scip"
)

type scanFlags struct {
	buildFlags
	options  scan.Options
	document string
	cache    string
	with     []string
	indexers bool
	text     bool
}

func scanCommand() *cobra.Command {
	var f scanFlags
	cmd := &cobra.Command{
		Use:   "scan DIR",
		Short: "Index a checkout by reading it",
		Long: `scan reads the sources in DIR and compiles what they say into an index. Nothing
else need be installed, and nothing of DIR's is run: no build, no configuration,
no package manager. .gitignore is honoured; node_modules, vendor and the like are
never taken for the repository's own code. Files that were not read are counted
and named, by reason, in the index's scope.

The same checkout always gives the same bytes, wherever it lies. What was found in
a file is kept in a cache, so that the next scan reads anew only what changed.

What SCIP indexers know can be added. --with takes an index that one wrote;
--indexers runs those that are installed (scip-go, scip-typescript, scip-python,
rust-analyzer), which RUNS CODE OF THE PROJECT, such as its build scripts: only
on a checkout that you trust.`,
		Example: example("brick-index scan .", "brick-index scan ~/src/shop -o shop.idx --exclude 'third_party/**'", "brick-index scan . --json - --quiet | jq '.nodes | length'"),
		Args:    exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.options.Workers < 0 {
				return usage("--jobs must not be negative")
			}
			return runScan(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&f.output, "output", "o", "brick.idx", "the index to write")
	cmd.Flags().StringVar(&f.document, "json", "", "also write the model, as Brick JSON, to `FILE`; - is standard output")
	cmd.Flags().StringArrayVar(&f.options.Exclude, "exclude", nil, "leave out what matches this `GLOB`, as in a .gitignore; may be repeated")
	cmd.Flags().IntVar(&f.options.Workers, "jobs", 0, "how much is done at once; 0 for as much as there are processors")
	cmd.Flags().StringVar(&f.cache, "cache", "", "the `DIR` that keeps what was found in each file, or off (default a folder of the user's)")
	cmd.Flags().StringVar(&f.options.Repository, "repository", "", "the repository's id (default \"repo:\" and the name that the checkout declares)")
	cmd.Flags().StringArrayVar(&f.with, "with", nil, "add what this SCIP index `FILE` of the same sources says; may be repeated")
	cmd.Flags().BoolVar(&f.indexers, "indexers", false, "run the SCIP indexers that are installed, and add what they say; this runs code of the project")
	cmd.Flags().BoolVar(&f.text, "source", false, "put the text of the files into the index too, for brick_source")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "print nothing but errors")
	return cmd
}

// runScan scans a folder into an index.
func runScan(ctx context.Context, dir string, f scanFlags, stdout, stderr io.Writer) (err error) {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return usage("%s is no folder", dir)
	}
	f.maxFaults = model.DefaultMaxFaults
	if f.text {
		f.source = dir
	}
	f.options.Cache = openCache(f.cache)
	if f.indexers {
		made, remove, err := runIndexers(ctx, dir, stderr)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		f.with = append(f.with, made...)
	}
	if f.options.Known, err = knownFrom(ctx, f.with, dir); err != nil {
		return err
	}
	progress := newProgress(stderr, nil, !f.quiet)
	f.options.Phase = progress.phase
	s, err := scan.Open(dir, engines(), f.options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	built, err := compileScan(ctx, s, f, stdout, progress.phase)
	progress.done()
	if err != nil {
		return printFaults(stderr, dir, err, false)
	}
	if f.quiet {
		return nil
	}
	printScanned(stderr, s)
	return built.report(f.buildFlags, stdout, stderr)
}

// engines are those of all languages.
func engines() []scan.Engine {
	return []scan.Engine{golang.New(), typescript.New(), python.New()}
}

// openCache opens the cache that --cache names.
func openCache(dir string) *cache.Cache {
	if dir == "off" {
		return nil
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil // there is no place for one
		}
		dir = filepath.Join(user, "brick")
	}
	return cache.Open(dir)
}

// knownFrom is what SCIP indexes of a folder say of its names.
func knownFrom(ctx context.Context, indexes []string, dir string) (map[string][]scan.Binding, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	all, _, err := scip.Bindings(ctx, indexes, scip.Options{Source: dir})
	if err != nil {
		return nil, err
	}
	known := make(map[string][]scan.Binding, len(all))
	for path, list := range all {
		for _, b := range list {
			known[path] = append(known[path], scan.Binding{
				At: facts.Place(b.At), Path: b.Path, Definition: facts.Place(b.Definition), External: b.External, Backend: b.Backend,
			})
		}
	}
	return known, nil
}

// compileScan compiles what a scan finds. When the model is wanted too, it is
// written first and then compiled, so that they are the same.
func compileScan(ctx context.Context, s *scan.Scan, f scanFlags, stdout io.Writer, phase func(string)) (*summary, error) {
	if f.document == "" {
		return compile(ctx, model.Checked(s), f.buildFlags, phase)
	}
	folder := filepath.Dir(f.document)
	if f.document == "-" {
		folder = ""
	}
	file, err := os.CreateTemp(folder, ".brick-model-")
	if err != nil {
		return nil, err
	}
	defer func() {
		file.Close()
		os.Remove(file.Name())
	}()
	if err := model.WriteJSON(ctx, file, s); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	built, err := compile(ctx, jsonmodel.Read(bufio.NewReader(file), jsonmodel.Options{}), f.buildFlags, phase)
	if err != nil {
		return nil, err
	}
	if f.document == "-" {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		_, err := io.Copy(stdout, file)
		return built, err
	}
	if err := errors.Join(file.Chmod(0o644), file.Close()); err != nil {
		return nil, err
	}
	return built, os.Rename(file.Name(), f.document)
}

// printScanned says which files were read, and which were not.
func printScanned(w io.Writer, s *scan.Scan) {
	var read []string
	for _, language := range slices.Sorted(maps.Keys(s.Files())) {
		read = append(read, fmt.Sprintf("%d %s", s.Files()[language], language))
	}
	fmt.Fprintf(w, "read     %s\n", strings.Join(read, ", "))
	reasons := map[string][]string{}
	for _, u := range s.Unread() {
		reasons[u.Reason] = append(reasons[u.Reason], u.Path)
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		list := reasons[reason]
		fmt.Fprintf(w, "not read %s: %s", show.Count(len(list), "path"), reason)
		more := ""
		if len(list) > 3 {
			list, more = list[:3], ", …"
		}
		for i, path := range list {
			list[i] = show.Quote(path)
		}
		fmt.Fprintf(w, " (%s%s)\n", strings.Join(list, ", "), more)
	}
}
