package python

import (
	"path"
	"regexp"
	"strings"

	brick "brick/project"
)

// metadata are what a folder's metadata say. They are read as text: nothing of
// a project is run.
type metadata struct {
	folder  string
	sources []string // folders of packages, relative
	entries []entry
}

// An entry is a function that an installed project is entered by.
type entry struct{ module, function string }

// maxMetadata is how large a project's metadata may be, in bytes.
const maxMetadata = 1 << 20

var metadataFiles = []string{"pyproject.toml", "setup.cfg", "setup.py"}

var (
	// sourceFolder finds package_dir = {"": "src"}, package-dir, "=src" and where = ["src"].
	sourceFolder = regexp.MustCompile(`(?m)(?:package[-_]dir\s*=\s*\{\s*["']["']\s*[:=]\s*|where\s*=\s*\[?\s*|package_dir\s*=\s*\n?\s*=\s*|find_packages\(\s*(?:where\s*=\s*)?)["']?([\w./-]+)["']?`)
	// entryPoint finds name = module:function, with or without quotes.
	entryPoint = regexp.MustCompile(`[\w.-]+["']?\s*=\s*["']?([\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*)\s*:\s*([\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*)`)
)

// projects reads the metadata in the folders of files and above.
func projects(tree *brick.Tree, files []string) []metadata {
	seen := map[string]bool{}
	var list []metadata
	for _, f := range files {
		for d := path.Dir(f); !seen[d]; d = path.Dir(d) {
			seen[d] = true
			if p, ok := readProject(tree, d); ok {
				list = append(list, p)
			}
			if d == "." {
				break
			}
		}
	}
	return list
}

func readProject(tree *brick.Tree, folder string) (p metadata, ok bool) {
	p.folder = folder
	for _, name := range metadataFiles {
		data, err := tree.Read(path.Join(folder, name), maxMetadata)
		if err != nil {
			continue
		}
		ok = true
		for _, m := range sourceFolder.FindAllSubmatch(data, -1) {
			if s := path.Clean(string(m[1])); s != "." && !strings.HasPrefix(s, "..") && !path.IsAbs(s) {
				p.sources = append(p.sources, s)
			}
		}
		for _, m := range entryPoint.FindAllSubmatch(data, -1) {
			p.entries = append(p.entries, entry{string(m[1]), string(m[2])})
		}
	}
	return p, ok
}
