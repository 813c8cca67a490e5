package jsonmodel

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"brick/model"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// canonicalOf is the canonical form of a value, got as that of a record is.
func canonicalOf(value string) string {
	w := worker{}
	w.start([]byte(value), model.Place{Line: 1, Column: 1})
	w.skip()
	return string(w.canonicalRecord())
}

// formByLibrary is the canonical form of a value as jsontext has it.
func formByLibrary(t interface{ Fatal(...any) }, value string) string {
	form := jsontext.Value(value)
	if err := form.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		t.Fatal(err)
	}
	return string(form)
}

func TestCanonical(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{`[ 1 , 2 ]`, `[1,2]`},
		{`{}`, `{}`},
		{"{ \"a\"\t:\r\n[ ] }", `{"a":[]}`},
		{`{"b":1,"a":{"d":1,"c":2}}`, `{"a":{"c":2,"d":1},"b":1}`},
		{`["\u0041\/\u00e9\u007F\u0085\u2028\u2029"]`, "[\"A/é\u007f\u0085\u2028\u2029\"]"},
		{`["\u0022\u005c\u0008\u0009\u000A\u000c\u000D\u0000\u001F"]`, `["\"\\\b\t\n\f\r\u0000\u001f"]`},
		{`["\"\\\b\t\n\f\r"]`, `["\"\\\b\t\n\f\r"]`},
		{`["\uD83D\uDE00 \ud800\udc00"]`, "[\"\U0001F600 \U00010000\"]"},
		{`["\\u0041"]`, `["\\u0041"]`},
		{`{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		{`[0.90,1E5,-0,-0.0,1e-7,100000000000000000000000000001]`, `[0.90,1E5,-0,-0.0,1e-7,100000000000000000000000000001]`},
		// By UTF-16 code units U+1F600 (D83D DE00) is before U+FB33.
		{"{\"\uFB33\":1,\"\U0001F600\":2,\"é\":3,\"\":4,\"1\":5}", "{\"\":4,\"1\":5,\"é\":3,\"\U0001F600\":2,\"\uFB33\":1}"},
	} {
		if got := canonicalOf(test.value); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.value, got, test.want)
		}
	}
}

// writeCanonical is the canonical form written out as the contract has it.
func writeCanonical(b *bytes.Buffer, value any) {
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		for i, name := range names {
			b.WriteByte("{,"[min(i, 1)])
			writeCanonical(b, name)
			b.WriteByte(':')
			writeCanonical(b, v[name])
		}
		if len(names) == 0 {
			b.WriteByte('{')
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, element := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, element)
		}
		b.WriteByte(']')
	case string:
		b.WriteByte('"')
		for _, r := range v {
			if i := strings.IndexRune("\"\\\b\t\n\f\r", r); i >= 0 {
				b.WriteByte('\\')
				b.WriteByte(`"\btnfr`[i])
			} else if r < ' ' {
				b.WriteString(`\u00`)
				b.WriteByte("01"[r>>4])
				b.WriteByte("0123456789abcdef"[r&15])
			} else {
				b.WriteRune(r)
			}
		}
		b.WriteByte('"')
	case json.Number:
		b.WriteString(v.String())
	default:
		text, _ := json.Marshal(v)
		b.Write(text)
	}
}

// genValue generates the text of JSON values: members sorted or not, white
// space or none, characters raw or as escapes.
func genValue(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		sorted, spaced, escaped := rapid.Bool().Draw(t, "sorted"), rapid.Bool().Draw(t, "spaced"), rapid.Bool().Draw(t, "escaped")
		var b strings.Builder
		writeValue(t, &b, depth, sorted, spaced, escaped)
		return b.String()
	})
}

func writeValue(t *rapid.T, b *strings.Builder, depth int, sorted, spaced, escaped bool) {
	space := func() {
		if spaced {
			b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n", "\r\n\t"}).Draw(t, "space"))
		}
	}
	kinds := 5
	if depth > 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		b.WriteString("null")
	case 1:
		b.WriteString(rapid.SampledFrom([]string{"true", "false"}).Draw(t, "boolean"))
	case 2:
		b.WriteString(rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number"))
	case 3, 4:
		writeString(t, b, genString.Draw(t, "string"), escaped)
	case 5:
		b.WriteByte('[')
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			writeValue(t, b, depth-1, sorted, spaced, escaped)
			space()
		}
		b.WriteByte(']')
	case 6:
		names := rapid.SliceOfNDistinct(genString, 0, 4, rapid.ID[string]).Draw(t, "names")
		if sorted {
			slices.SortFunc(names, func(a, b string) int {
				return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
			})
		}
		b.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			writeString(t, b, name, escaped)
			space()
			b.WriteByte(':')
			space()
			writeValue(t, b, depth-1, sorted, spaced, escaped)
			space()
		}
		b.WriteByte('}')
	}
}

var genString = rapid.StringOfN(rapid.OneOf(
	rapid.RuneFrom([]rune("abc/\"\\")),
	rapid.RuneFrom([]rune{0, 8, 9, 10, 12, 13, 0x1F, 0x7F, 0x85, 0x2028, 0xE000, 0xFB33, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF}),
	rapid.Rune(),
), 0, 4, -1)

func writeString(t *rapid.T, b *strings.Builder, s string, escaped bool) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < ' ' || escaped && rapid.Bool().Draw(t, "escape"):
			for _, unit := range utf16.Encode([]rune{r}) {
				hex := "0123456789abcdef"
				if rapid.Bool().Draw(t, "upper") {
					hex = "0123456789ABCDEF"
				}
				b.WriteString(`\u`)
				for shift := 12; shift >= 0; shift -= 4 {
					b.WriteByte(hex[unit>>shift&15])
				}
			}
		case r == '"' || r == '\\' || escaped && r == '/':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// The canonical form is what jsontext makes of the value, and what the contract
// says it is.
func TestCanonicalProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := genValue(4).Draw(t, "value")
		got := canonicalOf(value)
		if library := formByLibrary(t, value); got != library {
			t.Fatalf("got  %s\njsontext %s", got, library)
		}
		// The canonical form of the canonical form is the same, by the shortcut.
		if again := canonicalOf(got); got != again {
			t.Fatalf("got  %s\nagain %s", got, again)
		}

		decoder := json.NewDecoder(strings.NewReader(value))
		decoder.UseNumber()
		var decoded any
		if err := decoder.Decode(&decoded); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		writeCanonical(&want, decoded)
		if got != want.String() {
			t.Fatalf("got  %s\nwant %s", got, want.String())
		}
	})
}
