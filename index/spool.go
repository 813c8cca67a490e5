package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// spool is a temporary file of entries that are written once and read once,
// in the same order.
type spool struct {
	file *os.File
	w    *bufio.Writer
	r    *bufio.Reader
	buf  []byte
}

func newSpool(path string) (*spool, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &spool{file: file, w: bufio.NewWriterSize(file, 1<<16)}, nil
}

func (s *spool) write(entry []byte) error {
	s.buf = binary.AppendUvarint(s.buf[:0], uint64(len(entry)))
	s.w.Write(s.buf)
	_, err := s.w.Write(entry)
	return err
}

// rewind ends the writing and begins the reading.
func (s *spool) rewind() error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	s.r = bufio.NewReaderSize(s.file, 1<<16)
	return err
}

// read returns the next entry, valid until the next call.
func (s *spool) read() ([]byte, error) {
	size, err := binary.ReadUvarint(s.r)
	if err != nil {
		return nil, err
	}
	if uint64(cap(s.buf)) < size {
		s.buf = make([]byte, size)
	}
	s.buf = s.buf[:size]
	_, err = io.ReadFull(s.r, s.buf)
	return s.buf, err
}

func (s *spool) close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
