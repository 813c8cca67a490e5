package store_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"

	"brick/internal/genmodel"
	"brick/internal/testbuild"
	"brick/query"
	"brick/store"
)

const (
	pageSize = 4096
	// What opening a damaged index and asking it everything may take, more than
	// the undamaged one.
	maxTime      = time.Second
	maxAllocated = 64 << 20
	// A trial that is not over by then never will be.
	hung = time.Minute
)

// TestDamage damages an index at random, opens it and asks it: each answer is
// the one that the undamaged index gives, or an error that says what is wrong.
// BRICK_DAMAGE_TRIALS is the number of trials, BRICK_DAMAGE_SEED the seed, and
// BRICK_DAMAGE_FUNCTIONS the size of a generated model that is damaged instead
// of bbolt's; 37,000 are 100 MB.
func TestDamage(t *testing.T) {
	trials := 2000
	if raceDetector() {
		trials = 400
	}
	trials = fromEnvironment(t, "BRICK_DAMAGE_TRIALS", trials)
	seed := fromEnvironment(t, "BRICK_DAMAGE_SEED", 1)
	dir := t.TempDir()
	model := bboltModel(t)
	if n := fromEnvironment(t, "BRICK_DAMAGE_FUNCTIONS", 0); n > 0 {
		var b bytes.Buffer
		if err := genmodel.Write(&b, genmodel.Config{Functions: n, Seed: uint64(seed)}); err != nil {
			t.Fatal(err)
		}
		model = b.Bytes()
	}
	whole := readFile(t, testbuild.File(t, dir, model))
	l := newLab(t, dir, whole)
	t.Logf("a model of %d bytes, an index of %d; undamaged, it takes %v and allocates %d bytes", len(model), len(whole), l.took, l.allocated)
	d := &damager{dir: dir, whole: whole}
	for _, model := range twins(t, model) {
		d.others = append(d.others, readFile(t, testbuild.File(t, dir, model)))
	}
	d.blocks = findBlocks(t, d.dir, whole)
	outcomes := map[string]*outcome{}
	for i := range trials {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		kind := damages[i%len(damages)]
		late := kind.late && r.IntN(4) == 0
		damaged := kind.damage(t, d, r)
		got := l.trial(t, fmt.Sprintf("trial %d: %s", i, kind.name), damaged, late)
		if outcomes[kind.name] == nil {
			outcomes[kind.name] = &outcome{}
		}
		outcomes[kind.name].add(got)
		if t.Failed() {
			return
		}
	}
	for _, kind := range damages {
		if o := outcomes[kind.name]; o != nil {
			t.Logf("%-50s %d trials: %d refused, %d with errors, %d unharmed", kind.name, o.trials, o.refused, o.wrong, o.right)
		}
	}
}

// TestManifestOfAnotherModel asks an index that has the manifest of another
// model a question that needs little else.
func TestManifestOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	d := &damager{dir: dir, whole: readFile(t, testbuild.File(t, dir, bboltModel(t)))}
	other := readFile(t, testbuild.File(t, dir, twins(t, bboltModel(t))[0]))
	l := newLab(t, dir, d.whole)
	l.questions = nil
	l.add("brick_uncalled", `{"limit":0}`)
	ix, err := store.Open(l.path)
	if err != nil {
		t.Fatal(err)
	}
	q := &l.questions[0]
	if q.answer, err = q.tool.Answer(t.Context(), ix, q.arguments); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := d.rewrite(t, func(_ []*value, manifest *value) {
		_, m := splitValues(readValues(t, dir, other))
		manifest.data = m.data
	})
	l.trial(t, "the manifest of another model's index", damaged, false)
}

// FuzzDamage does the same with any bytes.
func FuzzDamage(f *testing.F) {
	dir := f.TempDir()
	whole := readFile(f, testbuild.File(f, dir, []byte(smallModel)))
	l := newLab(f, dir, whole)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(whole[:2*pageSize])
	f.Add([]byte(smallModel))
	f.Fuzz(func(t *testing.T, damaged []byte) {
		l.trial(t, "fuzz", damaged, false)
	})
}

// outcome counts what came of trials.
type outcome struct{ trials, refused, wrong, right int }

func (o *outcome) add(p outcome) {
	o.trials++
	o.refused += p.refused
	o.wrong += p.wrong
	o.right += p.right
}

// A lab is an index with questions and their answers.
type lab struct {
	path      string // what is opened in trials
	whole     []byte
	questions []question

	// What opening the undamaged index and asking it everything takes; that of
	// a large model gives large answers.
	took      time.Duration
	allocated uint64
}

