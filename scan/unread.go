package scan

import (
	"cmp"
	"slices"
	"sync"
)

// unread lists the files that the scan says nothing about, and why.
type unread struct {
	mu   sync.Mutex
	list []Unread
}

// Unread is a file that was not read.
type Unread struct{ Path, Reason string }

func (u *unread) add(path, reason string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list = append(u.list, Unread{path, reason})
}

func (u *unread) sorted() []Unread {
	slices.SortFunc(u.list, func(a, b Unread) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return u.list
}

// unreadScope says in a model's scope how many files were not read for a
// reason, and names the first.
type unreadScope struct {
	Files    int      `json:"files"`
	Examples []string `json:"examples"`
}

// unreadExamples is how many files are named for each reason: the scope is a
// part of every answer. The others are file nodes with attribute
// source.not-read.
const unreadExamples = 3

func unreadByReason(list []Unread) map[string]unreadScope {
	by := map[string]unreadScope{}
	for _, u := range list {
		s := by[u.Reason]
		s.Files++
		if len(s.Examples) < unreadExamples {
			s.Examples = append(s.Examples, u.Path)
		}
		by[u.Reason] = s
	}
	return by
}
