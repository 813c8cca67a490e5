package golang

import (
	"context"
	"fmt"
	"sync"
)

// A task is run once all tasks that it is after have been.
type task struct {
	run     func()
	waits   int
	waiters []*task
}

// after makes a task wait for another.
func (t *task) after(other *task) {
	t.waits++
	other.waiters = append(other.waiters, t)
}

// runTasks runs tasks, so many at once. What waits for itself is run when
// nothing else is left.
func runTasks(ctx context.Context, workers int, list []*task) error {
	var (
		mu    sync.Mutex
		some  = sync.NewCond(&mu)
		ready []*task
		left  = len(list)
		busy  int
		stuck = list
		done  = map[*task]bool{}
	)
	for _, t := range list {
		if t.waits == 0 {
			ready = append(ready, t)
		}
	}
	next := func() *task {
		mu.Lock()
		defer mu.Unlock()
		for len(ready) == 0 && left > 0 && busy > 0 {
			some.Wait()
		}
		if left == 0 || ctx.Err() != nil {
			return nil
		}
		for len(ready) == 0 { // a circle: the first of those that wait
			if t := stuck[0]; !done[t] {
				ready = append(ready, t)
			}
			stuck = stuck[1:]
		}
		t := ready[0]
		ready = ready[1:]
		done[t] = true
		left--
		busy++
		return t
	}
	finish := func(t *task) {
		mu.Lock()
		defer mu.Unlock()
		busy--
		for _, w := range t.waiters {
			if w.waits--; w.waits == 0 && !done[w] {
				ready = append(ready, w)
			}
		}
		some.Broadcast()
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for t := next(); t != nil; t = next() {
				t.run()
				finish(t)
			}
			some.Broadcast()
		})
	}
	group.Wait()
	return ctx.Err()
}

// each calls f of each element of a list, of so many at once.
func each[T any](ctx context.Context, workers int, list []T, f func(T)) error {
	tasks := make([]*task, len(list))
	for i, x := range list {
		tasks[i] = &task{run: func() { f(x) }}
	}
	return runTasks(ctx, workers, tasks)
}

// safely calls f. A panic in it becomes an error.
func safely[T any](f func() T) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return f(), nil
}

// safely2 is safely for a function that may fail.
func safely2[T any](f func() (T, error)) (T, error) {
	type both struct {
		result T
		err    error
	}
	b, err := safely(func() both {
		r, err := f()
		return both{r, err}
	})
	if err != nil {
		return b.result, err
	}
	return b.result, b.err
}
