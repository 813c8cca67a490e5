package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"brick/index"
	"brick/internal/show"
	"brick/store"
	"brick/verify"
)

func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify INDEX",
		Short: "Check everything in an index",
		Long: `verify reads everything in an index. It checks each block's checksum, then
compiles the records in the index once more and compares the result with it byte
by byte: that checks every reference, every order and everything derived. Each
part that is damaged is a line on standard error; exit code 1.

It takes as long as a build, and room for another index in the system's folder
for temporary files (TMPDIR).`,
		Example: example("brick-index verify brick.idx"),
		Args:    exactly("INDEX"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ix, err := store.Open(args[0])
			if err != nil {
				return err
			}
			defer ix.Close()
			damaged := 0
			err = verify.Index(cmd.Context(), ix, index.Options{}, func(err error) {
				damaged++
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", args[0], err)
			})
			switch {
			case err != nil:
				return err
			case damaged > 0:
				return errReported
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: all right, %s and %s\n", args[0], show.Count(ix.Manifest.Nodes, "node"), show.Count(ix.Manifest.Edges, "edge"))
			return nil
		},
	}
}
