// Brick-mcp answers questions about a code graph, from an index that
// brick-index built, to a client of the Model Context Protocol on standard
// input and output.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"brick/internal/version"
	"brick/mcp"
	"brick/query"
)

const exitUsage = 2

func main() {
	log.SetFlags(0)
	log.SetPrefix("brick-mcp: ")
	os.Exit(execute(os.Args[1:], os.Stdin, takeStdout(), os.Stderr))
}

// execute runs the command and returns its exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := newCommand(stdin, stdout)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	if err := cmd.Execute(); err != nil {
		fmt.Fprintf(stderr, "brick-mcp: %v\nRun 'brick-mcp --help' for usage.\n", err)
		return exitUsage
	}
	return 0
}

func newCommand(stdin io.Reader, stdout io.Writer) *cobra.Command {
	var o mcp.Options
	cmd := &cobra.Command{
		Use:   "brick-mcp INDEX",
		Short: "Serve a code graph's index to agents over MCP",
		Long: `brick-mcp serves an index that 'brick-index build' made to one client of the
Model Context Protocol: messages on standard input and output, one a line, logs
on standard error. It reads the index and nothing else. It ends with its input.

For an index on a slow network drive, --local-copy keeps a checked copy in a
folder on the machine, which all servers share: it is made once, again when the
index changes, and the old one is removed. Nobody who is not trusted should be
able to write there.`,
		Example: `  brick-index build app.brick.json.zst -o app.idx
  brick-mcp app.idx

  In a client's configuration:
  {"mcpServers": {"brick": {"command": "brick-mcp", "args": ["--records", "names", "/path/to/app.idx"]}}}`,
		Version:           version.Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("which index? Give the file that 'brick-index build' wrote, as in: brick-mcp app.idx")
			case len(args) > 1:
				return fmt.Errorf("one index at a time, but there are %d arguments: %q", len(args), args)
			case o.MaxAnswer < 0:
				return fmt.Errorf("--max-answer %d: a bound is a number of bytes, or 0 for none", o.MaxAnswer)
			case !slices.Contains(query.RecordsForms(), o.Records):
				return fmt.Errorf("--records %q: nodes and edges can be written as names, brief or full", o.Records)
			case o.MaxLine < 1:
				return fmt.Errorf("--max-line %d: a line needs at least one byte", o.MaxLine)
			}
			return nil
		},
		Run: func(_ *cobra.Command, args []string) {
			mcp.Serve(args[0], o, stdin, stdout, stopSignal())
		},
	}
	cmd.Flags().IntVar(&o.MaxAnswer, "max-answer", query.DefaultMaxAnswer, "refuse answers of more than `BYTES`; 0 for any size")
	cmd.Flags().IntVar(&o.MaxLine, "max-line", mcp.DefaultMaxLine, "refuse input lines of more than `BYTES`")
	cmd.Flags().StringVar(&o.Records, "records", "full", "how answers write nodes and edges where a call does not say: `FORM` names (for agents), brief or full")
	cmd.Flags().StringVar(&o.LocalCopy, "local-copy", "", "read the index from a copy in the folder `DIR`")
	cmd.SetVersionTemplate("brick-mcp {{.Version}}\n")
	return cmd
}

// stopSignal returns a channel that is closed when the process is told to end.
func stopSignal() <-chan struct{} {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	stop := make(chan struct{})
	go func() {
		<-signals
		close(stop)
	}()
	return stop
}
