//go:build unix

package store

import "golang.org/x/sys/unix"

// adviseRandom says that the map is read at random: the system then fetches
// the pages that are touched and no others.
func adviseRandom(data []byte) error { return unix.Madvise(data, unix.MADV_RANDOM) }
