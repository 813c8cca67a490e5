package canon

import (
	"slices"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// TestCompareNames compares strings that have much in common as RFC 8785
// defines their order.
func TestCompareNames(t *testing.T) {
	runes := []rune{'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF}
	name := rapid.StringOfN(rapid.SampledFrom(runes), 0, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := CompareNames(a, b); got != want {
			t.Fatalf("CompareNames(%q, %q) = %d, want %d", a, b, got, want)
		}
		if got := CompareNames([]byte(a), []byte(b)); got != want {
			t.Fatalf("of bytes, CompareNames(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}
