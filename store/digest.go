package store

import (
	"crypto/sha256"
	"io"
	"os"
)

// FileDigest returns the SHA-256 of a file's bytes.
func FileDigest(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return sum.Sum(nil), err
}
