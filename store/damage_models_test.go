package store_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"testing"

	"brick/internal/test/genmodel"
	"brick/internal/test/testbuild"
	"brick/internal/test/testenv"
)

// damageModel is the model whose index TestDamage damages: bbolt's, or a
// generated one of so many functions.
func damageModel(t testing.TB, functions, seed int) []byte {
	t.Helper()
	if functions == 0 {
		return bboltModel(t)
	}
	var b bytes.Buffer
	if err := genmodel.Write(&b, genmodel.Config{Functions: functions, Seed: uint64(seed)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// damageIndex builds an index of a model, with a snapshot of its source.
func damageIndex(t testing.TB, dir string, model []byte) (path string) {
	t.Helper()
	return testbuild.FileWithSource(t, dir, model, madeUp{})
}

// madeUp is source text that follows from the file's path. It is the same for
// models that are alike, of all sizes, and missing for some.
type madeUp struct{}

func (madeUp) Read(path string) (text []byte, absent string) {
	sum := fnv.New64a()
	sum.Write([]byte(path))
	r := rand.New(rand.NewPCG(sum.Sum64(), 0))
	lines := r.IntN(100)
	switch r.IntN(100) {
	case 0, 1, 2, 3:
		return nil, "it is missing"
	case 4: // longer than a block
		lines = 4000
	}
	for i := range lines {
		text = fmt.Appendf(text, "%d %x %s\n", i, r.Uint64(), path)
	}
	return text, ""
}

// smallModel is a small model that has something for every section.
const smallModel = `{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{"all":true},
"metrics":{"resolution":{"go":{"resolved":1}}},
"nodes":[
{"id":"a","kind":"function","name":"a","language":"go","path":"a.go","span":{"start_line":1},"attributes":{"source.exported":true}},
{"id":"b","kind":"function","name":"b","language":"go","path":"a.go"},
{"id":"c","kind":"method","name":"c","language":"c","path":"c.c"},
{"id":"d","kind":"method","name":"d"},
{"id":"f","kind":"file","name":"a.go","path":"a.go","attributes":{"source.parse-incomplete":true}},
{"id":"u","kind":"unresolved_symbol","name":"d"}],
"edges":[
{"id":"ab","kind":"calls","source":"a","target":"b","evidence":[{"lane":"syntactic","backend":"x"}]},
{"id":"ba","kind":"calls","source":"b","target":"a","evidence":[{"lane":"imported","backend":"x"}]},
{"id":"bc","kind":"calls","source":"b","target":"c","evidence":[{"lane":"syntactic","backend":"x","provenance":"a.go:1:1"}]},
{"id":"cu","kind":"unresolved_call","source":"c","target":"u","evidence":[{"lane":"heuristic","backend":"x","provenance":"c.c:1:1"}]},
{"id":"fa","kind":"contains","source":"f","target":"a","evidence":[{"lane":"syntactic","backend":"x"}]}]}`

var bboltDocument = sync.OnceValues(func() ([]byte, error) {
	return testenv.Unpack("../testdata/bbolt.brick.json.zst")
})

// bboltModel is the model of a real repository.
func bboltModel(t testing.TB) []byte {
	t.Helper()
	document, err := bboltDocument()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// twins are other models than this one, whose indexes are laid out alike: one
// has another root, the other has other records.
func twins(t testing.TB, model []byte) [][]byte {
	t.Helper()
	var twins [][]byte
	for _, change := range [][2]string{{`"root":"`, `"root":"/`}, {`"backend":"go`, `"backend":"Go`}} {
		twin := bytes.ReplaceAll(model, []byte(change[0]), []byte(change[1]))
		if bytes.Equal(twin, model) {
			t.Fatalf("the model has no %s", change[0])
		}
		twins = append(twins, twin)
	}
	return twins
}
