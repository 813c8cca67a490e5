//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// tieEvery is how many functions of a copy come to one that calls its like in
// another copy.
const tieEvery = 500

// scale writes a model of copies of a real one, so that degrees, the lengths of
// ids and the sizes of records stay those of real code. In copy k every id and
// path begins with "ck/". Every 500th function of copy k calls the function in
// its place in copy 7k+1, so that cycles and bridges go through copies. The
// model is held in memory once.
func scale(w io.Writer, path string, copies int) error {
	m, err := readModel(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	out.WriteString("{")
	for _, member := range m.head {
		out.Write(member)
		out.WriteString(",")
	}
	out.WriteString("\n\"nodes\":[\n")
	for k := range copies {
		for i, n := range m.nodes {
			comma(out, k+i)
			n.write(out, k)
		}
	}
	out.WriteString("\n],\n\"edges\":[\n")
	for k := range copies {
		for i, e := range m.edges {
			comma(out, k+i)
			e.write(out, k)
		}
		for _, f := range m.tied {
			// f is a JSON string without its first quote.
			fmt.Fprintf(out, ",\n"+`{"id":"tie:%d:%s,"kind":"calls","source":"c%d/%s,"target":"c%d/%s,"evidence":[{"lane":"heuristic","backend":"scale_model","confidence":0.5,"provenance":"c%d/"}]}`,
				k, f, k, f, (k*7+1)%copies, f, k)
		}
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

func comma(out *bufio.Writer, i int) {
	if i > 0 {
		out.WriteString(",\n")
	}
}

// parts is a model to be copied.
type parts struct {
	head         [][]byte // "name":value
	nodes, edges []record
	tied         [][]byte // ids of functions, without their first quotes
}

// record is a node or an edge, cut where the copy's prefix goes.
type record [][]byte

func (r record) write(out *bufio.Writer, copy int) {
	for i, piece := range r {
		if i > 0 {
			fmt.Fprintf(out, "c%d/", copy)
		}
		out.Write(piece)
	}
}

func readModel(path string) (*parts, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m := &parts{}
	d := jsontext.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	functions := 0
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		switch name := name.String(); name {
		case "nodes":
			err = eachRecord(d, func(r record, id, kind []byte) {
				m.nodes = append(m.nodes, r)
				if k := string(kind); k == `"function"` || k == `"method"` {
					if functions%tieEvery == 0 {
						m.tied = append(m.tied, id[1:])
					}
					functions++
				}
			}, "id", "path")
		case "edges":
			err = eachRecord(d, func(r record, _, _ []byte) { m.edges = append(m.edges, r) }, "id", "source", "target")
		default:
			var value jsontext.Value
			if value, err = d.ReadValue(); err == nil {
				member, _ := jsontext.AppendQuote(nil, name)
				m.head = append(m.head, append(append(member, ':'), value...))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(m.nodes) == 0 || len(m.edges) == 0 {
		return nil, errors.New("the model has no nodes or no edges")
	}
	return m, nil
}

// eachRecord reads an array of objects and cuts each in the strings of the
// members with those names.
func eachRecord(d *jsontext.Decoder, take func(r record, id, kind []byte), prefixed ...string) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '{' {
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		text := value.Clone()
		if err := text.Compact(); err != nil {
			return err
		}
		r, id, kind, err := cut(text, prefixed)
		if err != nil {
			return err
		}
		take(r, id, kind)
	}
	_, err := d.ReadToken()
	return err
}

func cut(text []byte, prefixed []string) (r record, id, kind []byte, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := d.ReadToken(); err != nil {
		return nil, nil, nil, err
	}
	last := 0
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, nil, nil, err
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, nil, nil, err
		}
		end := int(d.InputOffset())
		start := end - len(value)
		switch name {
		case "id":
			id = text[start:end]
		case "kind":
			kind = text[start:end]
		}
		if slices.Contains(prefixed, name) {
			r = append(r, text[last:start+1])
			last = start + 1
		}
	}
	return append(r, text[last:]), id, kind, nil
}
