package query

import (
	"embed"
	"encoding/json"
)

//go:embed schema
var schemas embed.FS

// schema returns the JSON Schema of a tool's answers.
func schema(name string) json.RawMessage {
	text, err := schemas.ReadFile("schema/" + name + ".json")
	if err != nil {
		panic(err) // of a file of this package
	}
	return text
}
