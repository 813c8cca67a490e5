package store

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sectionLine is a row of the table of sections: numbers, names, kind.
var sectionLine = regexp.MustCompile(`(?m)^\| (\d+(?:, \d+)*) \| ([^|]+) \| ([^|]*(?:record|table|lookup|same|to a block)[^|]*) \| `)

// docs/format.md has every section, by its number, name and shape.
func TestFormatIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), fmt.Sprintf("\nFormat version %d.", FormatVersion)) {
		t.Errorf("docs/format.md is not of format version %d", FormatVersion)
	}
	_, table, _ := strings.Cut(string(text), "\n## Sections\n")
	table, _, _ = strings.Cut(table, "\n## ")
	next := Section(1)
	for _, row := range sectionLine.FindAllStringSubmatch(table, -1) {
		numbers := strings.Split(row[1], ", ")
		for _, number := range numbers {
			if number != strconv.Itoa(int(next)) {
				t.Fatalf("section %s stands where %d, %s, should", number, next, next)
			}
			next++
		}
		if len(numbers) > 1 {
			continue // what several have in common
		}
		s := next - 1
		if row[2] != s.String() {
			t.Errorf("section %d is %q, documented as %q", s, s, row[2])
		}
		want := "lookup"
		switch {
		case columns[s] == 1:
			want = "table, 1 column"
		case columns[s] > 1:
			want = fmt.Sprintf("table, %d columns", columns[s])
		case itemsPerBlock[s] > 0:
			want = fmt.Sprintf("%d to a block", itemsPerBlock[s])
		}
		if row[3] != want && row[3] != "records, "+want {
			t.Errorf("section %d, %s, is documented as %q, want %q", s, s, row[3], want)
		}
	}
	if next != sectionEnd {
		t.Errorf("section %d, %s, is not documented", next, next)
	}
}
