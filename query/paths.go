package query

import (
	"fmt"
	"regexp"
	"strings"

	"brick/internal/symbol"
	"brick/store"
)

// findPath returns the path of the model that a text stands for: itself, else
// the same with the separators that the model has, below its root, or without
// a leading ./; of an absolute one, where it seems to be on another machine;
// else the only one that ends with it, from a separator on.
// That several do is an error that names them; without any, found is false.
func (q *question) findPath(text string) (path uint32, found bool, err error) {
	for _, variant := range q.writings(text) {
		if path, found, err = q.path(variant); found || err != nil {
			return path, found, err
		}
	}
	if path, found, err = q.pathBelow(text); found || err != nil {
		return path, found, err
	}
	return q.pathEndingWith(text)
}

// pathBelow returns the path that an absolute one is of, as it was on another
// machine: the longest end of it that is a path of the model and has a folder
// in it, or that stands in a folder of the repository's name.
func (q *question) pathBelow(text string) (path uint32, found bool, err error) {
	text = strings.ReplaceAll(text, `\`, "/")
	if !strings.HasPrefix(text, "/") && !drive.MatchString(text) {
		return 0, false, nil
	}
	parts := strings.Split(text, "/")
	for i := 1; i < len(parts); i++ {
		folder, _, _ := strings.Cut(parts[i-1], "@") // a version
		if i == len(parts)-1 && !q.isRepository(folder) {
			continue
		}
		rest := strings.Join(parts[i:], "/")
		for _, variant := range []string{rest, strings.ReplaceAll(rest, "/", `\`)} {
			if path, found, err = q.path(variant); found || err != nil {
				return path, found, err
			}
		}
	}
	return 0, false, nil
}

var drive = regexp.MustCompile(`^[A-Za-z]:/`)

// isRepository says whether a folder has the name of the repository: the last
// part of its id or of its root.
func (q *question) isRepository(folder string) bool {
	last := func(text string) string { return text[strings.LastIndexAny(text, `/\:`)+1:] }
	return folder != "" && (folder == last(q.ix.Manifest.RepositoryID) || folder == last(strings.TrimRight(q.ix.Manifest.Root, `/\`)))
}

// writings are the ways in which a model may write a path, the given one
// first.
func (q *question) writings(text string) []string {
	all := []string{text}
	plain := strings.TrimPrefix(text, "./")
	if root := strings.TrimRight(q.ix.Manifest.Root, `/\`); root != "" && root != "." {
		if rest, below := strings.CutPrefix(plain, root); below && rest != "" && isSeparator(rest[0]) {
			plain = rest[1:]
		}
	}
	if plain != text {
		all = append(all, plain)
	}
	if strings.ContainsAny(plain, `/\`) {
		all = append(all, strings.ReplaceAll(plain, `\`, "/"), strings.ReplaceAll(plain, "/", `\`))
	}
	return all
}

func isSeparator(b byte) bool { return b == '/' || b == '\\' }

// pathEndingWith returns the only path that ends with a text, from a separator
// on.
func (q *question) pathEndingWith(text string) (path uint32, found bool, err error) {
	var ending []uint32
	var texts []string
	for _, separator := range []string{"/", `\`} {
		end := separator + strings.NewReplacer("/", separator, `\`, separator).Replace(strings.TrimPrefix(text, "./"))
		c, err := q.containing(&paths, symbol.Fold(end))
		if err != nil {
			return 0, false, err
		}
		for _, number := range c.texts {
			if err := q.step(); err != nil {
				return 0, false, err
			}
			b, err := q.view.Text(store.Paths, number)
			if err != nil {
				return 0, false, err
			}
			if strings.HasSuffix(string(b), end) {
				ending, texts = append(ending, number), append(texts, string(b))
			}
			if len(ending) > maxResembling {
				return 0, false, severalPaths(text, texts)
			}
		}
	}
	switch len(ending) {
	case 0:
		return 0, false, nil
	case 1:
		return ending[0], true, nil
	}
	return 0, false, severalPaths(text, texts)
}

// severalPaths is the error that a text stands for more than one path.
func severalPaths(text string, paths []string) error {
	return &NotFoundError{
		Problem:  fmt.Sprintf("several paths of the model end with %s: give more of the one that is meant.", quoted(text)),
		Resemble: paths[:min(len(paths), maxResembling)],
		Next:     nextPath,
	}
}
