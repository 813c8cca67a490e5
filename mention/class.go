package mention

import (
	"path"
	"strings"

	"brick/project"
)

// A Class is what a name is a part of.
type Class string

const (
	Code     Class = "code"
	String   Class = "string"   // of a source
	Template Class = "template" // a file of a template language, or a string with code in it
	Document Class = "document" // documentation, comments, configuration, data
)

// templates are the extensions of template languages.
var templates = map[string]bool{
	".tmpl": true, ".gotmpl": true, ".tpl": true, ".gohtml": true, ".html": true, ".htm": true, ".xhtml": true,
	".jinja": true, ".jinja2": true, ".j2": true, ".mustache": true, ".hbs": true, ".handlebars": true, ".ejs": true,
	".erb": true, ".pug": true, ".jade": true, ".vue": true, ".svelte": true, ".astro": true, ".twig": true, ".liquid": true,
	".njk": true, ".haml": true, ".slim": true, ".jsp": true, ".ftl": true, ".vm": true, ".cshtml": true, ".razor": true,
	".mako": true, ".eex": true, ".heex": true, ".templ": true, ".marko": true,
}

// scripts are the extensions of sources for which project names no language.
var scripts = map[string]bool{
	".s": true, ".asm": true, ".sh": true, ".bash": true, ".zsh": true, ".fish": true, ".ps1": true, ".bat": true, ".cmd": true,
	".pl": true, ".pm": true, ".lua": true, ".r": true, ".jl": true, ".ex": true, ".exs": true, ".erl": true, ".hs": true,
	".ml": true, ".clj": true, ".el": true, ".vim": true, ".sql": true, ".pyx": true, ".pxd": true, ".zig": true, ".nim": true,
	".groovy": true, ".gradle": true, ".coffee": true, ".wat": true, ".ipynb": true,
}

// ClassOf is the class of all of a file, by its name.
func ClassOf(name string) Class {
	extension := strings.ToLower(path.Ext(name))
	switch {
	case templates[extension], strings.HasSuffix(name, ".blade.php"):
		return Template
	case scripts[extension], project.LanguageOf(name) != "":
		return Code
	}
	return Document
}
