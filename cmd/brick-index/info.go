package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"brick/index"
	"brick/internal/show"
	"brick/jsonmodel"
	"brick/store"
)

func infoCommand() *cobra.Command {
	var asJSON bool
	var model string
	cmd := &cobra.Command{
		Use:   "info INDEX",
		Short: "Say what is in an index",
		Long: `info says what an index is of, what it counts, and what its parts take.

With --model it also checks MODEL and says whether the index is of it; exit
code 1 when not. The order of a model's nodes, edges and members doesn't matter,
nor do the members that are not indexed.`,
		Example: example("brick-index info brick.idx", "brick-index info brick.idx --model model.json"),
		Args:    exactly("INDEX"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return info(cmd.Context(), args[0], model, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&model, "model", "", "a model to compare the index with")
	return cmd
}

// infoJSON is what info says, as an object.
type infoJSON struct {
	Index        string          `json:"index"`
	Format       int             `json:"format_version"`
	Schema       int             `json:"schema_version"`
	Root         string          `json:"root"`
	Repository   string          `json:"repository_id"`
	Scope        json.RawMessage `json:"scope"`
	Generator    json.RawMessage `json:"generator"`
	ModelDigest  string          `json:"model_digest"`
	FileDigest   string          `json:"file_digest"`
	Size         int64           `json:"bytes"`
	counts       `json:",inline"`
	Parts        []partJSON `json:"parts"`
	MatchesModel *bool      `json:"matches_model,omitempty"`
	OtherDigest  string     `json:"given_model_digest,omitempty"`
}

type partJSON struct {
	Name  string `json:"name"`
	Items int    `json:"items"`
	Bytes int64  `json:"bytes"`
}

func info(ctx context.Context, path, model string, asJSON bool, stdout, stderr io.Writer) error {
	ix, err := store.Open(path)
	if err != nil {
		return err
	}
	defer ix.Close()
	digest, err := store.FileDigest(path)
	if err != nil {
		return err
	}
	m := ix.Manifest
	o := infoJSON{
		Index: path, Format: store.FormatVersion, Schema: 4,
		Root: m.Root, Repository: m.RepositoryID, Scope: m.Scope, Generator: json.RawMessage("null"),
		ModelDigest: hex.EncodeToString(m.Digest), FileDigest: hex.EncodeToString(digest), Size: ix.Size,
		counts: countsOf(m),
	}
	if len(m.Generator) > 0 {
		o.Generator = m.Generator
	}
	for _, p := range ix.Parts() {
		o.Parts = append(o.Parts, partJSON{p.Name, p.Items, p.Bytes})
	}
	if model != "" {
		other, err := modelDigest(ctx, model)
		if err != nil {
			return printFaults(stderr, model, err, asJSON)
		}
		o.OtherDigest = hex.EncodeToString(other)
		matches := o.OtherDigest == o.ModelDigest
		o.MatchesModel = &matches
	}
	if asJSON {
		out := json.NewEncoder(stdout)
		out.SetEscapeHTML(false)
		err = out.Encode(o)
	} else {
		o.print(stdout)
	}
	if err == nil && o.MatchesModel != nil && !*o.MatchesModel {
		fmt.Fprintf(stderr, "%s is not of %s: build it again\n", path, model)
		return errReported
	}
	return err
}

// modelDigest checks a model and returns its digest.
func modelDigest(ctx context.Context, model string) (digest []byte, err error) {
	source, err := jsonmodel.Open(model, defaultMaxUnpacked)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	dir, err := os.MkdirTemp("", "brick-info-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	_, digest, err = index.Check(ctx, jsonmodel.Read(source, jsonmodel.Options{}), dir, index.Options{})
	return digest, err
}

func (o infoJSON) print(w io.Writer) {
	fmt.Fprintf(w, "%s: an index of format %d, %s\n", o.Index, o.Format, bytesText(o.Size))
	fmt.Fprintf(w, "model    schema %d, sha256 %s\n", o.Schema, o.ModelDigest)
	fmt.Fprintf(w, "file     sha256 %s\n", o.FileDigest)
	fmt.Fprintf(w, "root     %s\n", printable(o.Root))
	fmt.Fprintf(w, "repo     %s\n", printable(o.Repository))
	fmt.Fprintf(w, "scope    %s\n", printable(string(o.Scope)))
	fmt.Fprintf(w, "scanner  %s\n", printable(string(o.Generator)))
	o.counts.print(w)
	if o.MatchesModel != nil && *o.MatchesModel {
		fmt.Fprintf(w, "matches  the given model\n")
	}
	fmt.Fprintf(w, "parts    %12s %12s\n", "items", "bytes")
	for _, p := range o.Parts {
		fmt.Fprintf(w, "         %12d %12d  %s\n", p.Items, p.Bytes, p.Name)
	}
}

// printable writes text of a model so that it can't forge a line.
func printable(text string) string { return show.Visible(text) }
