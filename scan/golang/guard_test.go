package golang

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brick/scan/facts"
)

// doubling is a chain of declarations, each with the one before twice.
func doubling(kind, first, next string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s X0 %s\n", kind, first)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "%s X%d %s\n", kind, i, fmt.Sprintf(next, i-1))
	}
	return b.String()
}

// TestHugeDeclarations scans a few lines that mean more than a machine can
// hold. The file may be lost, but no other, and the scan ends.
func TestHugeDeclarations(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		lost bool
	}{
		"constant":       {"package a\n" + doubling("const", `= "xxxxxxxx"`, "= X%d + X%[1]d", 60) + "var _ = len(X59)\n", true},
		"local constant": {"package a\nfunc f() {\n" + doubling("const", `= "xxxxxxxx"`, "= X%d + X%[1]d", 60) + "_ = len(X59)\n}\n", true},
		"expression":     {"package a\nconst c = `" + strings.Repeat("x", 1000) + "`\nvar v = c" + strings.Repeat("+c", 1500) + "\n", true},
		"type in a signature": {"package a\n" + doubling("type", "= struct{ a, b int }", "= struct{ a, b X%d }", 26) +
			"type T int\nfunc (T) M(X25) {}\n", false},
		"shift": {"package a\nconst x = 1 << 1000000000000\nvar y = x << 1000\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lay(t, dir, map[string]string{
				"go.mod": "module example.com/a\n", "huge.go": c.text,
				"other.go": "package a\n\nfunc other() { called() }\nfunc called() {}\n",
				"b/b.go":   "package b\n\nimport \"example.com/a\"\n\nvar _ = a.X59 + a.X59\n",
			})
			a := scanFolder(t, NewAt(Places{}), dir, nil, 2)
			if lost := a.files["huge.go"] == nil; lost != c.lost {
				t.Errorf("lost: %v, want %v (%s)", lost, c.lost, a.skipped["huge.go"])
			}
			if f := a.files["other.go"]; f == nil || len(f.Sites) != 1 || len(f.Sites[0].Targets) != 1 {
				t.Errorf("the other file is lost: %v", a.skipped)
			}
			if a.files["b/b.go"] == nil {
				t.Errorf("what imports it is lost: %v", a.skipped)
			}
		})
	}
}

// TestEndlessCheck scans a package that takes too long to check. It is lost,
// and what imports it is scanned without.
func TestEndlessCheck(t *testing.T) {
	defer func(old func(*unit) time.Duration) { timeFor, onCheck = old, nil }(timeFor)
	end := make(chan struct{})
	defer close(end)
	timeFor = func(u *unit) time.Duration {
		if u.dir == "slow" {
			return time.Millisecond
		}
		return time.Hour
	}
	onCheck = func(u *unit) {
		if u.dir == "slow" {
			<-end
		}
	}
	dir := t.TempDir()
	lay(t, dir, map[string]string{
		"go.mod": "module example.com/a\n", "slow/a.go": "package slow\n\nfunc F() {}\n",
		"b.go": "package a\n\nimport \"example.com/a/slow\"\n\nvar _ = slow.F()\n",
	})
	a := scanFolder(t, NewAt(Places{}), dir, nil, 1)
	if !strings.Contains(a.skipped["slow/a.go"], "takes longer than") {
		t.Errorf("%q", a.skipped)
	}
	if f := a.files["b.go"]; f == nil || len(f.Sites) != 1 || f.Sites[0].Reason != facts.UnknownReceiver {
		t.Errorf("what imports it: %+v", f)
	}
}
