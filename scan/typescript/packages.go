package typescript

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	tsc "github.com/microsoft/typescript-go/brick"

	"brick/project"
)

// A manifest is what a package.json says.
type manifest struct {
	folder     string
	Name       string          `json:"name"`
	Type       string          `json:"type"`
	Source     any             `json:"source"`
	Main       any             `json:"main"`
	Module     any             `json:"module"`
	Types      any             `json:"types"`
	Typings    any             `json:"typings"`
	Exports    any             `json:"exports"`
	Workspaces json.RawMessage `json:"workspaces"`
}

// maxManifest is the largest package.json that is read, in bytes.
const maxManifest = 4 << 20

// manifest is the package.json in a folder, nil when there is none to read.
func (s *sources) manifest(folder string) *manifest {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.packages[folder]; ok {
		return m
	}
	var m *manifest
	if data, err := s.job.Tree.Read(path.Join(folder, "package.json"), maxManifest); err == nil {
		m = &manifest{}
		if json.Unmarshal([]byte(strings.TrimPrefix(string(data), project.BOM)), m) != nil {
			m = &manifest{}
		}
		m.folder = folder
	}
	s.packages[folder] = m
	return m
}

// isModule says whether the package of a file is one of ECMAScript modules.
func (s *sources) isModule(name string) bool {
	for folder := above(name); ; folder = above(folder) {
		if m := s.manifest(folder); m != nil {
			return m.Type == "module"
		}
		if folder == "" {
			return false
		}
	}
}

// mappings lead the names of the checkout's own packages to their sources: of
// those that a workspace has, and of the package that a unit is in.
func (s *sources) mappings(u *unit) []tsc.Mapping {
	chosen := map[string]*manifest{}
	members := s.members()
	for _, folder := range s.sortedFolders() {
		m := s.manifest(folder)
		if m == nil || m.Name == "" {
			continue
		}
		around := folder == "" || lies(folder, u.folder+"/")
		if !around && !members[folder] {
			continue
		}
		if before := chosen[m.Name]; before == nil || around && len(folder) > len(before.folder) {
			chosen[m.Name] = m
		}
	}
	var all []tsc.Mapping
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		all = append(all, s.entries(chosen[name])...)
	}
	return all
}

// members are the folders of workspaces' packages: those that a package.json
// or a pnpm-workspace.yaml above names by a glob.
func (s *sources) members() map[string]bool {
	members := map[string]bool{}
	folders := s.sortedFolders()
	for _, root := range folders {
		for _, glob := range s.workspaces(root) {
			exclude := strings.HasPrefix(glob, "!")
			glob = path.Join(root, strings.TrimPrefix(strings.TrimPrefix(glob, "!"), "./"))
			for _, f := range folders {
				if ok, _ := doublestar.Match(glob, f); ok {
					members[f] = !exclude
				}
			}
		}
	}
	return members
}

// workspaces are the globs of a workspace whose root is a folder.
func (s *sources) workspaces(root string) []string {
	var globs []string
	if m := s.manifest(root); m != nil && len(m.Workspaces) > 0 {
		var nested struct {
			Packages []string `json:"packages"`
		}
		if json.Unmarshal(m.Workspaces, &globs) != nil && json.Unmarshal(m.Workspaces, &nested) == nil {
			globs = nested.Packages
		}
	}
	data, err := s.job.Tree.Read(path.Join(root, "pnpm-workspace.yaml"), maxManifest)
	if err != nil {
		return globs
	}
	in := false
	for line := range strings.Lines(string(data)) {
		item := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(item, "- ") && in:
			globs = append(globs, strings.Trim(strings.TrimSpace(item[2:]), `"'`))
		case item != "" && !strings.HasPrefix(item, "#") && line[0] != ' ':
			in = strings.HasPrefix(item, "packages:")
		}
	}
	return globs
}

