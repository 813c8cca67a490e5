package model

import "testing"

func TestEdgeID(t *testing.T) {
	// printf 'calls\0a\0b' | sha256sum
	if got, want := EdgeID(Calls, "a", "b"), "calls:8623a1291a27ec59bb66e263"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if EdgeID(Calls, "a", "b") == EdgeID(Calls, "b", "a") || EdgeID("c", "ab", "") == EdgeID("c", "a", "b") {
		t.Error("different edges have one id")
	}
}
