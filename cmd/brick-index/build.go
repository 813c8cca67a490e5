package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"brick/index"
	"brick/internal/show"
	"brick/jsonmodel"
	"brick/model"
	"brick/store"
)

const defaultMaxUnpacked = 64 << 30

type buildFlags struct {
	output      string
	source      string
	json, quiet bool
	check       bool
	maxFaults   int
	maxUnpacked int64
}

func buildCommand() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build MODEL",
		Short: "Check a model and compile it into an index",
		Long: `build checks a model completely and compiles it into an index.

MODEL is a Brick JSON document, or - for standard input; gzip and zstd are
recognised by content. The index appears under its name when it is complete, in
place of whatever file or link has that name, which readers may have open; until
then, and whenever something goes wrong, that one stays. The same model always
gives the same bytes.

A model with faults is refused: each is a line on standard error, with file,
line, column, JSON pointer and id. With --check that is all: nothing is written.

With --source, the text of the files that the model names is put into the index
too, for brick_source. Files outside of that folder, also through links, and
binary ones are refused by name; files that are missing or over 4 MiB are listed.

Temporary files are in a hidden folder beside the index. With the index they take
about four fifths of the unpacked model's size, four times the index's own. They
are removed at the end; those of a killed build by the next one.`,
		Example: example(
			"brick-index build model.json",
			"brick-index build model.json --check",
			"scanner . | zstd | brick-index build - -o /srv/indexes/brick.idx"),
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.maxFaults < 1 {
				return usage("--max-faults must be at least 1")
			}
			if f.maxUnpacked < 0 {
				return usage("--max-unpacked must not be negative")
			}
			if f.output == "" {
				return usage("--output must not be empty")
			}
			if sameFile(args[0], f.output) {
				return usage("the index would replace the model %s: give another name with -o", args[0])
			}
			if f.check {
				return check(cmd.Context(), args[0], f, cmd.ErrOrStderr())
			}
			return build(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&f.output, "output", "o", "brick.idx", "the index to write")
	cmd.Flags().BoolVar(&f.check, "check", false, "only check the model: write nothing")
	cmd.Flags().StringVar(&f.source, "source", "", "put the text of the files that the model names, which are in `DIR`, into the index")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the summary on standard output, and faults on standard error, as JSON objects")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "print nothing but faults and errors")
	cmd.Flags().IntVar(&f.maxFaults, "max-faults", model.DefaultMaxFaults, "how many faults to print; the rest are counted")
	cmd.Flags().Int64Var(&f.maxUnpacked, "max-unpacked", defaultMaxUnpacked, "the most bytes that a packed model may unpack to; 0 for any")
	return cmd
}

// sameFile reports whether two paths are of one file that exists.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func build(ctx context.Context, input string, f buildFlags, stdout, stderr io.Writer) error {
	source, err := jsonmodel.Open(input, f.maxUnpacked)
	if err != nil {
		return err
	}
	defer source.Close()
	progress := newProgress(stderr, source, !f.quiet && !f.json)
	var modelSize int64
	document := jsonmodel.Read(source, jsonmodel.Options{Progress: func(n int64) {
		modelSize = n
		progress.update()
	}})
	s, err := compile(ctx, document, f, progress.phase)
	progress.done()
	if err != nil {
		return printFaults(stderr, input, err, f.json)
	}
	s.ModelSize = modelSize
	return s.report(f, stdout, stderr)
}

// compile compiles the model of a producer into the index that f names. phase
// is told what is done next.
func compile(ctx context.Context, p model.RecordProducer, f buildFlags, phase func(string)) (s *summary, err error) {
	start := time.Now()
	w, err := store.Create(f.output)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	o := index.Options{MaxFaults: f.maxFaults, Phase: phase}
	var absent []absentSource
	if f.source != "" {
		dir, err := index.OpenSource(f.source)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		o.Source = dir
		o.SourceProblem = func(path, reason string) { absent = append(absent, absentSource{path, reason}) }
	}
	m, size, err := index.Build(ctx, p, w, o)
	if err != nil {
		return nil, err
	}
	s = &summary{
		Index: f.output, Digest: hex.EncodeToString(m.Digest),
		IndexSize: size, Seconds: time.Since(start).Seconds(),
		counts: countsOf(m),
	}
	if f.source != "" {
		s.Source = &sourceSummary{Digest: hex.EncodeToString(m.Source), Absent: absent}
	}
	return s, nil
}

