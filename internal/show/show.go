// Package show writes ids, names and numbers of a model into messages.
package show

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Strings of more than quoteWhole bytes are cut to their first quoteCut bytes
// in messages: enough to recognise an id, short enough for a line.
const (
	quoteWhole = 512
	quoteCut   = 256
)

// Quote writes s as a JSON string for use in a message. Whatever a terminal
// would not show as a character of its own (control, format and bidirectional
// characters, separators other than the ASCII space, unassigned code points)
// is written as \uXXXX, so that no input can forge or hide a line. A string
// of more than 512 bytes is cut to 256, and its length in bytes follows.
func Quote(s string) string {
	cut := ""
	if len(s) > quoteWhole {
		cut = fmt.Sprintf("… (%d bytes)", len(s))
		end := quoteCut
		for !utf8.RuneStart(s[end]) && end > quoteCut-utf8.UTFMax {
			end--
		}
		s = s[:end]
	}
	var b strings.Builder
	b.Grow(len(s) + len(cut) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			writeEscape(&b, r)
		}
	}
	b.WriteByte('"')
	b.WriteString(cut)
	return b.String()
}

// Visible writes s with the characters escaped that could forge or hide a
// line: control and format characters, line and paragraph separators.
func Visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			writeEscape(&b, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// writeEscape writes r as JSON escapes, outside the basic plane a pair.
func writeEscape(b *strings.Builder, r rune) {
	if r > 0xFFFF {
		r -= 0x10000
		fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}

// Number cuts the text of a JSON number for use in a message.
func Number(number []byte) string {
	const whole, cut = 64, 32
	if len(number) <= whole {
		return string(number)
	}
	return fmt.Sprintf("%s… (%d bytes)", number[:cut], len(number))
}

// Count writes how many things there are; s is added for all but one.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
