//go:build !unix

package project

// openFlags are none where files are not opened with the flags of Unix.
const openFlags = 0

// isNotFolder is for systems that tell such paths from missing ones.
func isNotFolder(error) bool { return false }
