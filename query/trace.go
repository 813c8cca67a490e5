package query

import (
	"regexp"
	"strings"
)

// Lines of stack traces, and of compilers and tests, that name a place. Those
// not named here write path:line:column.
var (
	goOffset   = regexp.MustCompile(` \+0x[0-9a-f]+$`)
	pythonLine = regexp.MustCompile(`^File "(.+)", line ([0-9]+)(?:, in .*)?$`)
	javaLine   = regexp.MustCompile(`^at (?:.*/)?([\w.$]+)\.[\w$<>]+\(([\w$]+\.\w+):([0-9]+)\)$`)
	message    = regexp.MustCompile(`^(\S+?:[0-9]+(?::[0-9]+)?): .`)
	atLine     = regexp.MustCompile(`^at (?:.*\()?(?:\w+://)?(.+:[0-9]+:[0-9]+)\)?$`)
)

// placesIn returns the places that a text may name, written path:line:column,
// the likeliest first: itself, or what a line of a stack trace is about, of Go,
// Python, JavaScript, Java or Rust, or a message that begins with its place.
func placesIn(text string) []string {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "File "):
		if m := pythonLine.FindStringSubmatch(text); m != nil {
			return []string{m[1] + ":" + m[2]}
		}
	case strings.HasPrefix(text, "at "):
		if m := javaLine.FindStringSubmatch(text); m != nil {
			place := m[2] + ":" + m[3]
			folder, _, _ := cutLast(m[1], ".") // of the class
			return []string{strings.TrimPrefix(strings.ReplaceAll(folder, ".", "/")+"/"+place, "/"), place}
		}
		if m := atLine.FindStringSubmatch(text); m != nil {
			return []string{m[1]}
		}
	case strings.Contains(text, ": "):
		if m := message.FindStringSubmatch(text); m != nil {
			return []string{m[1]}
		}
	}
	text = goOffset.ReplaceAllString(text, "")
	if last := strings.TrimSuffix(text, ":"); last == "" || last[len(last)-1] < '0' || last[len(last)-1] > '9' || !placeForm.MatchString(text) {
		return nil
	}
	return []string{text}
}

// cutLast is strings.Cut around the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return "", text, false
}
