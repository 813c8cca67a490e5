package jsonmodel

import (
	"hash/maphash"
	"strings"

	"brick/model"

	"github.com/go-json-experiment/json/jsontext"
)

// A document is checked member by member as it is read. Its methods read a
// value to its end and return the errors of its stream; path leads to that
// value.
type document struct {
	stream
	checker checker // of the members that are held as a whole, and for reports
	workers *workers
	header  *model.RecordHeader
	sole    repository
}

// read checks the whole document.
func (d *document) read() error {
	if d.peek() != '{' {
		d.header.NodesUnknown = true
		if err := d.illTyped(nil, "the document", '{'); err != nil {
			return err
		}
		return d.finish()
	}
	start := d.at
	missing := map[string]string{
		"edges":          "a document has an array of edges",
		"nodes":          "a document has an array of nodes",
		"repositories":   "a document has an array of exactly one object",
		"root":           "a document has a string that is not empty",
		"schema_version": "a document has the number 4",
		"scope":          "a document has an object",
	}
	err := d.members(nil, func(path []step, repeated bool) error {
		name := string(path[0].name)
		delete(missing, name)
		if repeated {
			switch name {
			case "nodes":
				d.header.NodesUnknown = true
			case "repositories":
				d.sole.state = repositoryFaulty
			}
			return d.skip(path)
		}
		return d.member(path, name)
	})
	if err != nil {
		return err
	}
	if err := d.finish(); err != nil {
		return err
	}
	d.checker.start(nil, start)
	for name, wanted := range missing {
		d.checker.reportMissing(0, name, wanted)
		if name == "nodes" {
			d.header.NodesUnknown = true
		}
	}
	return nil
}

func (d *document) member(path []step, name string) error {
	h := d.header
	switch name {
	case "schema_version":
		return d.whole(path, d.checker.schemaVersion)
	case "generator":
		return d.whole(path, func() { h.Generator = d.checker.generator() })
	case "root":
		return d.whole(path, func() { h.Root = strings.Clone(d.checker.filledString("root")) })
	case "repositories":
		return d.whole(path, func() { d.sole = d.checker.repositories() })
	case "scope":
		return d.whole(path, func() { h.Scope = d.checker.objectForm("scope", (*checker).skip) })
	case "metrics":
		return d.metrics(path)
	case "nodes":
		return d.records(path, false)
	case "edges":
		return d.records(path, true)
	}
	return d.skip(path)
}

// records hands the nodes or edges to the workers.
func (d *document) records(path []step, edges bool) error {
	if d.peek() != '[' {
		if !edges {
			d.header.NodesUnknown = true
		}
		return d.illTyped(path, string(path[0].name), '[')
	}
	err := d.elements(path, func(path []step) error {
		r := record{place: d.at, index: path[1].index, edge: edges}
		text, err := d.value()
		if err != nil {
			return err
		}
		d.workers.add(text, r, d.sole)
		return nil
	})
	d.workers.flush()
	return err
}

// metrics checks the metrics, of which only the resolution is held.
func (d *document) metrics(path []step) error {
	if d.peek() != '{' {
		return d.illTyped(path, "metrics", '{')
	}
	return d.members(path, func(path []step, repeated bool) error {
		if repeated || string(path[1].name) != "resolution" {
			return d.skip(path)
		}
		return d.whole(path, func() { d.header.Resolution = d.checker.resolution() })
	})
}

// whole reads a value as a whole and has it checked by a method of d.checker.
func (d *document) whole(path []step, check func()) error {
	d.peek()
	place := d.at
	text, err := d.value()
	if err != nil {
		return err
	}
	d.checker.start(text, place, path...)
	check()
	return nil
}

// illTyped reports that the next value is not of the type whose first byte is
// first, and skips it.
func (d *document) illTyped(path []step, what string, first byte) error {
	if kind := d.peek(); kind != jsontext.KindInvalid {
		d.checker.start(nil, d.at, path...)
		d.checker.report(0, "%s must be %s, not %s", what, kindName(first), kindName(byte(kind)))
	}
	return d.skip(path)
}

// skip reads a value in which only the names matter, without holding it.
func (d *document) skip(path []step) error {
	switch d.peek() {
	case '{':
		return d.members(path, func(path []step, _ bool) error { return d.skip(path) })
	case '[':
		return d.elements(path, d.skip)
	}
	_, err := d.value()
	return err
}

// members reads an object. It reports repeated names, and calls member to
// read each value.
func (d *document) members(path []step, member func(path []step, repeated bool) error) error {
	if err := d.delimiter(); err != nil {
		return err
	}
	path = append(path, step{})
	last := &path[len(path)-1]
	names := map[nameHash]struct{}{}
	for d.peek() != '}' {
		place := d.at
		name, err := d.value()
		if err != nil {
			return err
		}
		last.name, _ = jsontext.AppendUnquote(last.name[:0], name)
		hash := hashName(last.name)
		_, repeated := names[hash]
		if repeated {
			d.checker.start(nil, place, path...)
			d.checker.report(0, duplicateName, quoted(last.name))
		}
		names[hash] = struct{}{}
		if err := member(path, repeated); err != nil {
			return err
		}
	}
	return d.delimiter()
}

// elements reads an array, and calls element to read each element. The place
// of the element is in d.at.
func (d *document) elements(path []step, element func(path []step) error) error {
	if err := d.delimiter(); err != nil {
		return err
	}
	path = append(path, step{})
	for i := 0; d.peek() != ']'; i++ {
		path[len(path)-1].index = i
		if err := element(path); err != nil {
			return err
		}
	}
	return d.delimiter()
}

// nameHash stands for a name: objects outside of records can have any number
// of names, so they are not held. Two names of one hash are as good as
// impossible.
type nameHash [2]uint64

var nameSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hashName(name []byte) nameHash {
	return nameHash{maphash.Bytes(nameSeeds[0], name), maphash.Bytes(nameSeeds[1], name)}
}
