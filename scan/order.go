package scan

import (
	"cmp"
	"slices"

	"brick/scan/facts"
)

// order puts what a file says into the order of its places, so that the same
// facts give the same model in whichever order an engine finds them.
func order(f *facts.File) {
	slices.SortFunc(f.Imports, func(a, b facts.Import) int {
		return cmp.Or(compare(a.At, b.At), compareTargets(a.Target, b.Target))
	})
	slices.SortFunc(f.Inherits, func(a, b facts.Inherit) int {
		return cmp.Or(compare(a.At, b.At), cmp.Compare(a.From, b.From), compareTargets(a.Target, b.Target))
	})
	for i := range f.Sites {
		slices.SortFunc(f.Sites[i].Targets, compareTargets)
	}
	slices.SortFunc(f.Sites, func(a, b facts.Site) int {
		return cmp.Or(compare(a.At, b.At), cmp.Compare(a.From, b.From), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason),
			slices.CompareFunc(a.Targets, b.Targets, compareTargets))
	})
	slices.SortFunc(f.References, func(a, b facts.Reference) int {
		return cmp.Or(compare(a.At, b.At), cmp.Compare(a.From, b.From), cmp.Compare(a.Name, b.Name), compareTargets(a.Target, b.Target))
	})
}

// compareTargets puts what is certain (symbolic) before what may be
// (heuristic).
func compareTargets(a, b facts.Target) int {
	return cmp.Or(cmp.Compare(b.Lane, a.Lane), cmp.Compare(a.ID, b.ID))
}
