package scan

import "iter"

// ahead makes n results in order, several at once and before they are needed.
// When the loop over them ends early, stop must be closed.
func ahead[T any](workers, n int, stop <-chan struct{}, result func(i int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		queue := make(chan chan T, workers)
		go func() {
			defer close(queue)
			for i := range n {
				next := make(chan T, 1)
				select {
				case queue <- next:
					go func() { next <- result(i) }()
				case <-stop:
					return
				}
			}
		}()
		for next := range queue {
			if !yield(<-next) {
				return
			}
		}
	}
}