// check checks a model as build does. What it must keep meanwhile is in the
// system's folder for temporary files.
func check(ctx context.Context, input string, f buildFlags, stderr io.Writer) (err error) {
	source, err := jsonmodel.Open(input, f.maxUnpacked)
	if err != nil {
		return err
	}
	defer source.Close()
	dir, err := os.MkdirTemp("", "brick-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, _, err := index.Check(ctx, jsonmodel.Read(source, jsonmodel.Options{}), dir, index.Options{MaxFaults: f.maxFaults}); err != nil {
		return printFaults(stderr, input, err, f.json)
	}
	if !f.quiet && !f.json {
		fmt.Fprintf(stderr, "%s: no faults\n", input)
	}
	return nil
}

// printFaults prints the faults of a refused model; other errors it returns.
func printFaults(stderr io.Writer, input string, err error, asJSON bool) error {
	var refused *model.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	more := refused.Total - len(refused.Faults)
	if asJSON {
		out := json.NewEncoder(stderr)
		out.SetEscapeHTML(false)
		for _, fault := range refused.Faults {
			if err := out.Encode(faultObject(input, fault)); err != nil {
				return err
			}
		}
		return errors.Join(errReported, out.Encode(map[string]int{"faults": refused.Total, "more": more}))
	}
	for _, fault := range refused.Faults {
		fmt.Fprintln(stderr, fault.Line(input))
	}
	if more > 0 {
		fmt.Fprintf(stderr, "and %d more\n", more)
	}
	return errReported
}

// faultJSON is a fault as an object.
type faultJSON struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Column  int     `json:"column"`
	Offset  int64   `json:"offset"`
	Pointer *string `json:"pointer,omitempty"` // absent for a syntax fault
	ID      string  `json:"id,omitempty"`
	Message string  `json:"message"`
}

func faultObject(input string, f model.Fault) faultJSON {
	o := faultJSON{File: input, Line: f.Place.Line, Column: f.Column, Offset: f.Offset, ID: f.ID, Message: f.Message}
	if !f.Syntax {
		o.Pointer = &f.Pointer
	}
	return o
}

// summary is what a build says when it is done.
type summary struct {
	Index     string         `json:"index"`
	Digest    string         `json:"model_digest"`
	ModelSize int64          `json:"model_bytes,omitzero"` // of the document, where there is one
	IndexSize int64          `json:"index_bytes"`
	Seconds   float64        `json:"seconds"`
	Source    *sourceSummary `json:"source,omitempty"`
	counts
}

// report prints the summary where the flags want it.
func (s *summary) report(f buildFlags, stdout, stderr io.Writer) error {
	switch {
	case f.json:
		return json.NewEncoder(stdout).Encode(s)
	case !f.quiet:
		s.print(stderr)
	}
	return nil
}

func (s *summary) print(w io.Writer) {
	fmt.Fprintf(w, "%s: built in %.1f s, %s", s.Index, s.Seconds, bytesText(s.IndexSize))
	if s.ModelSize > 0 {
		fmt.Fprintf(w, " from a model of %s", bytesText(s.ModelSize))
	}
	fmt.Fprintln(w)
	s.counts.print(w)
	fmt.Fprintf(w, "model    sha256 %s\n", s.Digest)
	if s.Source != nil {
		s.Source.print(w)
	}
}

// sourceSummary says what is in a snapshot of the source.
type sourceSummary struct {
	Digest string         `json:"digest"`
	Absent []absentSource `json:"absent"`
}

// absentSource is a file that the model names and the snapshot does not have.
type absentSource struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// maxAbsent is how many absent files are listed. Refused ones all are.
const maxAbsent = 20

func (s *sourceSummary) print(w io.Writer) {
	fmt.Fprintf(w, "source   sha256 %s, without %s\n", s.Digest, show.Count(len(s.Absent), "file"))
	absent := 0
	for _, f := range s.Absent {
		if !strings.HasPrefix(f.Reason, index.Refused) {
			if absent++; absent > maxAbsent {
				continue
			}
		}
		fmt.Fprintf(w, "         %s: %s\n", show.Quote(f.Path), f.Reason)
	}
	if absent > maxAbsent {
		fmt.Fprintf(w, "         and %d more\n", absent-maxAbsent)
	}
}
