package scip

import (
	"bytes"
	"regexp"
	"strings"

	"brick/internal/lex"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

var templateExtensions = []string{".tmpl", ".gotmpl", ".tpl", ".html", ".gohtml"}

var (
	templateAction = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	templateField  = regexp.MustCompile(`\.([A-Z]\w*)`)
)

// templateNames notes the names that the actions of Go templates select:
// text/template calls methods by them. In a Go file only strings are read.
func (im *importer) templateNames(path string, s *source, inStrings bool) {
	for _, action := range templateAction.FindAllIndex(s.text, -1) {
		if inStrings && s.classes[action[0]] != lex.Quoted {
			continue
		}
		for _, m := range templateField.FindAllSubmatchIndex(s.text[action[0]:action[1]], -1) {
			name := string(s.text[action[0]+m[2] : action[0]+m[3]])
			if _, there := im.templates[name]; !there {
				im.templates[name] = provenance(path, s.position(action[0]+m[2]))
			}
		}
	}
}

// reflectors are packages that call the exported methods of what they are
// given by name.
var reflectors = map[string]bool{"text/template": true, "html/template": true, "net/rpc": true}

// noteReflection notes that a document's packages import a reflector.
func (im *importer) noteReflection(b *body, imported *node) {
	name := imported.symbol.last().Name
	if b.lang != golang || !reflectors[name] {
		return
	}
	for m := range b.modules {
		if im.reflecting[m.id] == "" {
			im.reflecting[m.id] = name
		}
	}
}

// reflection says what may call a function by its name, "" for nothing known.
func (im *importer) reflection(n *node) string {
	if n.lang == python && n.function() {
		return im.computed(n.name)
	}
	if n.kind != kindMethod || n.lang != golang || !golang.exported(n, "") {
		return ""
	}
	if place := im.templates[n.name]; place != "" {
		return "a template names it: " + place
	}
	for s, ok := n.symbol.parent(); ok; s, ok = s.parent() {
		if s.last().Suffix == pb.Descriptor_Namespace {
			for _, module := range im.table.find(s.text(), n.place()) {
				if by := im.reflecting[module.id]; by != "" {
					return "its package uses " + by
				}
			}
		}
	}
	return ""
}

// A computedName is a string in a file of Python that gets attributes by
// computed names: a whole name, or the start of one.
type computedName struct {
	text, place string
	whole       bool
}

var (
	getattrName    = regexp.MustCompile(`getattr\([^()\n]*,\s*['"]([A-Za-z_]\w*)['"]\s*[,)]`)
	nameBeginning  = regexp.MustCompile(`['"]([A-Za-z_]\w*_)(?:['"]|\{|%)`)
	getattrInPlace = []byte("getattr(")
)

// computedNames notes the names that getattr may be given in a text.
func (im *importer) computedNames(b *body) {
	text := b.source.text
	if !bytes.Contains(text, getattrInPlace) {
		return
	}
	add := func(pattern *regexp.Regexp, whole bool) {
		for _, m := range pattern.FindAllSubmatchIndex(text, -1) {
			if b.source.classes[m[2]] != lex.Comment {
				im.computedList = append(im.computedList, computedName{
					string(text[m[2]:m[3]]), provenance(b.path, b.source.position(m[2])), whole,
				})
			}
		}
	}
	add(getattrName, true)
	add(nameBeginning, false)
}

func (im *importer) computed(name string) string {
	for _, c := range im.computedList {
		if name == c.text && c.whole || !c.whole && len(name) > len(c.text) && strings.HasPrefix(name, c.text) {
			return "getattr may be given its name: " + c.place
		}
	}
	return ""
}
