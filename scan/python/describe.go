package python

import (
	"path"
	"strings"

	"brick/scan/facts"
	"brick/scan/resolve"
)

// describe says of functions for which reasons they may be called though no
// call is seen.
type describe struct {
	*modules
	entries map[resolve.Value]bool
}

func (d *describe) Module(unit int32) facts.Module { return d.named[unit] }

// Test says whether a file is one of tests, by the conventions of pytest,
// unittest and Django.
func (d *describe) Test(name string) bool { return isTest(name) }

func isTest(name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || base == "conftest.py" || base == "tests.py" {
		return true
	}
	for _, folder := range strings.Split(path.Dir(name), "/") {
		if folder == "test" || folder == "tests" || folder == "testing" {
			return true
		}
	}
	return false
}

// dispatch are how the names of methods start that the standard library calls
// by computed names: ast, http.server, cmd, html.parser, unittest; and pytest's
// hooks.
var dispatch = []string{"visit_", "do_", "handle_", "help_", "complete_", "pytest_", "generic_visit"}

// called are names by which test runners call functions.
var called = set("setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "asyncSetUp", "asyncTearDown",
	"setup_module", "teardown_module", "setup_class", "teardown_class", "setup_method", "teardown_method", "setup_function", "teardown_function",
	"setUpTestData", "load_tests", "runTest")

func (d *describe) Attributes(p *resolve.Program, unit, def int32, a map[string]any) {
	u := p.Units[unit]
	f := &u.Defs[def]
	if !f.IsFunction() {
		return
	}
	if exported(u, def) {
		a["source.exported"] = true
	}
	if isTest(u.Path) || strings.HasPrefix(f.Name, "test_") {
		a["source.test-code"] = true
	}
	if by := implicit(f); by != "" {
		a["source.implicit-invocation"] = by
	}
	if text := registers(f); text != "" {
		a["source.framework-attribute"] = text
	}
	v := resolve.Value{Kind: resolve.Function, Unit: unit, Index: def}
	if d.entries[v] {
		a["source.entry-point"] = true
	}
	if f.Kind == "method" && f.Parent >= 0 {
		class := resolve.Value{Kind: resolve.Class, Unit: unit, Index: int32(f.Parent)}
		if base := p.ForeignBase(class); base != "" {
			a["source.external-base"] = base
		}
		if f.Flags&resolve.Abstract != 0 || p.Overrides(class, f.Name) {
			a["source.virtual"] = true
		}
	}
}

// exported says whether a function can be named from outside of its module by
// the conventions of the language.
func exported(u *resolve.Unit, def int32) bool {
	for ; def >= 0; def = int32(u.Defs[def].Parent) {
		d := &u.Defs[def]
		if strings.HasPrefix(d.Name, "_") && !isDunder(d.Name) {
			return false
		}
		if d.Parent >= 0 && u.Defs[d.Parent].Kind != "class" {
			return false
		}
	}
	return true
}

func isDunder(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func implicit(f *resolve.Def) string {
	if isDunder(f.Name) {
		return "Python's protocol " + f.Name
	}
	if called[f.Name] {
		return "a test runner's " + f.Name
	}
	for _, prefix := range dispatch {
		if strings.HasPrefix(f.Name, prefix) {
			return "dispatch by name: " + prefix + "…"
		}
	}
	if f.Kind == "method" && (f.Name == "_missing_" || f.Name == "_generate_next_value_") {
		return "Python's enum " + f.Name
	}
	if f.Kind == "method" && f.Name == "mro" {
		return "Python's type.mro"
	}
	return ""
}

// registers are the decorators that may keep a function to call it later.
func registers(f *resolve.Def) string {
	var list []string
	for _, d := range f.Decorators {
		if !d.Known {
			list = append(list, "@"+d.Text)
		}
	}
	return strings.Join(list, " ")
}
