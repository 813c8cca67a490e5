package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
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
		problem := fmt.Sprintf("there is no tool %q", words[1])
		if nearest := query.Nearest(words[1], query.Names()); nearest != "" {
			problem += fmt.Sprintf("; perhaps %s is meant", nearest)
		}
		return &usageError{problem, "brick-index query INDEX, which lists them"}
	}
	arguments, err := parseArguments(tool, args)
	if err == pflag.ErrHelp {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n\nUsage:\n  brick-index query INDEX %s [--argument value]…\n\nArguments:\n%s",
			tool.Title, tool.Description, tool.Name, toolFlags(tool).FlagUsages())
		return nil
	}
	if err != nil {
		return &usageError{err.Error(), "brick-index query INDEX " + tool.Name + " --help"}
	}
	maxAnswer, err := strconv.ParseInt(toolFlag(tool, args, maxAnswerFlag), 10, 32)
	if err != nil || maxAnswer < 0 {
		return &usageError{"--max-answer must be a number of bytes, or 0", "brick-index query INDEX " + tool.Name + " --help"}
	}
	ix, err := store.Open(words[0])
	if err != nil {
		return err
	}
	defer ix.Close()
	answer, err := tool.AnswerWith(cmd.Context(), ix, arguments, query.Options{MaxAnswer: int(maxAnswer), Before: query.IdentityOf(ix)})
	var problem *query.ArgumentError
	if errors.As(err, &problem) { // a cursor of another index
		return &usageError{problem.List(asFlag), "brick-index query INDEX " + tool.Name + " --help"}
	}
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(append(answer, '\n'))
	return err
}

// parseArguments reads a tool's arguments from flags, and checks them where
// those of the MCP tool are checked, unknown ones too: so all that is wrong is
// said at once.
func parseArguments(t *query.Tool, args []string) (query.Arguments, error) {
	flags := toolFlags(t)
	known, unknown := splitFlags(flags, joinBooleans(t, args))
	if err := flags.Parse(known); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	a, err := t.ParseArguments(argumentsObject(t, flags, unknown))
	var problem *query.ArgumentError
	if errors.As(err, &problem) {
		return nil, errors.New(problem.List(asFlag))
	}
	return a, err
}

// splitFlags takes flags that the tool doesn't have, with their values, out of
// args, and returns the arguments that they would be.
func splitFlags(flags *pflag.FlagSet, args []string) (known, unknown []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		if !strings.HasPrefix(args[i], "--") || name == "" || name == "help" {
			known = append(known, args[i])
			continue
		}
		flag := flags.Lookup(name)
		separate := !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "--")
		switch {
		case flag == nil:
			if unknown = append(unknown, strings.ReplaceAll(name, "-", "_")); separate {
				i++
			}
		case separate && flag.NoOptDefVal == "":
			known = append(known, args[i], args[i+1])
			i++
		default:
			known = append(known, args[i])
		}
	}
	return known, unknown
}

// maxAnswerFlag is not the tool's: it bounds every answer.
const maxAnswerFlag = "max-answer"

// toolFlag is the value of a flag among a tool's arguments, which parse.
func toolFlag(t *query.Tool, args []string, name string) string {
	flags := toolFlags(t)
	if err := flags.Parse(joinBooleans(t, args)); err != nil {
		return ""
	}
	return flags.Lookup(name).Value.String()
}

// listTools serves the command without a tool.
func listTools(cmd *cobra.Command, words, args []string) error {
	switch {
	case len(args) > 0 && (args[0] == "-h" || args[0] == "--help"):
		return cmd.Help()
	case len(args) > 0:
		return usage("%s before the tool", args[0])
	case len(words) == 0:
		return usage("no INDEX given")
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

// asFlag is an argument as messages name it here.
func asFlag(argument string) string { return "--" + flagName(argument) }

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
		if p.Type == query.Strings {
			text += " Several with commas between them."
		}
		value := &literal{kind: p.Type}
		if p.Default != nil {
			value.text = fmt.Sprint(p.Default)
		}
		flag := flags.VarPF(value, flagName(p.Name), "", text)
		if p.Type == query.Boolean {
			flag.NoOptDefVal = "true"
		}
	}
	flags.Var(&literal{kind: query.Integer, text: strconv.Itoa(query.DefaultMaxAnswer)}, maxAnswerFlag,
		"Refuse an answer of more bytes than this; 0 for any size.")
	return flags
}

// literal is a flag's value as it was written.
type literal struct {
	kind query.ParameterType
	text string
}

func (l *literal) String() string        { return l.text }
func (l *literal) Set(text string) error { l.text = text; return nil }
func (l *literal) Type() string {
	switch l.kind {
	case query.Integer:
		return "int"
	case query.Boolean:
		return "bool"
	}
	return "string"
}

// json is the value as an MCP client would write it. What is no literal of the
// flag's type stays a string, to be refused with the tool's own words.
func (l *literal) json() []byte {
	if l.kind == query.Strings {
		list := []byte{'['}
		for i, word := range strings.Split(l.text, ",") {
			if i > 0 {
				list = append(list, ',')
			}
			list, _ = jsontext.AppendQuote(list, word)
		}
		return append(list, ']')
	}
	if value := jsontext.Value(l.text); l.kind != query.String && value.IsValid() {
		switch value.Kind() {
		case '0', 't', 'f':
			return value
		}
	}
	quoted, _ := jsontext.AppendQuote(nil, l.text)
	return quoted
}

// joinBooleans lets boolean flags have a value of their own word, as all
// others do.
func joinBooleans(t *query.Tool, args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if i+1 < len(args) && isBooleanFlag(t, arg) {
			if next := args[i+1]; next == "true" || next == "false" {
				i++
				arg += "=" + next
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
func argumentsObject(t *query.Tool, flags *pflag.FlagSet, unknown []string) []byte {
	object := []byte{'{'}
	slices.Sort(unknown)
	for _, name := range slices.Compact(unknown) {
		if len(object) > 1 {
			object = append(object, ',')
		}
		object, _ = jsontext.AppendQuote(object, name)
		object = append(object, ":null"...)
	}
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
		object = append(object, flag.Value.(*literal).json()...)
	}
	return append(object, '}')
}
