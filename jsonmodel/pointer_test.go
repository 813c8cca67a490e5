package jsonmodel

import "testing"

func TestPointer(t *testing.T) {
	path := []step{{name: []byte("nodes")}, {index: 12}, {name: []byte("a/b~c")}, {name: []byte{}}, {name: []byte("\n\u009f\u2029é \"\\")}}
	if got, want := pointer(path), "/nodes/12/a~1b~0c//\n\u009f\u2029é \"\\"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := pointer(nil); got != "" {
		t.Errorf("got %s for the document", got)
	}
}
