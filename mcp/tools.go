package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"brick/internal/show"
	"brick/internal/version"
	"brick/query"
)

// An answerer answers the calls of tools. The result is a JSON object on one
// line; its bytes are the caller's, who may give them to query.Recycle. A notice
// is something that the reader of the answer should know besides, "" for none.
// A *query.ArgumentError is the caller's mistake; any other error is text for
// the reader, but for ctx's own when the call was cancelled.
type answerer interface {
	Answer(ctx context.Context, t *query.Tool, a query.Arguments) (result []byte, notice string, err error)
}

// Instructions is what initialize tells the agent.
//
//go:embed instructions.md
var Instructions string

// A toolbox is the tools of a server.
type toolbox struct {
	tools []*query.Tool // in the order in which they are listed
	index answerer

	registered sync.Once
}

// find returns the tool of that exact name, or nil.
func (b *toolbox) find(name string) *query.Tool {
	for _, t := range b.tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func (b *toolbox) names() []string {
	names := make([]string, len(b.tools))
	for i, t := range b.tools {
		names[i] = t.Name
	}
	return names
}

// perhaps says which name a misspelt one is likely to stand for.
func perhaps(name string, of []string) string {
	if nearest := query.Nearest(name, of); nearest != "" {
		return "; perhaps " + show.Quote(nearest) + " is meant"
	}
	return ""
}

// newServer returns an mcp-go server for the tools, which register gives it.
func newServer(b *toolbox) *server.MCPServer {
	return server.NewMCPServer("brick-mcp", version.Version,
		server.WithTitle("Brick code graph"),
		server.WithInstructions(Instructions),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(false, false),
		server.WithPromptCapabilities(false),
		server.WithCompletions(),
		server.WithToolFilter(b.inOrder),
	)
}

// register gives the server its tools, once. The first request for them calls
// it: mcp-go parses their schemas, and the handshake need not wait for that.
func (b *toolbox) register(s *server.MCPServer) {
	b.registered.Do(func() {
		for _, t := range b.tools {
			s.AddTool(describe(t), b.handle)
		}
	})
}

// inOrder puts tools, which mcp-go sorts by name, into the toolbox's order.
func (b *toolbox) inOrder(_ context.Context, tools []mcp.Tool) []mcp.Tool {
	slices.SortFunc(tools, func(x, y mcp.Tool) int { return b.position(x.Name) - b.position(y.Name) })
	return tools
}

func (b *toolbox) position(name string) int {
	return slices.IndexFunc(b.tools, func(t *query.Tool) bool { return t.Name == name })
}

// describe is a tool as clients list it. All tools only read, and only the
// index.
func describe(t *query.Tool) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(t.Name, t.Description, t.InputSchema())
	tool.Title = t.Title
	tool.RawOutputSchema = t.Outline()
	tool.Annotations = mcp.ToolAnnotation{
		ReadOnlyHint:    mcp.ToBoolPtr(true),
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(true),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
	return tool
}

// A call is one call of a tool, checked. It goes past mcp-go in the context:
// mcp-go would read the arguments again, and more laxly, and makes -32603 of
// every error.
type call struct {
	tool      *query.Tool
	arguments query.Arguments
	refused   *rpcError // set when the tool itself refuses the arguments
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// parseCall checks the params of tools/call.
func (b *toolbox) parseCall(params jsontext.Value) (*call, *rpcError) {
	name, ok := stringOf(member(params, "name"))
	if !ok {
		return nil, &rpcError{codeParams, "tools/call: name must be a string, the tool's"}
	}
	t := b.find(name)
	if t == nil {
		return nil, &rpcError{codeParams, "unknown tool " + show.Quote(name) + perhaps(name, b.names())}
	}
	arguments, err := t.ParseArguments(json.RawMessage(member(params, "arguments")))
	if err != nil {
		return nil, &rpcError{codeParams, err.Error()}
	}
	return &call{tool: t, arguments: arguments}, nil
}

// handle answers a call that comes back out of mcp-go.
func (b *toolbox) handle(ctx context.Context, _ mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return nil, errors.New("the call has not been checked")
	}
	defer func() {
		if fault := recover(); fault != nil {
			result, err = mcp.NewToolResultError(c.tool.Name+": "+faultText(fault)), nil
		}
	}()
	answer, notice, err := b.index.Answer(ctx, c.tool, c.arguments)
	if argument, ok := errors.AsType[*query.ArgumentError](err); ok {
		c.refused = &rpcError{codeParams, argument.Error()}
		return nil, err
	}
	if err != nil {
		result = mcp.NewToolResultError(err.Error())
	} else {
		result = &mcp.CallToolResult{RawStructuredContent: answer}
	}
	if notice != "" {
		result.Content = append(result.Content, mcp.NewTextContent(notice))
	}
	return result, nil
}
