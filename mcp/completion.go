package mcp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/show"
	"brick/query"
)

// A completer completes arguments from the index.
type completer interface {
	Complete(ctx context.Context, what, text string) (values []string, more bool, err error)
}

// complete answers completion/complete.
func complete(ctx context.Context, b *toolbox, params jsontext.Value) (any, *rpcError) {
	ref, argument := member(params, "ref"), member(params, "argument")
	if ref == nil || ref.Kind() != '{' || argument == nil || argument.Kind() != '{' {
		return nil, &rpcError{codeParams, "completion/complete: ref and argument must be objects"}
	}
	name, ok := stringOf(member(argument, "name"))
	value, ok2 := stringOf(member(argument, "value"))
	if !ok || !ok2 {
		return nil, &rpcError{codeParams, "completion/complete: argument needs the strings name and value"}
	}
	what, problem := completion(ref, name)
	if problem != "" {
		return nil, &rpcError{codeParams, "completion/complete: " + problem}
	}
	result := struct {
		Completion struct {
			Values  []string `json:"values"`
			HasMore bool     `json:"hasMore"`
		} `json:"completion"`
	}{}
	result.Completion.Values = []string{}
	if c, ok := b.index.(completer); ok {
		values, more, err := c.Complete(ctx, what, value)
		if err != nil {
			return nil, &rpcError{codeInternal, "completion/complete: " + err.Error()}
		}
		result.Completion.Values = append(result.Completion.Values, values...)
		result.Completion.HasMore = more
	}
	return result, nil
}

// completion says what completes an argument of a prompt or template.
func completion(ref jsontext.Value, argument string) (what, problem string) {
	kind, _ := stringOf(member(ref, "type"))
	switch kind {
	case "ref/prompt":
		name, _ := stringOf(member(ref, "name"))
		p := findPrompt(name)
		if p == nil {
			return "", "unknown prompt " + show.Quote(name)
		}
		for _, a := range p.Arguments {
			if a.Name == argument {
				return a.completion, ""
			}
		}
	case "ref/resource":
		uri, _ := stringOf(member(ref, "uri"))
		switch {
		case uri != nodeIDs && uri != filePaths:
			return "", "unknown resource template " + show.Quote(uri)
		case uri == nodeIDs && argument == "id":
			return query.CompleteNode, ""
		case uri == filePaths && argument == "path":
			return query.CompletePath, ""
		}
	default:
		return "", "ref must be of type ref/prompt or ref/resource"
	}
	return "", "unknown argument " + show.Quote(argument)
}
