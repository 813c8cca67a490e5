package scip

import (
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxNesting is how deep messages are mended. SCIP's are four deep.
const maxNesting = 16

// mend returns a message whose strings are all UTF-8, and how many were not:
// protobuf libraries refuse the whole message for one of them, and producers
// that copy documentation from sources write such. What isn't protobuf stays
// as it is, for the decoder to refuse.
func mend(message []byte, d protoreflect.MessageDescriptor, depth int) ([]byte, int) {
	if depth > maxNesting {
		return message, 0
	}
	var out []byte
	mended := 0
	for rest := message; len(rest) > 0; {
		number, kind, head := protowire.ConsumeTag(rest)
		if head < 0 {
			return message, 0
		}
		size := protowire.ConsumeFieldValue(number, kind, rest[head:])
		if size < 0 {
			return message, 0
		}
		whole := rest[:head+size]
		rest = rest[head+size:]
		field := d.Fields().ByNumber(number)
		if kind != protowire.BytesType || field == nil {
			out = append(out, whole...)
			continue
		}
		value, _ := protowire.ConsumeBytes(whole[head:])
		count := 0
		switch {
		case field.Kind() == protoreflect.StringKind && !utf8.Valid(value):
			value, count = []byte(strings.ToValidUTF8(string(value), "\uFFFD")), 1
		case field.Kind() == protoreflect.MessageKind:
			value, count = mend(value, field.Message(), depth+1)
		}
		if count == 0 {
			out = append(out, whole...)
			continue
		}
		mended += count
		out = protowire.AppendTag(out, number, kind)
		out = protowire.AppendBytes(out, value)
	}
	return out, mended
}
