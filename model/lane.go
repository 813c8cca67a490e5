package model

// A Lane is a set of lanes, a bit each.
type Lane byte

// The bits of lanes, in the order of their names.
const (
	LaneHeuristic Lane = 1 << iota
	LaneImported
	LaneSymbolic
	LaneSyntactic
)

// LaneNames are the lanes, for messages.
const LaneNames = "syntactic, symbolic, heuristic, imported"

// LaneOf returns the bit of a lane by its name, in any case of its ASCII
// letters, 0 for any other text.
func LaneOf(name string) Lane {
	switch {
	case equalFoldASCII(name, Imported):
		return LaneImported
	case equalFoldASCII(name, Syntactic):
		return LaneSyntactic
	case equalFoldASCII(name, Symbolic):
		return LaneSymbolic
	case equalFoldASCII(name, Heuristic):
		return LaneHeuristic
	}
	return 0
}

// equalFoldASCII reports whether s is lower but for the case of its ASCII
// letters. (strings.EqualFold also folds others: it takes U+017F for an s.)
func equalFoldASCII(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}
