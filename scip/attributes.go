package scip

import (
	"regexp"
	"slices"
	"strings"
)

// describe sets what a function's declaration says of it: the reasons for
// which it may be called though no call is seen. When unsure a reason is
// given: a needless one costs a look, a missing one a wrong deletion.
// The list starts with the node's first definition and may have further ones.
func (im *importer) describe(n *node, list []defined, s *source) {
	if !n.function() {
		return
	}
	before := ""
	decorators := n.decorators
	if s != nil {
		before = s.before(list[0].definition)
		if len(decorators) == 0 {
			decorators = s.decorators(list[0].definition, before)
		}
		for _, d := range list[1:] {
			if d.node == n {
				decorators = append(slices.Clip(decorators), s.decorators(d.definition, s.before(d.definition))...)
			}
		}
	}
	l := n.lang
	if n.isVirtual(before, decorators) {
		n.set("source.virtual", true)
	}
	switch list := im.implemented(n); len(list) {
	case 0:
	case 1:
		n.set("source.trait-impl", list[0])
	default:
		n.set("source.trait-impl", list)
	}
	if isEntryPoint(n) {
		n.set("source.entry-point", true)
	}
	if l.exported(n, before) {
		n.set("source.exported", true)
	}
	if n.test || slices.ContainsFunc(decorators, isRustTest) || l == rust && inTestModule(n) {
		n.set("source.test-code", true)
	}
	if l.implicit != nil {
		if by := l.implicit(n); by != "" {
			n.set("source.implicit-invocation", by)
		}
	}
	if l.framework != nil {
		var kept []string
		for _, d := range decorators {
			if l.framework(d) && !slices.Contains(kept, d) {
				kept = append(kept, d)
			}
		}
		if len(kept) > 0 {
			n.set("source.framework-attribute", strings.Join(kept, " "))
		}
	}
	if n.parametersKnown() {
		n.set("metrics.parameters", max(n.parameters, n.children))
	}
	if n.exact {
		n.set("metrics.lines", int(n.span.end.line-n.span.start.line)+1)
	}
}

// parametersKnown says whether the index has a function's parameters: in its
// signature, or as symbols.
func (n *node) parametersKnown() bool {
	if strings.HasPrefix(n.declaration, localFunction) || strings.HasPrefix(n.declaration, objectMember) {
		return n.children > 0 // their parameters are local
	}
	return n.parameters >= 0 || n.children > 0 || n.symbol.scheme == "scip-typescript" || n.symbol.scheme == "scip-python"
}

// isVirtual says whether a method is called through what overrides it.
func (n *node) isVirtual(before string, decorators []string) bool {
	if n.virtual || hasWord(before, "abstract") || slices.ContainsFunc(decorators, isAbstract) {
		return true
	}
	if n.parent == nil {
		return false
	}
	switch n.parent.kind {
	case kindInterface, "trait":
		return n.lang != golang
	}
	return n.lang == python && isProtocol(n.parent)
}

func isAbstract(decorator string) bool { return strings.Contains(decorator, "abstractmethod") }
func isRustTest(attribute string) bool {
	return strings.HasPrefix(attribute, "#[") && hasWord(attribute, "test")
}

func inTestModule(n *node) bool {
	for _, d := range n.symbol.descriptors {
		if d.Name == "tests" || d.Name == "test" {
			return true
		}
	}
	return false
}

// implemented are the ids of what a method implements, or, where that has no
// symbol, its name.
func (im *importer) implemented(n *node) []string {
	if n.kind != kindMethod || n.virtual {
		return nil
	}
	var list []string
	for _, base := range im.table.implemented(n) {
		list = append(list, base.id)
	}
	if trait := rustTrait(n.symbol); trait != "" && n.lang == rust {
		list = append(list, trait)
	}
	if place, ok := im.table.silentInterfaces[nameKey{n.lang.family, n.name}]; ok && len(list) == 0 {
		list = append(list, "an interface whose implementations the producer does not list, in "+place)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var decoratorInText = regexp.MustCompile(`@[\w$.]+`)

// decorators are the decorators and attributes that a definition has in the
// text: before its name, and on the lines above it.
func (s *source) decorators(d definition, before string) []string {
	var list []string
	add := func(line string) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#["):
			list = append(list, line)
		case strings.HasPrefix(line, "@"):
			list = append(list, decoratorInText.FindAllString(line, -1)...)
		}
	}
	for line := range strings.Lines(before) {
		add(line)
	}
	top := d.name.start.line
	if !d.enclosing.isZero() {
		top = min(top, d.enclosing.start.line)
	}
	for i := top - 1; i >= 0; i-- {
		line := strings.TrimSpace(string(s.line(i)))
		if !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "#[") && !strings.HasPrefix(line, s.rules.LineComment) {
			break
		}
		if strings.HasPrefix(line, "//go:linkname ") || strings.HasPrefix(line, "//export ") {
			list = append(list, line)
		}
		add(line)
	}
	return list
}
