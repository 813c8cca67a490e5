package golang

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"brick/scan/facts"
)

// A result is what is known of a unit, all of which can be kept in the cache.
type result struct {
	Links  links
	Files  [][]byte // a record each, see packRecord
	Export []byte   // export data, when the unit can be imported
	Digest []byte   // of Export
}

// links is what is needed of a unit to know what its calls may reach.
type links struct {
	Functions []defined  // functions, methods and types by key
	Types     []concrete // that have methods
	Contracts []contract // of interfaces that it declares, and that its call sites ask for
	Missing   []string   // imports that are not there
}

// defined is a definition with a key: the path of its package, a zero byte,
// and its name, after that of its type and a dot if it is a member of one. All
// definitions of a key are the same to those who call it; which one it is
// depends on the config.
type defined struct{ Key, ID string }

// concrete is a type that is no interface.
type concrete struct {
	IDs     []string // of its definition; none when it has no name
	Open    bool     // something that it embeds isn't known
	Methods []implementation
}

// implementation is a method that a type has: its own, or one of what it
// embeds.
type implementation struct {
	signature
	Key string // "" when it is defined outside
}

// A record is what is known of a file: facts whose targets in the checkout are
// keys, to be replaced by ids (see linker).
type record struct {
	File       facts.File
	Attributes []attributes // of the definitions
	Dispatch   []dispatch
}

// dispatch says that a call site calls a method of an interface.
type dispatch struct {
	Site     int
	Contract int // index in links.Contracts of its unit
}

// keyMark begins the id of a target that is a key.
const keyMark = "\x00"

func packRecord(r *record) ([]byte, error) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	e.UseArrayEncodedStructs(true)
	err := e.Encode(r)
	return b.Bytes(), err
}

func unpackRecord(data []byte) (*record, error) {
	r := new(record)
	return r, msgpack.Unmarshal(data, r)
}

func packResult(r *result) ([]byte, error) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	e.UseArrayEncodedStructs(true)
	err := e.Encode(r)
	return b.Bytes(), err
}

func unpackResult(data []byte) (*result, error) {
	r := new(result)
	return r, msgpack.Unmarshal(data, r)
}
