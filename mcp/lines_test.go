package mcp

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns all lines, "(too long)" for one that is.
func readAll(t *testing.T, r io.Reader, max int) []string {
	t.Helper()
	var lines []string
	l := newLineReader(r, max)
	for {
		line, err := l.next()
		switch {
		case errors.Is(err, errLineTooLong):
			lines = append(lines, "(too long)")
		case err == io.EOF:
			if _, err := l.next(); err != io.EOF {
				t.Errorf("behind the end: %v", err)
			}
			return lines
		case err != nil:
			t.Fatal(err)
		default:
			lines = append(lines, string(line))
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200<<10) // longer than the reader's buffer
	tests := []struct {
		input string
		max   int
		want  []string
	}{
		{"", 3, nil},
		{"\n", 3, []string{""}},
		{"abc", 3, []string{"abc"}},
		{"abc\n", 3, []string{"abc"}},
		{"abc\r\n", 3, []string{"abc"}},
		{"abc\r\r\n", 3, []string{"(too long)"}},
		{"abc\r\r\n", 4, []string{"abc\r"}},
		{"abc\r", 3, []string{"(too long)"}},
		{"abc\r", 4, []string{"abc\r"}},
		{"abcd", 3, []string{"(too long)"}},
		{"abcd\n", 3, []string{"(too long)"}},
		{"abcd\r\n", 3, []string{"(too long)"}},
		{"abcdefgh\nabc\n\nab", 3, []string{"(too long)", "abc", "", "ab"}},
		{"ab\rc\n", 4, []string{"ab\rc"}},
		{long + "\n" + long + "y\na\n" + long, len(long), []string{long, "(too long)", "a", long}},
		{long + "\r\na", len(long), []string{long, "a"}},
		{long + long + "\na", 3, []string{"(too long)", "a"}},
		{long + long, 3, []string{"(too long)"}},
	}
	for i, test := range tests {
		readers := map[string]io.Reader{
			"whole":         strings.NewReader(test.input),
			"byte by byte":  iotest.OneByteReader(strings.NewReader(test.input)),
			"end with data": iotest.DataErrReader(strings.NewReader(test.input)),
		}
		for name, r := range readers {
			if got := readAll(t, r, test.max); !slices.Equal(got, test.want) {
				t.Errorf("%d, %s: got %.100q, want %.100q", i, name, got, test.want)
			}
		}
	}
}

// A line that an error of the input cuts off is not served.
func TestLineError(t *testing.T) {
	broken := errors.New("broken")
	for _, start := range []string{"", "par", "much too long"} {
		l := newLineReader(io.MultiReader(strings.NewReader("a\n"+start), iotest.ErrReader(broken)), 5)
		if line, err := l.next(); string(line) != "a" || err != nil {
			t.Errorf("%q, %v", line, err)
		}
		if line, err := l.next(); line != nil || err != broken {
			t.Errorf("%q, %v", line, err)
		}
	}
}

// A line over the bound is dropped without being held.
func TestLongLineMemory(t *testing.T) {
	x := bytes.Repeat([]byte("x"), 1<<20)
	const max = 1 << 10
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			var parts []io.Reader
			for range 64 {
				parts = append(parts, bytes.NewReader(x))
			}
			if _, err := newLineReader(io.MultiReader(parts...), max).next(); !errors.Is(err, errLineTooLong) {
				b.Fatal(err)
			}
		}
	})
	if n := result.AllocedBytesPerOp(); n > 256<<10 {
		t.Errorf("%d bytes for a line of 64 MiB", n)
	}
}

// FuzzLines compares the reader with the plainest way to say what it does.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "abc\r\n\r\nabcd\nab", "\r", "\r\r\n", "abcdefghi"} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, input []byte, max uint8) {
		var want []string
		lines := bytes.SplitAfter(input, []byte("\n"))
		for _, line := range lines {
			if len(line) == 0 {
				continue // behind the last newline
			}
			s := string(line)
			if cut, ok := strings.CutSuffix(s, "\r\n"); ok {
				s = cut
			} else {
				s = strings.TrimSuffix(s, "\n")
			}
			if len(s) > int(max) {
				s = "(too long)"
			}
			want = append(want, s)
		}
		for _, r := range []io.Reader{bytes.NewReader(input), iotest.HalfReader(bytes.NewReader(input))} {
			if got := readAll(t, r, int(max)); !slices.Equal(got, want) {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}
