package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"brick/query"
	"brick/store"
)

func queryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query INDEX [TOOL [--argument value]…]",
		Short: "Ask an index a question",
		Long: `query answers a question from an index, with the same JSON as the MCP tool of
that name. Without TOOL it lists the tools; TOOL --help tells its arguments.

What an agent would get as an error goes to standard error, exit code 1.`,
		Example: example(
			"brick-index query brick.idx",
			"brick-index query brick.idx brick_callers --help",
			"brick-index query brick.idx brick_callers --node-id 'go:main.main'",
			"brick-index query brick.idx brick_uncalled --language go --limit 10"),
		// A tool's flags are known only when the tool is.
		DisableFlagParsing: true,
		RunE:               runQuery,
	}
	return cmd
}

func runQuery(cmd *cobra.Command, args []string) error {
	var words []string
	for len(args) > 0 && len(words) < 2 && !strings.HasPrefix(args[0], "-") {
		words, args = append(words, args[0]), args[1:]
	}
	if len(words) < 2 {
		return listTools(cmd, words, args)
	}
	tool := query.Lookup(words[1])
	if tool == nil {
		return usageError{fmt.Errorf("there is no tool %q; brick-index query INDEX lists them", words[1])}
	}
	flags := toolFlags(tool)
	if err := flags.Parse(joinBooleans(tool, args)); err == pflag.ErrHelp {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n\nUsage:\n  brick-index query INDEX %s [--argument value]…\n\nArguments:\n%s",
			tool.Title, tool.Description, tool.Name, flags.FlagUsages())
		return nil
	} else if err != nil {
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}
	arguments, err := tool.ParseArguments(argumentsObject(tool, flags))
	if err != nil {
		return err
	}
	ix, err := store.Open(words[0])
	if err != nil {
		return err
	}
	defer ix.Close()
	answer, err := tool.Answer(cmd.Context(), ix, arguments)
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(append(answer, '\n'))
	return err
}

// listTools serves the command without a tool.
func listTools(cmd *cobra.Command, words, args []string) error {
	switch {
	case len(args) > 0 && (args[0] == "-h" || args[0] == "--help"):
		return cmd.Help()
	case len(args) > 0:
		return usageError{fmt.Errorf("%s before the tool", args[0])}
	case len(words) == 0:
		return usageError{fmt.Errorf("no INDEX given")}
	}
	ix, err := store.Open(words[0])
	if err != nil {
		return err
	}
	defer ix.Close()
	printTools(cmd.OutOrStdout())
	return nil
}

func printTools(w io.Writer) {
	for _, t := range query.Tools() {
		fmt.Fprintf(w, "%-16s %s", t.Name, t.Title)
		for _, p := range t.Parameters {
			flag := "--" + flagName(p.Name)
			if !p.Required {
				flag = "[" + flag + "]"
			}
			fmt.Fprintf(w, " %s", flag)
		}
		fmt.Fprintln(w)
	}
}

func flagName(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

// toolFlags are a tool's arguments as flags, with - or _ between words. Their
// values are checked where those of the MCP tool are.
func toolFlags(t *query.Tool) *pflag.FlagSet {
	flags := pflag.NewFlagSet(t.Name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(io.Discard)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(flagName(name))
	})
	for _, p := range t.Parameters {
		text := p.Description
		if p.Required {
			text += " Required."
		}
		name := flagName(p.Name)
		switch value := p.Default.(type) {
		case bool:
			flags.Bool(name, value, text)
		case int64:
			flags.Int64(name, value, text)
		case string:
			flags.String(name, value, text)
		default:
			flags.String(name, "", text)
		}
	}
	return flags
}

// joinBooleans lets boolean flags have a value of their own word, as all
// others do.
func joinBooleans(t *query.Tool, args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if i+1 < len(args) && isBooleanFlag(t, arg) {
			if _, err := strconv.ParseBool(args[i+1]); err == nil {
				i++
				arg += "=" + args[i]
			}
		}
		joined = append(joined, arg)
	}
	return joined
}

func isBooleanFlag(t *query.Tool, arg string) bool {
	for _, p := range t.Parameters {
		if p.Type == query.Boolean && flagName(arg) == "--"+flagName(p.Name) {
			return true
		}
	}
	return false
}

// argumentsObject writes the flags that were given as an MCP client would.
func argumentsObject(t *query.Tool, flags *pflag.FlagSet) []byte {
	object := []byte{'{'}
	for _, p := range t.Parameters {
		flag := flags.Lookup(flagName(p.Name))
		if !flag.Changed {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object, _ = jsontext.AppendQuote(object, p.Name)
		object = append(object, ':')
		if p.Type == query.String {
			object, _ = jsontext.AppendQuote(object, strings.ToValidUTF8(flag.Value.String(), "\uFFFD"))
		} else {
			object = append(object, flag.Value.String()...)
		}
	}
	return append(object, '}')
}
