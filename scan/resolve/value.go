package resolve

import "slices"

// A Value is something that an expression may stand for.
type Value struct {
	Kind  ValueKind
	Unit  int32
	Index int32 // a definition of the unit, or by Kind
}

// ValueKind says what a value is.
type ValueKind uint8

// The kinds of values.
const (
	Unknown  ValueKind = iota // it may be anything
	Function                  // a function, or a method without its receiver
	Method                    // a method with its receiver
	Class
	Instance        // of a class, or of one derived from it
	Exact           // of a class itself
	Module          // a unit
	Package         // a folder of modules; Index is the language's
	Foreign         // outside of the repository; Index is its name's
	ForeignInstance // an instance of something foreign, or of what is derived from it
	ForeignExact    // of exactly that
	Wrapped         // what decorators made of a definition
	SuperOf         // the receiver Index's members from after its class; see super.go
)

// A Set is what an expression may stand for; when it holds Unknown, also
// anything else. The empty set is that of what stands for no object.
type Set []Value

var (
	unknown = Set{{Kind: Unknown}}
	nothing = Set{}
)

// UnknownSet may be anything.
func UnknownSet() Set { return unknown }

// maxSet is how many values are told apart.
const maxSet = 16

// Certain says whether all that the expression may stand for is in the set.
func (s Set) Certain() bool {
	return !slices.ContainsFunc(s, func(v Value) bool { return v.Kind == Unknown })
}

// union is what one or the other may stand for.
func union(a, b Set) Set {
	if len(a) == 0 {
		return b
	}
	out := a
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(slices.Clip(out), v)
		}
	}
	if len(out) > maxSet {
		return unknown
	}
	return out
}

// one is a set of a single value.
func one(kind ValueKind, unit, index int32) Set { return Set{{kind, unit, index}} }
