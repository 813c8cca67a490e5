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

// Outline is the JSON Schema that clients list of a tool's answers: the
// first members that they always have. OutputSchema says all, at ten times the length,
// which would be paid for in each conversation.
func (t *Tool) Outline() json.RawMessage {
	if t.OutputSchema == nil {
		return nil
	}
	var whole struct {
		Required []string `json:"required"`
	}
	if err := json.Unmarshal(t.OutputSchema, &whole); err != nil {
		panic(err) // of a file of this package
	}
	outline, err := json.Marshal(struct {
		Type     string   `json:"type"`
		Required []string `json:"required"`
	}{"object", whole.Required[envelopeMembers:min(len(whole.Required), envelopeMembers+outlined)]})
	if err != nil {
		panic(err) // of strings
	}
	return outline
}

// outlined is the most members that an outline names.
const outlined = 2

// envelopeMembers is how many members every answer begins with.
const envelopeMembers = 6
