//go:build !unix

package store

// adviseRandom does nothing: there is no such advice here.
func adviseRandom([]byte) error { return nil }
