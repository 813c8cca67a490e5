package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"brick/internal/test/testenv"
)

// A content is what a test's index holds.
type content struct {
	nodes, edges [][]byte // records; see testRecord
	reports      []Report
	nodeRows     [][]uint32 // of section Nodes
	edgeRows     [][]uint32
	numbers      []uint32 // of section Bridges
	ids          map[string]uint32
}

// testRecord is a record with that id, of at least size bytes.
func testRecord(id string, size int, filler []byte) []byte {
	record := fmt.Appendf(nil, `{"a":0,"id":"%s","x":"`, id)
	for len(record)+2 < size {
		record = append(record, filler[:min(len(filler), size-2-len(record))]...)
	}
	return append(record, `"}`...)
}

const testIDOffset = len(`{"a":0,"id":`)

// noise is what can't be packed, and is safe in a JSON string.
func noise(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, size)
	for i := range b {
		b[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[r.IntN(64)]
	}
	return b
}

var testDigest = bytes.Repeat([]byte{0xD1}, 32)

func (c *content) write(t testing.TB, path string) {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	var errs []error
	for _, section := range []struct {
		number  Section
		records [][]byte
	}{{NodeRecords, c.nodes}, {EdgeRecords, c.edges}} {
		records := w.Records(section.number)
		for _, r := range section.records {
			records.Add(testHead(section.number), r)
		}
		errs = append(errs, records.Close(), records.Close()) // twice is no fault
	}
	reports := w.Records(Reports)
	for _, r := range c.reports {
		item, err := r.Encode()
		errs = append(errs, err)
		reports.Add(item)
	}
	errs = append(errs, reports.Close())
	for _, section := range []struct {
		number Section
		rows   [][]uint32
	}{{Nodes, c.nodeRows}, {Edges, c.edgeRows}} {
		table := w.Table(section.number)
		for _, row := range section.rows {
			table.Row(row...)
		}
		if table.Rows() != len(section.rows) {
			t.Errorf("%d rows, want %d", table.Rows(), len(section.rows))
		}
		errs = append(errs, table.Close())
	}
	bridges := w.Table(Bridges)
	for _, n := range c.numbers {
		bridges.Row(n)
	}
	ids := w.Lookup(IDs, 0)
	for id, value := range c.ids {
		ids.Add([]byte(id), value)
	}
	errs = append(errs, bridges.Close(), ids.Close())
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before Commit there is something under the index's name: %v", err)
	}
	m := &Manifest{Digest: testDigest, Root: "/src", RepositoryID: "r", Scope: []byte("{}"), Nodes: len(c.nodes), Edges: len(c.edges)}
	size, err := w.Commit(m)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != size {
		t.Fatalf("the file's size is not %d: %v, %v", size, info, err)
	}
}

