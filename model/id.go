package model

import (
	"crypto/sha256"
	"encoding/hex"
)

// EdgeID is an id for the edge of a kind from source to target: the same in
// every model that has it, and as long for all edges of a kind, since answers
// repeat it. It is of no use where two edges have all three in common.
func EdgeID(kind, source, target string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + source + "\x00" + target))
	return kind + ":" + hex.EncodeToString(sum[:12])
}
