package mcp

import (
	"log"
	"runtime"
	"runtime/debug"
)

// faultText says in words what a recovered panic was, and logs where it
// happened.
func faultText(fault any) string {
	log.Printf("fault: %v\n%s", fault, debug.Stack())
	if unreadable(fault) {
		return "a part of the index could not be read: the file was cut off, or its disk went away, while it was open; " +
			"build it again with brick-index build, or ask again when the disk is back"
	}
	return "internal fault; the server goes on, and the details are on its standard error"
}

// unreadable reports whether the fault is a page of memory that isn't there,
// as debug.SetPanicOnFault turns it into a panic. A nil pointer has no address.
func unreadable(fault any) bool {
	_, ok := fault.(interface {
		runtime.Error
		Addr() uintptr
	})
	return ok
}
