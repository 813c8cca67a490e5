package mcp

import (
	"bufio"
	"errors"
	"io"
)

// errLineTooLong says that a line was over the bound. It has been dropped to
// its end; the next line can be read.
var errLineTooLong = errors.New("line too long")

// A lineReader cuts its input into lines of at most max bytes, not counting
// their ends, LF or CRLF. The last line needs no end.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line without its end. The caller owns the bytes. The
// error is errLineTooLong, io.EOF behind the last line, or the input's own.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > l.max+len("\r\n") {
			return nil, l.drop(err)
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		// What was read before an error of the input was not read in full;
		// only at its end does a line count that has none.
		if err != nil && (err != io.EOF || len(line) == 0) {
			return nil, err
		}
		line = cutEnd(line)
		if len(line) > l.max {
			return nil, errLineTooLong
		}
		return line, nil
	}
}

// drop reads past the end of a line of which err is the last read's outcome.
func (l *lineReader) drop(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return err
	}
	return errLineTooLong // the input's end comes with the next read
}

// cutEnd takes off LF or CRLF. A CR alone, before the end of the input, is
// white space of the line.
func cutEnd(line []byte) []byte {
	n := len(line)
	if n == 0 || line[n-1] != '\n' {
		return line
	}
	if n >= 2 && line[n-2] == '\r' {
		return line[:n-2]
	}
	return line[:n-1]
}
