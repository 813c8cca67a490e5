package resolve

import (
	"bytes"
	"sync"

	"github.com/vmihailenco/msgpack/v5"
)

// Version counts the ways in which units have been encoded. It is a part of
// the key of a kept unit, as is the version of the front end.
const Version = "resolve 1"

var encoders = sync.Pool{New: func() any { return msgpack.NewEncoder(nil) }}

// Encode is a unit as bytes.
func Encode(u *Unit) ([]byte, error) {
	var out bytes.Buffer
	e := encoders.Get().(*msgpack.Encoder)
	defer encoders.Put(e)
	e.Reset(&out)
	e.UseArrayEncodedStructs(true)
	e.UseCompactInts(true)
	e.SetSortMapKeys(true)
	err := e.Encode(u)
	return out.Bytes(), err
}

// Decode is the unit that Encode made bytes of.
func Decode(data []byte) (*Unit, error) {
	u := &Unit{}
	d := msgpack.NewDecoder(bytes.NewReader(data))
	d.UseLooseInterfaceDecoding(true)
	return u, d.Decode(u)
}
