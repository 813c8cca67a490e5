package query

import (
	"cmp"
	"slices"
	"strings"

	"brick/store"
)

// groupBy puts counts in the place of an answer's list.
var groupBy = Parameter{
	Name: "group_by", Type: String, Enum: []string{byPackage, byFile},
	Description: "Counts in place of lists.",
}

const (
	byPackage = "package"
	byFile    = "file"
)

// A column of groups is a list whose entries are counted: an entry belongs to
// the file of its node.
type column struct {
	name  string
	nodes []uint32
	paths []uint32 // in place of nodes, where entries are files
}

// A group is the entries of a package or file; those of nodes without a path
// are one of their own.
type group struct {
	path   string
	none   bool // there is no path
	counts []int
	total  int
}

// grouped writes the members groups and entries in the place of lists, if that
// is asked for, and ends the answer's page. done says that it did. The groups
// with most entries come first, then by path; limit and cursor are theirs.
func (q *question) grouped(columns ...column) (done bool, err error) {
	by := q.arguments.string(groupBy.Name)
	if by == "" {
		return false, nil
	}
	groups, entries, err := q.groups(by, columns)
	if err != nil {
		return false, err
	}
	q.has(len(groups), "group")
	start, end := q.pageOf(len(groups), 0)
	q.key("groups")
	err = list(q, groups[start:end], func(g *group) error {
		q.out = append(q.out, '{', '"')
		q.out = append(q.out, by...)
		q.out = append(q.out, '"', ':')
		if g.none {
			q.null()
		} else {
			q.text(g.path)
		}
		for i, c := range columns {
			q.key(c.name)
			q.number(g.counts[i])
		}
		q.out = append(q.out, '}')
		return nil
	})
	if err != nil {
		return false, err
	}
	q.key("entries")
	q.number(entries)
	q.page.limited = true
	q.endPage(len(groups), end < len(groups), uint64(end))
	return true, nil
}

func (q *question) groups(by string, columns []column) (groups []*group, entries int, err error) {
	of := map[string]*group{}
	var none *group
	for i, c := range columns {
		paths := c.paths
		if paths == nil {
			var err error
			if paths, err = q.pathsOf(c.nodes); err != nil {
				return nil, 0, err
			}
		}
		entries += len(paths)
		for _, path := range paths {
			var g *group
			if path == store.Unknown {
				if none == nil {
					none = &group{none: true, counts: make([]int, len(columns))}
					groups = append(groups, none)
				}
				g = none
			} else {
				text, err := q.view.Text(store.Paths, path)
				if err != nil {
					return nil, 0, err
				}
				key := string(text)
				if by == byPackage {
					key = folderOf(key)
				}
				if g = of[key]; g == nil {
					g = &group{path: key, counts: make([]int, len(columns))}
					of[key] = g
					groups = append(groups, g)
				}
			}
			g.counts[i]++
			g.total++
		}
	}
	slices.SortFunc(groups, func(x, y *group) int {
		byPath := strings.Compare(x.path, y.path)
		if x.none {
			byPath = -1
		} else if y.none {
			byPath = 1
		}
		return cmp.Or(cmp.Compare(y.total, x.total), byPath)
	})
	return groups, entries, nil
}

// folderOf is the folder of a path, "." for what is in none.
func folderOf(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i > 0 {
		return path[:i]
	}
	return "."
}

// pathsOf returns the number of each node's path, store.Unknown for none.
func (q *question) pathsOf(nodes []uint32) ([]uint32, error) {
	ranks, err := readAll(q, store.Facts, nodes, func(node uint32) (uint32, error) {
		facts, err := q.view.Facts(node)
		return facts.Rank, err
	})
	if err != nil {
		return nil, err
	}
	return readAll(q, store.Ranked, ranks, func(rank uint32) (uint32, error) {
		row, err := q.view.Ranked(rank)
		return row.Path, err
	})
}
