package project

import (
	"bytes"
	"unicode/utf8"
)

// The reasons for which bytes are no text.
const (
	Binary  Reason = "it is binary"
	UTF16   Reason = "it is UTF-16, not UTF-8"
	NotUTF8 Reason = "it is not UTF-8 text"
)

// BOM is the byte order mark that some editors write before UTF-8.
const BOM = "\ufeff"

// CheckText says whether bytes are text: UTF-8 without a zero byte. bom says
// that they begin with BOM, which is not a part of the text. An error is a
// Reason.
func CheckText(data []byte) (bom bool, err error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return false, UTF16
	case bytes.IndexByte(data, 0) >= 0:
		return false, Binary
	case !utf8.Valid(data):
		return false, NotUTF8
	}
	return bytes.HasPrefix(data, []byte(BOM)), nil
}
