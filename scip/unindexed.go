package scip

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// unindexed goes through the files of the source folder that no index has a
// document for, such as those behind build tags, and adds what they say of
// the model's functions. It calls emit with the edges of each.
func (im *importer) unindexed(ctx context.Context, emit func(*edges) error) error {
	families := map[string]bool{}
	for _, d := range im.documents {
		families[d.lang.family] = true
	}
	return filepath.WalkDir(im.options.Source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(im.options.Source, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if entry.IsDir() {
			if rel != "." && skipDir(entry.Name(), families) {
				return filepath.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || im.byPath[rel] != nil || !utf8.ValidString(rel) {
			return nil
		}
		ext := strings.ToLower(filepath.Ext(rel))
		switch l := im.languageOf("", rel); {
		case families["go"] && ext == ".go":
			return im.unindexedFile(name, rel, l, emit, im.goFile)
		case families["go"] && ext == ".s":
			return im.unindexedFile(name, rel, golang, emit, im.goAssembly)
		case families["go"] && slices.Contains(templateExtensions, ext):
			text, err := os.ReadFile(name)
			if err == nil {
				im.templateNames(rel, newSource(text, generic("")), false)
			}
			return err
		case l.name != "" && families[l.family]:
			return im.unindexedFile(name, rel, l, emit, func(b *body) {
				im.unresolved(b)
				if l == python {
					im.computedNames(b)
				}
			})
		}
		return nil
	})
}

// skipDir says whether a folder holds nothing of the repository's own.
func skipDir(name string, families map[string]bool) bool {
	if strings.HasPrefix(name, ".") || name == "node_modules" {
		return true
	}
	for _, l := range []*language{golang, python, typescript, rust} {
		if families[l.family] && l.skipDir(name) {
			return true
		}
	}
	return false
}

func (im *importer) unindexedFile(name, rel string, l *language, emit func(*edges) error, read func(*body)) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	b := &body{
		document: &document{path: rel, lang: l}, fileID: fileID(rel),
		source: newSource(text, l), edges: newEdges(),
	}
	b.imports = b.source.importStatements(l)
	read(b)
	if len(b.edges.list) == 0 {
		return nil
	}
	im.unindexedFiles = append(im.unindexedFiles, b.document)
	return emit(b.edges)
}
