package project

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/mod/modfile"
)

const (
	maxDeclaration = 1 << 20 // bytes of a file that says a project's name
	maxName        = 1 << 10 // bytes of such a name
)

// nameIn are the ways in which projects say their names.
var nameIn = map[string]func([]byte) string{
	"go.mod":         modfile.ModulePath,
	"package.json":   npmName,
	"pyproject.toml": tomlName,
	"setup.cfg":      setupName,
	"Cargo.toml":     tomlName,
}

// Name is the name that a folder of the checkout, "." for the root, declares
// for what is in it, the same wherever the checkout lies: in the first of the
// files that says one. Without files it is the first of go.mod, package.json,
// pyproject.toml, setup.cfg and Cargo.toml. It is "" when none does.
func (t *Tree) Name(folder string, files ...string) string {
	if len(files) == 0 {
		files = []string{"go.mod", "package.json", "pyproject.toml", "setup.cfg", "Cargo.toml"}
	}
	for _, file := range files {
		text, err := t.Read(path.Join(folder, file), maxDeclaration)
		if err != nil {
			continue
		}
		if name := nameIn[file](bytes.TrimPrefix(text, []byte(BOM))); name != "" && len(name) <= maxName {
			return name
		}
	}
	return ""
}

func npmName(text []byte) string {
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(text, &p) // what isn't JSON says no name
	return p.Name
}

func tomlName(text []byte) string {
	type named struct {
		Name string `toml:"name"`
	}
	var p struct {
		Project named `toml:"project"`
		Package named `toml:"package"`
		Tool    struct {
			Poetry named `toml:"poetry"`
		} `toml:"tool"`
	}
	_ = toml.Unmarshal(text, &p) // what isn't TOML says no name
	for _, n := range []named{p.Project, p.Package, p.Tool.Poetry} {
		if n.Name != "" {
			return n.Name
		}
	}
	return ""
}

// setupName is the name in the section metadata of a setup.cfg.
func setupName(text []byte) string {
	section := ""
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			section = trimmed
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if value == "" {
			key, value, _ = strings.Cut(line, ":")
		}
		if value = strings.TrimSpace(value); section == "[metadata]" && strings.TrimRight(key, " \t") == "name" && !strings.HasPrefix(value, "attr:") && !strings.HasPrefix(value, "file:") {
			return value
		}
	}
	return ""
}
