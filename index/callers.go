package index

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
	"brick/model"
	"brick/store"
)

// report makes a function's caller report (see docs/queries.md).
func (b *builder) report(function uint32, flags []model.FlagValue) store.Report {
	c := &b.edges
	calls := c.source[c.in[function]:c.inCalls[function]]
	r := store.Report{
		Resolved:   len(calls) > 0,
		Compiler:   b.compilerSaw[b.nodes.path[function]],
		Resolution: b.resolutionOf(function),
	}
	if r.Resolved {
		r.RecursiveOnly = !slices.ContainsFunc(calls, func(caller uint32) bool { return caller != function })
		if b.mayBeCalledOtherwise(function, flags) {
			r.Also = b.otherCalls(function, flags)
		}
		r.TestsOnly = !r.RecursiveOnly && !b.nodes.isTest(function) &&
			!slices.ContainsFunc(calls, func(caller uint32) bool { return caller != function && !b.nodes.isTest(caller) })
		return r
	}
	r.Reasons, r.Closed = b.reasons(function, flags)
	return r
}

// reasons writes the reasons that hold, as JSON objects with commas between
// them, and returns how many bytes of them are left with a closed world.
func (b *builder) reasons(function uint32, flags []model.FlagValue) (reasons []byte, closed int) {
	sites := b.sitesOf(function)
	reasons = appendUnresolved(reasons, &sites.unresolved)
	if s := &sites.named; s.Count > 0 {
		reasons = separate(reasons)
		reasons = append(reasons, `{"reason":"referenced-by-name","count":`...)
		reasons = strconv.AppendInt(reasons, int64(s.Count), 10)
		if len(s.ByReason) > 0 {
			reasons = append(reasons, `,"by_mention":`...)
			reasons = appendCounts(reasons, s.ByReason)
		}
		reasons = appendExamples(reasons, s.Examples)
	}
	closed = len(reasons)
	for _, f := range b.withFileFlags(function, flags) {
		reasons = appendFlag(reasons, f)
		if f.Flag != model.FlagExported && f.Flag != model.FlagExternalLinkage {
			closed = len(reasons)
		}
	}
	return reasons, closed
}

// mayBeCalledOtherwise says whether more calls may reach a function than those
// that are resolved to it: unresolved ones of its name, or those of what it
// implements, or by a framework or the language. That it is virtual does not
// say so by itself: calls of it may reach others.
func (b *builder) mayBeCalledOtherwise(function uint32, flags []model.FlagValue) bool {
	return b.hasSites(function) || slices.ContainsFunc(flags, func(f model.FlagValue) bool {
		return f.Flag != model.FlagVirtual && otherwise(f.Flag)
	})
}

// otherwise says whether a flag is about calls that are not resolved to the
// function.
func otherwise(flag model.Flag) bool { return flag <= model.FlagOutsideClassMember }

// otherCalls writes the reasons why more calls may reach a function.
func (b *builder) otherCalls(function uint32, flags []model.FlagValue) []byte {
	sites := b.sitesOf(function)
	also := appendUnresolved(nil, &sites.unresolved)
	for _, f := range flags {
		if otherwise(f.Flag) {
			also = appendFlag(also, f)
		}
	}
	return also
}

// appendUnresolved appends the reason that there are unresolved call sites.
func appendUnresolved(reasons []byte, s *model.Sites) []byte {
	if s.Count == 0 {
		return reasons
	}
	reasons = append(reasons, `{"reason":"unresolved-call-sites","count":`...)
	reasons = strconv.AppendInt(reasons, int64(s.Count), 10)
	reasons = append(reasons, `,"by_unresolved_reason":`...)
	reasons = appendCounts(reasons, s.ByReason)
	return appendExamples(reasons, s.Examples)
}

// appendFlag appends the reason that a flag gives.
func appendFlag(reasons []byte, f model.FlagValue) []byte {
	reasons = separate(reasons)
	reasons = append(reasons, `{"reason":"`...)
	reasons = append(reasons, flagReasons[f.Flag]...)
	reasons = append(reasons, `","detail":`...)
	reasons = append(reasons, f.Value...)
	return append(reasons, '}')
}

// flagReasons are the reasons' names.
var flagReasons = [model.FlagCount]string{
	model.FlagVirtual:            "virtual",
	model.FlagTraitImpl:          "trait-impl",
	model.FlagExternalBase:       "external-base",
	model.FlagFrameworkAttribute: "framework-attribute",
	model.FlagImplicitInvocation: "implicit-invocation",
	model.FlagOutsideClassMember: "outside-class-member",
	model.FlagParseIncomplete:    "parse-incomplete",
	model.FlagEntryPoint:         "entry-point",
	model.FlagTestCode:           "test-code",
	model.FlagExported:           "exported",
	model.FlagExternalLinkage:    "external-linkage",
}

// withFileFlags returns a function's flags with those of its file, in order.
// Parse-incomplete is the file's alone; of test-code the function's counts
// before its file's.
func (b *builder) withFileFlags(function uint32, flags []model.FlagValue) []model.FlagValue {
	file := b.nodes.files[b.nodes.path[function]]
	var all []model.FlagValue
	testCode := false
	for _, f := range flags {
		if f.Flag == model.FlagParseIncomplete {
			continue
		}
		testCode = testCode || f.Flag == model.FlagTestCode
		all = append(all, f)
	}
	if file.parseIncomplete != nil {
		all = append(all, model.FlagValue{Flag: model.FlagParseIncomplete, Value: file.parseIncomplete})
	}
	if file.testCode != nil && !testCode {
		all = append(all, model.FlagValue{Flag: model.FlagTestCode, Value: file.testCode})
	}
	slices.SortFunc(all, func(x, y model.FlagValue) int { return cmp.Compare(x.Flag, y.Flag) })
	return all
}

func separate(b []byte) []byte {
	if len(b) > 0 {
		return append(b, ',')
	}
	return b
}

// appendExamples ends a reason that has examples.
func appendExamples(b []byte, examples []string) []byte {
	b = append(b, `,"examples":[`...)
	for i, example := range examples {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, example)
	}
	return append(b, ']', '}')
}

func appendCounts(b []byte, counts map[string]int) []byte {
	b = append(b, '{')
	for i, name := range canon.SortedNames(counts) {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, name)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(counts[name]), 10)
	}
	return append(b, '}')
}

// findCompiled notes the paths of which a compiler saw the calls: those of
// the sources of calls with evidence in lane imported.
func (b *builder) findCompiled() {
	b.compilerSaw = make([]bool, b.nodes.paths.len())
	for e, imported := range b.edges.imported {
		if imported {
			b.compilerSaw[b.nodes.path[b.edges.source[e]]] = true
		}
	}
	b.compilerSaw[0] = false // no path
}
