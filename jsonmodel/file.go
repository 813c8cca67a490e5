package jsonmodel

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is how far back a zstd stream may refer, and about the memory that
// unpacking it takes: as much as the zstd command unpacks without being asked.
const maxWindow = 128 << 20

// A File is a model that is being read, unpacked if it is gzip or zstd,
// which is recognised by content. Only Close and Consumed may be called
// while another goroutine reads.
type File struct {
	mu     sync.Mutex // held while reading
	file   *os.File
	packed countingReader // the file
	plain  io.Reader      // the document; nil before the first Read
	zstd   *zstd.Decoder  // nil when there is none
	format string         // "gzip", "zstd" or ""
	limit  int64          // bytes that may still be unpacked
	max    int64          // the limit at the start, 0 for none
}

// Open opens the model at a path, or standard input for "-". When the model is
// packed and unpacks to more than maxUnpacked bytes, Read fails there with an
// *UnpackError, which guards against a small file that would fill the disk;
// 0 sets no bound.
func Open(path string, maxUnpacked int64) (*File, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	return &File{
		file:   file,
		packed: countingReader{r: file},
		limit:  maxUnpacked,
		max:    maxUnpacked,
	}, nil
}

// Size is the size of the file as it is stored, or -1 when it is not known
// before the end, as of a pipe.
func (f *File) Size() int64 {
	info, err := f.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// Consumed is how many bytes of the file have been read, of those that Size
// counts. It may be called from any goroutine.
func (f *File) Consumed() int64 { return f.packed.n.Load() }

// Read reads the document. Its error is an *UnpackError when the stream that
// packs it is damaged or too large, else that of the file.
func (f *File) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.plain == nil {
		if err := f.recognise(); err != nil {
			return 0, f.explain(err)
		}
	}
	n, err := f.plain.Read(p)
	if f.format == "" {
		return n, err
	}
	if f.max > 0 {
		if f.limit -= int64(n); f.limit < 0 {
			n += int(f.limit)
			f.limit = 0
			return n, &UnpackError{f.format, fmt.Sprintf("unpacks to more than %d bytes", f.max), false}
		}
	}
	return n, f.explain(err)
}

// recognise finds out how the document is packed.
func (f *File) recognise() error {
	packed := bufio.NewReaderSize(&f.packed, 256<<10)
	head, _ := packed.Peek(4) // an error comes again when it is read
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		f.format = "gzip"
		plain, err := gzip.NewReader(packed)
		if err != nil {
			return err
		}
		f.plain = plain
	case isZstd(head):
		f.format = "zstd"
		// One frame is decoded at a time, by the calling goroutine.
		plain, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
		f.zstd, f.plain = plain, plain
	default:
		f.plain = packed
	}
	return nil
}

// isZstd reports whether head starts a zstd frame, a skippable one included.
func isZstd(head []byte) bool {
	return bytes.Equal(head, []byte{0x28, 0xB5, 0x2F, 0xFD}) ||
		len(head) == 4 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:], []byte{0x2A, 0x4D, 0x18})
}

// explain turns an error of unpacking into an *UnpackError, unless it is the
// file's.
func (f *File) explain(err error) error {
	switch {
	case err == nil || err == io.EOF:
		return err
	case f.packed.err != nil:
		return f.packed.err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &UnpackError{f.format, "ends too early: the file was cut off", true}
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &UnpackError{f.format, fmt.Sprintf("needs a window of more than %d MiB to unpack: pack it without --long or --ultra", maxWindow>>20), false}
	default:
		return &UnpackError{f.format, "is damaged: " + err.Error(), true}
	}
}

// Close releases the file, unless a Read is waiting for it: then the process
// is about to end.
func (f *File) Close() error {
	if !f.mu.TryLock() {
		return nil
	}
	defer f.mu.Unlock()
	if f.zstd != nil {
		f.zstd.Close()
	}
	return f.file.Close()
}

// An UnpackError says that a packed model cannot be unpacked. It is a fault of
// the model, not of the machine.
type UnpackError struct {
	Format  string // "gzip" or "zstd"
	Problem string // follows "the gzip stream"

	damaged bool // what was unpacked before may be wrong too
}

func (e *UnpackError) Error() string { return "the " + e.Format + " stream " + e.Problem }

// A countingReader counts what was read. Once it failed it fails for good,
// whatever was peeked or tried again.
type countingReader struct {
	r   io.Reader
	n   atomic.Int64
	err error // why reading failed; nil at the end
}

func (c *countingReader) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}
