package index

import _ "embed"

// Schema is the JSON Schema (2020-12) of the documents that Read accepts. It
// cannot say all that Read checks: what needs two records, lengths in bytes,
// duplicate names.
//
//go:embed brick-v4.schema.json
var Schema []byte
