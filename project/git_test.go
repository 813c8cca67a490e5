package project

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAsGit compares the walk with what git finds in the same folders, with
// random rules.
func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	pick := rand.New(rand.NewPCG(1, 2))
	one := func(list ...string) string { return list[pick.IntN(len(list))] }
	for round := range 25 {
		files := map[string]string{}
		folder := func() string { return strings.Repeat(one("a/", "b/", "foo/"), pick.IntN(3)) }
		for range 30 {
			files[folder()+one("x/", "")+one("a.go", "b.log", "foo.c", "keep", ".env", "[x]", "é.go")] = "x"
		}
		for range 3 {
			var rules strings.Builder
			for range 1 + pick.IntN(5) {
				fmt.Fprintln(&rules, one("", "", "!")+one("", "", "/", "**/", "a/")+one("*", "*.go", "a", "foo*", "b.log", "**", "[ab].*", "[!a]*", "f?o", "keep", "a/**", "a**o", `\[x\]`, "é*", "# b", "b ", "{a,b}.go")+one("", "", "/", "/*", "/**"))
			}
			files[folder()+".gitignore"] = rules.String()
		}
		dir := makeFiles(t, files)
		git := func(arguments ...string) []string {
			cmd := exec.Command("git", arguments...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME="+filepath.Join(dir, "none"), "HOME="+filepath.Join(dir, "none"))
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			return strings.FieldsFunc(string(bytes.TrimSpace(out)), func(r rune) bool { return r == 0 })
		}
		git("init", "-q")
		want := git("ls-files", "-z", "--others", "--exclude-standard")
		slices.Sort(want)
		if got, _ := walk(t, open(t, dir)); !slices.Equal(got, want) {
			t.Fatalf("round %d: %q\ngit finds %q\nof %q", round, got, want, files)
		}
	}
}
