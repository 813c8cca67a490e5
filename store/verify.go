package store

import (
	"bytes"
	"fmt"
)

// Part says how much of an index a section takes.
type Part struct {
	Name   string
	Items  int // nodes, edges, reports, rows or entries
	Blocks int
	Bytes  int64 // in the file, without bbolt's own pages
}

// Parts returns the sections that are not empty.
func (ix *Index) Parts() []Part {
	var parts []Part
	for s, info := range ix.Manifest.sections {
		if info.Blocks == 0 {
			continue
		}
		p := Part{Name: Section(s).String(), Items: info.Items, Blocks: info.Blocks}
		for _, e := range info.Extents {
			p.Bytes += int64(e.Size)
		}
		parts = append(parts, p)
	}
	return parts
}

// CheckTree reads all pages of the tree and checks that each extent is where
// bbolt would find it.
func (ix *Index) CheckTree() error {
	buckets, err := readTree(ix.file, ix.Size, func(string) bool { return true })
	if err != nil {
		return err
	}
	named := byName(buckets)
	extents := 0
	for s, info := range ix.Manifest.sections {
		for i := range info.Extents {
			extents++
			have, values := ix.extents[s][i], named[string(extentName(Section(s), i))].values
			if len(values) != 1 || values[0] != (span{int64(have.at), len(have.data)}) {
				return damaged(fmt.Sprintf("extent %d of the %s", i, Section(s)), "its page is not as it should be")
			}
		}
	}
	if len(buckets) != extents+1 { // and the manifest
		return damaged("the tree", "it has %d buckets, and the manifest names %d", len(buckets), extents+1)
	}
	return nil
}

// CheckBlocks reads every block of the index, checks its checksum and unpacks
// it. It calls report with the error of each that is damaged.
func (ix *Index) CheckBlocks(report func(error)) {
	v := ix.View()
	defer v.Release()
	for s, info := range ix.Manifest.sections {
		for n := range info.Blocks {
			if _, err := v.block(Section(s), n); err != nil {
				report(err)
			}
		}
	}
}

// Compare calls report for each section in which ix is not what want is: two
// indexes of one model are the same.
func (ix *Index) Compare(want *Index, report func(error)) {
	if !bytes.Equal(ix.Manifest.Digest, want.Manifest.Digest) {
		report(damaged("the manifest", "its digest %x is not that of the records, %x", ix.Manifest.Digest, want.Manifest.Digest))
		return
	}
	a, b := ix.View(), want.View()
	defer a.Release()
	defer b.Release()
	for s := range ix.Manifest.sections {
		if err := compareSection(a, b, Section(s)); err != nil {
			report(err)
		}
	}
}

func compareSection(a, b *View, s Section) error {
	have, want := a.ix.Manifest.sections[s], b.ix.Manifest.sections[s]
	if have.Items != want.Items || have.Blocks != want.Blocks {
		return damaged(fmt.Sprintf("the %s", s), "there are %d in %d blocks, and the records give %d in %d",
			have.Items, have.Blocks, want.Items, want.Blocks)
	}
	for n := range have.Blocks {
		x, err := a.block(s, n)
		if err != nil {
			return err
		}
		y, err := b.block(s, n)
		if err != nil {
			return err
		}
		if !bytes.Equal(x, y) {
			return damaged(blockName(s, n), "it does not follow from the records")
		}
	}
	return nil
}
