package index

// beside begins to run f beside what follows. What it returns waits for f, any
// number of times, and has its error.
func beside(f func() error) (wait func() error) {
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		err = f()
	}()
	return func() error {
		<-done
		return err
	}
}