// check opens the index and reads everything, in order and at random.
func (c *content) check(t testing.TB, path string) {
	t.Helper()
	ix, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}()
	if m := ix.Manifest; m.Root != "/src" || m.RepositoryID != "r" || string(m.Scope) != "{}" || !bytes.Equal(m.Digest, testDigest) ||
		m.Nodes != len(c.nodes) || m.Edges != len(c.edges) {
		t.Errorf("the manifest is %+v", m)
	}
	ix.CheckBlocks(func(err error) { t.Error(err) })
	v := ix.View()
	defer v.Release()
	r := rand.New(rand.NewPCG(7, 7))
	order := func(n int) []int {
		numbers := r.Perm(n)
		for i := range n {
			numbers = append(numbers, i)
		}
		return numbers
	}
	for _, section := range []struct {
		name    string
		records [][]byte
		read    func([]byte, uint32) ([]byte, error)
		readID  func([]byte, uint32) ([]byte, error)
	}{
		{"node", c.nodes, v.AppendNode, v.AppendNodeID},
		{"edge", c.edges, v.AppendEdge, v.AppendEdgeID},
	} {
		for _, i := range order(len(section.records)) {
			want := section.records[i]
			got, err := section.read([]byte("before"), uint32(i))
			if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
				t.Fatalf("%s %d of %d bytes: %d bytes, error %v", section.name, i, len(want), len(got), err)
			}
			got, err = section.readID([]byte("before"), uint32(i))
			end := testIDOffset + 1 + bytes.IndexByte(want[testIDOffset+1:], '"')
			if err != nil || string(got) != "before"+string(want[testIDOffset:end+1]) {
				t.Fatalf("%s %d: id %q, error %v", section.name, i, got, err)
			}
		}
		var damage *DamageError
		if got, err := section.read(nil, uint32(len(section.records))); !errors.As(err, &damage) {
			t.Errorf("a %s after the last: %q, error %v", section.name, got, err)
		}
	}
	for _, i := range order(len(c.reports)) {
		got, err := v.Report(uint32(i))
		if want := c.reports[i]; err != nil || got.Resolved != want.Resolved || got.RecursiveOnly != want.RecursiveOnly || got.Compiler != want.Compiler ||
			got.Resolution != want.Resolution || got.Closed != want.Closed || !bytes.Equal(got.Reasons, want.Reasons) {
			t.Fatalf("report %d: %+v, error %v", i, got, err)
		}
	}
	for _, i := range order(max(len(c.nodeRows)-1, 0)) {
		row, next := c.nodeRows[i], c.nodeRows[i+1]
		want := NodeRow{In: row[0], InCalls: row[1], InImports: row[2], InDeps: row[3], InEnd: next[0], Out: row[4], OutDeps: row[5], OutEnd: next[4], Function: row[6], Cycle: row[7]}
		if got, err := v.NodeRow(uint32(i)); err != nil || got != want {
			t.Fatalf("node row %d: %+v, error %v; want %+v", i, got, err, want)
		}
	}
	for _, i := range order(len(c.edgeRows)) {
		row := c.edgeRows[i]
		if got, err := v.EdgeRow(uint32(i)); err != nil || got != (EdgeRow{Source: row[0], Target: row[1], Rank: row[2]}) {
			t.Fatalf("edge row %d: %+v, error %v", i, got, err)
		}
	}
	for _, i := range order(len(c.numbers)) {
		if got, err := v.Number(Bridges, uint32(i)); err != nil || got != c.numbers[i] {
			t.Fatalf("bridge %d: %d, error %v", i, got, err)
		}
	}
	for _, past := range []int{len(c.numbers), len(c.numbers) + 1_000_000, 1<<32 - 1} {
		var damage *DamageError
		if got, err := v.Number(Bridges, uint32(past)); !errors.As(err, &damage) {
			t.Errorf("bridge %d, after the last: %d, error %v", past, got, err)
		}
	}
	for id, value := range c.ids {
		got, found, err := v.Find(id)
		if want := (Entity{Edge: value%2 == 1, Number: value / 2}); err != nil || !found || got != want {
			t.Fatalf("id %q: %+v, %t, error %v; want %+v", id, got, found, err, want)
		}
	}
	for i := range 200 {
		for _, id := range []string{"", "absent", fmt.Sprintf("n%dx", i), fmt.Sprintf("n%d", 1_000_000+i), "\xff", "\x00"} {
			if got, found, err := v.Find(id); err != nil || found {
				t.Fatalf("id %q, which is not there: %+v, %t, error %v", id, got, found, err)
			}
		}
	}
}

// addNodes adds nodes of those sizes, with their ids.
func (c *content) addNodes(filler []byte, sizes ...int) {
	for _, size := range sizes {
		id := fmt.Sprintf("n%d", len(c.nodes))
		c.ids[id] = uint32(2 * len(c.nodes))
		c.nodes = append(c.nodes, testRecord(id, size, filler))
	}
}

func (c *content) addEdges(filler []byte, sizes ...int) {
	for _, size := range sizes {
		id := fmt.Sprintf("e%d", len(c.edges))
		c.ids[id] = uint32(2*len(c.edges) + 1)
		c.edges = append(c.edges, testRecord(id, size, filler))
	}
}

func (c *content) addRows(n int) {
	for i := range uint32(n) {
		c.nodeRows = append(c.nodeRows, []uint32{i, i + 1, i + 2, i + 3, 3 * i, 3*i + 1, NoFunction - i, NoCycle})
		c.edgeRows = append(c.edgeRows, []uint32{i, i * i, ^i})
		c.numbers = append(c.numbers, i*2654435761)
	}
}

func newContent() *content { return &content{ids: map[string]uint32{}} }

