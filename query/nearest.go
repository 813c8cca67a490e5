package query

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"brick/internal/symbol"
)

// Nearest returns the name that a misspelt one most likely stands for, "" when
// none is like it: one that differs by case and separators only, else the
// nearest by edit distance (Levenshtein) if less than about a third of it is
// another, else the only one that has a word in common with it.
func Nearest(name string, of []string) string {
	const shared = "brick_" // says nothing about a tool
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.TrimPrefix(symbol.Fold(s), shared))
	}
	sought := plain(strings.ToValidUTF8(name[:min(len(name), maxCompared)], ""))
	if sought == "" {
		return ""
	}
	best, least := "", 0
	for _, other := range of {
		p := plain(other)
		d := levenshtein.ComputeDistance(sought, p)
		if d <= (max(len(sought), len(p))+1)/3 && (best == "" || d < least) {
			best, least = other, d
		}
	}
	if best != "" {
		return best
	}
	words := func(s string) []string { return symbol.Words(strings.TrimPrefix(symbol.Fold(s), shared)) }
	var sharing []string
	for _, other := range of {
		if slices.ContainsFunc(words(other), func(w string) bool { return slices.Contains(words(name), w) }) {
			sharing = append(sharing, other)
		}
	}
	if len(sharing) == 1 {
		return sharing[0]
	}
	return ""
}
