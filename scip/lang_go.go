package scip

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brick/internal/lex"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

var golang = &language{
	name: "go", family: "go", compiled: true, extensions: []string{".go"},
	text: textRules{Rules: lex.Go, newlineEnds: true, typeArgs: "["},
	exported: func(n *node, _ string) bool {
		r, _ := utf8.DecodeRuneInString(n.name)
		return unicode.IsUpper(r)
	},
	testFile: func(name string) bool { return strings.HasSuffix(name, "_test.go") },
	implicit: func(n *node) string {
		if n.kind != kindMethod {
			return ""
		}
		return goProtocols[n.name]
	},
	framework: func(string) bool { return true }, // go:linkname and export
	skipDir:   func(name string) bool { return name == "testdata" || name == "vendor" || strings.HasPrefix(name, "_") },
}

// goProtocols are methods that the standard library, or a package that many
// use, calls through reflection or an interface without an exported name, and
// what calls them.
var goProtocols = func() map[string]string {
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

// isEntryPoint says whether a program's start calls a function by its name.
func isEntryPoint(n *node) bool {
	if n.kind != kindFunction || n.parent != nil {
		return false
	}
	return n.name == "main" || n.lang == golang && n.name == "init" && n.symbol.last().Suffix == pb.Descriptor_Method
}
