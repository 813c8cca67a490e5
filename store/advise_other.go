//go:build !unix

package store

// There is no such advice here: the system reads ahead as it sees fit.

func adviseRandom([]byte) error { return nil }

func adviseSoon(data []byte, start, end int) {}
