package model

import _ "embed"

// Schema is the JSON Schema (2020-12) of the documents that package jsonmodel accepts. It
// cannot say all that is checked: what needs two records, lengths in bytes,
// duplicate names.
//
//go:embed brick-v4.schema.json
var Schema []byte
