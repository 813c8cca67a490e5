package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/show"
	"brick/model"
	"brick/query"
)

// caveats says what statuses and bases mean, for agents and people.
//
//go:embed caveats.md
var caveats string

// codeNotFound is MCP's own code for a resource that isn't there.
const codeNotFound = -32002

// A resource is what resources/list and resources/templates/list tell of it.
type resource struct {
	URI         string `json:"uri,omitempty"`
	URITemplate string `json:"uriTemplate,omitempty"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	MIMEType    string `json:"mimeType"`
}

const (
	jsonType  = "application/json"
	nodeURI   = "brick://node/"
	fileURI   = "brick://file/"
	nodeIDs   = nodeURI + "{id}"
	filePaths = fileURI + "{path}"
)

var resources = []resource{
	{URI: "brick://summary", Name: "summary", Title: "What the graph is of, in figures", MIMEType: jsonType,
		Description: "The answer of brick_summary: counts, coverage, rankings, digests."},
	{URI: "brick://schema", Name: "schema", Title: "The schema of the model", MIMEType: "application/schema+json",
		Description: "The JSON Schema of the documents that indexes are built from: what members nodes and edges have."},
	{URI: "brick://caveats", Name: "caveats", Title: "How far to trust an answer", MIMEType: "text/markdown",
		Description: "What each status, reason, basis and lane means, and what none of them proves."},
}

var templates = []resource{
	{URITemplate: nodeIDs, Name: "node", Title: "A node with its edges", MIMEType: jsonType,
		Description: "The answer of brick_evidence for the node of that id, percent-encoded."},
	{URITemplate: filePaths, Name: "file", Title: "A file with its definitions", MIMEType: jsonType,
		Description: "The answer of brick_file for the file of that path, percent-encoded."},
}

// listResources answers resources/list.
func listResources(context.Context, *toolbox, jsontext.Value) (any, *rpcError) {
	return struct {
		Resources []resource `json:"resources"`
	}{resources}, nil
}

// listTemplates answers resources/templates/list.
func listTemplates(context.Context, *toolbox, jsontext.Value) (any, *rpcError) {
	return struct {
		Templates []resource `json:"resourceTemplates"`
	}{templates}, nil
}

type resourceContents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
}

// readResource answers resources/read.
func readResource(ctx context.Context, b *toolbox, params jsontext.Value) (any, *rpcError) {
	uri, ok := stringOf(member(params, "uri"))
	if !ok {
		return nil, &rpcError{codeParams, "resources/read: uri must be a string"}
	}
	contents, problem := b.contents(ctx, uri)
	if problem != nil {
		return nil, problem
	}
	return struct {
		Contents []resourceContents `json:"contents"`
	}{contents}, nil
}

// contents returns the text of a resource, and a notice where there
// is one.
func (b *toolbox) contents(ctx context.Context, uri string) ([]resourceContents, *rpcError) {
	switch uri {
	case "brick://schema":
		return []resourceContents{{uri, "application/schema+json", string(model.Schema)}}, nil
	case "brick://caveats":
		return []resourceContents{{uri, "text/markdown", caveats}}, nil
	case "brick://summary":
		return b.toolContents(ctx, uri, "brick_summary", nil)
	}
	for _, template := range []struct{ prefix, tool, argument string }{
		{nodeURI, "brick_evidence", "entity_id"},
		{fileURI, "brick_file", "path"},
	} {
		encoded, ok := strings.CutPrefix(uri, template.prefix)
		if !ok {
			continue
		}
		value, err := url.PathUnescape(encoded)
		if err != nil {
			return nil, &rpcError{codeParams, "resources/read: " + show.Quote(uri) + " is not percent-encoded as it should be"}
		}
		return b.toolContents(ctx, uri, template.tool, map[string]string{template.argument: value})
	}
	return nil, &rpcError{codeNotFound, "there is no resource " + show.Quote(uri)}
}

// noticePart is what the URI of a notice has behind the resource's: no two
// contents have one URI, so that a client that keeps them by it keeps both.
const noticePart = "#notice"

// toolContents is a tool's answer as the text of a resource, which is JSON
// whole, and the notice that comes with it as a content of its own.
func (b *toolbox) toolContents(ctx context.Context, uri, name string, arguments map[string]string) ([]resourceContents, *rpcError) {
	raw, err := json.Marshal(arguments)
	if arguments == nil {
		raw = nil
	}
	t := b.find(name)
	if err != nil || t == nil {
		return nil, &rpcError{codeInternal, "resources/read: there is no " + name}
	}
	a, err := t.ParseArguments(raw)
	if err != nil {
		return nil, &rpcError{codeParams, err.Error()}
	}
	answer, notice, err := b.index.Answer(ctx, t, a)
	if err != nil {
		e := &rpcError{codeInternal, err.Error()}
		if _, ok := errors.AsType[*query.NotFoundError](err); ok {
			e.code = codeNotFound
		}
		if notice != "" {
			e.message += "\n" + notice
		}
		return nil, e
	}
	contents := []resourceContents{{uri, jsonType, string(answer)}}
	if notice != "" {
		contents = append(contents, resourceContents{uri + noticePart, "text/plain", notice})
	}
	return contents, nil
}
