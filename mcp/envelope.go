package mcp

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/show"
)

// JSON-RPC's error codes.
const (
	codeParse    = -32700
	codeRequest  = -32600
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603
)

// An rpcError is the error member of a response.
type rpcError struct {
	code    int
	message string
}

// A message is one line of input as far as JSON-RPC looks into it.
type message struct {
	id     requestID      // the zero value, null, where there is none to answer to
	silent bool           // a notification or a response: it is never answered
	method string         // unset where err is set
	params jsontext.Value // an object; nil when left out
	err    *rpcError      // what is wrong with it
}

// parse reads one line. Member names are compared exactly, which is why the
// line goes no further than this: encoding/json, which mcp-go uses, would take
// "Method" for "method" and the last of two members for the only one.
func parse(line []byte) message {
	envelope, err := readEnvelope(line, false)
	var duplicate *jsontext.SyntacticError
	if errors.Is(err, jsontext.ErrDuplicateName) {
		errors.As(err, &duplicate)
		envelope, err = readEnvelope(line, true)
	}
	if err != nil {
		return message{err: &rpcError{codeParse, "not JSON: " + strings.TrimPrefix(errorText(err), "jsontext: ")}}
	}
	m := envelope.message()
	if duplicate != nil && envelope.object {
		m.err = &rpcError{codeRequest, "duplicate member name at " + show.Quote(string(duplicate.JSONPointer))}
	}
	return m
}

// An envelope holds the members that JSON-RPC knows, as they are written.
type envelope struct {
	object                      bool
	jsonrpc, id, method, params jsontext.Value
	ids                         int  // how often id is there
	outcome                     bool // result or error is there
}

func readEnvelope(line []byte, duplicates bool) (envelope, error) {
	var e envelope
	err := readMembers(line, duplicates, func(name string, value jsontext.Value) {
		switch name {
		case "jsonrpc":
			e.jsonrpc = value
		case "id":
			e.id = value
			e.ids++
		case "method":
			e.method = value
		case "params":
			e.params = value
		case "result", "error":
			e.outcome = true
		}
	})
	if errors.Is(err, errNoObject) {
		return e, nil
	}
	e.object = true
	return e, err
}

// message checks the envelope.
func (e envelope) message() message {
	if !e.object {
		return message{err: &rpcError{codeRequest, "a message is one JSON object on one line; batches are not served"}}
	}
	var m message
	m.silent = e.ids == 0 || e.method == nil && e.outcome
	validID := false
	if e.ids == 1 {
		m.id, validID = parseID(e.id)
	}
	version, isVersion := stringOf(e.jsonrpc)
	method, isMethod := stringOf(e.method)
	switch {
	case !m.silent && !validID:
		m.err = &rpcError{codeRequest, "id must be a string or an integer"}
	case !isVersion || version != "2.0":
		m.err = &rpcError{codeRequest, `jsonrpc must be "2.0"`}
	case !isMethod:
		m.err = &rpcError{codeRequest, "method must be a string"}
	case e.params != nil && e.params.Kind() != jsontext.KindBeginObject:
		m.err = &rpcError{codeRequest, "params must be an object"}
	default:
		m.method, m.params = method, e.params
	}
	return m
}

// A requestID is the id of a request. The zero value is null.
type requestID struct {
	literal jsontext.Value // as the client wrote it
	key     string         // equal for ids that are the same string or integer
}

// parseID takes a string or an integer literal.
func parseID(v jsontext.Value) (requestID, bool) {
	switch v.Kind() {
	case jsontext.KindString:
		s, _ := stringOf(v)
		return requestID{v, "string " + s}, true
	case jsontext.KindNumber:
		if bytes.ContainsAny(v, ".eE") {
			return requestID{}, false
		}
		if string(v) == "-0" {
			return requestID{v, "integer 0"}, true
		}
		return requestID{v, "integer " + string(v)}, true
	}
	return requestID{}, false
}

// append appends the id to a response.
func (id requestID) append(dst []byte) []byte {
	if id.literal == nil {
		return append(dst, "null"...)
	}
	return append(dst, id.literal...)
}

// errNoObject says that a text is JSON, but no object.
var errNoObject = errors.New("not an object")

// readMembers reads src, one JSON object and nothing behind it, and calls
// member for each of its members, in order. The values are parts of src. The
// whole of src has been checked only when it returns nil or errNoObject.
func readMembers(src []byte, duplicates bool, member func(name string, value jsontext.Value)) error {
	// A decoder over a bytes.Buffer works on its bytes in place.
	dec := jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(duplicates))
	if dec.PeekKind() != jsontext.KindBeginObject {
		if _, err := dec.ReadValue(); err != nil {
			return err
		}
		if err := readEnd(dec); err != nil {
			return err
		}
		return errNoObject
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != jsontext.KindEndObject {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		member(name, value)
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	return readEnd(dec)
}

func readEnd(dec *jsontext.Decoder) error {
	switch _, err := dec.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("there is more behind the first value")
	default:
		return err
	}
}

// stringOf decodes a JSON string; ok is false for any other value.
func stringOf(v jsontext.Value) (s string, ok bool) {
	if v.Kind() != jsontext.KindString {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, v)
	return string(b), err == nil
}

// errorText is an error in a length fit for a message: a syntax error may
// quote a whole path of names.
func errorText(err error) string {
	const most = 200
	text := err.Error()
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}
