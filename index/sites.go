package index

import (
	"slices"

	"brick/model"
)

// siteKey tells apart the unresolved symbols that caller reports tell apart.
type siteKey struct{ name, language uint32 }

// siteTotals sums up the edges to the unresolved symbols of a key.
type siteTotals struct{ unresolved, named model.Sites }

// addSites adds an edge's sites to those of its target, when they can count
// in a caller report.
func (b *builder) addSites(e *spilledEdge, target uint32) {
	if len(e.sites) == 0 {
		return
	}
	c := &b.nodes
	switch c.class[target] {
	case unresolvedSymbol:
		if _, ok := c.functionNames[c.name[target]]; !ok {
			return
		}
		key := siteKey{c.name[target], c.language[target]}
		totals := b.sites[key]
		if totals == nil {
			totals = new(siteTotals)
			b.sites[key] = totals
		}
		if e.bits&spilledUnresolvedCall != 0 {
			totals.unresolved.Merge(readSites(e.sites))
		} else {
			totals.named.Merge(readSites(e.sites))
		}
	case functionNode:
		if e.bits&spilledNameReference == 0 {
			return
		}
		totals := b.named[target]
		if totals == nil {
			totals = new(model.Sites)
			b.named[target] = totals
		}
		totals.Merge(readSites(e.sites))
	}
}

// cFamily are the languages whose functions can call each other by name.
var cFamily = []string{"c", "cpp", "objective-c", "objective-cpp", "cuda"}

// sitesOf sums up the sites that may mean a function by its name: those of
// unresolved symbols of its name and its language, or a language of the same
// family, or no language. It takes a look-up for each language of the family.
func (b *builder) sitesOf(function uint32) (totals siteTotals) {
	for _, key := range b.siteKeys(function) {
		if t := b.sites[key]; t != nil {
			totals.unresolved.Merge(&t.unresolved)
			totals.named.Merge(&t.named)
		}
	}
	if named := b.named[function]; named != nil {
		totals.named.Merge(named)
	}
	return totals
}

// hasSites says whether some unresolved call may mean a function by its name.
func (b *builder) hasSites(function uint32) bool {
	return slices.ContainsFunc(b.siteKeys(function), func(key siteKey) bool {
		t := b.sites[key]
		return t != nil && t.unresolved.Count > 0
	})
}

// siteKeys are those of the unresolved symbols that may mean a function.
func (b *builder) siteKeys(function uint32) []siteKey {
	c := &b.nodes
	name, language := c.name[function], c.language[function]
	keys := []siteKey{{name, language}}
	if language != 0 {
		keys = append(keys, siteKey{name, 0})
	}
	if slices.Contains(cFamily, c.languages.text(language)) {
		for _, other := range cFamily {
			if n, ok := c.languages.find(other); ok && n != language {
				keys = append(keys, siteKey{name, n})
			}
		}
	}
	return keys
}