func TestRoundTrip(t *testing.T) {
	random := noise(1, 1<<20)
	same := []byte("a")
	for _, test := range []struct {
		name string
		fill func(c *content)
	}{
		{"nothing", func(*content) {}},
		{"one of each", func(c *content) {
			c.addNodes(random, 40)
			c.addEdges(random, 40)
			c.addRows(1)
			c.reports = []Report{{Resolution: -1}}
		}},
		{"a block and one", func(c *content) {
			for range itemsPerBlock[NodeRecords] + 1 {
				c.addNodes(random, 60)
			}
			for range itemsPerBlock[EdgeRecords] {
				c.addEdges(same, 500)
			}
			c.addRows(rowsPerBlock(Nodes) + 1)
			for i := range itemsPerBlock[Reports] + 1 {
				c.reports = append(c.reports, Report{Resolved: i%2 == 0, Compiler: i%3 == 0, RecursiveOnly: i%4 == 0, Resolution: -1, Closed: i, Reasons: bytes.Repeat(same, i+1)})
			}
		}},
		{"a table's whole blocks", func(c *content) { c.addRows(2 * rowsPerBlock(Bridges)) }},
		{"many", func(c *content) {
			r := rand.New(rand.NewPCG(2, 2))
			for range 3000 {
				c.addNodes(random[r.IntN(1000):], r.IntN(400))
				c.addEdges(same, r.IntN(400))
			}
			c.addRows(20_000)
		}},
		{"about as long as an inline item may be", func(c *content) {
			for d := -3; d <= 3; d++ {
				// With the offset of its id, an item is one byte longer.
				c.addNodes(random, maxInline+d)
				c.addEdges(same, maxInline+d)
				c.reports = append(c.reports, Report{Resolution: -1, Reasons: random[:maxInline+d]})
			}
		}},
		{"about as long as chunks", func(c *content) {
			for _, chunks := range []int{1, 2, 3} {
				for d := -2; d <= 2; d++ {
					c.addNodes(random, chunks*chunkSize+d)
					c.addEdges(same, chunks*chunkSize+d, 50)
					c.reports = append(c.reports, Report{Resolution: -1, Reasons: random[:chunks*chunkSize+d]})
				}
			}
		}},
		{"50 MB", func(c *content) {
			size := 50_000_000
			if testenv.Race() {
				size = 5_000_000
			}
			c.addNodes(random, 50, size, 50)
			c.addEdges(same, size)
		}},
		{"several extents", func(c *content) {
			// More than an extent of what does not get smaller.
			for size := 0; size < 6*extentSize; size += 15_000 {
				c.addNodes(random[size%300_000:], 15_000)
			}
			for i := range uint32(5 * extentSize / 4) {
				c.numbers = append(c.numbers, i*2654435761)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "several extents" && testenv.Race() {
				t.Skip("a minute with the race detector")
			}
			dir := t.TempDir()
			c := newContent()
			test.fill(c)
			path := filepath.Join(dir, "a")
			c.write(t, path)
			c.check(t, path)
			if test.name == "several extents" {
				checkExtents(t, path)
			}
			// The same bytes again, whatever the number of processors.
			again := filepath.Join(dir, "another name")
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			c.write(t, again)
			if !bytes.Equal(readFile(t, path), readFile(t, again)) {
				t.Error("written again, the file is another one")
			}
			if names := dirNames(t, dir); !slices.Equal(names, []string{"a", "another name"}) {
				t.Errorf("left behind: %q", names)
			}
		})
	}
}

// checkExtents checks that the index has sections of several extents, and that
// they are of the size that the page of prose promises.
func checkExtents(t *testing.T, path string) {
	t.Helper()
	ix, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for _, s := range []Section{NodeRecords, Bridges} {
		extents := ix.Manifest.sections[s].Extents
		if len(extents) < 5 {
			t.Errorf("the %s have %d extents", s, len(extents))
		}
		for i, e := range extents {
			if e.Size > extentSize+extentSize/2 || i+1 < len(extents) && e.Size < extentSize {
				t.Errorf("extent %d of the %s has %d bytes", i, s, e.Size)
			}
		}
	}
}

// TestFindCollision looks up ids of one hash and ids whose hash another id has.
func TestFindCollision(t *testing.T) {
	c := newContent()
	c.addNodes([]byte("x"), 40, 40, 40)
	c.addEdges([]byte("x"), 40)
	path := filepath.Join(t.TempDir(), "index")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for section, records := range map[Section][][]byte{NodeRecords: c.nodes, EdgeRecords: c.edges} {
		out := w.Records(section)
		for _, r := range records {
			out.Add(testHead(section), r)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ids := w.Lookup(IDs, 0)
	for id, value := range c.ids {
		// Every entity has the hash of n1 too, and that of an absent one.
		ids.Add([]byte(id), value)
		ids.Add([]byte("absent"), value)
		if id != "n1" {
			ids.Add([]byte("n1"), value)
		}
	}
	if err := ids.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(&Manifest{Digest: testDigest, Nodes: 3, Edges: 1}); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	for id, value := range c.ids {
		got, found, err := v.Find(id)
		if want := (Entity{Edge: value%2 == 1, Number: value / 2}); err != nil || !found || got != want {
			t.Errorf("id %q: %+v, %t, error %v", id, got, found, err)
		}
	}
	for _, id := range []string{"absent", "n", "n11", ""} {
		if got, found, err := v.Find(id); err != nil || found {
			t.Errorf("id %q, which is not there: %+v, %t, error %v", id, got, found, err)
		}
	}
}

// TestBuckets checks that ids spread over several buckets, and that each has
// ids enough that some share one.
func TestBuckets(t *testing.T) {
	const buckets = 17
	var counts [buckets]int
	previous := 0
	for i := range uint64(1000) {
		counts[bucketOf(xxhash.Sum64String(fmt.Sprintf("n%d", i)), buckets)]++
	}
	for b, n := range counts {
		if n == 0 || n > 1000/buckets*2 {
			t.Errorf("bucket %d has %d of 1000 ids", b, n)
		}
	}
	// Buckets are in the order of hashes.
	for i := range uint64(1 << 12) {
		b := bucketOf(i<<52|i, buckets)
		if b < previous || b >= buckets {
			t.Fatalf("hash %x is in bucket %d, after %d", i<<52|i, b, previous)
		}
		previous = b
	}
	if previous != buckets-1 {
		t.Errorf("the last bucket is %d", previous)
	}
}

func smallIndex(t testing.TB) []byte {
	t.Helper()
	c := newContent()
	c.addNodes([]byte("x"), 40, 100, 40, 20_000)
	c.addEdges([]byte("x"), 40, 100)
	c.addRows(3)
	path := filepath.Join(t.TempDir(), "small")
	c.write(t, path)
	return readFile(t, path)
}

func TestCheckTree(t *testing.T) {
	whole := smallIndex(t)
	if _, err := readTree(bytes.NewReader(whole), int64(len(whole)), everyBucket); err != nil {
		t.Errorf("a good file: %v", err)
	}
	for _, size := range []int{0, 1, 19, 20, 100, pageSize - 1, pageSize, pageSize + 20, 2*pageSize - 1, 2 * pageSize, len(whole) - pageSize, len(whole) - 1} {
		_, err := readTree(bytes.NewReader(whole[:size]), int64(size), everyBucket)
		var damage *DamageError
		if !errors.As(err, &damage) && !(size < 20 && errors.Is(err, errNotBolt)) {
			t.Errorf("%d bytes of %d: %v", size, len(whole), err)
		}
	}
}

// TestNestedBuckets checks a page whose elements are buckets within buckets,
// all elements of a level the same one: looked at one by one there would be a
// million.
func TestNestedBuckets(t *testing.T) {
	const elements, levels = 16, 5
	page := make([]byte, 16)
	binary.LittleEndian.PutUint16(page[8:], leafPage)
	for range levels {
		outer := make([]byte, pageHeaderSize+elements*pageElementSize+bucketHeader)
		binary.LittleEndian.PutUint16(outer[8:], leafPage)
		binary.LittleEndian.PutUint16(outer[10:], elements)
		start := pageHeaderSize + elements*pageElementSize
		for i := range elements {
			e := outer[pageHeaderSize+i*pageElementSize:]
			binary.LittleEndian.PutUint32(e, bucketElement)
			binary.LittleEndian.PutUint32(e[4:], uint32(start-pageHeaderSize-i*pageElementSize))
			binary.LittleEndian.PutUint32(e[12:], uint32(bucketHeader+len(page)))
		}
		page = append(outer, page...)
	}
	const pages = 3
	file := make([]byte, pages*pageSize)
	copy(file[2*pageSize:], page)
	binary.LittleEndian.PutUint64(file[2*pageSize:], 2)
	for i := range 2 {
		p := file[i*pageSize:]
		binary.LittleEndian.PutUint64(p, uint64(i))
		binary.LittleEndian.PutUint16(p[8:], metaPage)
		m := p[pageHeaderSize:]
		binary.LittleEndian.PutUint32(m, boltMagic)
		binary.LittleEndian.PutUint32(m[4:], 2)
		binary.LittleEndian.PutUint32(m[8:], pageSize)
		binary.LittleEndian.PutUint64(m[16:], 2)
		binary.LittleEndian.PutUint64(m[40:], pages)
		sum := fnv.New64a()
		sum.Write(m[:56])
		binary.LittleEndian.PutUint64(m[56:], sum.Sum64())
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readTree(bytes.NewReader(file), int64(len(file)), everyBucket)
	runtime.ReadMemStats(&after)
	t.Logf("it is %v", err)
	if n := after.Mallocs - before.Mallocs; n > 100_000 {
		t.Errorf("checking a page takes %d allocations", n)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	open := func(contents []byte) error {
		t.Helper()
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, contents, 0o666); err != nil {
			t.Fatal(err)
		}
		ix, err := Open(path)
		if err == nil {
			ix.Close()
		}
		return err
	}

	for _, test := range []struct {
		name, contents string
		json           bool
	}{
		{"empty", "", false},
		{"prose", "no index", false},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", false},
		{"an array", "[1]", false},
		{"a model", `{"schema_version":4}`, true},
		{"a model after white space", " \r\n\t{", true},
		{"a model after a byte order mark", "\uFEFF{", true},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00", true},
		{"zstd", "\x28\xb5\x2f\xfd\x04\x00", true},
		{"a long model", `{"a":"` + strings.Repeat("x", 3*pageSize) + `"}`, true},
		{"long prose", strings.Repeat("x", 3*pageSize), false},
	} {
		var notIndex *NotAnIndexError
		err := open([]byte(test.contents))
		if !errors.As(err, &notIndex) || notIndex.JSON != test.json || notIndex.Path != filepath.Join(dir, "file") {
			t.Errorf("%s: %v", test.name, err)
		} else if !strings.Contains(err.Error(), "brick-index build") {
			t.Errorf("%s: the error does not say what to do: %v", test.name, err)
		}
	}

	whole := smallIndex(t)
	var damage *DamageError
	cut := whole[:len(whole)-pageSize]
	if err := open(cut); !errors.As(err, &damage) || !strings.Contains(err.Error(), "build it again") {
		t.Errorf("cut off: %v", err)
	}
	at := bytes.Index(whole, []byte(manifestMagic))
	for _, offset := range []int{0, 7, 9, 20} {
		damaged := bytes.Clone(whole)
		damaged[at+offset] ^= 0x10
		if err := open(damaged); !errors.As(err, &damage) || damage.Part != "the manifest" {
			t.Errorf("byte %d of the manifest: %v", offset, err)
		}
	}

	// Another format, its checksum right.
	for _, format := range []uint32{0, FormatVersion + 1, 1<<32 - 1} {
		value := binary.LittleEndian.AppendUint32([]byte(manifestMagic), format)
		value = append(value, "whatever comes"...)
		value = binary.LittleEndian.AppendUint64(value, xxhash.Sum64(value))
		var version *VersionError
		err := open(boltFile(t, manifestBucket, manifestBucket, value))
		if !errors.As(err, &version) || version.Format != format ||
			err.Error() != fmt.Sprintf("built by format %d, this program reads %d: rebuild it or update", format, FormatVersion) {
			t.Errorf("format %d: %v", format, err)
		}
	}

	// A bbolt file of something else.
	for _, file := range [][]byte{
		boltFile(t, "other", "k", []byte("v")),
		boltFile(t, manifestBucket, "other", []byte("v")),
		boltFile(t, manifestBucket, manifestBucket, []byte("v")),
	} {
		var notIndex *NotAnIndexError
		if err := open(file); !errors.As(err, &damage) && !errors.As(err, &notIndex) {
			t.Errorf("another bbolt file: %v", err)
		}
	}

	// The machine's errors.
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	var notIndex *NotAnIndexError
	if _, err := Open(dir); err == nil || errors.As(err, &damage) || errors.As(err, &notIndex) {
		t.Errorf("a folder: %v", err)
	}
}

// boltFile is a bbolt file, written as an index is, with one key.
func boltFile(t testing.TB, bucket, key string, value []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	db, err := bolt.Open(from, 0o666, &bolt.Options{PageSize: pageSize, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte(bucket))
		if err != nil {
			return err
		}
		return b.Put([]byte(key), value)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := copyDB(from, to); err != nil {
		t.Fatal(err)
	}
	return readFile(t, to)
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index")
	c := newContent()
	c.addNodes([]byte("x"), 40)
	c.write(t, path)
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	c.check(t, path)
	if names := dirNames(t, dir); len(names) != 1 {
		t.Errorf("reading left %q", names)
	}
}

// TestReplaced reads from an index after another was renamed over it.
func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	c := newContent()
	c.addNodes([]byte("x"), 40)
	c.write(t, path)
	ix, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Commit(&Manifest{Digest: bytes.Repeat([]byte{1}, 32)}); err != nil {
		t.Fatal(err)
	}
	v := ix.View()
	defer v.Release()
	if got, err := v.AppendNode(nil, 0); err != nil || !bytes.Equal(got, c.nodes[0]) {
		t.Errorf("%s, %v", got, err)
	}
	next, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if next.Manifest.Digest[0] != 1 {
		t.Error("the new index is not under the name")
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	targets := []string{dir}
	if runtime.GOOS != "windows" {
		targets = append(targets, os.DevNull)
	}
	for _, target := range targets {
		if w, err := Create(target); err == nil {
			w.Close()
			t.Errorf("Create of %s succeeds", target)
		} else if !strings.Contains(err.Error(), target) {
			t.Errorf("the error does not name %s: %v", target, err)
		}
	}
	if names := dirNames(t, dir); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	if w, err := Create(filepath.Join(dir, "none", "index")); !errors.Is(err, os.ErrNotExist) {
		if err == nil {
			w.Close()
		}
		t.Errorf("a folder that isn't there: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if w, err := Create(filepath.Join(file, "index")); err == nil {
		w.Close()
		t.Error("Create below a file succeeds")
	}
}

// TestGivenUp closes writers that did not commit: what was there stays.
func TestGivenUp(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	records := w.Records(NodeRecords)
	records.Add(noise(1, 3*extentSize))
	if err := records.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if b := readFile(t, path); string(b) != "old" {
		t.Errorf("the file is now %q", b)
	}
	if names := dirNames(t, dir); !slices.Equal(names, []string{"index"}) {
		t.Errorf("left behind: %q", names)
	}
}

func TestLitter(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index")
	live, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	// What a killed build leaves: a folder that nobody has locked.
	for _, name := range []string{".index.build-1", ".index.build-2", ".other.build-1"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"lock", "staging"} {
			if err := os.WriteFile(filepath.Join(dir, name, file), []byte("x"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, ".index.build-2", "lock")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".index.build-file", "index.build-3", ".index"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(live.TempDir()), filepath.Base(w.TempDir()), ".other.build-1", ".index.build-file", "index.build-3", ".index"}
	slices.Sort(want)
	if got := dirNames(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	// The live one is not disturbed.
	if _, err := live.Commit(&Manifest{Digest: testDigest}); err != nil {
		t.Error(err)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	want = []string{".index", ".index.build-file", ".other.build-1", "index", "index.build-3"}
	if got := dirNames(t, dir); !slices.Equal(got, want) {
		t.Errorf("at the end there are %q, want %q", got, want)
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func dirNames(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// testHead is what stands before a record of the section.
func testHead(s Section) []byte {
	head := binary.AppendUvarint(nil, uint64(testIDOffset))
	if s == EdgeRecords {
		head = binary.AppendUvarint(head, 1<<4|1)
	}
	return head
}
