package mcp

import (
	"context"
	"embed"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/show"
	"brick/query"
)

//go:embed prompts
var promptTexts embed.FS

// A prompt is what prompts/list tells of it. Its text is a file of prompts/,
// in which {name} stands for an argument.
type prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Arguments   []promptArgument `json:"arguments"`
}

type promptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required"`

	completion string // what completes it
	otherwise  string // what stands in the text when it is not given
}

var prompts = []prompt{
	{"assess-change", "Assess a change", "What a change of a function, type or file may break: who uses it, how sure that is, and what to test.",
		[]promptArgument{{Name: "node", Description: "The id or name of what is to be changed.", Required: true, completion: query.CompleteNode}}},
	{"review-uncalled", "Review uncalled functions", "Which functions nothing is known to call, and how to check each without taking it for dead.",
		[]promptArgument{{Name: "language", Description: "Only functions of this language.", completion: query.CompleteLanguage, otherwise: "every language"}}},
	{"break-cycle", "Break a dependency cycle", "How a dependency cycle holds together, and which edge to cut.",
		[]promptArgument{{Name: "cycle", Description: "The cycle's id, from brick_cycles or brick_file.", Required: true, completion: query.CompleteCycle}}},
}

// listPrompts answers prompts/list.
func listPrompts(context.Context, *toolbox, jsontext.Value) (any, *rpcError) {
	return struct {
		Prompts []prompt `json:"prompts"`
	}{prompts}, nil
}

type promptMessage struct {
	Role    string        `json:"role"`
	Content promptContent `json:"content"`
}

type promptContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// getPrompt answers prompts/get.
func getPrompt(_ context.Context, _ *toolbox, params jsontext.Value) (any, *rpcError) {
	name, ok := stringOf(member(params, "name"))
	if !ok {
		return nil, &rpcError{codeParams, "prompts/get: name must be a string, the prompt's"}
	}
	p := findPrompt(name)
	if p == nil {
		return nil, &rpcError{codeParams, "unknown prompt " + show.Quote(name) + perhaps(name, promptNames())}
	}
	given, problem := promptArguments(p, member(params, "arguments"))
	if problem != "" {
		return nil, &rpcError{codeParams, p.Name + ": " + problem}
	}
	text, err := promptTexts.ReadFile("prompts/" + p.Name + ".md")
	if err != nil {
		return nil, &rpcError{codeInternal, err.Error()}
	}
	var pairs []string
	for _, a := range p.Arguments {
		value, ok := given[a.Name]
		switch {
		case !ok && a.Required:
			return nil, &rpcError{codeParams, p.Name + ": argument " + show.Quote(a.Name) + " is required"}
		case !ok:
			pairs = append(pairs, "{"+a.Name+"}", a.otherwise, "{"+a.Name+" argument}", "")
		default:
			pairs = append(pairs, "{"+a.Name+"}", value, "{"+a.Name+" argument}", `"`+a.Name+`": `+string(appendString(nil, value))+", ")
		}
	}
	return struct {
		Description string          `json:"description"`
		Messages    []promptMessage `json:"messages"`
	}{p.Description, []promptMessage{{"user", promptContent{"text", strings.NewReplacer(pairs...).Replace(string(text))}}}}, nil
}

func promptNames() []string {
	names := make([]string, len(prompts))
	for i, p := range prompts {
		names[i] = p.Name
	}
	return names
}

func findPrompt(name string) *prompt {
	for i := range prompts {
		if prompts[i].Name == name {
			return &prompts[i]
		}
	}
	return nil
}

// promptArguments reads the arguments of prompts/get: strings, as MCP has it.
func promptArguments(p *prompt, value jsontext.Value) (given map[string]string, problem string) {
	given = map[string]string{}
	if value == nil {
		return given, ""
	}
	if value.Kind() != '{' {
		return nil, "arguments must be an object of strings"
	}
	_ = readMembers(value, false, func(name string, value jsontext.Value) {
		text, ok := stringOf(value)
		switch {
		case !slices.ContainsFunc(p.Arguments, func(a promptArgument) bool { return a.Name == name }):
			problem = "argument " + show.Quote(name) + " is unknown"
		case !ok || text == "":
			problem = "argument " + show.Quote(name) + " must be a string that is not empty"
		}
		given[name] = text
	})
	return given, problem
}
