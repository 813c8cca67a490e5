package scip

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"brick/project"
)

// unindexed goes through the files of the source folder that no index has a
// document for, such as those behind build tags, and adds what they say of
// the model's functions. It calls emit with the edges of each.
func (im *importer) unindexed(ctx context.Context, emit func(*edges) error) error {
	families := map[string]bool{}
	for _, d := range im.documents {
		families[d.lang.family] = true
	}
	files, skipped, err := im.tree.Walk(ctx)
	if err != nil {
		return err
	}
	im.files = files
	for _, s := range skipped {
		switch s.Reason {
		case project.Ignored, project.VersionControl, project.LinkInside, project.Dependencies, project.Generated:
			// Nothing of the repository itself is missing for it.
		default:
			im.skipped = append(im.skipped, s)
		}
	}
	for _, s := range skipped {
		if s.Reason == project.NoPermission || s.Reason == project.Unreadable {
			return fmt.Errorf("%s in %s: %w", s.Path, im.tree.Dir(), s.Reason)
		}
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if im.byPath[f.Path] != nil || inSkippedDir(f.Path, families) {
			continue
		}
		if err := im.unindexedPath(f.Path, families, emit); err != nil {
			return err
		}
	}
	return nil
}

// unindexedPath reads a file, if it is of a language that the indexes have.
func (im *importer) unindexedPath(name string, families map[string]bool, emit func(*edges) error) error {
	ext := strings.ToLower(path.Ext(name))
	switch l := im.languageOf("", name); {
	case families["go"] && ext == ".go":
		return im.unindexedFile(name, l, emit, im.goFile)
	case families["go"] && ext == ".s":
		return im.unindexedFile(name, golang, emit, im.goAssembly)
	case families["go"] && slices.Contains(templateExtensions, ext):
		s, err := im.readSource(name, generic(""))
		if s != nil {
			im.templateNames(name, s, false)
		}
		return err
	case l.name != "" && families[l.family]:
		return im.unindexedFile(name, l, emit, func(b *body) {
			im.unresolved(b)
			if l == python {
				im.computedNames(b)
			}
		})
	}
	return nil
}

// inSkippedDir says whether a file is in a folder that holds nothing of the
// repository's own.
func inSkippedDir(name string, families map[string]bool) bool {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if skipDir(path.Base(folder), families) {
			return true
		}
	}
	return false
}

// skipDir says whether a folder of a name holds nothing of the repository's
// own.
func skipDir(name string, families map[string]bool) bool {
	if strings.HasPrefix(name, ".") {
		return true
	}
	for _, l := range []*language{golang, python, typescript, rust} {
		if families[l.family] && l.skipDir(name) {
			return true
		}
	}
	return false
}

func (im *importer) unindexedFile(name string, l *language, emit func(*edges) error, read func(*body)) error {
	s, err := im.readSource(name, l)
	if s == nil {
		return err
	}
	b := &body{
		document: &document{path: name, lang: l}, fileID: fileID(name),
		source: s, edges: newEdges(), unresolvedAt: map[int]bool{},
	}
	b.imports = b.source.importStatements(l)
	read(b)
	im.unresolvedIn[name] = b.unresolvedAt
	if len(b.edges.list) == 0 {
		return nil
	}
	im.extra[b.path] = true
	im.unindexedFiles = append(im.unindexedFiles, b.document)
	return emit(b.edges)
}
