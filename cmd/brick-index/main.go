// Command brick-index compiles a model of a repository, a Brick JSON
// document, into an index, and answers questions from it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"brick/internal/show"
	"brick/internal/version"
	"brick/model"
	"brick/query"
	"brick/scan"
	"brick/scip"
	"brick/store"
)

// Exit codes.
const (
	exitDone    = 0
	exitRefused = 1 // the model or index was refused, or the answer is an error
	exitUsage   = 2
	exitMachine = 3 // no such file, no space, no permission, interrupted
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	go endAnyway(ctx)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// gcPercent is how much the heap grows before what is not used any more is
// collected. A build of a gigabyte of JSON takes two thirds of the memory that
// it takes with Go's 100, and about 4 % more time.
const gcPercent = 25

// grace is how long a command that was told to end may take to clear up.
const grace = 3 * time.Second

// endAnyway ends the process when it does not end by itself after a signal: it
// may wait for a file that cannot be waited for otherwise, such as a pipe
// without a writer. What it leaves behind the next build clears.
func endAnyway(ctx context.Context) {
	<-ctx.Done()
	time.Sleep(grace)
	fmt.Fprintln(os.Stderr, "brick-index: interrupted")
	os.Exit(exitMachine)
}

// checkedWriter remembers that something could not be written.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// run runs the command and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "brick-index",
		Short: "Compile a model of a repository into an index, and ask it",
		Long: `brick-index compiles a model of a repository (a Brick JSON document, see
brick-index schema) into one file, and answers questions from that file.

  brick-index scan .                      index this repository into brick.idx
  brick-index build model.json            make brick.idx from a model
  brick-index query brick.idx             list the questions
  brick-index query brick.idx brick_callers --node-id ID

Agents ask the same questions over the Model Context Protocol: brick-mcp brick.idx

Exit codes: 0 done; 1 the model or index was refused, or there is no answer;
2 usage; 3 the machine's fault (no such file, no space, no permission).`,
		Version:       version.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("unknown command %q", args[0])
			}
			return usage("which command?")
		},
		Args: cobra.ArbitraryArgs,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%v", err) })
	root.AddCommand(scanCommand(), importCommand(), buildCommand(), infoCommand(), verifyCommand(), queryCommand(), schemaCommand())
	root.SetArgs(args)
	checked := &checkedWriter{Writer: stdout}
	root.SetOut(checked)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = checked.err
	}
	code := exitCode(err)
	switch {
	case code == exitDone || errors.Is(err, errReported):
	case code == exitUsage:
		fmt.Fprintf(stderr, "%s: %s\nTry: %s\n", cmd.CommandPath(), show.Visible(err.Error()), helpFor(cmd, err))
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "%s: interrupted; nothing was changed\n", cmd.CommandPath())
	default:
		fmt.Fprintf(stderr, "%s: %s\n", cmd.CommandPath(), advise(err))
	}
	return code
}

// usageError is a command line that makes no sense.
type usageError struct {
	problem string
	help    string // the command line that helps, "" for the command's --help
}

func (e *usageError) Error() string { return e.problem }

func usage(format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...)}
}

func helpFor(cmd *cobra.Command, err error) string {
	var u *usageError
	if errors.As(err, &u) && u.help != "" {
		return u.help
	}
	return cmd.CommandPath() + " --help"
}

// errReported stands for a refusal whose reasons are on standard error by now.
var errReported = errors.New("refused")

func exitCode(err error) int {
	var u *usageError
	var refused *model.RefusedError
	var damaged *store.DamageError
	var version *store.VersionError
	var notIndex *store.NotAnIndexError
	var notFound *query.NotFoundError
	var notImported *scip.RefusedError
	var tooLarge *query.TooLargeError
	var nothing *scan.NothingError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &u):
		return exitUsage
	case errors.Is(err, errReported), errors.As(err, &refused), errors.As(err, &damaged),
		errors.As(err, &version), errors.As(err, &notIndex), errors.As(err, &notFound), errors.As(err, &notImported),
		errors.As(err, &tooLarge), errors.As(err, &nothing):
		return exitRefused
	}
	return exitMachine
}

// advise adds to a machine's error what to do about it.
func advise(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return text + ": free some space, or write elsewhere"
	case errors.Is(err, os.ErrPermission):
		return text + ": check who may read the file, and write to the index's folder"
	case errors.Is(err, os.ErrNotExist):
		return text + ": check the path"
	}
	return text
}

// exactly is cobra.ExactArgs with an error that names the missing argument.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usage("no %s given", names[len(args)])
		}
		if len(args) > len(names) {
			return usage("unexpected argument %q", args[len(names)])
		}
		return nil
	}
}

// example indents the example of a command's help.
func example(lines ...string) string { return "  " + strings.Join(lines, "\n  ") }
