package main

import (
	"github.com/spf13/cobra"

	"brick/model"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the model",
		Long: `schema prints the JSON Schema (2020-12) of the document that build reads.
What it can't say (that ids are unique, that endpoints exist, lengths in bytes)
is in docs/brick-json.md.`,
		Example: example("brick-index schema > brick-v4.schema.json"),
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(model.Schema)
			return err
		},
	}
}
