package project

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// An ignoreFile is the rules of a .gitignore, as gitignore(5) says them.
type ignoreFile struct {
	folder string // whose .gitignore it is; "" is the root
	rules  []ignoreRule
}

// An ignoreRule is a line of it.
type ignoreRule struct {
	glob     string
	keep     bool // it begins with "!"
	folders  bool // it ends with "/"
	anchored bool // it has a "/" elsewhere: it counts from the folder on
}

// parseIgnore reads the text of a .gitignore. Lines that git does not
// understand match nothing, as there.
func parseIgnore(text, folder string) *ignoreFile {
	f := &ignoreFile{folder: folder}
	for line := range strings.Lines(strings.TrimPrefix(text, BOM)) {
		if r, ok := parseIgnoreRule(strings.TrimRight(line, "\r\n")); ok {
			f.rules = append(f.rules, r)
		}
	}
	return f
}

func parseIgnoreRule(line string) (r ignoreRule, ok bool) {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.keep = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if strings.HasSuffix(line, "/**") {
		line += "/*" // all that is in it, not the folder itself
	}
	r.glob = escapeBraces(line)
	return r, line != "" && doublestar.ValidatePattern(r.glob)
}

// escapeBraces takes the meaning from braces, which have none for git.
func escapeBraces(glob string) string {
	var out strings.Builder
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			out.WriteByte('\\')
			if i++; i == len(glob) {
				return out.String()
			}
		case '{', '}':
			out.WriteByte('\\')
		}
		out.WriteByte(glob[i])
	}
	return out.String()
}

// match says what the file's last rule for a path is: ok is false when it has
// none. The path is relative to the root, and in the file's folder.
func (f *ignoreFile) match(name string, folder bool) (keep, ok bool) {
	if f.folder != "" {
		name = strings.TrimPrefix(name, f.folder+"/")
	}
	for i := len(f.rules) - 1; i >= 0; i-- {
		r := &f.rules[i]
		if r.folders && !folder {
			continue
		}
		what := name
		if !r.anchored {
			what = path.Base(name)
		}
		if doublestar.MatchUnvalidated(r.glob, what) {
			return r.keep, true
		}
	}
	return false, false
}

// ignored asks the files of the folders above a path, the nearest first. The
// folders on the way are not ignored.
func ignored(files []*ignoreFile, name string, folder bool) bool {
	for i := len(files) - 1; i >= 0; i-- {
		if keep, ok := files[i].match(name, folder); ok {
			return !keep
		}
	}
	return false
}
