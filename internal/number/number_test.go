package number

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

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
		if n, ok := Integer([]byte(test.number)); n != test.n || ok != test.ok {
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
		n, ok := Integer([]byte(text))
		if ok != want || ok && n != exact.Num().Int64() {
			t.Fatalf("%s: %d, %v, want %v", text, n, ok, want)
		}
	})
}
