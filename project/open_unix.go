//go:build unix

package project

import (
	"errors"
	"syscall"
)

// openFlags let opening return at once, whatever is there: a named pipe has no
// writer to wait for, a terminal does not become ours.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

// isNotFolder says whether a path goes through a file, or has a name longer
// than any.
func isNotFolder(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
