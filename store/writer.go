package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	bolt "go.etcd.io/bbolt"
)

// A Writer makes an index. Nothing appears under the index's name before
// Commit has written, synced and closed the whole file. Until then all is in
// a temporary folder beside it, which Close removes; one that a killed
// process left behind is removed by the next Create for the same index.
type Writer struct {
	path     string
	dir      string       // the temporary folder
	lock     *flock.Flock // nil where there are no locks
	staging  *staging
	sections [sectionEnd]*sectionWriter
	chunks   *chunkWriter
	loading  []byte // the extent that is being loaded
}

// Create begins an index that will be found at path.
func Create(path string) (*Writer, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: give another name for the index", path)
	}
	clearLitter(path)
	w := &Writer{path: path}
	if err := w.makeDir(); err != nil {
		return nil, fmt.Errorf("make a temporary folder for the index: %w", err)
	}
	file, err := os.Create(filepath.Join(w.dir, "staging"))
	if err != nil {
		w.Close()
		return nil, err
	}
	w.staging = &staging{file: file}
	w.chunks = &chunkWriter{out: w.section(Chunks)}
	return w, nil
}

// TempDir is a folder on the index's file system that Close removes with all
// that is in it.
func (w *Writer) TempDir() string { return w.dir }

// Records begins a record section. Record sections are written one after the
// other, so that their long items lie in the same order every time.
func (w *Writer) Records(s Section) *RecordWriter { return newRecordWriter(w.section(s), w.chunks) }

// Table begins a table section.
func (w *Writer) Table(s Section) *TableWriter { return newTableWriter(w.section(s)) }

// Lookup begins a lookup section of about so many entries.
func (w *Writer) Lookup(s Section, entries int) *LookupWriter {
	return &LookupWriter{out: w.section(s), entries: make([]lookupEntry, 0, entries)}
}

func (w *Writer) section(s Section) *sectionWriter {
	w.sections[s] = &sectionWriter{section: s, staging: w.staging}
	return w.sections[s]
}

// Commit puts the index under its name and returns its size in bytes. All
// sections must be closed. m's Digest must be set; Commit fills in where the
// sections are.
func (w *Writer) Commit(m *Manifest) (size int64, err error) {
	if err := w.chunks.out.close(); err != nil {
		return 0, err
	}
	dir := w.dir
	if w.lock == nil {
		// bbolt writes no file that it can't lock: have it elsewhere.
		if dir, err = os.MkdirTemp("", "brick-index-"); err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
	}
	loaded := filepath.Join(dir, "loaded")
	if err := w.load(loaded, m); err != nil {
		return 0, fmt.Errorf("write the index: %w", err)
	}
	// The staging file is as large as the index: make room for its copy.
	if err := errors.Join(w.staging.file.Close(), os.Remove(w.staging.file.Name())); err != nil {
		return 0, err
	}
	w.staging = nil
	compact := filepath.Join(w.dir, "index")
	if size, err = copyDB(loaded, compact); err != nil {
		return 0, fmt.Errorf("write the index: %w", err)
	}
	if err := os.Remove(loaded); err != nil {
		return 0, err
	}
	if err := os.Rename(compact, w.path); err != nil {
		return 0, err
	}
	return size, syncDir(filepath.Dir(w.path))
}

// load writes the bbolt file: one transaction an extent, in the order of keys.
// A bucket is made and filled in a single transaction and never touched again,
// so that the file has no free pages and the same bytes every time, and no
// more than an extent is in memory.
func (w *Writer) load(path string, m *Manifest) error {
	db, err := bolt.Open(path, 0o666, &bolt.Options{
		NoSync: true, NoGrowSync: true, PageSize: pageSize, Timeout: lockPatience,
		// With room for all, so that it is not mapped again and again.
		InitialMmapSize: int(w.staging.size + w.staging.size/8),
	})
	if err != nil {
		return err
	}
	db.NoGrowSync = true
	index := indexKey(m)
	for s, out := range w.sections {
		if out == nil || out.blocks == 0 {
			continue
		}
		info := sectionInfo{Section: Section(s), Items: out.items, Bytes: out.bytes, Blocks: out.blocks}
		for i, extent := range out.extents {
			err := db.Update(func(tx *bolt.Tx) error { return w.loadExtent(tx, index, out.section, i, extent) })
			if err != nil {
				return errors.Join(err, db.Close())
			}
			info.Extents = append(info.Extents, extent.extentInfo)
		}
		m.sections[s] = info
	}
	err = db.View(func(tx *bolt.Tx) error {
		m.Pages = int(tx.Size() / pageSize)
		return nil
	})
	value, encodeErr := m.encode()
	if err := errors.Join(err, encodeErr); err != nil {
		return errors.Join(err, db.Close())
	}
	err = db.Update(func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucket([]byte(manifestBucket))
		if err != nil {
			return err
		}
		return bucket.Put([]byte(manifestBucket), value)
	})
	return errors.Join(err, db.Close())
}

