package scip

import (
	"path"
	"slices"
	"strings"

	"brick/internal/lex"
)

var python = &language{
	name: "python", family: "python", extensions: []string{".py", ".pyi"},
	definers: []string{"def", "class"},
	text:     textRules{Rules: lex.Python, newlineEnds: true, indented: true},
	exported: func(n *node, _ string) bool {
		return !strings.HasPrefix(n.name, "_") || isDunder(n.name)
	},
	testFile: func(name string) bool {
		base := path.Base(name)
		return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || base == "conftest.py" || testFolder(name, "test", "tests")
	},
	implicit: func(n *node) string {
		if n.kind == kindMethod && isDunder(n.name) || n.name == "__getattr__" || n.name == "__dir__" {
			return "Python's protocol " + n.name
		}
		if n.kind == kindMethod {
			for _, prefix := range pythonDispatch {
				if strings.HasPrefix(n.name, prefix) {
					return "dispatch by name: " + prefix + "…"
				}
			}
		}
		return ""
	},
	framework: func(decorator string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(decorator, "@"), "(")
		switch strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:]) {
		case "staticmethod", "classmethod", "property", "cached_property", "setter", "getter", "deleter",
			"abstractmethod", "overload", "override", "final":
			return false
		}
		return true
	},
	// What pyright infers may be a class that a mixin or a duck stands in for.
	structural: func(n *node) bool { return n.kind == kindMethod },
	// A stub declares what its module defines.
	sameFile: func(a, b string) bool { return a == b+"i" || b == a+"i" },
	skipDir: func(name string) bool {
		return name == "__pycache__" || name == "venv" || name == "site-packages"
	},
}

// pythonDispatch are how the names of methods start that the standard library
// calls by computed names: ast, http.server, cmd, html.parser, unittest.
var pythonDispatch = []string{"visit_", "do_", "handle_", "help_", "complete_", "setUp", "tearDown", "asyncSetUp", "asyncTearDown"}

func isDunder(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// isProtocol says whether a class is one that others implement without saying
// so.
func isProtocol(class *node) bool {
	return slices.ContainsFunc(class.implements, func(base string) bool { return strings.HasSuffix(base, "/Protocol#") })
}
