package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func write(r reply, size int) []byte {
	var out bytes.Buffer
	w := bufio.NewWriterSize(&out, size)
	r.write(w)
	w.Flush()
	return out.Bytes()
}

// bigAnswer is an answer of some 5 MB.
func bigAnswer() []byte {
	record := `{"attributes":{"exported":true},"id":"function:go.etcd.io/bbolt.(*Bucket).Get","kind":"method","name":"Get","path":"bucket.go","span":{"end_line":12,"start_line":3}}`
	return []byte(`{"nodes":[` + strings.Repeat(record+",", 5<<20/len(record)) + record + `]}`)
}

func TestBigResult(t *testing.T) {
	answer := bigAnswer()
	r, err := resultReply(requestID{literal: []byte("7")}, &mcp.CallToolResult{RawStructuredContent: answer})
	if err != nil {
		t.Fatal(err)
	}
	var response struct {
		ID     int
		Result struct {
			Content           []struct{ Type, Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal(write(r, 64<<10), &response); err != nil {
		t.Fatal(err)
	}
	content := response.Result.Content
	if response.ID != 7 || len(content) != 1 || content[0].Type != "text" || content[0].Text != string(answer) ||
		!bytes.Equal(response.Result.StructuredContent, answer) {
		t.Error("the response is not the answer")
	}
}

func BenchmarkBigResult(b *testing.B) {
	answer := bigAnswer()
	w := bufio.NewWriterSize(io.Discard, 64<<10)
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := resultReply(requestID{}, &mcp.CallToolResult{RawStructuredContent: answer})
		if err != nil {
			b.Fatal(err)
		}
		r.write(w)
	}
}
