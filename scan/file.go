package scan

import (
	"path"

	"brick/model"
	"brick/scan/facts"
)

// fileModel makes the nodes and edges of a file out of its facts.
type fileModel struct {
	*facts.File
	backend string
	scan    *Scan
	edges   *edges
}

// emit gives the file, what it defines and their edges to the sink.
func (f *fileModel) emit(sink model.Sink) error {
	if err := sink.Node(f.fileNode()); err != nil {
		return err
	}
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if err := sink.Node(&model.Node{
			ID: d.ID, Kind: d.Kind, Name: d.Name, QualifiedName: d.Qualified, Language: f.Language, Path: f.Path,
			Span: model.Span{
				StartLine: d.Span.Start.Line, StartColumn: d.Span.Start.Column,
				EndLine: d.Span.End.Line, EndColumn: d.Span.End.Column,
			},
			Attributes: d.Attributes,
		}); err != nil {
			return err
		}
	}
	for _, e := range f.edges.list {
		if err := sink.Edge(e); err != nil {
			return err
		}
	}
	return nil
}

func (f *fileModel) fileNode() *model.Node {
	n := &model.Node{
		ID: facts.NewFile(f.Path), Kind: model.File, Name: path.Base(f.Path), Language: f.Language, Path: f.Path,
		Attributes: map[string]any{model.MetricLines: f.Lines},
	}
	if f.Test {
		n.Attributes[model.TestCode] = true
	}
	if f.Incomplete != "" {
		n.Attributes[model.ParseIncomplete] = f.Incomplete
	}
	return n
}

// bind makes the edges that start in the file, and that its module contains it.
func (f *fileModel) bind() {
	file, first := facts.NewFile(f.Path), facts.Place{Line: 1, Column: 1}
	if f.Module.ID != "" {
		f.edges.add(model.Contains, f.scan.outsiders.module(f.Language, f.Module), file, f.evidence(first, model.Syntactic))
	}
	for i := range f.Definitions {
		d := &f.Definitions[i]
		v := f.evidence(d.NameAt, model.Syntactic)
		f.edges.add(model.Defines, f.node(d.Parent), d.ID, v)
		if d.Owner != "" && f.scan.defined.has(d.Owner) {
			f.edges.add(model.Defines, d.Owner, d.ID, v)
		}
	}
	for _, m := range f.Imports {
		f.depends(model.Imports, file, m.At, m.Target)
	}
	for _, h := range f.Inherits {
		f.depends(model.Inherits, f.node(h.From), h.At, h.Target)
	}
	for i := range f.Sites {
		f.site(&f.Sites[i])
	}
	for _, r := range f.References {
		f.reference(r)
	}
}

// node is the id of a definition, or of the file for -1.
func (f *fileModel) node(definition int) string {
	if definition < 0 {
		return facts.NewFile(f.Path)
	}
	return f.Definitions[definition].ID
}

// depends adds an edge to a target, unless that is in a file that could not be
// read after all; it says which.
func (f *fileModel) depends(kind, source string, at facts.Place, t facts.Target) bool {
	return f.dependsAs(f.backend, kind, source, at, t)
}

// dependsAs does so with evidence of another tool.
func (f *fileModel) dependsAs(backend, kind, source string, at facts.Place, t facts.Target) bool {
	id := t.ID
	switch {
	case t.External != "":
		id = f.scan.outsiders.external(f.Language, t)
	case !f.scan.defined.has(id):
		return false
	}
	v := f.evidence(at, t.Lane)
	v.Backend = backend
	f.edges.add(kind, source, id, v)
	return true
}

// reasonUnread is why a call is unresolved whose callee is in a file that
// could not be read.
const reasonUnread facts.Reason = "unread-file"

// site makes a call site's edges.
func (f *fileModel) site(s *facts.Site) {
	source := f.node(s.From)
	inside, outside := false, false
	for _, t := range s.Targets {
		if f.depends(model.Calls, source, s.At, t) {
			inside = inside || t.External == ""
			outside = outside || t.External != ""
		} else if s.Reason == "" {
			s.Reason = reasonUnread
		}
	}
	for _, t := range f.scan.known.targets(f.Path, f.Language, s.At) {
		// A class that is called is its constructor, which the engine knows.
		if inside && !t.function || outside && t.External != "" {
			continue
		}
		f.dependsAs(t.backend, model.Calls, source, s.At, t.Target)
		inside = inside || t.External == ""
		outside = outside || t.External != ""
	}
	counts := f.scan.resolutions.of(f.Language)
	switch {
	case inside:
		counts.resolved()
	case outside:
		counts.foreign()
	case s.Reason == facts.ForeignReceiver:
		counts.foreign()
		f.unresolved(source, s, model.Symbolic)
	default:
		counts.unresolved(s.Reason)
		f.unresolved(source, s, model.Syntactic)
	}
}

// unresolved makes the edges of a call site without a target.
func (f *fileModel) unresolved(source string, s *facts.Site, lane string) {
	v := f.evidence(s.At, lane)
	v.Attributes = map[string]any{model.UnresolvedReason: string(s.Reason)}
	for _, symbol := range f.scan.outsiders.unresolved(f.Language, s.Name) {
		f.edges.add(model.UnresolvedCall, source, symbol, v)
	}
}

// reference makes the edges of a place that names a function.
func (f *fileModel) reference(r facts.Reference) {
	source := f.node(r.From)
	if r.Name == "" {
		f.depends(model.NameReference, source, r.At, r.Target)
		return
	}
	for _, symbol := range f.scan.outsiders.unresolved(f.Language, r.Name) {
		f.edges.add(model.NameReference, source, symbol, f.evidence(r.At, model.Syntactic))
	}
}
