package jsonmodel

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brick/model"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func packGzip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packZstd(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// openBytes opens a file with this content and a name that says nothing.
func openBytes(t *testing.T, content []byte, limit int64) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestOpen(t *testing.T) {
	text := strings.Repeat("text ", 200_000)
	skippable := []byte{0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	for _, test := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"plain", []byte(text), text},
		{"empty", nil, ""},
		{"short", []byte{0x1F}, "\x1F"},
		{"gzip", packGzip(t, text), text},
		{"gzip of nothing", packGzip(t, ""), ""},
		{"two gzip members", append(packGzip(t, text), packGzip(t, "more")...), text + "more"},
		{"zstd", packZstd(t, text), text},
		{"two zstd frames", append(packZstd(t, text), packZstd(t, "more")...), text + "more"},
		{"zstd after a skippable frame", append(skippable, packZstd(t, text)...), text},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The limit is exactly reached, and does not count for plain text.
			s := openBytes(t, test.content, max(int64(len(test.want)), 1))
			if s.Size() != int64(len(test.content)) {
				t.Errorf("Size %d, want %d", s.Size(), len(test.content))
			}
			got, err := io.ReadAll(s)
			if err != nil || string(got) != test.want {
				t.Errorf("%v, %d bytes, want %d", err, len(got), len(test.want))
			}
			if s.Consumed() != int64(len(test.content)) {
				t.Errorf("Consumed %d, want %d", s.Consumed(), len(test.content))
			}
		})
	}
}

func TestOpenStandardInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(stdin *os.File) { os.Stdin = stdin }(os.Stdin)
	os.Stdin = r
	packed := packZstd(t, "text")
	if _, err := w.Write(packed); err != nil {
		t.Fatal(err)
	}
	w.Close()
	s, err := Open("-", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := io.ReadAll(s)
	if err != nil || string(got) != "text" || s.Size() != -1 || s.Consumed() != int64(len(packed)) {
		t.Errorf("%q, %v, Size %d, Consumed %d", got, err, s.Size(), s.Consumed())
	}
}

func TestOpenMachineFaults(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	s, err := Open(t.TempDir(), 0)
	if err != nil {
		return // some systems say so at once
	}
	defer s.Close()
	var unpack *UnpackError
	if _, err := io.ReadAll(s); err == nil || errors.As(err, &unpack) {
		t.Errorf("a folder: %v", err)
	}
}

// A packed model that cannot be unpacked is at fault itself.
func TestReadDamagedFile(t *testing.T) {
	document := text(strings.Repeat(node("")+",", 5000)+node(""), "")
	packedGzip, packedZstd := packGzip(t, document), packZstd(t, document)
	flipped := func(b []byte, i int) []byte {
		b = bytes.Clone(b)
		b[i] ^= 0xFF
		return b
	}
	for _, test := range []struct {
		name    string
		content []byte
		limit   int64
		message string
	}{
		{"gzip cut off", packedGzip[:len(packedGzip)-1], 0, "the gzip stream ends too early: the file was cut off"},
		{"gzip cut off in the header", packedGzip[:5], 0, "the gzip stream ends too early: the file was cut off"},
		{"gzip checksum", flipped(packedGzip, len(packedGzip)-8), 0, "the gzip stream is damaged: gzip: invalid checksum"},
		{"gzip header", flipped(packedGzip, 2), 0, "the gzip stream is damaged: gzip: invalid header"},
		{"data after gzip", append(bytes.Clone(packedGzip), "garbage with more than ten bytes"...), 0, "the gzip stream is damaged: gzip: invalid header"},
		{"gzip too large", packedGzip, 1000, "the gzip stream unpacks to more than 1000 bytes"},
		{"zstd cut off", packedZstd[:len(packedZstd)-1], 0, "the zstd stream ends too early: the file was cut off"},
		{"zstd cut off in the header", packedZstd[:5], 0, "the zstd stream ends too early: the file was cut off"},
		{"zstd checksum", flipped(packedZstd, len(packedZstd)-1), 0, "the zstd stream is damaged: "},
		{"zstd too large", packedZstd, 1000, "the zstd stream unpacks to more than 1000 bytes"},
		{"zstd window", []byte{0x28, 0xB5, 0x2F, 0xFD, 0, 18 << 3, 1, 0, 0}, 0, "the zstd stream needs a window of more than 128 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			faults := model.NewFaults(testLimit)
			header, err := Read(openBytes(t, test.content, test.limit), Options{}).ProduceRecords(t.Context(), func() model.RecordSink { return brokenSink{} }, faults)
			if err != nil {
				t.Fatal(err)
			}
			list := faults.List()
			if len(list) != 1 || !list[0].Syntax || !header.Syntax || !strings.HasPrefix(list[0].Message, test.message) {
				t.Fatalf("got %v, want %s", list, test.message)
			}
			if test.limit > 0 && list[0].Place != (model.Place{Offset: test.limit, Line: 1, Column: int(test.limit) + 1}) {
				t.Errorf("at %v, want byte %d", list[0].Place, test.limit)
			}
		})
	}
}

// However a packed document is cut off, the fault is the model's.
func TestReadCutFile(t *testing.T) {
	document := text(node(""), "")
	for _, packed := range [][]byte{packGzip(t, document), packZstd(t, document)} {
		for cut := range packed {
			faults := model.NewFaults(1)
			_, err := Read(openBytes(t, packed[:cut], 0), Options{Workers: 1}).ProduceRecords(t.Context(), func() model.RecordSink { return brokenSink{} }, faults)
			if err != nil || faults.Total() == 0 {
				t.Errorf("cut off after %d bytes: %v, %d faults", cut, err, faults.Total())
			}
		}
	}
}

// Whatever a damaged byte makes of the document, the fault is the stream's.
func TestReadFlippedSource(t *testing.T) {
	document := text(strings.Repeat(node("")+",", 50)+node(""), "")
	for _, packed := range [][]byte{packGzip(t, document), packZstd(t, document)} {
		for i := range packed {
			flipped := bytes.Clone(packed)
			flipped[i] ^= 1 << (i % 8)
			unpacked, err := io.ReadAll(openBytes(t, flipped, 0))
			if err == nil && string(unpacked) == document {
				continue // a byte that says nothing of the content
			}
			faults := model.NewFaults(testLimit)
			_, err = Read(openBytes(t, flipped, 0), Options{Workers: 2}).ProduceRecords(t.Context(), func() model.RecordSink { return brokenSink{} }, faults)
			if err != nil {
				t.Fatal(err)
			}
			list := faults.List()
			isPacked := bytes.HasPrefix(flipped, []byte{0x1F, 0x8B}) || isZstd(flipped)
			if isPacked && (len(list) != 1 || !strings.Contains(list[0].Message, " stream ")) || len(list) == 0 {
				t.Errorf("byte %d: %d faults, the first %v", i, len(list), list[:min(len(list), 1)])
			}
		}
	}
}
