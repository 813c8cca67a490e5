package mcp

import (
	"context"
	"errors"
	"testing"

	"brick/query"
)

// TestResourceNotice reads a resource while the newer index can't be used.
func TestResourceNotice(t *testing.T) {
	const notice = `the file is "damaged"`
	for _, test := range []struct {
		name   string
		answer []byte
		err    error
		want   string
	}{
		{"an answer", []byte(`{"a":1}`), nil,
			`"result":{"contents":[{"uri":"brick://summary","mimeType":"application/json","text":"{\"a\":1}"},` +
				`{"uri":"brick://summary#notice","mimeType":"text/plain","text":"the file is \"damaged\""}]}`},
		{"nothing found", nil, &query.NotFoundError{Problem: "no such thing."},
			`"error":{"code":-32002,"message":"no such thing.\nthe file is \"damaged\""}`},
		{"a fault", nil, errors.New("no"), `"error":{"code":-32603,"message":"no\nthe file is \"damaged\""}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			index := fakeIndex{"brick_summary": func(context.Context) ([]byte, string, error) { return test.answer, notice, test.err }}
			p := ready(t, fakeTools(index, "brick_summary"))
			p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"brick://summary"}}`)
			if got, want := p.receive(), `{"jsonrpc":"2.0","id":1,`+test.want+`}`; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
