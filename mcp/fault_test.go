//go:build unix

package mcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that is cut off beneath its map is the error of the request that
// meets it, said in words; the server goes on.
func TestFileCutOff(t *testing.T) {
	log := quiet(t)
	path := filepath.Join(t.TempDir(), "index")
	page := os.Getpagesize()
	if err := os.WriteFile(path, make([]byte, 4*page), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mapped, err := syscall.Mmap(int(f.Fd()), 0, 4*page, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(mapped)
	if err := os.Truncate(path, int64(page)); err != nil {
		t.Fatal(err)
	}
	read := func(context.Context) ([]byte, string, error) {
		if mapped[3*page] == 0 {
			return []byte(`{}`), "", nil
		}
		return []byte(`{"a":1}`), "", nil
	}
	p := ready(t, fakeTools(fakeIndex{"read": read}, "read"))
	for range 3 {
		p.call("1", "read")
		line := p.receive()
		if !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"read: a part of the index could not be read: `) ||
			!strings.HasSuffix(line, `"}],"isError":true}}`) {
			t.Error(line)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	p.expect(pong("2"))
	p.in.Close()
	p.expectEnd()
	if !strings.Contains(log.String(), "fault: ") {
		t.Errorf("log %q", log.String())
	}
}
