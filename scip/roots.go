package scip

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// rootOf is the folder that an index says it is of, "" when it says none.
func rootOf(x *indexFile) string {
	u, err := url.Parse(x.metadata.GetProjectRoot())
	if err != nil || u.Path == "" {
		return ""
	}
	return path.Clean(u.Path)
}

// findPrefixes finds where each index's documents lie in the model: their
// paths are relative to their index's root, and the roots may be folders of
// one repository. The model's root is the source folder when it contains all
// roots, else the deepest folder that does, as of indexes from another
// machine. Roots that have nothing in common count as the same folder.
func findPrefixes(indexes []*indexFile, source string) {
	if len(indexes) == 0 {
		return
	}
	top := ""
	if source != "" {
		if absolute, err := filepath.Abs(source); err == nil {
			top = filepath.ToSlash(absolute)
		}
	}
	if top == "" || !containsAll(top, indexes) {
		top = rootOf(indexes[0])
		for top != "" && !containsAll(top, indexes) {
			top = parentFolder(top)
		}
	}
	for _, x := range indexes {
		if top != "" {
			x.prefix, _ = inside(top, rootOf(x))
		}
	}
}

// A unit is a project, what was indexed together: an index, or several of the same
// folder or with documents in common.
type unit struct {
	prefix string // the folder that all of it is in, relative to the model's root
}

// findUnits gives the indexes their units.
func findUnits(indexes []*indexFile, documents []*document) {
	folders := map[string]*unit{}
	for _, x := range indexes {
		if folders[x.prefix] == nil {
			folders[x.prefix] = &unit{x.prefix}
		}
		x.unit = folders[x.prefix]
	}
	join := func(a, b *unit) {
		if a == b {
			return
		}
		if len(b.prefix) < len(a.prefix) {
			a.prefix = b.prefix
		}
		for _, x := range indexes {
			if x.unit == b {
				x.unit = a
			}
		}
	}
	for _, d := range documents {
		for _, p := range d.parts {
			join(d.parts[0].index.unit, p.index.unit)
		}
	}
}

// parentFolder is the folder that contains another, "" for the file system's
// root and those in it, which are no repository.
func parentFolder(folder string) string {
	if up := path.Dir(folder); up != "." && up != "/" {
		return up
	}
	return ""
}

func containsAll(top string, indexes []*indexFile) bool {
	for _, x := range indexes {
		if _, ok := inside(top, rootOf(x)); !ok {
			return false
		}
	}
	return true
}

// inside is a folder's path relative to another that contains it.
func inside(top, folder string) (string, bool) {
	if folder == top {
		return "", true
	}
	return strings.CutPrefix(folder, strings.TrimSuffix(top, "/")+"/")
}
