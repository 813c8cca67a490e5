package typescript

import (
	"cmp"
	"path"
	"slices"
	"strings"

	tsc "github.com/microsoft/typescript-go/brick"

	"brick/project"
)

// A unit is a configuration with the files that it is the nearest for.
type unit struct {
	config *tsc.Config
	folder string // of the configuration, "" is the root
	files  []string
}

// configNames are those of configurations, the more telling first.
var configNames = []string{"tsconfig.json", "jsconfig.json"}

// units divides the files among the configurations of the checkout, and those
// that they refer to. Files that none of them has come last, together.
func (e *engine) units() []*unit {
	configs := e.configs()
	claimed := map[string]bool{}
	var units []*unit
	for _, u := range configs {
		for _, name := range u.config.Files {
			if p, ok := e.own(name); ok && !claimed[p] && lies(u.folder, p) {
				claimed[p] = true
				u.files = append(u.files, p)
			}
		}
	}
	for _, u := range configs { // files that a configuration elsewhere names
		for _, name := range u.config.Files {
			if p, ok := e.own(name); ok && !claimed[p] {
				claimed[p] = true
				u.files = append(u.files, p)
			}
		}
	}
	for _, u := range configs {
		if len(u.files) > 0 {
			slices.Sort(u.files)
			units = append(units, u)
		}
	}
	loose := &unit{config: tsc.Loose()}
	for _, f := range e.job.Files {
		if _, ok := e.sources.own[f.Path]; ok && !claimed[f.Path] {
			loose.files = append(loose.files, f.Path)
		}
	}
	if len(loose.files) > 0 {
		units = append(units, loose)
	}
	return units
}

// lies says whether a path lies in a folder, of which "" is the root.
func lies(folder, name string) bool {
	return folder == "" || strings.HasPrefix(name, folder+"/")
}

// configs reads the configurations, the deepest first.
func (e *engine) configs() []*unit {
	var queue []string
	for _, folder := range e.sources.sortedFolders() {
		for _, name := range configNames {
			if p := path.Join(folder, name); e.job.Tree.Look(p) == project.Regular {
				queue = append(queue, "/"+p)
			}
		}
	}
	seen := map[string]bool{}
	var units []*unit
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] || dependency(inside(name)) {
			continue
		}
		seen[name] = true
		config, err := e.compiler.ReadConfig(name)
		if err != nil {
			continue // its files are loose
		}
		units = append(units, &unit{config: config, folder: above(inside(name))})
		queue = append(queue, config.References...)
	}
	slices.SortStableFunc(units, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(strings.Count(b.config.Path, "/"), strings.Count(a.config.Path, "/")), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.config.Path, b.config.Path))
	})
	return units
}

// rank is which of the configurations of a folder comes first.
func rank(u *unit) int {
	if i := slices.Index(configNames, path.Base(u.config.Path)); i >= 0 {
		return i
	}
	return len(configNames)
}

// sortedFolders are the folders that have files of the repository in them or
// below.
func (s *sources) sortedFolders() []string {
	folders := []string{""}
	for f := range s.folders {
		if f != "" {
			folders = append(folders, f)
		}
	}
	slices.Sort(folders)
	return folders
}
