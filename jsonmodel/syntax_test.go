package jsonmodel

import (
	"strings"
	"testing"
)

// Each document has a mark § at the byte of its syntax fault.
func TestReadSyntax(t *testing.T) {
	nested := func(levels int) string { return strings.Repeat("[", levels) }
	for _, test := range []struct{ name, document, message string }{
		{"empty", "§", "the document is empty"},
		{"white space", " \n\r\n §", "the document is empty"},
		{"byte order mark only", "\xEF\xBB\xBF§", "the document is empty"},
		{"two byte order marks", "\xEF\xBB\xBF§\xEF\xBB\xBF{}", "invalid character"},
		{"half a byte order mark", "§\xEF\xBB{}", "invalid character"},
		{"not JSON", "§hello", "invalid character 'h'"},
		{"truncated", `{"a":[1,{"b":"c§`, "the document ends too early"},
		{"truncated after the colon", "{\"a\":\n §", "the document ends too early"},
		{"truncated in a character", "{\"a\":\"b\xe2\x82§", "the document ends too early"},
		{"truncated in an escape", `{"a":"\ud83d\ud§`, "the document ends too early"},
		{"truncated in a record", `{"nodes":[{"id":"x"§`, "the document ends too early"},
		{"truncated between records", `{"nodes":[{},§`, "the document ends too early"},
		{"data after", "{} §x", "data after the end of the document"},
		{"second value", "{}\n§{}", "data after the end of the document"},
		{"comma after", "{}§,", "data after the end of the document"},
		{"bracket after", "{}§]", "data after the end of the document"},
		{"NUL after", "{}\n§\x00", "data after the end of the document"},
		{"data after another type", "[]§[]", "data after the end of the document"},
		{"UTF-16, big-endian, marked", "§\xFE\xFF\x00{\x00}", "the document is UTF-16"},
		{"UTF-16, little-endian, marked", "§\xFF\xFE{\x00}\x00", "the document is UTF-16"},
		{"UTF-16, big-endian", "§\x00{\x00}", "the document is UTF-16"},
		{"UTF-16, little-endian", "§{\x00}\x00", "the document is UTF-16"},
		{"UTF-16, two bytes", "§{\x00", "the document is UTF-16"},
		{"UTF-16, a character that ends with a zero byte", "§\x00\"\x01\x00", "the document is UTF-16"},
		{"UTF-32, big-endian, marked", "§\x00\x00\xFE\xFF\x00\x00\x00{", "the document is UTF-32"},
		{"UTF-32, little-endian, marked", "§\xFF\xFE\x00\x00{\x00\x00\x00", "the document is UTF-32"},
		{"UTF-32, big-endian", "§\x00\x00\x00{\x00\x00\x00}", "the document is UTF-32"},
		{"UTF-32, little-endian", "§{\x00\x00\x00}\x00\x00\x00", "the document is UTF-32"},
		{"not UTF-8", "{\"a\":\"b§\xff\"}", "invalid UTF-8"},
		{"not UTF-8 in a name", "{\"a§\xC0\x80\":1}", "invalid UTF-8"},
		{"not UTF-8 in a record", text("{\"id\":\"é§\xed\xa0\x80\"}", ""), "invalid UTF-8"},
		{"high surrogate alone", `{"a":"b§\ud800"}`, "invalid surrogate pair"},
		{"low surrogate alone", `{"a":"b§\uDC00\ud800"}`, "invalid surrogate pair"},
		{"two high surrogates", text(`{"id":"§\ud800\ud800"}`, ""), "invalid surrogate pair"},
		{"surrogate before a line feed", "{\"a\":\"§\\ud800\n\x1b\x1b\x1b\x1b\"}", `invalid surrogate pair`},
		{"control character", "{\"a\":\"b§\nc\"}", `invalid character '\n' in string`},
		{"escape", `{"a":"b§\x41"}`, "invalid escape sequence"},
		{"missing comma", text(`{"a":1 §"b":2}`, ""), `invalid character '"' after object value`},
		{"missing comma between records", text(`{} §{}`, ""), `invalid character '{' after array element`},
		{"comma too many", text(`{"a":1,§}`, ""), `invalid character '}'`},
		{"comma after the last record", text(`{},§`, ""), `invalid character ']'`},
		{"comma after the last member", "{\"a\":1 , §}", `invalid character '}'`},
		{"comma before the first element", `{"a":[§,1]}`, `invalid character ','`},
		{"comma before the end of an element", text(`{},{"a":[§,]}`, ""), `invalid character ','`},
		{"comma before the end", `{"a":[§,]}`, `invalid character ','`},
		{"comma before the first member", `{§,"a":1}`, `invalid character ','`},
		{"two commas", `{"a":[1,§,2]}`, `invalid character ','`},
		{"comma for a colon", `{"a"§,1}`, `invalid character ','`},
		{"colon for a comma", `{"a":1§:2}`, `invalid character ':'`},
		{"two colons", `{"a":§:1}`, `invalid character ':'`},
		{"comma for a value", `{"a":§,"b":1}`, `invalid character ','`},
		{"no value", `{"a":§}`, `invalid character '}'`},
		{"number for a name", `{"a":1,§1:2}`, `object member name must be a string`},
		{"object for a name", `{"a":1,§{}:2}`, `object member name must be a string`},
		{"missing colon", `{"a"§}`, `invalid character '}' after object name`},
		{"wrong bracket", `{"a":[1§}}`, `invalid character '}' after array element`},
		{"number", `{"a":-§x}`, `invalid character 'x' in number`},
		{"leading zero", `{"a":0§1}`, `invalid character '1' after object value`},
		{"literal", `{"a":nul§}`, `invalid character '}' in literal null`},
		{"name", `{§a:1}`, `invalid character 'a'`},
		{"line and column", "{\n\"nodes\":[\r\n{}, §!]}", `invalid character '!'`},

		// The document's object is the first level, nodes the second.
		{"1001 levels", `{"a":` + nested(999) + `§[`, tooDeep},
		{"100000 levels", `{"a":` + nested(999) + `§[` + nested(100_000), tooDeep},
		{"1001 levels of objects", strings.Repeat(`{"a":`, 1000) + `§{}`, tooDeep},
		{"1001 levels in another type", nested(1000) + `§[`, tooDeep},
		{"1001 levels in a record", text(`{},{"a":"[[[\"[",`+"\n"+`"b":`+nested(997)+`§[]`+strings.Repeat("]", 997)+`}`, ""), tooDeep},
		{"100000 levels in a record", text(`{"b":`+nested(997)+`§[`+nested(100_000), ""), tooDeep},
		{"1001 levels in the scope", `{"scope":{"x":` + nested(998) + `§[[`, tooDeep},
		{"1001 levels, then another fault", text(`{"b":`+nested(997)+`§[}`, ""), tooDeep},
		{"another fault, then 1001 levels", text(`{"b":§}`+nested(1000), ""), `invalid character '}'`},
	} {
		t.Run(test.name, func(t *testing.T) {
			document, places := marked(test.document)
			got := readText(t, document)
			if !got.header.Syntax || !got.header.NodesUnknown {
				t.Errorf("Syntax %v, NodesUnknown %v", got.header.Syntax, got.header.NodesUnknown)
			}
			if len(got.faults) == 0 {
				t.Fatal("no fault")
			}
			f := got.faults[len(got.faults)-1]
			if f.Place != places[0] || !f.Syntax || f.Pointer != "" || f.ID != "" {
				t.Errorf("got %+v, want a syntax fault at %+v", f, places[0])
			}
			if !strings.HasPrefix(f.Message, test.message) || strings.ContainsAny(f.Message, "\n\x1b") {
				t.Errorf("message %q, want %q", f.Message, test.message)
			}
		})
	}
}

