package scip

import (
	"slices"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// bindImports gives the names that a file of Python imports from one of the
// repository's own modules their symbols, where the producer found no module
// of that path and so wrote local symbols that nothing defines.
func (im *importer) bindImports(b *body) {
	if b.lang != python || len(b.silent) == 0 {
		return
	}
	bound := map[string]string{} // local symbol → symbol
	for _, o := range b.silent {
		at, there := slices.BinarySearchFunc(b.imports, o.span.start, func(s span, p position) int {
			switch {
			case s.contains(p):
				return 0
			case s.start.before(p):
				return -1
			}
			return 1
		})
		if _, done := bound[o.symbol]; done || !there {
			continue
		}
		name := string(b.source.text[b.source.offset(o.span.start):b.source.offset(o.span.end)])
		if text := im.importedMember(b, b.imports[at], name); text != "" {
			bound[o.symbol] = text
		}
	}
	for _, o := range b.silent {
		if text := bound[o.symbol]; text != "" {
			o.symbol, o.bound = text, true
			b.occurrences = append(b.occurrences, o)
			b.covered = append(b.covered, b.source.offset(o.span.start))
		}
	}
	b.occurrences = sortOccurrences(b.occurrences)
}

// importedMember is the symbol of what a statement imports under a name from
// one of the repository's own modules, "" when it does not.
func (im *importer) importedMember(b *body, statement span, name string) string {
	for i := range b.occurrences {
		o := &b.occurrences[i]
		if !statement.contains(o.span.start) {
			continue
		}
		from := b.place(o)
		for _, module := range im.table.nodesOf(o.symbol, b.lang, from) {
			list := []*node{module}
			if !module.defined() {
				list = im.table.twinsOf(module, from)
			}
			if len(list) != 1 || list[0].kind != kindModule || !list[0].symbol.isPythonModule() {
				continue
			}
			s := list[0].symbol
			s.descriptors = s.descriptors[:len(s.descriptors)-1]
			for _, suffix := range []pb.Descriptor_Suffix{pb.Descriptor_Method, pb.Descriptor_Type, pb.Descriptor_Term} {
				text := s.child(name, suffix).text()
				if found := im.table.find(text, from); len(found) == 1 && found[0].defined() {
					return text
				}
			}
		}
	}
	return ""
}
