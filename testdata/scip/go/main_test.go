package main

import "testing"

func TestFirst(t *testing.T) {
	if first(names{"a"}) != "a" {
		t.Error("not a")
	}
}
