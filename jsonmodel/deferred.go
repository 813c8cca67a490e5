package jsonmodel

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"

	"brick/internal/show"
	"brick/model"
)

// The sole repository, as far as the document was read.
type repository struct {
	state repositoryState
	id    string
}

type repositoryState uint8

const (
	repositoryUnknown repositoryState = iota // not read so far
	repositoryKnown
	repositoryFaulty // nothing can be compared with it
)

func otherRepository(id, sole string) string {
	return fmt.Sprintf("repository_id must be %s, the id of the sole repository, not %s", show.Quote(sole), show.Quote(id))
}

// deferred keeps the faults that can be decided only at the end of the document.
// Its methods may be called from several goroutines. Its memory grows with the
// number of distinct values that are wrong or not yet known to be right.
type deferred struct {
	limit int // of each collector

	mu            sync.Mutex
	repositoryIDs map[string]*model.Faults
	// Ids that are empty or too long, by hash: where edges refer to them, and
	// those that nodes claim.
	endpoints map[[sha256.Size]byte]*model.Faults
	claimed   map[[sha256.Size]byte]struct{}
}

func newDeferred(limit int) *deferred {
	return &deferred{
		limit:         limit,
		repositoryIDs: map[string]*model.Faults{},
		endpoints:     map[[sha256.Size]byte]*model.Faults{},
		claimed:       map[[sha256.Size]byte]struct{}{},
	}
}

// repositoryID returns the collector for nodes with this repository_id.
func (l *deferred) repositoryID(id string) *model.Faults {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.repositoryIDs[id]
	if f == nil {
		f = model.NewFaults(l.limit)
		l.repositoryIDs[strings.Clone(id)] = f
	}
	return f
}

// endpoint returns the collector for edges from or to this illegal id.
func (l *deferred) endpoint(id string) *model.Faults {
	key := sha256.Sum256([]byte(id))
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.endpoints[key]
	if f == nil {
		f = model.NewFaults(l.limit)
		l.endpoints[key] = f
	}
	return f
}

// claim notes the illegal ones of the ids that a node claims.
func (l *deferred) claim(ids []string) {
	for _, id := range ids {
		if 0 < len(id) && len(id) <= model.MaxID {
			continue
		}
		key := sha256.Sum256([]byte(id))
		l.mu.Lock()
		l.claimed[key] = struct{}{}
		l.mu.Unlock()
	}
}

// decide adds the faults that turned out to be some.
func (l *deferred) decide(faults *model.Faults, sole repository, nodesUnknown bool) {
	if sole.state == repositoryKnown {
		for id, found := range l.repositoryIDs {
			if id != sole.id {
				message := otherRepository(id, sole.id)
				faults.Merge(found, func(f *model.Fault) { f.Message = message })
			}
		}
	}
	if nodesUnknown {
		return
	}
	for key, found := range l.endpoints {
		if _, ok := l.claimed[key]; !ok {
			faults.Merge(found, func(*model.Fault) {})
		}
	}
}
