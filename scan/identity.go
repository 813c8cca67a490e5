package scan

import (
	"bytes"
	"encoding/json"

	"github.com/BurntSushi/toml"
	"golang.org/x/mod/modfile"

	"brick/project"
)

// repositoryID is the id of the repository of a checkout: by what it declares
// itself to be, so that it is the same wherever the checkout lies.
func repositoryID(tree *project.Tree) string {
	for _, d := range []struct {
		path string
		name func([]byte) string
	}{
		{"go.mod", modfile.ModulePath},
		{"package.json", npmName},
		{"pyproject.toml", tomlName},
		{"Cargo.toml", tomlName},
	} {
		text, err := tree.Read(d.path, maxDeclaration)
		if err != nil {
			continue
		}
		if name := d.name(bytes.TrimPrefix(text, []byte(project.BOM))); name != "" && len(name) <= maxName {
			return "repo:" + name
		}
	}
	return "repo:repository"
}

const (
	maxDeclaration = 1 << 20 // bytes of a file that says a project's name
	maxName        = 1 << 10 // bytes of such a name
)

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
