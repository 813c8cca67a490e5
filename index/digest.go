package index

import (
	"fmt"
	"hash"

	"brick/model"
)

// The digest of a model is the SHA-256 of its header and of the SHA-256 of
// each record, nodes first, each in the order of their ids. The header is
// written as lines: a name, the length of the value in bytes, the value. It
// covers what an index is made from, and nothing else: not the order of
// anything in the document, and none of the members that are not indexed.

func writeHeader(digest hash.Hash, h *model.RecordHeader) {
	for _, member := range []struct {
		name  string
		value []byte
	}{
		{"generator", h.Generator},
		{"root", []byte(h.Root)},
		{"repository", []byte(h.RepositoryID)},
		{"scope", h.Scope},
		{"resolution", h.Resolution},
	} {
		fmt.Fprintf(digest, "%s %d %s\n", member.name, len(member.value), member.value)
	}
}
