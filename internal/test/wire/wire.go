// Package wire has lines of the protocol, as a client sends them and as the
// server answers.
package wire

import (
	"encoding/json"
	"fmt"

	"brick/internal/version"
)

// The handshake.
const (
	Hello     = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"
	Confirmed = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	Handshake = Hello + Confirmed
)

// Greeting is the answer to an initialize with an id.
func Greeting(id, revision, instructions string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":"` + revision + `","capabilities":{"prompts":{},"resources":{},"tools":{},"completions":{}},` +
		`"serverInfo":{"name":"brick-mcp","version":"` + version.Version + `","title":"Brick code graph"},"instructions":` + quoted(instructions) + `}}`
}

// ErrorLine is the answer that a request failed.
func ErrorLine(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, quoted(message))
}

// Pong is the answer to a ping.
func Pong(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

// CallLine asks a tool without arguments.
func CallLine(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `"}}` + "\n"
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}
