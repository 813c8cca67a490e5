package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestName(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", nil, ""},
		{"Go first", map[string]string{"go.mod": "module example.com/shop\n", "package.json": `{"name":"web"}`}, "example.com/shop"},
		{"npm with a byte order mark", map[string]string{"package.json": "\uFEFF{\"name\":\"@x/web\"}"}, "@x/web"},
		{"a broken file says nothing", map[string]string{"package.json": "{", "pyproject.toml": "[project]\nname = \"jinja2\"\n"}, "jinja2"},
		{"Poetry", map[string]string{"pyproject.toml": "[tool.poetry]\nname = \"old\"\n"}, "old"},
		{"setup.cfg", map[string]string{"pyproject.toml": "[build-system]\n", "setup.cfg": "[options]\nname = no\n[metadata]\nversion = 1\nname = Jinja2\n"}, "Jinja2"},
		{"setup.cfg with a colon", map[string]string{"setup.cfg": "[metadata]\nname: shop\n"}, "shop"},
		{"Rust", map[string]string{"Cargo.toml": "[package]\nname = \"crate\"\n"}, "crate"},
		{"a workspace of Rust", map[string]string{"Cargo.toml": "[workspace]\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(dir, "sub", name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
					t.Fatal(err)
				}
			}
			tree, err := Open(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			if got := tree.Name("sub"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := tree.Name("."); got != "" {
				t.Errorf("the root is called %q", got)
			}
		})
	}
}
