// Package testenv is what tests of several packages ask of their surroundings.
// It imports nothing of this module, so that every package's tests can.
package testenv

import (
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Race reports whether the race detector is on, which makes everything take
// many times as long.
func Race() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Int is the number that an environment variable gives to a long run.
func Int(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// Unpack returns what a file that zstd packed holds.
func Unpack(path string) ([]byte, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}
