// Package symbol takes names of code apart, as people write them when they
// look for something.
package symbol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold is text without regard to case.
func Fold(text string) string { return strings.ToLower(text) }

// Parts returns the parts of a qualified name, folded: what stands between
// the separators ".", "::", "/", "#" and "->", without the parentheses, stars
// and ampersands that languages put around a receiver. Empty parts are left
// out. Of "(*go.etcd.io/bbolt.Bucket).Get" they are go, etcd, io, bbolt,
// bucket, get.
func Parts(name string) []string {
	parts := SplitParts(name)
	for i := range parts {
		parts[i] = Fold(parts[i])
	}
	return parts
}

// SplitParts is Parts with their case.
func SplitParts(name string) []string {
	parts := make([]string, 0, 8)
	add := func(part string) {
		if part = strings.Trim(part, "()*& "); part != "" {
			parts = append(parts, part)
		}
	}
	start := 0
	for i := 0; i < len(name); {
		size := 0
		switch {
		case name[i] == '.' || name[i] == '/' || name[i] == '#':
			size = 1
		case strings.HasPrefix(name[i:], "::") || strings.HasPrefix(name[i:], "->"):
			size = 2
		}
		if size == 0 {
			i++
			continue
		}
		add(name[start:i])
		i += size
		start = i
	}
	add(name[start:])
	return parts
}

// Key orders qualified names from their last part to their first: those that
// end with the same parts stand together. The key of a name begins with the
// key of its last parts.
func Key(parts []string) string {
	size := len(parts)
	for _, part := range parts {
		size += len(part)
	}
	var b strings.Builder
	b.Grow(size)
	for _, part := range slices.Backward(parts) {
		b.WriteString(part)
		b.WriteByte(0)
	}
	return b.String()
}

// Words returns the words of a camelCase or snake_case name, folded. Digits
// belong to the word before them; of several capitals the last begins a word
// when a small letter follows: HTTPServer2 is http, server2.
func Words(name string) []string {
	var words []string
	runes := []rune(name)
	if !utf8.ValidString(name) {
		return nil
	}
	start := -1
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if start >= 0 {
				words = append(words, Fold(string(runes[start:i])))
			}
			start = -1
			continue
		}
		if start >= 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			words = append(words, Fold(string(runes[start:i])))
			start = i
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		words = append(words, Fold(string(runes[start:])))
	}
	return words
}

// HasWords says whether each of the sought words begins a word of the name,
// in that order; others may stand between them. There must be some.
func HasWords(words, sought []string) bool {
	if len(sought) == 0 {
		return false
	}
	for _, word := range words {
		if strings.HasPrefix(word, sought[0]) {
			if sought = sought[1:]; len(sought) == 0 {
				return true
			}
		}
	}
	return false
}

// A Gram is three bytes of a folded text, the first in the highest.
type Gram uint32

// MakeGram is the gram of three bytes.
func MakeGram(a, b, c byte) Gram { return Gram(a)<<16 | Gram(b)<<8 | Gram(c) }

// Begin stands before the first byte of a word in a gram.
const Begin = 1

// Grams returns the grams of a folded text that is followed by two zero
// bytes, so that each byte begins a gram. They may repeat.
func Grams(grams []Gram, folded string) []Gram {
	at := func(i int) byte {
		if i < len(folded) {
			return folded[i]
		}
		return 0
	}
	for i := range len(folded) {
		grams = append(grams, MakeGram(at(i), at(i+1), at(i+2)))
	}
	return grams
}

// WordGrams returns for each word the gram of Begin and its first two bytes.
func WordGrams(grams []Gram, words []string) []Gram {
	for _, word := range words {
		second := byte(0)
		if len(word) > 1 {
			second = word[1]
		}
		grams = append(grams, MakeGram(Begin, word[0], second))
	}
	return grams
}
