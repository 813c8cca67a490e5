package query

import (
	"bytes"
	"testing"
)

func TestWithRoom(t *testing.T) {
	for _, text := range [][]byte{nil, []byte("small"), bytes.Repeat([]byte("text"), large)} {
		for _, size := range []int{0, 1, large - 1, large, 3 * large} {
			b := withRoom(bytes.Clone(text), size)
			if !bytes.Equal(b, text) || cap(b) < len(b)+size {
				t.Errorf("%d bytes of %d with room for %d, not for %d", len(b), len(text), cap(b)-len(b), size)
			}
		}
	}
}

// A medium answer does not go on using the memory of a giant one.
func TestTakeBound(t *testing.T) {
	for range 10 {
		Recycle(make([]byte, 0, 100*large))
		if m := take(large); cap(m) > 8*large {
			t.Errorf("%d bytes for an answer of %d", cap(m), large)
		}
	}
}

// Memory that was not given back belongs to who has it, whatever else is asked
// for and given back.
func TestRecycle(t *testing.T) {
	var kept [][]byte
	for i := range 300 {
		b := withRoom(take(0), large/2*(i%5))
		b = append(b, bytes.Repeat([]byte{byte(i)}, large/2*(i%7))...)
		if i%3 == 0 {
			kept = append(kept, b)
		} else {
			Recycle(b)
		}
	}
	for i, b := range kept {
		if !bytes.Equal(b, bytes.Repeat([]byte{byte(3 * i)}, large/2*(3*i%7))) {
			t.Errorf("answer %d was overwritten", 3*i)
		}
	}
}
