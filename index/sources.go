package index

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"brick/store"
)

// MaxSource is the largest file that a snapshot takes.
const MaxSource = 4 << 20

// A SourceReader gives the text of the files that a model names.
type SourceReader interface {
	// Read returns a file's text, or why there is none.
	Read(path string) (text []byte, absent string)
}

// SourceDir reads sources from a folder. It follows no path and no link that
// leads out of it.
type SourceDir struct{ root *os.Root }

// OpenSource opens a folder of sources.
func OpenSource(dir string) (*SourceDir, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &SourceDir{root}, nil
}

// Close closes the folder.
func (d *SourceDir) Close() error { return d.root.Close() }

// Refused begins the reasons for which a file is refused, rather than absent.
const Refused = "refused: "

// Read implements SourceReader.
func (d *SourceDir) Read(path string) (text []byte, absent string) {
	local := filepath.FromSlash(path)
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return nil, Refused + "its name has a zero byte"
	case !utf8.ValidString(path):
		return nil, Refused + "its name is not UTF-8"
	case !filepath.IsLocal(local):
		return nil, Refused + "its path leads out of the source's folder"
	}
	// A named pipe would wait for its writer: look before opening.
	info, err := d.root.Stat(local)
	if err == nil && !info.Mode().IsRegular() {
		return nil, "it is no regular file"
	}
	if err == nil && info.Size() > MaxSource {
		return nil, "it is larger than 4 MiB"
	}
	if err != nil {
		return nil, sourceProblem(err)
	}
	f, err := d.root.Open(local)
	if err != nil {
		return nil, sourceProblem(err)
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, MaxSource+1))
	switch {
	case err != nil:
		return nil, sourceProblem(err)
	case len(text) > MaxSource:
		return nil, "it is larger than 4 MiB"
	case bytes.IndexByte(text, 0) >= 0:
		return nil, Refused + "it is binary"
	case !utf8.Valid(text):
		return nil, Refused + "it is not UTF-8 text"
	}
	return text, ""
}

// sourceProblem says why a file can't be read, in the same words everywhere.
func sourceProblem(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is missing"
	case errors.Is(err, fs.ErrPermission):
		return "there is no permission to read it"
	case errors.As(err, &path) && strings.Contains(path.Err.Error(), "escapes"):
		return Refused + "a link leads out of the source's folder"
	}
	return "it can't be read"
}

// writeSources writes the snapshot of the files that the model names.
func (b *builder) writeSources() error {
	source := b.options.Source
	if source == nil {
		return nil
	}
	b.phase("reading the source")
	rows, texts := b.w.Records(store.Sources), b.w.Records(store.Texts)
	digest := sha256.New()
	count := 0
	for _, path := range b.sourcePaths {
		f := store.SourceFile{Path: path, Text: count}
		text, absent := source.Read(path)
		if absent != "" {
			f.Absent, f.Text = absent, 0
			if b.options.SourceProblem != nil {
				b.options.SourceProblem(path, absent)
			}
		} else {
			sum := sha256.Sum256(text)
			f.SHA256, f.Size = sum[:], len(text)
			texts.Add(text)
			count++
		}
		row, err := f.Encode()
		if err != nil {
			return errors.Join(err, rows.Close(), texts.Close())
		}
		rows.Add(row)
		fmt.Fprintf(digest, "%d:", len(row))
		digest.Write(row)
	}
	b.sourceDigest = digest.Sum(nil)
	return errors.Join(rows.Close(), texts.Close())
}

// indexSource reads the sources that an index has.
type indexSource struct {
	view *store.View
	next uint32
	n    uint32
	err  error
}

// Read implements SourceReader, for paths in their order.
func (s *indexSource) Read(path string) (text []byte, absent string) {
	if s.err != nil || s.next >= s.n {
		return nil, ""
	}
	f, err := s.view.Source(s.next)
	s.next++
	if err == nil && f.Path == path && f.Absent != "" {
		return nil, f.Absent
	}
	if err == nil && f.Path == path {
		text, err = s.view.Text(store.Texts, uint32(f.Text))
	}
	s.err = cmp.Or(s.err, err)
	return bytes.Clone(text), ""
}