// entries are the names by which others import a package, with its sources.
func (s *sources) entries(m *manifest) []tsc.Mapping {
	targets := map[string][]string{}
	add := func(sub string, values ...any) {
		for _, v := range values {
			targets[sub] = append(targets[sub], leaves(v)...)
		}
	}
	if subs, ok := m.Exports.(map[string]any); ok && hasPaths(subs) {
		for sub, v := range subs {
			add(strings.TrimPrefix(strings.TrimPrefix(sub, "."), "/"), v)
		}
	} else {
		add("", m.Exports)
	}
	add("", m.Source, m.Module, m.Main, m.Types, m.Typings, "./src/index.js", "./index.js")
	var all []tsc.Mapping
	for _, sub := range slices.Sorted(maps.Keys(targets)) {
		name := path.Join(m.Name, sub)
		if strings.Contains(sub, "*") {
			if files := s.patterns(m.folder, targets[sub]); len(files) > 0 {
				all = append(all, tsc.Mapping{Name: name, Files: files})
			}
			continue
		}
		if file := s.sourceOf(m.folder, targets[sub]); file != "" {
			all = append(all, tsc.Mapping{Name: name, Files: []string{"/" + file}})
		}
	}
	return append(all, tsc.Mapping{Name: m.Name + "/*", Files: []string{"/" + path.Join(m.folder, "*"), "/" + path.Join(m.folder, "src", "*")}})
}

func hasPaths(exports map[string]any) bool {
	for k := range exports {
		if strings.HasPrefix(k, ".") {
			return true
		}
	}
	return false
}

// leaves are the paths in a value of "exports", sources first.
func leaves(v any) []string {
	var all []string
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, x := range v {
				visit(x)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				visit(v[k])
			}
		}
	}
	visit(v)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(built(a), built(b)) })
	return all
}

// built is 0 for the path of a source in TypeScript, else 1.
func built(p string) int {
	_, ext := cutExtension(p)
	if ext == ".ts" || ext == ".tsx" || ext == ".mts" || ext == ".cts" {
		return 0
	}
	return 1
}

// cutExtension divides a path in front of its extension, of which ".d.ts" is
// one.
func cutExtension(p string) (base, ext string) {
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		if base, ok := strings.CutSuffix(p, ext); ok {
			return base, ext
		}
	}
	return p, ""
}

// likely are the paths at which the source of a built file may lie.
func likely(folder, base string) []string {
	base = strings.TrimPrefix(path.Clean(base), "/")
	all := []string{base, path.Join("src", base)}
	for range 2 {
		_, rest, ok := strings.Cut(base, "/")
		if !ok {
			break
		}
		base = rest
		all = append(all, path.Join("src", base), base)
	}
	for i := range all {
		all[i] = path.Join(folder, all[i])
	}
	return all
}

// sourceOf is the source of the first of some paths that has one: in
// TypeScript, else in JavaScript; "" when there is none.
func (s *sources) sourceOf(folder string, targets []string) string {
	for _, extensions := range [][]string{{".ts", ".tsx", ".mts", ".cts"}, {".js", ".jsx", ".mjs", ".cjs"}} {
		for _, target := range targets {
			base, _ := cutExtension(target)
			for _, p := range likely(folder, base) {
				for _, candidate := range []string{p, path.Join(p, "index")} {
					for _, ext := range extensions {
						if _, ok := s.own[candidate+ext]; ok {
							return candidate + ext
						}
					}
				}
			}
		}
	}
	return ""
}

// patterns are the folders in which what stands for "*" may lie.
func (s *sources) patterns(folder string, targets []string) []string {
	var files []string
	for _, target := range targets {
		before, after, ok := strings.Cut(target, "*")
		if !ok {
			continue
		}
		after, _ = cutExtension(after)
		for _, p := range likely(folder, path.Join(before, "x")) {
			dir := above(p)
			if _, ok := s.folders[dir]; !ok && dir != "" {
				continue
			}
			if file := "/" + path.Join(dir, "*") + after; !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}
