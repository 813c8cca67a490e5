package store

import "fmt"

// DamageError says that a part of an index is not as it was written.
type DamageError struct {
	Part    string // what was being read
	Problem string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("the index is damaged: %s: %s; build it again", e.Part, e.Problem)
}

func damaged(part, format string, args ...any) error {
	return &DamageError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

// VersionError says that an index has a format that this program does not read.
type VersionError struct{ Format uint32 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("built by format %d, this program reads %d: rebuild it or update", e.Format, FormatVersion)
}

// NotAnIndexError says that a file is no index at all.
type NotAnIndexError struct {
	Path string
	// JSON says that the file looks like a JSON document or a compressed one.
	JSON bool
}

func (e *NotAnIndexError) Error() string {
	if e.JSON {
		return fmt.Sprintf("%s is a model, not an index: compile it with: brick-index build %s -o INDEX", e.Path, e.Path)
	}
	return fmt.Sprintf("%s is not an index: make one with: brick-index build MODEL -o %s", e.Path, e.Path)
}
