package scip

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	pb "github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// The fields of the message Index.
const (
	metadataField        = 1
	documentField        = 2
	externalSymbolsField = 3
)

// An indexFile is an open SCIP index. It is one protobuf message that may be
// larger than any protobuf library reads, so its fields are found here, and
// only they are decoded. (The bindings' visitor does the same, but trusts the
// lengths that it finds, and does not say where a document lies.)
type indexFile struct {
	path   string
	number int // in the order that they were given in
	file   *os.File
	size   int64

	metadata *pb.Metadata
	backend  string // the tool's name and version
	prefix   string // of its documents' paths, relative to the model's root
	unit     *unit
}

func openIndex(path string) (*indexFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &indexFile{path: path, file: file, size: info.Size(), metadata: new(pb.Metadata)}, nil
}

func (x *indexFile) refuse(offset int64, format string, args ...any) error {
	return &RefusedError{File: x.path, Offset: offset, Problem: fmt.Sprintf(format, args...)}
}

// A section is a field of the index: where its message lies.
type section struct {
	offset int64
	size   int
}

// sections calls visit for each field that matters, in the file's order. The
// message is valid until visit returns.
func (x *indexFile) sections(ctx context.Context, visit func(field protowire.Number, at section, message []byte) error) error {
	r := &countingReader{r: bufio.NewReaderSize(io.NewSectionReader(x.file, 0, x.size), int(min(x.size+1, 1<<20)))}
	var buffer []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := r.n
		tag, err := binary.ReadUvarint(r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return x.refuseRead(start, err)
		}
		field, kind := protowire.DecodeTag(tag)
		if kind != protowire.BytesType || field < 1 {
			return x.refuse(start, "this is no SCIP index")
		}
		size, err := binary.ReadUvarint(r)
		if err != nil {
			return x.refuseRead(start, err)
		}
		if left := x.size - r.n; size > uint64(left) {
			return x.refuse(start, "the index is cut off: a message of %d bytes, and only %d follow", size, left)
		}
		at := section{r.n, int(size)}
		if cap(buffer) < at.size {
			buffer = make([]byte, at.size)
		}
		buffer = buffer[:at.size]
		if _, err := io.ReadFull(r, buffer); err != nil {
			return x.refuseRead(start, err)
		}
		if err := visit(field, at, buffer); err != nil {
			return err
		}
	}
}

// refuseRead refuses an index that ends inside a field; other errors are the
// machine's.
func (x *indexFile) refuseRead(offset int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return x.refuse(offset, "the index is cut off")
	}
	if _, machine := errors.AsType[*fs.PathError](err); !machine { // a number that is too large
		return x.refuse(offset, "this is no SCIP index")
	}
	return fmt.Errorf("read %s: %w", x.path, err)
}

// document reads and decodes the document at a place. It may be called from
// any goroutine.
func (x *indexFile) document(at section) (*pb.Document, error) {
	message := make([]byte, at.size)
	if _, err := x.file.ReadAt(message, at.offset); err != nil {
		return nil, x.refuseRead(at.offset, err)
	}
	d := new(pb.Document)
	_, err := x.decode(at, message, d)
	return d, err
}

// decode decodes a message. Its strings are mended when they are not UTF-8;
// mended is how many were not.
func (x *indexFile) decode(at section, message []byte, into proto.Message) (mended int, err error) {
	if err = proto.Unmarshal(message, into); err == nil {
		return 0, nil
	}
	better, mended := mend(message, into.ProtoReflect().Descriptor(), 0)
	if mended > 0 {
		proto.Reset(into)
		err = proto.Unmarshal(better, into)
	}
	if err != nil {
		return 0, x.refuse(at.offset, "a message of %d bytes can't be decoded", at.size)
	}
	return mended, nil
}

// A countingReader knows how far it has read.
type countingReader struct {
	r *bufio.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte implements io.ByteReader.
func (c *countingReader) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
