package golang

import (
	"bytes"
	"go/build"
	"go/build/constraint"
	"runtime"
	"slices"
	"strings"
)

// The operating systems and processors that names of files and constraints
// tell apart (https://pkg.go.dev/internal/syslist), the usual ones first.
var (
	knownOS = strings.Fields("linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android ios js wasip1 plan9 hurd nacl zos")
	unixOS  = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")

	knownArch = strings.Fields("amd64 arm64 386 arm wasm riscv64 ppc64 ppc64le s390x loong64 mips mipsle mips64 mips64le" +
		" armbe arm64be amd64p32 mips64p32 mips64p32le ppc riscv s390 sparc sparc64")
)

// A config is what build constraints are asked of: a system, a processor and
// tags.
type config struct {
	goos, goarch string
	tags         map[string]bool // those that differ from the usual
}

// host is the config of this machine with cgo.
var host = &config{goos: runtime.GOOS, goarch: runtime.GOARCH}

// outside is the config in which packages from outside of the checkout are
// read: without cgo, whose generated files aren't there.
var outside = &config{goos: runtime.GOOS, goarch: runtime.GOARCH, tags: map[string]bool{"cgo": false}}

func (c *config) has(tag string) bool {
	if on, ok := c.tags[tag]; ok {
		return on
	}
	switch {
	case tag == c.goos, tag == c.goarch, tag == "gc", tag == "cgo":
		return true
	case tag == "unix":
		return slices.Contains(unixOS, c.goos)
	case tag == "linux" && c.goos == "android", tag == "solaris" && c.goos == "illumos", tag == "darwin" && c.goos == "ios":
		return true
	}
	return slices.Contains(build.Default.ReleaseTags, tag)
}

// usual says whether a tag is one that a config has by itself.
func usual(tag string) bool {
	return tag == "unix" || slices.Contains(knownOS, tag) || slices.Contains(knownArch, tag)
}

// A limits is what a file's name and its constraint ask of a config.
type limits struct {
	tags []string // of its name: a system, a processor
	expr constraint.Expr
}

// limitsOf reads the name and the beginning of a file.
func limitsOf(name string, text []byte) limits {
	return limits{nameTags(name), constraintOf(text)}
}

func (l limits) hold(c *config) bool {
	for _, tag := range l.tags {
		if !c.has(tag) {
			return false
		}
	}
	return l.expr == nil || l.expr.Eval(c.has)
}

// nameTags are the tags that a file's name ends in: NAME_GOOS_GOARCH_test.go,
// as go/build has them.
func nameTags(name string) []string {
	name, _, _ = strings.Cut(name, ".")
	name = strings.TrimSuffix(name, "_test")
	parts := strings.Split(name, "_")[1:] // what is before the first is no tag
	n := len(parts)
	switch {
	case n >= 2 && slices.Contains(knownOS, parts[n-2]) && slices.Contains(knownArch, parts[n-1]):
		return parts[n-2:]
	case n >= 1 && (slices.Contains(knownOS, parts[n-1]) || slices.Contains(knownArch, parts[n-1])):
		return parts[n-1:]
	}
	return nil
}

// constraintOf is a file's //go:build line, or, where there is none, its
// // +build lines, before the package clause; nil for none.
func constraintOf(text []byte) constraint.Expr {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var plus constraint.Expr
	comment := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		switch {
		case comment:
			comment = !bytes.Contains(line, []byte("*/"))
		case len(line) == 0:
		case bytes.HasPrefix(line, []byte("/*")):
			comment = !bytes.Contains(line, []byte("*/"))
		case !bytes.HasPrefix(line, []byte("//")):
			return plus
		case constraint.IsGoBuild(string(line)):
			if e, err := constraint.Parse(string(line)); err == nil {
				return e
			}
		case constraint.IsPlusBuild(string(line)):
			if e, err := constraint.Parse(string(line)); err == nil {
				if plus != nil {
					e = &constraint.AndExpr{X: plus, Y: e}
				}
				plus = e
			}
		}
	}
	return plus
}

// maxFlips is how many custom tags of one file are tried in all combinations.
const maxFlips = 8

// config finds the config nearest to the host's that a file is built in; nil
// when there is none.
func (l limits) config() *config {
	var systems, processors, custom []string
	mention := func(tag string) {
		switch {
		case slices.Contains(knownOS, tag):
			systems = append(systems, tag)
		case slices.Contains(knownArch, tag):
			processors = append(processors, tag)
		case !usual(tag) && !slices.Contains(custom, tag) && len(custom) < maxFlips:
			custom = append(custom, tag)
		}
	}
	for _, tag := range l.tags {
		mention(tag)
	}
	eachTag(l.expr, mention)
	systems = slices.Concat([]string{host.goos}, systems, knownOS)
	processors = slices.Concat([]string{host.goarch}, processors, knownArch)
	for flips := range 1 << len(custom) {
		tags := map[string]bool{}
		for i, tag := range custom {
			if flips>>i&1 == 1 {
				tags[tag] = !host.has(tag)
			}
		}
		for _, goos := range systems {
			for _, goarch := range processors {
				if c := (&config{goos, goarch, tags}); l.hold(c) {
					return c
				}
			}
		}
	}
	return nil
}

func eachTag(e constraint.Expr, f func(string)) {
	switch e := e.(type) {
	case *constraint.TagExpr:
		f(e.Tag)
	case *constraint.NotExpr:
		eachTag(e.X, f)
	case *constraint.AndExpr:
		eachTag(e.X, f)
		eachTag(e.Y, f)
	case *constraint.OrExpr:
		eachTag(e.X, f)
		eachTag(e.Y, f)
	}
}
