package store

import (
	"errors"
	"time"

	"github.com/gofrs/flock"
)

// lockPatience is how long a lock may take to be granted or refused: drives
// without a lock service say neither.
const lockPatience = time.Second

var errNoLocks = errors.New("the file system does not answer a request for a lock")

// tryLock locks a file, which it makes if need be, for as long as the process
// lives or until the lock is closed. It returns nil when another process has
// it, and an error where there are no locks.
func tryLock(path string) (*flock.Flock, error) {
	lock := flock.New(path)
	type result struct {
		locked bool
		err    error
	}
	done := make(chan result, 1)
	go func() {
		locked, err := lock.TryLock()
		done <- result{locked, err}
	}()
	select {
	case r := <-done:
		if r.locked {
			return lock, nil
		}
		return nil, errors.Join(r.err, lock.Close())
	case <-time.After(lockPatience):
		return nil, errNoLocks // nor would Close come back
	}
}
