package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"

	"brick/query"
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

// size is the number of bytes in the reply, before quoting.
func (r reply) size() (n int) {
	for _, p := range r {
		n += len(p.bytes)
	}
	return n
}

// recycle lets later answers use the memory of this one, which has been
// written or won't be.
func (r reply) recycle() {
	for _, p := range r {
		if p.quoted {
			query.Recycle(p.bytes)
		}
	}
}
