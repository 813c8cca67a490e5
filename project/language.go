package project

import (
	"path"
	"strings"
)

// byExtension are the languages of files by extension, named as models name
// them. A header of C may be one of C++ or of Objective-C: only its includers
// know.
var byExtension = map[string]string{
	".go": "go",
	".py": "python", ".pyi": "python", ".pyw": "python",
	".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cts": "typescript",
	".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
	".rs":   "rust",
	".java": "java",
	".kt":   "kotlin", ".kts": "kotlin",
	".swift": "swift",
	".c":     "c", ".h": "c",
	".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".c++": "cpp",
	".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp", ".h++": "cpp", ".ipp": "cpp", ".tpp": "cpp", ".inl": "cpp",
	".cs": "csharp", ".csx": "csharp",
	".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby", ".ru": "ruby",
	".php": "php", ".phtml": "php",
	".scala": "scala", ".sc": "scala",
	".dart": "dart",
	".m":    "objectivec", ".mm": "objectivec",
	".vue": "vue", ".svelte": "svelte",
}

// byName are those of files whose whole name says it.
var byName = map[string]string{
	"Rakefile": "ruby", "Gemfile": "ruby", "Podfile": "ruby", "Fastfile": "ruby", "Vagrantfile": "ruby", "Brewfile": "ruby",
}

// LanguageOf is the language of a file by its name, "" when it has none that
// is known: "go", "python", "typescript" (also of ".d.ts" and ".tsx"), ….
// Extensions are compared without regard to case.
func LanguageOf(name string) string {
	base := path.Base(name)
	if l := byName[base]; l != "" {
		return l
	}
	return byExtension[strings.ToLower(path.Ext(base))]
}
