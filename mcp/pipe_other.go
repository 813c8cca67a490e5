//go:build !linux

package mcp

import "io"

// enlarge does nothing: here a pipe is as large as it is.
func enlarge(io.Writer) {}
