package scip

import (
	"path"
	"strings"

	"brick/internal/lex"
)

var typescript = ecma("typescript", ".ts", ".tsx", ".mts", ".cts")

// componentMethods are those that React calls of a component that is a class.
var componentMethods = map[string]bool{
	"render": true, "componentDidMount": true, "componentDidUpdate": true, "componentWillUnmount": true, "componentDidCatch": true,
	"shouldComponentUpdate": true, "getSnapshotBeforeUpdate": true, "getDerivedStateFromProps": true, "getDerivedStateFromError": true,
	"componentWillMount": true, "componentWillReceiveProps": true, "componentWillUpdate": true,
}

var javascript = ecma("javascript", ".js", ".jsx", ".mjs", ".cjs")

// ecma is TypeScript or JavaScript, which call each other.
func ecma(name string, extensions ...string) *language {
	return &language{
		name: name, family: "ecmascript", extensions: extensions, partial: true, compiled: true,
		definers: []string{"function", "class"},
		text: textRules{
			Rules: lex.ECMAScript, typeArgs: "<", bang: true, optional: true, taggedString: true,
		},
		exported: func(n *node, before string) bool {
			switch {
			case hasWord(before, "private") || strings.HasPrefix(n.name, "#"):
				return false
			case n.kind == kindMethod || before == "":
				return true
			}
			return hasWord(before, "export")
		},
		testFile: func(name string) bool {
			base := path.Base(name)
			return strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || testFolder(name, "__tests__", "test", "tests", "e2e")
		},
		implicit: func(n *node) string {
			switch name := n.symbol.last().Name; {
			case strings.HasPrefix(n.declaration, objectMember):
				return "a member of an object that may be passed on"
			case n.kind == kindMethod && componentMethods[name]:
				return "a component's life"
			case name == "<constructor>", name == "constructor":
				return "new"
			case name == "toJSON":
				return "JSON.stringify"
			case name == "toString", name == "valueOf":
				return "conversion"
			case name == "then":
				return "await"
			case strings.Contains(name, "Symbol."):
				return name
			}
			return ""
		},
		framework: func(string) bool { return true },
		// scip-typescript gives a variable or property an enclosing range
		// only when a function is assigned to it.
		valueFunction: func(n *node, o *occurrence) bool {
			return n.symbol.scheme == "scip-typescript" && !o.enclosing.isZero() && (strings.Contains(n.declaration, "=>") || n.function())
		},
		structural: func(n *node) bool {
			return n.kind == "field" || n.parent.kind == kindInterface || n.parent.kind == "type"
		},
		skipDir: func(name string) bool { return name == "node_modules" || name == "dist" || name == "build" },
	}
}
