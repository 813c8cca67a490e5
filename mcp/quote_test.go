package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

// Both ways of quoting give a JSON string that is the text when it is read
// back, whatever the size of the pieces.
func FuzzQuoted(f *testing.F) {
	f.Add(`{"a":"<b>\n\\"}`, 64)
	f.Add("\x00\x1f\x7f\u2028\U0001f600", 100)
	f.Add(strings.Repeat(`"`, 1000), 97)
	f.Add(strings.Repeat(`"a\\bc`, 300)+"\x01"+strings.Repeat(`d"`, 100), 81)
	f.Fuzz(func(t *testing.T, text string, size int) {
		text = strings.ToValidUTF8(text, "?")
		if line := write(reply{{bytes: []byte(text), quoted: true}}, 64+size&0xfff); !isQuoted(line, text) {
			t.Errorf("%q became %s", text, line)
		}
		buf := make([]byte, 64+size&0xfff)
		for _, pairs := range []*pairTable{nil, quotedPairs()} {
			quoted := []byte{'"'}
			for rest := []byte(text); len(rest) > 0; {
				n, used := quoteInto(buf, rest, pairs)
				if used == 0 {
					t.Fatalf("nothing of %q fits into %d bytes", rest, len(buf))
				}
				quoted = append(quoted, buf[:n]...)
				rest = rest[used:]
			}
			if quoted = append(quoted, '"'); !isQuoted(quoted, text) {
				t.Errorf("%q became %s, with pairs: %t", text, quoted, pairs != nil)
			}
		}
	})
}

func isQuoted(quoted []byte, text string) bool {
	var back string
	return json.Unmarshal(quoted, &back) == nil && back == text
}

// Each two bytes become what they are, with a backslash before quotes and
// backslashes.
func TestPairs(t *testing.T) {
	pairs := quotedPairs()
	escape := strings.NewReplacer(`"`, `\"`, `\`, `\\`)
	for pair, quoted := range pairs.quoted {
		text := string([]byte{byte(pair), byte(pair >> 8)})
		if text[0] < ' ' || text[1] < ' ' {
			if pairs.width[pair] < control {
				t.Errorf("%q is %d bytes long", text, pairs.width[pair])
			}
			continue
		}
		want := escape.Replace(text)
		got := string([]byte{byte(quoted), byte(quoted >> 8), byte(quoted >> 16), byte(quoted >> 24)})
		if int(pairs.width[pair]) != len(want) || got[:len(want)] != want {
			t.Errorf("%q becomes %q of %d bytes, want %q", text, got, pairs.width[pair], want)
		}
	}
}
