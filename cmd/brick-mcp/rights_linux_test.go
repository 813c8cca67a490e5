package main

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"brick/store"
)

// asNobody are attributes of a process that may write nothing of ours.
func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// TestRights serves an index that must not be written, in a folder that must
// not be written, as another user, where another process has it locked.
func TestRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can serve as another user")
	}
	e := newExam(t, modelOf(t, 1))
	// Another user can't enter the folders of the test's own.
	dir, err := os.MkdirTemp("", "brick-rights")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	server := filepath.Join(dir, "brick-mcp")
	if err := os.Link(command, server); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "brick.idx")
	if err := os.WriteFile(path, e.indexes[0], 0o444); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, folder} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("read-only mount", func(t *testing.T) {
		if err := unix.Mount(folder, folder, "", unix.MS_BIND, ""); err != nil {
			t.Skipf("no mount: %v", err)
		}
		t.Cleanup(func() { unix.Unmount(folder, unix.MNT_DETACH) })
		if err := unix.Mount("", folder, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "x"), nil, 0o666); err == nil {
			t.Fatal("the mount can be written to")
		}
		answersAsNobody(t, e, server, path)
	})
	t.Run("locked by another", func(t *testing.T) {
		lock, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			t.Fatal(err)
		}
		answersAsNobody(t, e, server, path)
		var readers sync.WaitGroup
		for range 200 {
			readers.Go(func() {
				ix, err := store.Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				defer ix.Close()
				ix.CheckBlocks(func(err error) { t.Error(err) })
			})
		}
		readers.Wait()
	})
}

func answersAsNobody(t *testing.T, e *exam, server, path string) {
	t.Helper()
	p := startAs(t, patience, asNobody(), server, path)
	p.send(handshake)
	p.expect(greeting(`"hello"`, "2025-06-18"))
	text, took := p.ask(e.questions[0])
	if text != e.answers[0][0] || took > 2*time.Second {
		t.Errorf("after %v: %.300s", took, text)
	}
	p.in.Close()
	p.expectExit()
}
