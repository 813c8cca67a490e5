package mention

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func wordsOf(names *Names, text string) []string {
	var got []string
	names.Each([]byte(text), func(offset, id int) { got = append(got, fmt.Sprintf("%d %s", offset, names.Name(id))) })
	return got
}

func TestWholeWords(t *testing.T) {
	names := NewNames([]string{"total", "_weigh", "$get", "größe", "a", strings.Repeat("long", 20)})
	for _, c := range []struct {
		text string
		want []string
	}{
		{"total", []string{"0 total"}},
		{"cart.total()", []string{"5 total"}},
		{`"total"`, []string{"1 total"}},
		{"totals subtotal total2 _total Total", nil},
		{"$total ${total}", []string{"1 total", "9 total"}}, // a shell's variable, a template's
		{"$get get", []string{"0 $get"}},                    // a name with a dollar
		{"größe grö", []string{"0 größe"}},                  // letters outside of ASCII
		{"调用total函数", []string{"6 total"}},                  // no spaces between words
		{"_weigh weigh", []string{"0 _weigh"}},              //
		{"a-b a_b", []string{"0 a"}},                        // a hyphen is no letter
		{strings.Repeat("long", 20), []string{"0 " + strings.Repeat("long", 20)}},
		{"total\x00total", []string{"0 total", "6 total"}},
		{"", nil},
	} {
		if got := wordsOf(names, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// In ASCII without "$" the words are those of the obvious definition.
func TestNamesAgainstFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-c_1]{1,3}`)
		list := rapid.SliceOfN(word, 0, 6).Draw(t, "names")
		text := rapid.StringMatching(`[a-c_1 .("\n]{0,40}`).Draw(t, "text")
		names := NewNames(list)
		var got []string
		names.Each([]byte(text), func(offset, id int) {
			name := names.Name(id)
			if text[offset:offset+len(name)] != name {
				t.Fatalf("%q is not at %d of %q", name, offset, text)
			}
			got = append(got, name)
		})
		var want []string
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if slices.Contains(list, w) {
				want = append(want, w)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %q, want %q", list, text, got, want)
		}
	})
}

func BenchmarkEach(b *testing.B) {
	names := NewNames([]string{"total", "render", "_weigh", "get", "run"})
	text := []byte(strings.Repeat("func (c *Cart) total(items []Item) error { return c.render(items, \"get\") }\n", 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		names.Each(text, func(int, int) {})
	}
}
