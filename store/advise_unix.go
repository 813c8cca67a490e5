//go:build unix

package store

import "golang.org/x/sys/unix"

// adviseRandom says that the map is read at random: the system then fetches
// the pages that are touched and no others.
func adviseRandom(data []byte) error { return unix.Madvise(data, unix.MADV_RANDOM) }

// adviseSoon says that data[start:end] will be read soon: the system fetches
// it meanwhile. It is advice, which may fail.
func adviseSoon(data []byte, start, end int) {
	start -= start % memoryPage
	if start < end && end <= len(data) {
		unix.Madvise(data[start:end], unix.MADV_WILLNEED)
	}
}
