package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"brick/internal/show"
	"brick/scip"
)

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Turn another tool's index into a model",
		Args:  cobra.ArbitraryArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("import from what? There is: brick-index import scip")
		},
	}
	cmd.AddCommand(importScipCommand())
	return cmd
}

func importScipCommand() *cobra.Command {
	var o scip.Options
	var output string
	cmd := &cobra.Command{
		Use:   "scip INDEX.scip…",
		Short: "Turn SCIP indexes into a model",
		Long: `import scip turns one or more SCIP indexes of a repository, as scip-go,
scip-typescript, scip-python, rust-analyzer and others write them, into one
model that build reads.

Give it the sources with --source: only the text shows which mention of a
function is a call, and what an indexer left out. Without, every mention counts
as a call in lane heuristic.

The indexes must be of exactly these sources: a document that does not fit its
text counts as without it, and is named. An index that is damaged or that is no
SCIP index is refused, and nothing is written.`,
		Example: example(
			"scip-go && brick-index import scip index.scip --source .",
			"brick-index import scip go.scip web.scip --source . -o model.json && brick-index build model.json"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no INDEX.scip given")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := importScip(cmd.Context(), args, o, output)
			if err != nil {
				return err
			}
			printImported(cmd.ErrOrStderr(), output, s)
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Source, "source", "", "the folder of the sources")
	cmd.Flags().StringVar(&o.Repository, "repository", "", "the repository's id (default \"repo:\" and the name that its go.mod, package.json, … declares)")
	cmd.Flags().StringVarP(&output, "output", "o", "model.brick.json", "the model to write")
	return cmd
}

// importScip writes the model of indexes under its name, when it is complete.
func importScip(ctx context.Context, indexes []string, o scip.Options, output string) (s *scip.Summary, err error) {
	if o.Source != "" {
		if info, err := os.Stat(o.Source); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, usage("%s is no folder", o.Source)
		}
	}
	file, err := os.CreateTemp(filepath.Dir(output), ".brick-model-")
	if err != nil {
		return nil, err
	}
	defer func() {
		file.Close()
		os.Remove(file.Name())
	}()
	w := bufio.NewWriter(file)
	if s, err = scip.Import(ctx, indexes, o, w); err != nil {
		return nil, err
	}
	if err := errors.Join(w.Flush(), file.Chmod(0o644), file.Close()); err != nil {
		return nil, err
	}
	return s, os.Rename(file.Name(), output)
}

// maxNamed is how many documents are named on standard error.
const maxNamed = 5

func printImported(w io.Writer, output string, s *scip.Summary) {
	fmt.Fprintf(w, "%s: %s and %s from %s\n", output, show.Count(s.Nodes, "node"), show.Count(s.Edges, "edge"), show.Count(s.Documents, "document"))
	if s.Dropped > 0 {
		fmt.Fprintf(w, "left out %s of the Go build cache, not of the repository\n", show.Count(s.Dropped, "document"))
	}
	if s.Unread > 0 {
		fmt.Fprintf(w, "%s not in the source folder: references there count as calls in lane heuristic\n", show.Count(s.Unread, "document"))
	}
	for i, u := range s.Unfit {
		if i == maxNamed && len(s.Unfit) > maxNamed+1 {
			fmt.Fprintf(w, "… and %s more, all in scope.documents_of_other_text of the model\n", show.Count(len(s.Unfit)-maxNamed, "document"))
			break
		}
		fmt.Fprintf(w, "%s is read without its text: %s\n", show.Visible(u.Path), u.Reason)
	}
	if s.Mended > 0 {
		fmt.Fprintf(w, "mended %s with bytes that are not UTF-8\n", show.Count(s.Mended, "string"))
	}
}
