package query

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// A globWalk matches a text with a glob step by step. It says what the glob's
// regular expression says, and is faster: a glob that begins with a star is
// tried on every path of the model.
type globWalk struct {
	separator    byte
	run          strings.Builder // of text that is not in the alternatives yet
	alternatives [][]globStep
	outer        []globBraces
	tooMany      bool // alternatives; then the rest is wrong
}

// globBraces is what was read when a brace opened.
type globBraces struct {
	before [][]globStep
	done   [][]globStep // its alternatives but for the last
}

// A globStep is a part of a glob.
type globStep struct {
	kind globKind
	text string // globText
	set  []rune // globSet: the ends of its ranges
}

type globKind uint8

const (
	globText    globKind = iota
	globOne              // ?
	globChars            // [a-c]
	globMany             // *
	globDeep             // **
	globFolders          // **/
)

// maxAlternatives is how many globs without braces one may stand for.
const maxAlternatives = 32

func newGlobWalk(separator byte) *globWalk {
	return &globWalk{separator: separator, alternatives: [][]globStep{nil}}
}

func (w *globWalk) literal(text string) { w.run.WriteString(text) }

func (w *globWalk) add(steps ...globStep) {
	if w.run.Len() > 0 {
		steps = append([]globStep{{text: w.run.String()}}, steps...)
		w.run.Reset()
	}
	for i, before := range w.alternatives {
		w.alternatives[i] = append(slices.Clip(before), steps...)
	}
}

// set adds one of the characters of a regular expression's class.
func (w *globWalk) set(class string) {
	re, err := syntax.Parse(class, syntax.Perl)
	switch {
	case err == nil && re.Op == syntax.OpCharClass:
		w.add(globStep{kind: globChars, set: re.Rune})
	case err == nil && re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0:
		w.literal(string(re.Rune))
	default:
		w.tooMany = true
	}
}

func (w *globWalk) open() {
	w.add()
	w.outer = append(w.outer, globBraces{before: w.alternatives})
	w.alternatives = [][]globStep{nil}
}

func (w *globWalk) or() {
	w.add()
	b := &w.outer[len(w.outer)-1]
	b.done = append(b.done, w.alternatives...)
	w.alternatives = [][]globStep{nil}
}

func (w *globWalk) close() {
	w.or()
	b := w.outer[len(w.outer)-1]
	w.outer = w.outer[:len(w.outer)-1]
	if len(b.before)*len(b.done) > maxAlternatives {
		w.tooMany = true
		return
	}
	w.alternatives = nil
	for _, before := range b.before {
		for _, inside := range b.done {
			w.alternatives = append(w.alternatives, slices.Concat(before, inside))
		}
	}
}

// exact says whether the walk says what the regular expression says, once all
// was added. It does not for more alternatives than are tried, nor for a
// character that may be a separator behind a star: then the star that takes
// least does not leave most.
func (w *globWalk) exact() bool {
	w.add()
	for _, steps := range w.alternatives {
		star := false
		for _, step := range steps {
			switch step.kind {
			case globMany:
				star = true
			case globDeep, globFolders:
				star = false
			case globChars:
				if star && step.hasChar(rune(w.separator)) {
					return false
				}
			}
		}
	}
	return !w.tooMany
}

func (w *globWalk) match(text string) bool {
	return slices.ContainsFunc(w.alternatives, func(steps []globStep) bool { return w.matchSteps(steps, text) })
}

// matchSteps goes through steps and text. Where they part it goes back to the
// last star, and from there to the last double one, and lets it take more: a
// star before those need not take more, since what it leaves now is all that
// it can leave and more.
func (w *globWalk) matchSteps(steps []globStep, text string) bool {
	if last := len(steps) - 1; last >= 0 && steps[last].kind == globText && !strings.HasSuffix(text, steps[last].text) {
		return false
	}
	star, deep := -1, -1   // the last of them
	starAt, deepAt := 0, 0 // where what they take ends
	for i, at := 0, 0; ; {
		parted := false
		switch {
		case i == len(steps):
			if at == len(text) {
				return true
			}
			parted = true
		case steps[i].kind == globMany && i == len(steps)-2 && steps[i+1].kind == globText:
			// The star takes all before the last text, or nothing will do.
			if end := len(text) - len(steps[i+1].text); at <= end && strings.IndexByte(text[at:end], w.separator) < 0 {
				return true
			}
			star, parted = -1, true
		case steps[i].kind == globMany:
			star, starAt = i, at
			i++
		case steps[i].kind == globDeep && i == len(steps)-1:
			return true
		case steps[i].kind == globDeep || steps[i].kind == globFolders:
			deep, deepAt, star = i, at, -1
			i++
		default:
			size := w.takes(&steps[i], text[at:])
			if parted = size < 0; !parted {
				i, at = i+1, at+size
			}
		}
		if !parted {
			continue
		}
		if star >= 0 {
			if r, size := utf8.DecodeRuneInString(text[starAt:]); size > 0 && r != rune(w.separator) {
				starAt += size
				i, at = star+1, starAt
				continue
			}
			star = -1
		}
		switch {
		case deep < 0:
			return false
		case steps[deep].kind == globFolders:
			size := strings.IndexByte(text[deepAt:], '/') + 1
			if size == 0 {
				return false
			}
			deepAt += size
		default:
			_, size := utf8.DecodeRuneInString(text[deepAt:])
			if size == 0 {
				return false
			}
			deepAt += size
		}
		i, at = deep+1, deepAt
	}
}

// takes returns how many bytes of the text a step takes, -1 when it can't be
// taken.
func (w *globWalk) takes(step *globStep, text string) int {
	if step.kind == globText {
		if strings.HasPrefix(text, step.text) {
			return len(step.text)
		}
		return -1
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return -1
	}
	if step.kind == globOne {
		if r == rune(w.separator) {
			return -1
		}
		return size
	}
	if !step.hasChar(r) {
		return -1
	}
	return size
}

func (step *globStep) hasChar(r rune) bool {
	for i := 0; i+1 < len(step.set); i += 2 {
		if step.set[i] <= r && r <= step.set[i+1] {
			return true
		}
	}
	return false
}
