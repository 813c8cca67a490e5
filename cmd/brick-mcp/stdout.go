package main

import (
	"os"
	"os/signal"
	"syscall"
)

// takeStdout returns the real standard output and leaves standard error in its
// place, so that nothing but the protocol can get among its messages. From
// then on a closed standard output is an error to write, not a signal that
// ends the process.
func takeStdout() *os.File {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	signal.Ignore(syscall.SIGPIPE)
	return stdout
}
