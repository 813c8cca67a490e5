package scip

import (
	"path"
	"strings"

	"brick/internal/lex"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

var rust = &language{
	name: "rust", family: "rust", extensions: []string{".rs"},
	definers: []string{"fn"},
	text: textRules{
		Rules: lex.Rust, typeArgs: "::<", bang: true,
	},
	exported: func(n *node, before string) bool {
		return hasWord(n.declaration, "pub") && !strings.Contains(n.declaration, "pub(") ||
			hasWord(before, "pub") && !strings.Contains(before, "pub(")
	},
	testFile: func(name string) bool {
		base := path.Base(name)
		return testFolder(name, "tests", "benches") || base == "tests.rs" || strings.HasSuffix(base, "_test.rs")
	},
	implicit: func(n *node) string {
		if t := rustTrait(n.symbol); t == "Drop" || n.name == "drop" && n.kind == kindMethod {
			return "Drop"
		}
		return ""
	},
	framework: func(attribute string) bool {
		name := strings.TrimLeft(attribute, "#![ ")
		if i := strings.IndexAny(name, "(]= "); i >= 0 {
			name = name[:i]
		}
		switch name {
		case "inline", "allow", "warn", "deny", "expect", "must_use", "doc", "cfg", "cfg_attr", "derive", "deprecated",
			"track_caller", "cold", "target_feature", "rustfmt::skip", "non_exhaustive", "test", "ignore", "should_panic":
			return false
		}
		return true
	},
	skipDir: func(name string) bool { return name == "target" },
}

// rustTrait is the trait that a method is implemented for, which
// rust-analyzer writes as the second type parameter of the impl block:
// impl#[Type][Trait]method(). It is "" for other methods.
func rustTrait(s symbol) string {
	var found []string
	impl := false
	for _, d := range s.descriptors[:len(s.descriptors)-1] {
		switch {
		case d.Suffix == pb.Descriptor_Type:
			impl, found = d.Name == "impl", nil
		case d.Suffix == pb.Descriptor_TypeParameter && impl:
			found = append(found, d.Name)
		}
	}
	if len(found) == 2 {
		return found[1]
	}
	return ""
}
