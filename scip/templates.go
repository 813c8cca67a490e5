package scip

import "regexp"

var templateExtensions = []string{".tmpl", ".gotmpl", ".tpl", ".html", ".gohtml"}

var (
	templateAction = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	templateField  = regexp.MustCompile(`\.([A-Z]\w*)`)
)

// templateNames notes the names that the actions of Go templates select:
// text/template calls methods by them. In a Go file only strings are read.
func (im *importer) templateNames(path string, s *source, inStrings bool) {
	for _, action := range templateAction.FindAllIndex(s.text, -1) {
		if inStrings && s.classes[action[0]] != quoted {
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
