//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"brick/query"
	"brick/store"
)

const (
	pageSize  = 4096
	coldPicks = 21
)

// coldRows are how many pages of the index one answer reads when none of it is
// in memory. There is no peer: what one would read is up to the file system.
func coldRows(b *bench) ([]result, error) {
	s, err := b.many()
	if err != nil {
		return nil, err
	}
	opening, asking, err := coldPages(b.ctx, s)
	if err != nil {
		return nil, err
	}
	of := fmt.Sprintf("of %d pages in the file", s.indexSize/pageSize)
	return []result{
		{what: "cold: pages read by one brick_callers", figure: spread(asking, "pages"), peer: of, value: median(asking), unit: "pages", bar: 40, goal: 15},
		{what: "cold: pages read by opening the index", figure: spread(opening, "pages"), peer: of, value: median(opening), unit: "pages"},
	}, nil
}

func coldPages(ctx context.Context, s *sample) (opening, asking []float64, err error) {
	for i := range coldPicks {
		id := s.picks.few[i*len(s.picks.few)/coldPicks]
		o, a, err := coldAsk(ctx, s.index, id)
		if err != nil {
			return nil, nil, err
		}
		opening, asking = append(opening, float64(o)), append(asking, float64(a))
	}
	return opening, asking, nil
}

// coldAsk puts the file out of memory, opens it, asks a question, and counts
// the pages that came in.
func coldAsk(ctx context.Context, path, id string) (opening, asking int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	if err := evict(file); err != nil {
		return 0, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	watch, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return 0, 0, err
	}
	defer unix.Munmap(watch)
	before, err := resident(watch)
	if err != nil {
		return 0, 0, err
	}
	if before > 0 {
		return 0, 0, fmt.Errorf("%d pages of %s stay in memory; is $TMPDIR on a disk?", before, path)
	}
	ix, err := store.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer ix.Close()
	opened, err := resident(watch)
	if err != nil {
		return 0, 0, err
	}
	if _, _, err := ask(ctx, ix, "brick_callers", query.Arguments{"node_id": id}); err != nil {
		return 0, 0, err
	}
	asked, err := resident(watch)
	return opened, asked - opened, err
}

// evict puts a file out of memory. No process may have it mapped.
func evict(file *os.File) error {
	if err := file.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// resident counts the pages of a mapped file that are in memory, whoever read
// them.
func resident(mapped []byte) (int, error) {
	pages := make([]byte, (len(mapped)+pageSize-1)/pageSize)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mapped[0])), uintptr(len(mapped)), uintptr(unsafe.Pointer(&pages[0])))
	if errno != 0 {
		return 0, fmt.Errorf("mincore: %w", errno)
	}
	count := 0
	for _, p := range pages {
		count += int(p & 1)
	}
	return count, nil
}
