package show

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for _, test := range []struct{ s, want string }{
		{"", `""`},
		{"a é 日 😀", `"a é 日 😀"`},
		{"\"\\/", `"\"\\/"`},
		{"\x00\b\n\r\t\x1b\x7f", `"\u0000\u0008\u000a\u000d\u0009\u001b\u007f"`},
		{"\u0085\u009f\u00a0\u200b\u200e\u202e\u2028\u2029\u2066\ufeff", `"\u0085\u009f\u00a0\u200b\u200e\u202e\u2028\u2029\u2066\ufeff"`},
		{"\U000e0001", `"\udb40\udc01"`},
		{"\xff", `"�"`},
		{strings.Repeat("x", 512), `"` + strings.Repeat("x", 512) + `"`},
		{strings.Repeat("x", 513), `"` + strings.Repeat("x", 256) + `"… (513 bytes)`},
		{"x" + strings.Repeat("é", 300), `"x` + strings.Repeat("é", 127) + `"… (601 bytes)`},
	} {
		if got := Quote(test.s); got != test.want {
			t.Errorf("Quote(%q) = %s, want %s", test.s, got, test.want)
		}
	}
}

// A quoted string is JSON of the same string, and shows nothing hidden.
func TestQuoteProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if len(s) > quoteWhole {
			return
		}
		quoted := Quote(s)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") {
			t.Fatalf("%q: %s, %v", s, quoted, err)
		}
		if strings.ContainsFunc(quoted, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q: %s", s, quoted)
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 nodes", 1: "1 node", 2: "2 nodes"} {
		if got := Count(n, "node"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
