// Package number reads JSON numbers.
package number

import (
	"bytes"
	"math"
)

// Integer is the value of a JSON number that is mathematically an integer,
// however it is written (3, 3.0, 30e-1), and fits int64. It takes time linear
// in the text and no memory, whatever the exponent.
func Integer(number []byte) (n int64, ok bool) {
	negative := number[0] == '-'
	if negative {
		number = number[1:]
	}
	digits := number
	var exponent int64
	if e := bytes.IndexAny(number, "eE"); e >= 0 {
		digits, exponent = number[:e], exponentOf(number[e+1:])
	}

	// value is the significant digits up to the last one that is not zero;
	// unit is the exponent of that digit.
	var value uint64
	var significant, zeros, unit int64
	fraction := false
	for _, d := range digits {
		switch {
		case d == '.':
			fraction = true
			continue
		case fraction:
			exponent--
		}
		if d == '0' {
			if significant > 0 {
				zeros++
			}
			continue
		}
		if significant += zeros + 1; significant > 19 {
			// Too many digits for int64, or not an integer. (A trailing run
			// of zeros is not significant.)
			return 0, false
		}
		for ; zeros > 0; zeros-- {
			value *= 10
		}
		value = value*10 + uint64(d-'0')
	}
	if value == 0 {
		return 0, true
	}
	unit = exponent + zeros
	if unit < 0 || significant+unit > 19 {
		return 0, false
	}
	for ; unit > 0; unit-- {
		value *= 10
	}
	if value > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(value), true
	}
	return int64(value), true
}

// exponentOf reads the digits of an exponent. Beyond what any number of digits
// held in memory could make up for, it stays at a value of that size.
func exponentOf(text []byte) int64 {
	const enough = 1 << 60
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	var e int64
	for _, d := range text {
		e = min(e*10+int64(d-'0'), enough/10)
	}
	if negative {
		return -e
	}
	return e
}
