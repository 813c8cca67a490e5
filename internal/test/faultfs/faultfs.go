//go:build linux

// Package faultfs is a file system for tests, as bad as a network drive can
// be: its reads are slow or fail, and its locks are refused or never granted.
// It shows the files of a folder through FUSE.
//
// A process must not map a file of a file system that it serves itself: a page
// fault stops the thread that would have to answer it. Tests start the program
// that reads.
package faultfs

import (
	"context"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// An FS is a mounted file system.
type FS struct {
	Dir string // where it is mounted

	// Each read takes as long, in nanoseconds.
	Latency atomic.Int64
	// Fail makes reads fail with EIO.
	Fail atomic.Bool
	// What locking a file says; NeverGrants for no answer at all.
	Lock atomic.Pointer[syscall.Errno]

	Reads, Bytes atomic.Int64 // that were asked for so far

	root *fs.Inode
}

// NeverGrants is a lock that is not refused either.
const NeverGrants = syscall.Errno(0xFFFF)

// Mount shows a folder's files until the test ends. It skips the test where
// FUSE can't be used.
func Mount(t testing.TB, folder string) *FS {
	t.Helper()
	if _, err := os.Stat("/dev/fuse"); err != nil {
		t.Skipf("no FUSE: %v", err)
	}
	f := &FS{Dir: t.TempDir()}
	var st syscall.Stat_t
	if err := syscall.Stat(folder, &st); err != nil {
		t.Fatal(err)
	}
	data := &fs.LoopbackRoot{Path: folder, Dev: st.Dev}
	root := &node{&fs.LoopbackNode{RootData: data}, f}
	data.RootNode = root
	zero := time.Duration(0) // files change behind its back
	server, err := fs.Mount(f.Dir, root, &fs.Options{
		EntryTimeout: &zero, AttrTimeout: &zero, NegativeTimeout: &zero, NullPermissions: true,
		MountOptions: fuse.MountOptions{
			Name: "faultfs", DirectMount: true, EnableLocks: true, AllowOther: os.Getuid() == 0,
			// As many reads at once as a client of NFS has. With more of them than
			// FUSE's usual 12 it forgets advice about what will be read.
			MaxBackground: 64,
		},
	})
	if err != nil {
		t.Skipf("FUSE can't be used here: %v", err)
	}
	f.root = root.EmbeddedInode()
	t.Cleanup(func() {
		f.Latency.Store(0)
		if err := server.Unmount(); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return f
}

// Forget makes the system forget what it has read of a file in the folder.
func (f *FS) Forget(name string) {
	if inode := f.root.GetChild(name); inode != nil {
		inode.NotifyContent(0, 0)
	}
}

type node struct {
	*fs.LoopbackNode
	fs *FS
}

func (n *node) WrapChild(_ context.Context, child fs.InodeEmbedder) fs.InodeEmbedder {
	return &node{child.(*fs.LoopbackNode), n.fs}
}

func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	h, fuseFlags, errno := n.LoopbackNode.Open(ctx, flags)
	return n.wrap(h), fuseFlags, errno
}

func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	inode, h, fuseFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, n.wrap(h), fuseFlags, errno
}

func (n *node) wrap(h fs.FileHandle) fs.FileHandle {
	if f, ok := h.(*fs.LoopbackFile); ok {
		return &file{f, n.fs}
	}
	return h
}

type file struct {
	*fs.LoopbackFile
	fs *FS
}

// PassthroughFd keeps the system from reading the file by itself.
func (f *file) PassthroughFd() (int, bool) { return 0, false }

func (f *file) Read(ctx context.Context, p []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	f.fs.Reads.Add(1)
	f.fs.Bytes.Add(int64(len(p)))
	if d := f.fs.Latency.Load(); d > 0 {
		time.Sleep(time.Duration(d)) // the drive's latency, not a wait for something
	}
	if f.fs.Fail.Load() {
		return nil, syscall.EIO
	}
	return f.LoopbackFile.Read(ctx, p, offset)
}

func (f *file) Setlk(ctx context.Context, owner uint64, lock *fuse.FileLock, flags uint32) syscall.Errno {
	if errno, refused := f.refuse(ctx); refused {
		return errno
	}
	return f.LoopbackFile.Setlk(ctx, owner, lock, flags)
}

func (f *file) Setlkw(ctx context.Context, owner uint64, lock *fuse.FileLock, flags uint32) syscall.Errno {
	if errno, refused := f.refuse(ctx); refused {
		return errno
	}
	return f.LoopbackFile.Setlkw(ctx, owner, lock, flags)
}

func (f *file) refuse(ctx context.Context) (errno syscall.Errno, refused bool) {
	e := f.fs.Lock.Load()
	if e == nil {
		return 0, false
	}
	if *e == NeverGrants {
		<-ctx.Done()
		return syscall.EINTR, true
	}
	return *e, true
}
