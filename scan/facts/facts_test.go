package facts

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIDsOfOneFileDiffer(t *testing.T) {
	ids := NewIDs("go", "a/b.go")
	for _, c := range []struct{ name, want string }{
		{"init", "go:a/b.go#init"},
		{"T.M", "go:a/b.go#T.M"},
		{"init", "go:a/b.go#init~2"},
		{"init", "go:a/b.go#init~3"},
		{"T.M", "go:a/b.go#T.M~2"},
	} {
		if got := ids.Next(c.name); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestLongIDsStayApart(t *testing.T) {
	long := strings.Repeat("ä", maxID)
	a, b := NewID("python", "a.py", long+"a"), NewID("python", "a.py", long+"b")
	if a == b {
		t.Error("two long names have one id")
	}
	for _, id := range []string{a, b, NewFile(long), NewModule("go", long), NewExternal("go", long).ID} {
		if len(id) > maxID || !utf8.ValidString(id) {
			t.Errorf("an id has %d bytes, or is not UTF-8", len(id))
		}
	}
}
