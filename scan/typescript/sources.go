package typescript

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"brick/project"
	"brick/scan"
)

// A source is a file of the repository.
type source struct {
	text string // without a byte order mark
	bom  bool
}

// sources are all that the compiler sees: the repository's files as the walk
// found them, and besides, whatever lies in the checkout, for what it declares.
type sources struct {
	job     *scan.Job
	own     map[string]source
	hidden  map[string]bool     // the repository's files that are not read
	folders map[string][]string // what is in the folders of own, folders end with "/"

	mu       sync.Mutex
	packages map[string]*manifest // by folder
}

// The bounds of a file.
const (
	maxSource   = 2 << 20 // bytes
	maxDeclared = 8 << 20 // bytes of a file that only declares, in node_modules
	maxLine     = 5000    // bytes of the average line of a file: it is minified
)

// readSources reads the files of a job.
func readSources(job *scan.Job, fail func(path, reason string)) *sources {
	s := &sources{job: job, own: map[string]source{}, hidden: map[string]bool{}, folders: map[string][]string{}, packages: map[string]*manifest{}}
	e := &engine{job: job}
	_ = e.each(context.Background(), len(job.Files), func(i int) {
		name := job.Files[i].Path
		src, err := s.load(name)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil {
			s.hidden[name] = true
			fail(name, err.Error())
			return
		}
		s.own[name] = src
	})
	for _, f := range job.Files {
		s.list(f.Path)
	}
	return s
}

func (s *sources) load(name string) (source, error) {
	data, err := s.job.Tree.Read(name, maxSource)
	if err != nil {
		return source{}, project.ReasonOf(err)
	}
	bom, err := project.CheckText(data)
	if err != nil {
		return source{}, err
	}
	text := strings.TrimPrefix(string(data), project.BOM)
	if len(text) > 100_000 && len(text)/(1+strings.Count(text, "\n")) > maxLine || strings.Contains(path.Base(name), ".min.") && len(text)/(1+strings.Count(text, "\n")) > 500 {
		return source{}, fmt.Errorf("it is minified")
	}
	if deep(text) {
		return source{}, fmt.Errorf("it is nested too deep")
	}
	return source{text, bom}, nil
}

// list adds a file to the folder that it is in.
func (s *sources) list(name string) {
	folder := above(name)
	s.folders[folder] = append(s.folders[folder], path.Base(name))
	if len(s.folders[folder]) == 1 {
		s.climb(folder)
	}
}

// above is the folder that something is in, "" for the root.
func above(name string) string {
	if folder := path.Dir(name); folder != "." {
		return folder
	}
	return ""
}

// climb adds a folder that is new to those above it.
func (s *sources) climb(folder string) {
	for folder != "" {
		parent, entry := above(folder), path.Base(folder)+"/"
		if slices.Contains(s.folders[parent], entry) {
			return
		}
		s.folders[parent] = append(s.folders[parent], entry)
		folder = parent
	}
}

// maxDepth is how deep brackets may lie in each other, maxChain how many
// operators may follow each other: the compiler recurses into both.
const (
	maxDepth = 1000
	maxChain = 20_000
)

// deep says whether the compiler would recurse too deep into a text. It counts
// without reading closely: what it lets pass the compiler can read.
func deep(text string) bool {
	depth, chain := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case '{':
			depth++
			chain = 0
		case '}':
			depth = max(0, depth-1)
			chain = 0
		case ';', ',':
			chain = 0
		case '!', '~', '+', '-', '?', ':', '=', '<', '&', '|', '^', '%', '*', '/':
			chain++
		case '"', '\'':
			if end := strings.IndexByte(text[i+1:min(len(text), i+1+maxQuoted)], c); end >= 0 && !strings.Contains(text[i+1:i+1+end], "\n") {
				i += end + 1
			}
		}
		if depth > maxDepth || chain > maxChain {
			return true
		}
	}
	return false
}

// maxQuoted is how far deep looks for the end of a string.
const maxQuoted = 1 << 16

// IsFile, IsFolder, List, Real and Read are the compiler's view.

// IsFile says whether a file can be read.
func (s *sources) IsFile(name string) bool {
	name = inside(name)
	if _, ok := s.own[name]; ok || s.hidden[name] {
		return true
	}
	return s.job.Tree.Look(name) == project.Regular
}

// IsFolder says whether there is a folder.
func (s *sources) IsFolder(name string) bool {
	name = inside(name)
	if _, ok := s.folders[name]; ok || name == "." {
		return true
	}
	return s.job.Tree.Look(name) == project.Folder
}

// List is what is in a folder: of the repository's own what the walk found.
func (s *sources) List(name string) (files, folders []string) {
	name = inside(name)
	if dependency(name) {
		return s.job.Tree.List(name)
	}
	if name == "." {
		name = ""
	}
	for _, entry := range s.folders[name] {
		if folder, ok := strings.CutSuffix(entry, "/"); ok {
			folders = append(folders, folder)
		} else {
			files = append(files, entry)
		}
	}
	slices.Sort(files)
	slices.Sort(folders)
	return files, folders
}

// Real follows links, as package managers make them.
func (s *sources) Real(name string) string {
	own := inside(name)
	if _, ok := s.own[own]; ok {
		return name
	}
	return "/" + strings.TrimPrefix(s.job.Tree.Real(own), "./")
}

// Read is the text of a file; that of one which is passed over is empty.
func (s *sources) Read(name string) (string, bool) {
	name = inside(name)
	if src, ok := s.own[name]; ok {
		return src.text, true
	}
	if s.hidden[name] {
		return "", true
	}
	data, err := s.job.Tree.Read(name, maxDeclared)
	if err != nil {
		return "", false
	}
	text := strings.TrimPrefix(string(data), project.BOM)
	if _, err := project.CheckText(data); err != nil || deep(text) {
		return "", true
	}
	return text, true
}

// inside is the path in the checkout of one of the compiler's.
func inside(name string) string {
	if name = strings.Trim(name, "/"); name == "" {
		return "."
	}
	return name
}

// dependency says whether a path lies in an installed package.
func dependency(name string) bool {
	return name == "node_modules" || strings.HasPrefix(name, "node_modules/") || strings.Contains(name, "/node_modules/") || strings.HasSuffix(name, "/node_modules")
}