type question struct {
	tool      *query.Tool
	arguments query.Arguments
	text      string
	answer    []byte
	err       string // when the right answer is an error
}

func newLab(t testing.TB, dir string, whole []byte) *lab {
	t.Helper()
	l := &lab{path: filepath.Join(dir, "damaged.idx"), whole: whole}
	if err := os.WriteFile(l.path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	ix, err := store.Open(l.path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	l.add("brick_cycles", `{}`)
	l.add("brick_bridges", `{}`)
	l.add("brick_uncalled", `{"include_unknown":true,"limit":20}`)
	l.add("brick_uncalled", `{"include_unknown":true,"assume_closed_world":true,"language":"go","limit":3}`)
	l.add("brick_evidence", `{"entity_id":"no such id"}`)
	l.add("brick_impact", `{"node_id":"go.etcd.io/bbolt.Open"}`)
	l.add("brick_callers", `{"node_id":""}`)
	l.add("brick_find", `{"text":"Bucket.Get","records":"brief"}`)
	l.add("brick_find", `{"text":"tx co","limit":3}`)
	l.add("brick_find", `{"text":"e","kind":"method"}`)
	l.add("brick_find", `{"text":"zzz","path":"**/*.go"}`)
	l.add("brick_summary", `{}`)
	l.add("brick_files", `{"path":"cmd/**","limit":7}`)
	l.add("brick_file", `{"path":"cursor.go","limit":3}`)
	l.add("brick_hotspots", `{"sort":"fan_in","limit":5}`)
	l.add("brick_calls", `{"pattern":"*.Close","path":"*.go","limit":3}`)
	l.add("brick_path", `{"from":"go:(*go.etcd.io/bbolt.DB).Update","to":"go:(*go.etcd.io/bbolt.DB).grow"}`)
	v := ix.View()
	defer v.Release()
	r := rand.New(rand.NewPCG(0, 0))
	for range 8 {
		edge, err := v.AppendEdgeID(nil, uint32(r.IntN(ix.Manifest.Edges)))
		if err != nil {
			t.Fatal(err)
		}
		l.add("brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, edge))
		node, err := v.AppendNodeID(nil, uint32(r.IntN(ix.Manifest.Nodes)))
		if err != nil {
			t.Fatal(err)
		}
		l.add("brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, node))
		l.add("brick_callers", fmt.Sprintf(`{"node_id":%s,"assume_closed_world":%t}`, node, r.IntN(2) == 0))
		l.add("brick_impact", fmt.Sprintf(`{"node_id":%s,"max_depth":2}`, node))
		l.add("brick_impact", fmt.Sprintf(`{"node_id":%s,"max_depth":3,"direction":"dependencies"}`, node))
		near, err := jsontext.AppendQuote(nil, string(node)[1:len(node)-1]+"x")
		if err != nil {
			t.Fatal(err)
		}
		l.add("brick_evidence", fmt.Sprintf(`{"entity_id":%s}`, near))
	}
	for i := range l.questions {
		q := &l.questions[i]
		if q.answer, err = q.tool.Answer(context.Background(), ix, q.arguments); err != nil {
			var notFound *query.NotFoundError
			if !errors.As(err, &notFound) {
				t.Fatalf("%s of the undamaged index: %v", q.text, err)
			}
			q.err = err.Error()
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	if o, err := l.ask(context.Background(), whole, false); err != nil || o.right != 1 {
		t.Fatalf("the undamaged index: %+v, %v", o, err)
	}
	l.took = time.Since(start)
	runtime.ReadMemStats(&after)
	l.allocated = after.TotalAlloc - before.TotalAlloc
	return l
}

func (l *lab) add(tool, arguments string) {
	q := question{tool: query.Lookup(tool), text: tool + " " + arguments}
	var err error
	if q.arguments, err = q.tool.ParseArguments([]byte(arguments)); err != nil {
		panic(err)
	}
	l.questions = append(l.questions, q)
}

// trial opens the damaged index and asks it. When late, the file is damaged
// after it was opened.
func (l *lab) trial(t testing.TB, name string, damaged []byte, late bool) outcome {
	t.Helper()
	var o outcome
	for attempt := 1; ; attempt++ {
		first := damaged
		if late {
			first = l.whole
		}
		if err := overwrite(l.path, first); err != nil {
			t.Fatal(err)
		}
		goroutines := runtime.NumGoroutine()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), hung/2)
		var err error
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
				}
			}()
			o, err = l.ask(ctx, damaged, late)
		}()
		select {
		case <-done:
		case <-time.After(hung):
			t.Fatalf("%s: it hangs", name)
		}
		cancel()
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > l.allocated+maxAllocated {
			t.Fatalf("%s: it allocated %d bytes", name, n)
		}
		for i := 0; runtime.NumGoroutine() > goroutines; i++ {
			if i == 1e6 {
				t.Fatalf("%s: %d goroutines where %d were before", name, runtime.NumGoroutine(), goroutines)
			}
			runtime.Gosched()
		}
		if took <= l.took+maxTime {
			return o
		}
		if attempt == 10 { // not a machine that is busy meanwhile
			t.Fatalf("%s: it took %v", name, took)
		}
	}
}

func (l *lab) ask(ctx context.Context, damaged []byte, late bool) (o outcome, err error) {
	ix, err := store.Open(l.path)
	if err != nil {
		o.refused++
		return o, checkError(err)
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	if late {
		if err := overwrite(l.path, damaged); err != nil {
			return o, err
		}
	}
	failed := false
	for _, q := range l.questions {
		answer, err := q.tool.Answer(ctx, ix, q.arguments)
		var notFound *query.NotFoundError
		switch {
		case err == nil && q.err == "" && bytes.Equal(answer, q.answer):
		case errors.As(err, &notFound) && err.Error() == q.err:
		case err == nil || notFound != nil:
			return o, fmt.Errorf("%s\ngot  %.300s, error %v\nwant %.300s, error %s", q.text, answer, err, q.answer, q.err)
		default:
			failed = true
			if err := checkError(err); err != nil {
				return o, err
			}
		}
	}
	if failed {
		o.wrong++
	} else {
		o.right++
	}
	return o, nil
}

// checkError returns err unless it says that the file is at fault, and how.
func checkError(err error) error {
	var damage *store.DamageError
	var version *store.VersionError
	var notIndex *store.NotAnIndexError
	if errors.As(err, &damage) || errors.As(err, &version) || errors.As(err, &notIndex) {
		return nil
	}
	return fmt.Errorf("the error does not say that the index is damaged: %w", err)
}

// overwrite gives a file other contents, in place: it may be open.
func overwrite(path string, contents []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(contents, 0)
	return errors.Join(err, file.Truncate(int64(len(contents))), file.Close())
}

// damager makes damaged copies of an index.
type damager struct {
	dir    string
	whole  []byte
	others [][]byte // the indexes of other models, laid out alike
	blocks []block
}

// block is where a block is in the index.
type block struct{ start, end int }

// damages are the ways to damage an index. Late ones also happen while the
// index is open.
var damages = []struct {
	name   string
	late   bool
	damage func(t testing.TB, d *damager, r *rand.Rand) []byte
}{
	{"a bit flipped", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return b
	}},
	{"a bit flipped in a page's head or elements", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		page := treePages(b)
		b[page[r.IntN(len(page))]*pageSize+r.IntN(160)] ^= 1 << r.IntN(8)
		return b
	}},
	{"1 to 64 bytes overwritten", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		at := r.IntN(len(b))
		scribble(r, b[at:min(at+1+r.IntN(64), len(b))])
		return b
	}},
	{"1 to 64 bytes overwritten in a page's head or elements", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		page := treePages(b)
		at := page[r.IntN(len(page))]*pageSize + r.IntN(160)
		scribble(r, b[at:at+1+r.IntN(64)])
		return b
	}},
	{"a number of a page's head or elements changed", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		page := treePages(b)
		at := page[r.IntN(len(page))]*pageSize + 4*r.IntN(40)
		numbers := []uint32{0, 1, 2, 4, 16, 255, 256, 4096, 1 << 16, 1 << 31, 1<<32 - 1, r.Uint32(), binary.LittleEndian.Uint32(b[at:]) + 1, binary.LittleEndian.Uint32(b[at:]) - 1}
		binary.LittleEndian.PutUint32(b[at:], numbers[r.IntN(len(numbers))])
		return b
	}},
	{"pages zeroed", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		for range 1 + r.IntN(3) {
			clear(page(b, r.IntN(len(b)/pageSize)))
		}
		return b
	}},
	{"two pages exchanged", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		exchangePages(b, r.IntN(len(b)/pageSize), r.IntN(len(b)/pageSize), false)
		return b
	}},
	{"two pages of the tree exchanged, their numbers put right", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		pages := treePages(b)
		exchangePages(b, pages[r.IntN(len(pages))], pages[r.IntN(len(pages))], true)
		return b
	}},
	{"pages of another model's index", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		other := d.others[r.IntN(len(d.others))]
		for range 1 + r.IntN(3) {
			from, to := r.IntN(len(other)/pageSize), r.IntN(len(b)/pageSize)
			if r.IntN(2) == 0 { // to the same place
				to = from % (len(b) / pageSize)
			}
			copy(page(b, to), page(other, from))
			if r.IntN(2) == 0 {
				binary.LittleEndian.PutUint64(page(b, to), uint64(to))
			}
		}
		return b
	}},
	{"cut off", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		n := r.IntN(len(d.whole))
		if r.IntN(2) == 0 {
			n -= n % pageSize
		}
		return d.whole[:n]
	}},
	{"cut off, and the meta pages made to agree", false, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		pages := 2 + r.IntN(len(d.whole)/pageSize-2)
		b := bytes.Clone(d.whole[:pages*pageSize])
		setMetas(b, 40, uint64(pages))
		return b
	}},
	{"bytes appended", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		tail := make([]byte, 1+r.IntN(2*pageSize))
		if r.IntN(2) == 0 {
			scribble(r, tail)
		}
		return append(bytes.Clone(d.whole), tail...)
	}},
	{"two blocks of one length exchanged", true, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		first := d.blocks[r.IntN(len(d.blocks))]
		for range 1000 {
			second := d.blocks[r.IntN(len(d.blocks))]
			if second != first && second.end-second.start == first.end-first.start {
				copy(b[first.start:first.end], d.whole[second.start:second.end])
				copy(b[second.start:second.end], d.whole[first.start:first.end])
				break
			}
		}
		return b
	}},
	{"two blocks of an extent exchanged", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) {
			v := extents[r.IntN(len(extents))]
			blocks := splitExtent(v.data)
			i, j := r.IntN(len(blocks)), r.IntN(len(blocks))
			blocks[i], blocks[j] = blocks[j], blocks[i]
			v.data = joinExtent(blocks)
		})
	}},
	{"a block of another extent in a block's place", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) {
			v, from := extents[r.IntN(len(extents))], extents[r.IntN(len(extents))]
			blocks, others := splitExtent(v.data), splitExtent(from.data)
			blocks[r.IntN(len(blocks))] = others[r.IntN(len(others))]
			v.data = joinExtent(blocks)
		})
	}},
	{"two extents exchanged", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) {
			v, from := extents[r.IntN(len(extents))], extents[r.IntN(len(extents))]
			v.data, from.data = from.data, v.data
		})
	}},
	{"an extent lost", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) { extents[r.IntN(len(extents))].data = nil })
	}},
	{"an extent of another model's index", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) {
			v := extents[r.IntN(len(extents))]
			others, _ := splitValues(readValues(t, d.dir, d.others[r.IntN(len(d.others))]))
			from := others[r.IntN(len(others))]
			for _, o := range others { // the same one where there is one
				if o.bucket == v.bucket && o.key == v.key && r.IntN(4) > 0 {
					from = o
				}
			}
			v.data = from.data
		})
	}},
	{"the manifest of another model's index", false, func(t testing.TB, d *damager, r *rand.Rand) []byte {
		return d.rewrite(t, func(extents []*value, manifest *value) {
			_, other := splitValues(readValues(t, d.dir, d.others[r.IntN(len(d.others))]))
			n := 0
			if r.IntN(4) > 0 { // some of its bytes only
				n = r.IntN(min(len(manifest.data), len(other.data)))
			}
			manifest.data = append(bytes.Clone(manifest.data[:n]), other.data[n:]...)
		})
	}},
	{"a meta page scribbled on", false, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		at := pageSize*r.IntN(2) + r.IntN(80)
		if r.IntN(2) == 0 {
			b[at] ^= 1 << r.IntN(8)
		} else {
			scribble(r, b[at:at+1+r.IntN(64)])
		}
		return b
	}},
	{"a member of the meta pages changed, with its checksum", false, func(_ testing.TB, d *damager, r *rand.Rand) []byte {
		b := bytes.Clone(d.whole)
		pages := len(b) / pageSize
		values := []uint64{0, 1, 2, 3, uint64(pages), uint64(pages - 1), uint64(r.IntN(pages)), uint64(treePages(b)[0]), r.Uint64(), 1 << 63, 1<<64 - 1}
		setMetas(b, 8*r.IntN(7), values[r.IntN(len(values))])
		return b
	}},
}

