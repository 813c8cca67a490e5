// Command shop has one function of each kind that seems to have no caller,
// and one that has none.
package main

import (
	"flag"
	"fmt"
	"os"
)

// A rule's function is named in a package-level variable only.
type rule struct{ run func() error }

var check = &rule{run: runCheck}

func runCheck() error { return nil }

// names implements flag.Value, an interface of another repository.
type names []string

func (n *names) String() string { return fmt.Sprint(*n) }

func (n *names) Set(name string) error {
	*n = append(*n, name)
	return nil
}

// set implements a generic interface.
type container[T any] interface{ hold(T) }

type set struct{}

func (set) hold(int) {}

func fill(c container[int]) { c.hold(1) }

// A stringer's method is checked in a blank function.
type color int

const red color = 0

func _() {
	var x [1]struct{}
	_ = x[red-0]
	guard()
}

func guard() {}

func (c color) String() string { return "red" }

func main() {
	var n names
	flag.Var(&n, "name", "")
	flag.Parse()
	if err := check.run(); err != nil {
		os.Exit(1)
	}
	fill(set{})
	fmt.Println(red, first(n), helper(n))
	write(os.Stdout, page{n})
}

func first(n names) string {
	if len(n) == 0 {
		return ""
	}
	return n[0]
}

// onlyElsewhere is called in a file behind a build tag.
func onlyElsewhere() {}

func dead() {}
