package golang

import (
	"path"
	"slices"
	"strings"
)

// Checkouts from before modules don't say by which path they are imported: it
// was that of their folder in GOPATH. Their imports tell.

// guessRoot finds the path of the root of a checkout without a module there:
// the one that most imports, but at least two, have before a folder of the
// checkout.
func (m *modules) guessRoot(importing map[string][]string) {
	found := map[string]map[string]bool{} // imports by what may be the root's path
	for _, from := range sortedKeys(importing) {
		if m.near[from] != nil {
			continue
		}
		for _, p := range importing[from] {
			for _, dir := range m.folderSuffixes(p) {
				root := strings.TrimSuffix(strings.TrimSuffix(p, dir), "/")
				if found[root] == nil {
					found[root] = map[string]bool{}
				}
				found[root][p] = true
			}
		}
	}
	most := 1
	for _, root := range sortedKeys(found) {
		if n := len(found[root]); n > most {
			m.gopath, most = root, n
		}
	}
}

// folderSuffixes are the ends of an import's path that are folders with Go
// files in no module, the longest first. Its first element, a host, is no
// part of them.
func (m *modules) folderSuffixes(importPath string) []string {
	host, rest, ok := strings.Cut(importPath, "/")
	var list []string
	for ok && strings.Contains(host, ".") && rest != "" {
		if m.sources[rest] && m.near[rest] == nil {
			list = append(list, rest)
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return list
}

// findWithoutModule is the folder that an import means in a checkout without
// modules. perhaps says that it may mean one, but that it isn't known whether
// it does.
func (m *modules) findWithoutModule(importPath, from string) (dir string, perhaps bool) {
	if m.near[from] != nil {
		return "", false
	}
	if rest, ok := strings.CutPrefix(importPath+"/", m.gopath+"/"); ok && m.gopath != "" {
		if dir := path.Clean(rest); m.sources[dir] && m.near[dir] == nil {
			return dir, false
		}
		return "", false
	}
	return "", m.gopath == "" && len(m.folderSuffixes(importPath)) > 0
}

// importsOf are the imports of each folder.
func importsOf(folders map[string][]*source) map[string][]string {
	all := map[string][]string{}
	for dir, files := range folders {
		for _, f := range files {
			all[dir] = append(all[dir], f.imports...)
		}
		slices.Sort(all[dir])
	}
	return all
}
