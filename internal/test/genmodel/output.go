package genmodel

import (
	"bufio"
	"fmt"
	"io"
)

// output is a writer whose first error shows at the end.
type output struct {
	w *bufio.Writer
}

func newOutput(w io.Writer) *output { return &output{bufio.NewWriterSize(w, 1<<18)} }

func (o *output) printf(format string, values ...any) { fmt.Fprintf(o.w, format, values...) }

func (o *output) end() error { return o.w.Flush() }
