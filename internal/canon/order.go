package canon

import (
	"slices"
	"unicode/utf16"
)

// SortedNames returns the names of a JSON object in the order of RFC 8785: by
// UTF-16 code units.
func SortedNames[V any](object map[string]V) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	return names
}