// loadExtent writes an extent of a section, its blocks sealed.
func (w *Writer) loadExtent(tx *bolt.Tx, index uint64, s Section, number int, extent stagedExtent) error {
	bucket, err := tx.CreateBucket(extentName(s, number))
	if err != nil {
		return err
	}
	value := slices.Grow(w.loading[:0], extent.Size)[:extent.Size]
	w.loading = value // bbolt needs it until the transaction ends
	if _, err := w.staging.file.ReadAt(value, extent.offset); err != nil {
		return err
	}
	blocks := int(binary.LittleEndian.Uint32(value))/4 - 1
	for b := range blocks {
		start, end := binary.LittleEndian.Uint32(value[4*b:]), binary.LittleEndian.Uint32(value[4*b+4:])
		sealBlock(index, s, extent.First+b, value[start:end])
	}
	return bucket.Put(extentKey(number), value)
}

// copyDB writes a copy of a bbolt file whose two meta pages point to the same
// tree, so that damage to one of them cannot bring an older state to light,
// and syncs it.
func copyDB(from, to string) (size int64, err error) {
	db, err := bolt.Open(from, 0, &bolt.Options{ReadOnly: true, Timeout: lockPatience})
	if err != nil {
		return 0, err
	}
	defer db.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	err = db.View(func(tx *bolt.Tx) error {
		size, err = tx.WriteTo(file)
		return err
	})
	if err == nil {
		err = file.Sync()
	}
	return size, errors.Join(err, file.Close())
}

func extentName(s Section, extent int) []byte {
	return append([]byte{byte(s)}, extentKey(extent)...)
}

func extentKey(extent int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(extent)) }

// indexKey is what checksums are bound to: a part of the model's digest, and
// of the source's.
func indexKey(m *Manifest) uint64 {
	key := binary.LittleEndian.Uint64(m.Digest)
	if len(m.Source) >= 8 {
		key ^= binary.LittleEndian.Uint64(m.Source)
	}
	return key
}

// syncDir makes a rename in a folder durable. Windows has no such call and
// does it by itself.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Close removes what is temporary. After Commit the index stays.
func (w *Writer) Close() error {
	var err error
	if w.staging != nil {
		err = w.staging.file.Close()
	}
	if w.lock != nil {
		err = errors.Join(err, w.lock.Close())
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}

// tempPrefix begins the names of the temporary folders of an index's builds.
func tempPrefix(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".build-")
}

// makeDir makes the temporary folder and locks it for as long as the process
// lives, so that another build can tell it from litter.
func (w *Writer) makeDir() error {
	for {
		prefix := tempPrefix(w.path)
		dir, err := os.MkdirTemp(filepath.Dir(prefix), filepath.Base(prefix)+"*")
		if err != nil {
			return err
		}
		lock, err := tryLock(filepath.Join(dir, "lock"))
		switch {
		case lock != nil:
			// Another build may have taken the folder for litter before this
			// one had the lock, and be done with it.
			if _, err := os.Stat(lock.Path()); err != nil {
				lock.Close()
				continue
			}
			w.dir, w.lock = dir, lock
			return nil
		case err == nil, errors.Is(err, os.ErrNotExist):
			continue // another build took it for litter in this very moment
		default: // a file system without locks
			w.dir = dir
			return nil
		}
	}
}

// clearLitter removes what killed builds of the index left behind. It leaves
// alone what another process has locked, or what it can't tell about.
func clearLitter(path string) {
	prefix := tempPrefix(path)
	entries, err := os.ReadDir(filepath.Dir(prefix))
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), filepath.Base(prefix)) {
			continue
		}
		dir := filepath.Join(filepath.Dir(prefix), entry.Name())
		lock, err := tryLock(filepath.Join(dir, "lock"))
		if errors.Is(err, errNoLocks) {
			return
		}
		if lock != nil {
			// Under another name first: a build that made this folder a moment
			// ago and has not locked it yet then finds that it is gone.
			if gone := dir + "-gone"; os.Rename(dir, gone) == nil {
				dir = gone
			}
			os.RemoveAll(dir)
			lock.Close()
		}
	}
}
