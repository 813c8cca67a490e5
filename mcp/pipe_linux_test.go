package mcp

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe becomes larger, never smaller, and what is no pipe stays as it is.
func TestEnlarge(t *testing.T) {
	for _, test := range []struct{ before, after int }{
		{64 << 10, pipeSize},
		{4 * pipeSize, 4 * pipeSize},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		defer write.Close()
		if _, err := unix.FcntlInt(write.Fd(), unix.F_SETPIPE_SZ, test.before); err != nil {
			t.Skipf("no pipe of %d bytes: %v", test.before, err)
		}
		enlarge(write)
		if size, err := unix.FcntlInt(write.Fd(), unix.F_GETPIPE_SZ, 0); err != nil || size != test.after {
			t.Errorf("a pipe of %d bytes has %d (%v), want %d", test.before, size, err, test.after)
		}
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	enlarge(file)
}