func TestReadThousandLevels(t *testing.T) {
	levels := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, document := range []string{
		text(node(`,"a":`+levels(997)), ""), // below the document, nodes and the node
		strings.Replace(text("", ""), `{`, `{"a":`+levels(999)+`,`, 1),
		strings.Replace(text("", ""), `{}`, `{"a":`+levels(998)+`}`, 1),
		text(node(`,"a":"`+strings.Repeat("[", 2000)+`"`), ""),
	} {
		if got := readText(t, document); got.total != 0 {
			t.Errorf("%s", got.faults[0].Line("-"))
		}
	}
}

// What stands before a syntax fault is checked, what only its end could tell
// is not reported.
func TestReadBeforeSyntaxFault(t *testing.T) {
	many := strings.Repeat(node("")+",", 50_000)
	document := `{"schema_version":5,"nodes":[` + many + `{"id":1},` + node(`,"repository_id":"q"`) + `,{"id":""!}]`
	got := readText(t, document)
	var lines []string
	for _, f := range got.faults {
		lines = append(lines, f.Pointer+" "+f.Member)
	}
	want := []string{"/schema_version ", "/nodes/50000 kind", "/nodes/50000 name", "/nodes/50000/id ", " "}
	if strings.Join(lines, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", lines, want)
	}
	if len(got.nodes) != 50_002 {
		t.Errorf("%d nodes, want 50002", len(got.nodes))
	}
}
