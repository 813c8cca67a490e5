package mention

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"brick/project"
)

// MaxText is the largest file that is read, in bytes.
const MaxText = 64 << 20

// A Mention is a name in a file.
type Mention struct {
	ID           int // of the name
	Class        Class
	Line, Column int // from 1, the column in bytes
}

// A Reader says what a word of one file is a part of; false leaves it out.
type Reader func(offset, id int) (Class, bool)

// Search reads files of a checkout and calls visit with the mentions of each
// that has any, in the order of the files and of the text. Files that are no
// text are passed over; those that hold text that was not searched are
// returned, with the reason.
//
// For each text open may give a reader, which then says the class of each
// word; nil stands for ClassOf the whole file. A text in UTF-16 is given as
// UTF-8.
//
// Memory is for one file and its mentions, time that of reading.
func Search(ctx context.Context, tree *project.Tree, files []project.File, names *Names, open func(path string, text []byte) Reader, visit func(path string, list []Mention) error) (unread []project.Skipped, err error) {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, reason := read(tree, f)
		if reason != "" {
			unread = append(unread, project.Skipped{Path: f.Path, Reason: reason})
		}
		if len(text) == 0 {
			continue
		}
		var reader Reader
		if open != nil {
			reader = open(f.Path, text)
		}
		if reader == nil {
			class := ClassOf(f.Path)
			reader = func(int, int) (Class, bool) { return class, true }
		}
		if list := find(text, names, reader); len(list) > 0 {
			if err := visit(f.Path, list); err != nil {
				return nil, err
			}
		}
	}
	return unread, nil
}

// OwnOutput is why a model of brick's that lies in the checkout is not read:
// it names every function.
const OwnOutput project.Reason = "it is a model that brick wrote"

// read is a file's text, nil when it has none. The reason says why a text was
// not read.
func read(tree *project.Tree, f project.File) ([]byte, project.Reason) {
	text, err := tree.Read(f.Path, MaxText)
	switch reason := project.ReasonOf(err); {
	case reason == project.Missing || reason == project.NotRegular:
		return nil, "" // it went away
	case err != nil:
		return nil, reason
	}
	switch _, err := project.CheckText(text); project.ReasonOf(err) {
	case project.Binary:
		return nil, ""
	case project.UTF16:
		return fromUTF16(text), ""
	}
	// What is not UTF-8 is text in an older encoding: the names that it may
	// have are the same in all of them.
	if isModel(text) {
		return nil, OwnOutput
	}
	return text, ""
}

// isModel says whether a text is Brick JSON as brick writes it.
func isModel(text []byte) bool {
	head := text[:min(len(text), 200)]
	return bytes.HasPrefix(head, []byte(`{"schema_version":4,"generator":{"name":"brick-index`))
}

func fromUTF16(text []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if text[0] == 0xfe {
		order = binary.BigEndian
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, order.Uint16(text[i:]))
	}
	var b strings.Builder
	for _, r := range utf16.Decode(units) {
		b.WriteRune(r)
	}
	return []byte(b.String())
}

// find lists the mentions in a text.
func find(text []byte, names *Names, reader Reader) []Mention {
	var list []Mention
	line, start := 1, 0
	names.Each(text, func(offset, id int) {
		class, counts := reader(offset, id)
		if !counts {
			return
		}
		for {
			end := bytes.IndexByte(text[start:offset], '\n')
			if end < 0 {
				break
			}
			line++
			start += end + 1
		}
		list = append(list, Mention{id, class, line, offset - start + 1})
	})
	return list
}
