package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// A reply is one response, kept in parts so that an answer of some megabytes
// is neither marshalled nor copied: its bytes are written twice, once as they
// are and once as a JSON string.
type reply []part

type part struct {
	bytes  []byte
	quoted bool // write it as a JSON string
}

// errorReply is the response that carries an error.
func errorReply(id requestID, e *rpcError) reply {
	line := id.append([]byte(`{"jsonrpc":"2.0","id":`))
	line = append(line, `,"error":{"code":`...)
	line = strconv.AppendInt(line, int64(e.code), 10)
	line = append(line, `,"message":`...)
	line = appendString(line, e.message)
	return reply{{bytes: append(line, "}}\n"...)}}
}

// resultReply is the response that carries a result which mcp-go made. A
// tool's result is written from the bytes of its answer.
func resultReply(id requestID, result any) (reply, error) {
	head := id.append([]byte(`{"jsonrpc":"2.0","id":`))
	head = append(head, `,"result":`...)
	if r, ok := result.(*mcp.CallToolResult); ok {
		return toolReply(head, r)
	}
	var b bytes.Buffer
	b.Write(head)
	enc := json.NewEncoder(&b) // writes no line end but the one behind the value
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return reply{{bytes: append(line, "}\n"...)}}, nil
}

// toolReply writes a tool's result. An answer, in RawStructuredContent, is
// also the first text content; texts in Content follow it.
func toolReply(head []byte, r *mcp.CallToolResult) (reply, error) {
	answer := []byte(r.RawStructuredContent)
	if bytes.IndexByte(answer, '\n') >= 0 {
		return nil, errors.New("the answer is not on one line")
	}
	head = append(head, `{"content":[`...)
	var tail []byte
	texts := 0
	text := func(dst []byte) []byte {
		if texts++; texts > 1 {
			dst = append(dst, ',')
		}
		return append(dst, `{"type":"text","text":`...)
	}
	if answer != nil {
		head = text(head)
		tail = append(tail, '}')
	}
	for _, c := range r.Content {
		t, ok := c.(mcp.TextContent)
		if !ok {
			return nil, errors.New("a content that is no text")
		}
		tail = text(tail)
		tail = appendString(tail, t.Text)
		tail = append(tail, '}')
	}
	tail = append(tail, ']')
	if r.IsError {
		tail = append(tail, `,"isError":true`...)
	}
	if answer == nil {
		return reply{{bytes: append(append(head, tail...), "}}\n"...)}}, nil
	}
	tail = append(tail, `,"structuredContent":`...)
	return reply{{bytes: head}, {bytes: answer, quoted: true}, {bytes: tail}, {bytes: answer}, {bytes: []byte("}}\n")}}, nil
}

// appendString appends s as a JSON string with the least escaping.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // replaces what is not UTF-8, and says so
	return dst
}

// write writes the whole line. Errors are kept by w.
func (r reply) write(w *bufio.Writer) {
	for _, p := range r {
		if p.quoted {
			writeQuoted(w, p.bytes)
		} else {
			w.Write(p.bytes)
		}
	}
}

// writeQuoted writes text as a JSON string: valid UTF-8, of which little is to
// be escaped. In canonical JSON that is quotes and backslashes only.
func writeQuoted(w *bufio.Writer, text []byte) {
	w.WriteByte('"')
	for len(text) > 0 {
		if w.Available() < 64 && w.Flush() != nil {
			return
		}
		buf := w.AvailableBuffer()
		size, used := quoteInto(buf[:cap(buf)], text)
		w.Write(buf[:size])
		text = text[used:]
	}
	w.WriteByte('"')
}

// quoteInto fills buf, which has 64 bytes or more, with the escaped form of as
// much of text as is sure to fit. Quotes come every few bytes and at no
// predictable place, so the loop has no branch for them: it always writes a
// backslash, and the byte over it or behind it.
func quoteInto(buf, text []byte) (size, used int) {
	const longest = len(`\u0000`)
	text = text[:min(len(text), (len(buf)-longest)/2)]
	for i, c := range text {
		if c < ' ' {
			const hex = "0123456789abcdef"
			buf = append(buf[:size], `\u00`...)
			buf = append(buf, hex[c>>4], hex[c&15])
			return len(buf), i + 1
		}
		buf[size] = '\\'
		size += int(escaped[c])
		buf[size] = c
		size++
	}
	return size, len(text)
}

// escaped is 1 for the bytes that get a backslash.
var escaped = [256]uint8{'"': 1, '\\': 1}
