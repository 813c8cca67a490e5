package scip

import (
	"path"
	"strings"

	"brick/internal/lex"
)

// A language is what the importer knows of one: how its text is read, and the
// rules by which it exports, tests and calls without being told to.
type language struct {
	name       string
	family     string // languages that call each other by name
	extensions []string

	text textRules

	// exported says whether a function is seen outside; before is the text
	// before its name, "" where there is no source.
	exported func(n *node, before string) bool
	// testFile says whether a path is that of a test.
	testFile func(name string) bool
	// implicit says by which protocol a function is called without a call in
	// the text, "" for none.
	implicit func(n *node) string
	// framework keeps what decorators and attributes mean a call by somebody
	// else.
	framework func(decorator string) bool
	// valueFunction says whether the definition of a term is that of a
	// function.
	valueFunction func(n *node, o *occurrence) bool
	// structural says whether a member stands for all of its name: types that
	// have one need not name the type that it is of.
	structural func(n *node) bool
	// definers are the words before a name that define it, for languages that
	// may define one twice.
	definers []string
	// compiled says that producers resolve all that the code says, as a
	// compiler does.
	compiled bool
	// partial says whether several files may define a type together.
	partial bool
	// sameFile says whether two paths are of one module, nil for never.
	sameFile func(a, b string) bool
	// skipDir says which folders hold no sources of the repository's own,
	// besides those that hold none in any language.
	skipDir func(name string) bool
}

// generic is a language that has no rules of its own.
func generic(name string) *language {
	return &language{
		name: name, family: name, text: textRules{Rules: lex.C, typeArgs: "<"}, partial: true, definers: []string{"def", "fun", "func", "function", "fn"},
		exported: func(n *node, before string) bool {
			return !hasWord(before, "private") && !hasWord(n.declaration, "private")
		},
		testFile: func(name string) bool { return testFolder(name, "test", "tests") },
	}
}

// languages are those with rules, by the name in SCIP, in lower case.
var languages = map[string]*language{
	"go":              golang,
	"python":          python,
	"typescript":      typescript,
	"typescriptreact": typescript,
	"javascript":      javascript,
	"javascriptreact": javascript,
	"rust":            rust,
}

// byExtension are the languages of files whose producer names none.
var byExtension = map[string]string{
	".java": "java", ".kt": "kotlin", ".scala": "scala", ".rb": "ruby", ".php": "php", ".dart": "dart",
	".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cxx": "cpp", ".cs": "csharp", ".swift": "swift",
}

func init() {
	for _, l := range []*language{golang, python, typescript, javascript, rust} {
		for _, e := range l.extensions {
			byExtension[e] = l.name
		}
	}
}

var spellings = map[string]string{"c++": "cpp", "c#": "csharp"}

// languageOf is the language of a document.
func (im *importer) languageOf(named, name string) *language {
	named = strings.ToLower(named)
	if s := spellings[named]; s != "" {
		named = s
	}
	if named == "" {
		named = byExtension[strings.ToLower(path.Ext(name))]
	}
	if l := languages[named]; l != nil {
		return l
	}
	l := im.others[named]
	if l == nil {
		l = generic(named)
		im.others[named] = l
	}
	return l
}

// hasWord says whether text has a word, letters only.
func hasWord(text, word string) bool {
	for {
		i := strings.Index(text, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !lex.IsWordByte(text[i-1])) && (end == len(text) || !lex.IsWordByte(text[end])) {
			return true
		}
		text = text[end:]
	}
}

// testFolder says whether a path goes through a folder of one of the names.
func testFolder(name string, folders ...string) bool {
	dirs := strings.Split(path.Dir(name), "/")
	for _, d := range dirs {
		for _, f := range folders {
			if d == f {
				return true
			}
		}
	}
	return false
}
