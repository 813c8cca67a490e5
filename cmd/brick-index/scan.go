package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"brick/model"
	"brick/scip"
)

func scanCommand() *cobra.Command {
	var output, document string
	cmd := &cobra.Command{
		Use:   "scan DIR",
		Short: "Index a repository with the indexers that are installed",
		Long: `scan finds which languages DIR holds and runs their SCIP indexers, as far as
they are installed; for those that are missing it prints how to install them.
Then it does what import scip and build do.

Go wants scip-go, TypeScript and JavaScript scip-typescript (with a
tsconfig.json), Python scip-python, Rust rust-analyzer. They are looked for in
PATH, in Go's folder for installed commands and in DIR/node_modules/.bin.

What an indexer reports goes to standard error. When one fails the others still
count; when none is left, nothing is written.`,
		Example: example("brick-index scan .", "brick-index scan ~/src/shop -o shop.idx --model shop.brick.json"),
		Args:    exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return scan(cmd.Context(), args[0], output, document, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "brick.idx", "the index to write")
	cmd.Flags().StringVar(&document, "model", "", "also keep the model under this name")
	return cmd
}

func scan(ctx context.Context, dir, output, document string, stdout, stderr io.Writer) (err error) {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return usage("%s is no folder", dir)
	}
	runs, err := findProjects(ctx, dir)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		fmt.Fprintf(stderr, "brick-index scan: no go.mod, tsconfig.json, Python file or Cargo.toml in %s\nFor other languages run a SCIP indexer, then brick-index import scip\n", dir)
		return errReported
	}
	temp, err := os.MkdirTemp("", "brick-scan-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	var indexes []string
	for i, r := range runs {
		made := filepath.Join(temp, fmt.Sprintf("%d.scip", i))
		if err := r.index(ctx, dir, made, stderr); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			fmt.Fprintf(stderr, "%s is left out: %v\n", r.what(), err)
			continue
		}
		indexes = append(indexes, made)
	}
	if len(indexes) == 0 {
		return errors.New("no indexer made an index, so nothing was built")
	}
	f := buildFlags{output: output, maxFaults: model.DefaultMaxFaults}
	o := scip.Options{Source: dir}
	if document != "" {
		s, err := importScip(ctx, indexes, o, document)
		if err != nil {
			return err
		}
		printImported(stderr, document, s)
		return build(ctx, document, f, stdout, stderr)
	}
	p := scip.New(indexes, o)
	s, err := compile(ctx, model.Checked(p), f, nil)
	if err != nil {
		return printFaults(stderr, "the indexers' model", err, false)
	}
	printImported(stderr, "the model", p.Summary())
	return s.report(f, stdout, stderr)
}
