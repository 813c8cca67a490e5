package scan

import (
	"context"
	"path"
	"strings"

	"brick/internal/version"
	"brick/model"
	"brick/project"
	"brick/scan/facts"
)

// write gives the model to the sink: file by file, then what no file defines.
func (s *Scan) write(ctx context.Context, sink model.Sink, u *uncalled, elsewhere map[string][]hit) error {
	root := &model.Node{ID: "repository", Kind: model.Repository, Name: s.repository()}
	if err := sink.Node(root); err != nil {
		return err
	}
	parts := newEdges()
	look := func(k *keptFacts) (err error) {
		k.hits, err = s.mentionsIn(ctx, k.file, u)
		return err
	}
	err := s.spill.each(s.options.Workers, look, func(k *keptFacts) error {
		f := &fileModel{File: k.file, backend: k.backend, scan: s, edges: newEdges()}
		part := f.Module.ID
		if part == "" {
			part = facts.NewFile(f.Path)
		}
		if !parts.has(model.Contains, root.ID, part) {
			parts.add(model.Contains, root.ID, part, model.Evidence{Lane: model.Syntactic, Backend: generator})
		}
		f.bind()
		f.mentioned(k.hits, u)
		return f.emit(sink)
	})
	if err != nil {
		return err
	}
	if err := s.writeUnread(sink, u, elsewhere); err != nil {
		return err
	}
	for _, e := range parts.list {
		if err := sink.Edge(e); err != nil {
			return err
		}
	}
	return s.outsiders.each(sink.Node)
}

// writeUnread writes the files that have no facts: source files, of which
// there is no more than the reason, and texts that name functions.
func (s *Scan) writeUnread(sink model.Sink, u *uncalled, elsewhere map[string][]hit) error {
	last := ""
	for _, file := range s.unread.sorted() {
		language, hits := project.LanguageOf(file.Path), elsewhere[file.Path]
		if file.Path == last || language == "" && len(hits) == 0 {
			continue
		}
		last = file.Path
		f := &fileModel{File: &facts.File{Path: file.Path, Language: language}, backend: generator, scan: s, edges: newEdges()}
		f.mentioned(hits, u)
		n := &model.Node{
			ID: facts.NewFile(file.Path), Kind: model.File, Name: path.Base(file.Path), Language: language, Path: file.Path,
			Attributes: map[string]any{"source.not-read": file.Reason},
		}
		if err := sink.Node(n); err != nil {
			return err
		}
		for _, e := range f.edges.list {
			if err := sink.Edge(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// generator is who made the model.
const generator = "brick-index scan"

func (s *Scan) repository() string {
	if s.options.Repository != "" {
		return s.options.Repository
	}
	return repositoryID(s.tree)
}

func (s *Scan) header() *model.Header {
	return &model.Header{
		Generator: model.Generator{Name: generator, Version: version.Version},
		Root:      ".", RepositoryID: s.repository(),
		Scope: scope{
			Files: s.files, Excluded: s.options.Exclude, NotRead: unreadByReason(s.unread.sorted()),
		},
		Resolution: s.resolutions,
	}
}

// scope says what a scan covered.
type scope struct {
	Files    map[string]int         `json:"files"` // read, by language
	Excluded []string               `json:"excluded,omitempty"`
	NotRead  map[string]unreadScope `json:"not_read"`
}

// list joins names as people do.
func list(names []string) string { return strings.Join(names, ", ") }
