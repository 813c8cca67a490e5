package golang

import (
	"slices"
	"strings"
)

// attributes are those of a definition that its file tells.
type attributes struct {
	Function bool // then it has metrics
	Lines    int
	metrics
	Exported, Virtual, EntryPoint, Test, ExternalLinkage bool
	Method                                               bool // exported, of a type that is no interface
	Implicit                                             string
	Framework                                            []string
}

// metrics are figures of a function.
type metrics struct{ Cyclomatic, Nesting, Parameters int }

// asMap gives attributes as models have them.
func (a *attributes) asMap() map[string]any {
	m := map[string]any{}
	if a.Function {
		m["metrics.lines"] = a.Lines
		m["metrics.cyclomatic"] = a.Cyclomatic
		m["metrics.nesting"] = a.Nesting
		m["metrics.parameters"] = a.Parameters
	}
	for name, on := range map[string]bool{
		"source.exported": a.Exported, "source.virtual": a.Virtual, "source.entry-point": a.EntryPoint,
		"source.test-code": a.Test, "source.external-linkage": a.ExternalLinkage,
	} {
		if on {
			m[name] = true
		}
	}
	if a.Implicit != "" {
		m["source.implicit-invocation"] = a.Implicit
	}
	if len(a.Framework) > 0 {
		m["source.framework-attribute"] = strings.Join(a.Framework, " ")
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// protocols are methods that the standard library, or a package that many
// use, calls through reflection or an interface without an exported name, and
// what calls them.
var protocols = func() map[string]string {
	by := map[string]string{
		"String": "fmt", "GoString": "fmt", "Format": "fmt", "Scan": "fmt, database/sql", "Error": "error",
		"Is": "errors", "As": "errors", "Unwrap": "errors", "Timeout": "net", "Temporary": "net",
		"Len": "sort", "Less": "sort", "Swap": "sort", "Push": "container/heap", "Pop": "container/heap",
		"Value": "database/sql/driver", "IsBoolFlag": "flag", "IsZero": "encoding", "LogValue": "log/slog",
		"GobEncode": "encoding/gob", "GobDecode": "encoding/gob", "RuntimeError": "runtime",
		"Generate": "testing/quick", "Flush": "net/http", "FlushError": "net/http", "Hijack": "net/http",
		"SetReadDeadline": "net/http", "SetWriteDeadline": "net/http", "EnableFullDuplex": "net/http",
		"AppendText": "encoding", "AppendBinary": "encoding", "WriteString": "io",
		"Lock": "go vet", "Unlock": "go vet",
	}
	for _, encoding := range []string{"JSON", "Text", "Binary", "XML", "XMLAttr", "YAML", "TOML", "BSON", "MsgPack", "CBOR"} {
		by["Marshal"+encoding], by["Unmarshal"+encoding] = "encoding", "encoding"
	}
	by["MarshalJSONTo"], by["UnmarshalJSONFrom"] = "encoding", "encoding"
	return by
}()

// reflectors are packages that call the exported methods of what they are
// given by name.
var reflectors = []string{"text/template", "html/template", "net/rpc"}

// reflector is one that a unit imports, "" for none.
func (u *unit) reflector() string {
	for _, f := range slices.Concat(u.todo, u.context) {
		for _, p := range f.imports {
			if slices.Contains(reflectors, p) {
				return p
			}
		}
	}
	return ""
}

// isTestFunction says whether go test calls a function of a test's file by its
// name.
func isTestFunction(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}