func scribble(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

func page(b []byte, i int) []byte { return b[i*pageSize : (i+1)*pageSize] }

func exchangePages(b []byte, i, j int, renumber bool) {
	x, y := bytes.Clone(page(b, i)), bytes.Clone(page(b, j))
	copy(page(b, i), y)
	copy(page(b, j), x)
	if renumber {
		binary.LittleEndian.PutUint64(page(b, i), uint64(i))
		binary.LittleEndian.PutUint64(page(b, j), uint64(j))
	}
}

// treePages are the numbers of the pages that have a page's head.
func treePages(b []byte) []int {
	var pages []int
	for i := 0; i < len(b)/pageSize; {
		pages = append(pages, i)
		i += 1 + int(binary.LittleEndian.Uint32(page(b, i)[12:]))
	}
	return pages
}

// setMetas sets the eight bytes at an offset of both metas, with checksums.
func setMetas(b []byte, offset int, value uint64) {
	for i := range 2 {
		m := page(b, i)[16:]
		binary.LittleEndian.PutUint64(m[offset:], value)
		sum := fnv.New64a()
		sum.Write(m[:56])
		binary.LittleEndian.PutUint64(m[56:], sum.Sum64())
	}
}

// value is a key and value of an index's tree.
type value struct {
	bucket, key string
	data        []byte
	offset      int // in the file
}

func readValues(t testing.TB, dir string, index []byte) []*value {
	t.Helper()
	path := filepath.Join(dir, "values.idx")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := overwrite(path, index); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var values []*value
	err = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				values = append(values, &value{string(name), string(k), bytes.Clone(v), bytes.Index(index, v)})
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// splitValues tells the manifest from the extents.
func splitValues(values []*value) (extents []*value, manifest *value) {
	for _, v := range values {
		if v.bucket == "manifest" {
			manifest = v
		} else {
			extents = append(extents, v)
		}
	}
	return extents, manifest
}

// rewrite makes an index whose tree is sound but not what it was: edit is
// given its extents and manifest; what it makes nil is left out.
func (d *damager) rewrite(t testing.TB, edit func(extents []*value, manifest *value)) []byte {
	t.Helper()
	extents, manifest := splitValues(readValues(t, d.dir, d.whole))
	edit(extents, manifest)
	path := filepath.Join(d.dir, "rewritten.idx")
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0o666, &bolt.Options{NoSync: true, NoGrowSync: true, PageSize: pageSize})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bolt.Tx) error {
		for _, v := range append(extents, manifest) {
			b, err := tx.CreateBucketIfNotExists([]byte(v.bucket))
			if err != nil {
				return err
			}
			if v.data == nil {
				continue
			}
			if err := b.Put([]byte(v.key), v.data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var copied bytes.Buffer
	err = db.View(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(&copied)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied.Bytes()
}

// splitExtent returns an extent's blocks.
func splitExtent(extent []byte) [][]byte {
	var blocks [][]byte
	for i := range int(binary.LittleEndian.Uint32(extent))/4 - 1 {
		start, end := binary.LittleEndian.Uint32(extent[4*i:]), binary.LittleEndian.Uint32(extent[4*i+4:])
		blocks = append(blocks, extent[start:end])
	}
	return blocks
}

func joinExtent(blocks [][]byte) []byte {
	var table, bytes []byte
	size := 4 * (len(blocks) + 1)
	for _, b := range blocks {
		table = binary.LittleEndian.AppendUint32(table, uint32(size+len(bytes)))
		bytes = append(bytes, b...)
	}
	table = binary.LittleEndian.AppendUint32(table, uint32(size+len(bytes)))
	return append(table, bytes...)
}

// findBlocks finds all blocks of an index.
func findBlocks(t testing.TB, dir string, index []byte) []block {
	t.Helper()
	var blocks []block
	extents, _ := splitValues(readValues(t, dir, index))
	for _, v := range extents {
		at := v.offset + int(binary.LittleEndian.Uint32(v.data))
		for _, b := range splitExtent(v.data) {
			if !bytes.Equal(index[at:at+len(b)], b) {
				t.Fatal("a block is not where it should be")
			}
			blocks = append(blocks, block{at, at + len(b)})
			at += len(b)
		}
	}
	return blocks
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
	file, err := os.Open("../testdata/bbolt.brick.json.zst")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return io.ReadAll(d)
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

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// raceDetector reports whether the race detector is on, which makes everything
// take many times as long.
func raceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func fromEnvironment(t testing.TB, name string, otherwise int) int {
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
