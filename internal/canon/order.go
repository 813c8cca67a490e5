package canon

import (
	"cmp"
	"slices"
)

// SortedNames returns the names of a JSON object in the order of RFC 8785.
func SortedNames[V any](object map[string]V) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, CompareNames)
	return names
}

// CompareNames compares names in the order of RFC 8785, by UTF-16 code units.
// That is the order of the UTF-8 bytes, but for characters above U+FFFF: their
// surrogates are before U+E000 to U+FFFF.
func CompareNames[T string | []byte](a, b T) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return cmp.Compare(len(a), len(b))
	}
	const (
		privateUse    = 0xEE // first byte of U+E000 and above
		supplementary = 0xF0 // first byte of U+10000 and above
	)
	if x, y := a[i], b[i]; x >= privateUse && y >= privateUse && (x >= supplementary) != (y >= supplementary) {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(a[i], b[i])
}
