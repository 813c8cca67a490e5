package index

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"brick/project"
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
type SourceDir struct{ tree *project.Tree }

// OpenSource opens a folder of sources.
func OpenSource(dir string) (*SourceDir, error) {
	tree, err := project.Open(dir, project.Options{})
	if err != nil {
		return nil, err
	}
	return &SourceDir{tree}, nil
}

// Close closes the folder.
func (d *SourceDir) Close() error { return d.tree.Close() }

// Refused begins the reasons for which a file is refused, rather than absent.
const Refused = "refused: "

// Read implements SourceReader.
func (d *SourceDir) Read(path string) (text []byte, absent string) {
	text, err := d.tree.Read(path, MaxSource)
	if err == nil {
		_, err = project.CheckText(text)
	}
	if err != nil {
		return nil, absence(project.ReasonOf(err))
	}
	return text, ""
}

// absence says why there is no text, in the same words everywhere.
func absence(r project.Reason) string {
	switch r {
	case project.TooLarge:
		return "it is larger than 4 MiB"
	case project.OutsideRoot, project.LinkOutside, project.NameZero, project.NameNotUTF8, project.Binary, project.UTF16, project.NotUTF8:
		return Refused + string(r)
	}
	return string(r)
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
