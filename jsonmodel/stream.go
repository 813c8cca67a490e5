package jsonmodel

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/show"
	"brick/model"
)

// A syntaxError ends the check of a document.
type syntaxError struct {
	place   model.Place
	message string
}

func (e *syntaxError) Error() string { return e.message }

// A stream reads a document token by token and knows the place of each. Its
// errors are a *syntaxError or, as they are, those of the reader.
//
// What it holds in memory is the current value and the white space before it.
type stream struct {
	in  *input
	dec *jsontext.Decoder
	end model.Place // of the last token that was read
	at  model.Place // of the token that was read or peeked at last
}

// newStream returns a stream of the text that starts at a place.
func newStream(in *input, start model.Place) stream {
	return stream{
		in: in,
		// Duplicate names are not a syntax fault here: all are collected.
		dec: jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true)),
		end: start,
		at:  start,
	}
}

// peek returns the kind of the next token and sets at to its place. An error
// is returned by the read that follows, and the kind is invalid.
func (s *stream) peek() jsontext.Kind {
	s.in.consumed = s.dec.InputOffset()
	kind := s.dec.PeekKind()
	unread := s.dec.UnreadBuffer()
	s.at = s.end.After(unread[:len(unread)-len(bytes.TrimLeft(unread, whiteSpace+",:"))])
	return kind
}

// delimiter reads the token that was peeked at, the start or end of an object
// or array.
func (s *stream) delimiter() error {
	if _, err := s.dec.ReadToken(); err != nil {
		return s.fail(err)
	}
	if s.dec.StackDepth() > maxDepth {
		return &syntaxError{s.at, tooDeep}
	}
	s.end = s.at
	s.end.Offset++
	s.end.Column++
	return nil
}

// value reads the value or name whose first token was peeked at. It is valid
// until the next call.
func (s *stream) value() ([]byte, error) {
	depth := s.dec.StackDepth()
	value, err := s.dec.ReadValue()
	if err != nil {
		return nil, s.fail(err)
	}
	if i := depthFault(value, depth); i >= 0 {
		return nil, &syntaxError{s.at.After(value[:i]), tooDeep}
	}
	s.end = s.at.After(value)
	return value, nil
}

// finish returns an error unless only white space is left.
func (s *stream) finish() error {
	s.in.consumed = s.dec.InputOffset()
	s.dec.PeekKind()
	unread := s.dec.UnreadBuffer()
	if rest := bytes.TrimLeft(unread, whiteSpace); len(rest) > 0 {
		return &syntaxError{s.end.After(unread[:len(unread)-len(rest)]), "data after the end of the document"}
	}
	if _, err := s.dec.ReadToken(); err != io.EOF {
		return s.fail(err)
	}
	return nil
}

const whiteSpace = " \t\r\n"

// fail says where and why the decoder failed: at the first byte that is wrong,
// which is where too many levels are open if that comes before its own error.
func (s *stream) fail(err error) error {
	var syntactic *jsontext.SyntacticError
	var damaged *UnpackError
	text := s.dec.UnreadBuffer()
	var message string
	switch {
	case errors.As(err, &syntactic) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, s.in.err):
		at := int(syntactic.ByteOffset - s.dec.InputOffset())
		message = syntaxMessage(syntactic.Err)
		if end := s.endAfterComma(text, at); end > at {
			at = end
			message = fmt.Sprintf("invalid character %q after ','", text[at])
		}
		text = text[:at]
	case errors.As(s.in.err, &damaged):
		message = damaged.Error()
	case errors.Is(s.in.err, errHeld):
		message = errHeld.Error()
		text = text[:0]
	case s.in.err != nil:
		return s.in.err
	case s.dec.StackDepth() == 0 && len(bytes.TrimLeft(text, whiteSpace)) == 0:
		message = "the document is empty"
	default:
		message = "the document ends too early"
	}
	if i := depthFault(text, s.dec.StackDepth()); i >= 0 {
		text, message = text[:i], tooDeep
	}
	return &syntaxError{s.end.After(text), message}
}

// endAfterComma returns the index of the bracket that ends an array or object
// right after the comma at text[at], which the decoder says is wrong: up to the
// bracket nothing is. If there is no such bracket it returns at.
func (s *stream) endAfterComma(text []byte, at int) int {
	kind, length := s.dec.StackIndex(s.dec.StackDepth())
	afterValue := length > 0 && (kind == '[' || length%2 == 0)
	if !afterValue || len(bytes.TrimLeft(text[:at], whiteSpace)) > 0 || !bytes.HasPrefix(text[at:], []byte(",")) {
		return at
	}
	next := bytes.TrimLeft(text[at+1:], whiteSpace)
	if !bytes.HasPrefix(next, []byte("]")) && !bytes.HasPrefix(next, []byte("}")) {
		return at
	}
	return len(text) - len(next)
}

// maxDepth is how many arrays and objects may be open at once.
const maxDepth = 1000

// syntaxMessage says what a decoder's error means. That of an unpaired
// surrogate quotes what stands behind it, too.
func syntaxMessage(err error) string {
	message := show.Visible(err.Error())
	if strings.HasPrefix(message, "invalid surrogate pair") {
		return "invalid surrogate pair in string"
	}
	return message
}

const tooDeep = "more than 1000 arrays and objects are open at once"

// depthFault returns the index of the bracket in text that opens more levels
// than are allowed when depth are open before it, or -1. The text is the
// beginning of what may follow there.
func depthFault(text []byte, depth int) int {
	if depth+bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) <= maxDepth {
		return -1
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}
