package mention

import (
	"fmt"
	"slices"
	"testing"

	"brick/internal/lex"
)

func TestNamesThatAreComputed(t *testing.T) {
	parts := NewParts([]string{"parse_set", "parse_block", "onClick", "do_GET", "load_handler", "parse_"})
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"python", `getattr(self, f"parse_{tag}")`, []string{"16 parse_block", "16 parse_set"}},
		{"python", `getattr(self, "parse_" + tag)`, []string{"15 parse_block", "15 parse_set"}},
		{"python", `x = "do_%s" % verb`, []string{"5 do_GET"}},
		{"python", `x = "%s_handler" % verb`, []string{"7 load_handler"}},
		{"python", `x = verb + "_handler"`, []string{"12 load_handler"}},
		{"python", `x = f"{verb}_handler"`, []string{"12 load_handler"}},
		{"typescript", "this[`onCl${event}`]()", []string{"6 onClick"}},
		{"typescript", `this["onCl" + event]()`, []string{"6 onClick"}},
		{"typescript", `this["onCl"]()`, nil},       // nothing is added
		{"typescript", `this["on" + event]()`, nil}, // too short
		{"python", "parse_ = 1 # parse_", nil},      // no string
		{"python", `x = "parse_set"`, nil},          // a whole name is found otherwise
		{"python", `x = "pars"`, nil},               //
		{"python", `x = "parse_sets_{}"`, nil},      //
		{"python", `x = "_"`, nil},                  //
		{"typescript", "`${a}Click`", []string{"5 onClick"}},
	} {
		var got []string
		text := []byte(c.text)
		parts.Each(text, lex.Classify(text, lex.Of(c.language)), func(offset int, name string) { got = append(got, fmt.Sprint(offset, " ", name)) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
