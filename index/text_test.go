package index

import (
	"encoding/json"
	"math"
	"math/big"
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
		{"\xff", `"\ufffd"`},
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

func TestPointer(t *testing.T) {
	path := []step{{name: []byte("nodes")}, {index: 12}, {name: []byte("a/b~c")}, {name: []byte{}}, {name: []byte("\n\u009f\u2029é \"\\")}}
	if got, want := pointer(path), `/nodes/12/a~1b~0c//\u000a\u009f\u2029é "\`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := pointer(nil); got != "" {
		t.Errorf("got %s for the document", got)
	}
}

func TestInteger(t *testing.T) {
	zeros := strings.Repeat("0", 1_000_000)
	for _, test := range []struct {
		number string
		n      int64
		ok     bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"0.000e99999999999999999999", 0, true}, {"0e-5", 0, true},
		{"7", 7, true}, {"-7", -7, true}, {"10", 10, true}, {"3.0", 3, true}, {"3e0", 3, true}, {"30e-1", 3, true},
		{"0.003E+3", 3, true}, {"1.5e1", 15, true}, {"100.100e1", 1001, true}, {"1002003", 1002003, true},
		{"9223372036854775807", math.MaxInt64, true}, {"-9223372036854775807", -math.MaxInt64, true},
		{"9223372036854775808", 0, false}, {"99999999999999999999", 0, false}, {"1e18", 1e18, true}, {"1e19", 0, false},
		{"0.5", 0, false}, {"1e-1", 0, false}, {"3.0000000000000000000001", 0, false}, {"1.5", 0, false},
		{"1e1000000000", 0, false}, {"1e-1000000000", 0, false},
		{"1" + zeros + "e-1000000", 1, true}, {"1e" + zeros + "2", 100, true}, {"0." + zeros + "1e1000001", 1, true},
		{"1" + zeros, 0, false},
	} {
		if n, ok := integer([]byte(test.number)); n != test.n || ok != test.ok {
			t.Errorf("%.40s: %d, %v, want %d, %v", test.number, n, ok, test.n, test.ok)
		}
	}
}

func TestIntegerProperty(t *testing.T) {
	number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		text := number.Draw(t, "number")
		exact, _ := new(big.Rat).SetString(text)
		want := exact.IsInt() && exact.Num().IsInt64() && exact.Num().Int64() != math.MinInt64
		n, ok := integer([]byte(text))
		if ok != want || ok && n != exact.Num().Int64() {
			t.Fatalf("%s: %d, %v, want %v", text, n, ok, want)
		}
	})
}
