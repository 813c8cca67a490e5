// Package naive answers the six queries of the contract in the simplest way
// that could be right: the document in maps and slices, every question by a
// scan of everything. It is what tests compare the product with, so it shares
// no code with it.
//
// Comments in quotation marks are sentences of the contract; the code below
// each does what the sentence says, however slowly.
package naive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Model is one document.
type Model struct {
	root         string
	repositoryID string
	scope        []byte
	resolution   map[string]json.RawMessage // metrics.resolution

	nodes []*node // by id
	edges []*edge // by id

	filesSeen map[string]bool   // see isFile
	children  map[[2]*node]bool // see contains
	others    map[*node]bool    // see hasOtherCalls
	modules   map[*node]*node   // see moduleUses

	asked asked // what the filter of the question leaves in

	names bool // records are
	brief bool // how the answer that is being made writes records
}

type node struct {
	id     string
	record []byte

	kind, name     string
	qualifiedName  string // "" is none
	language, path string // "" is none
	startLine      int64  // 0 is none
	endLine        int64  // 0 is none
	startColumn    int64  // 0 is none
	endColumn      int64  // 0 is none
	attributes     map[string]json.RawMessage
}

type edge struct {
	id     string
	record []byte

	kind           string
	source, target *node
	evidence       []evidence
}

type evidence struct {
	lane       string // in lower case
	provenance *string
	attributes map[string]json.RawMessage
}

// members is a JSON object by exact member name. (Decoding into a struct would
// match names without regard to case.)
type members map[string]json.RawMessage

// Load reads a valid document; for one that isn't it may return an error or a
// model that makes no sense.
func Load(document []byte) (*Model, error) {
	// "A UTF-8 byte order mark at the start is skipped"
	document = bytes.TrimPrefix(document, []byte("\uFEFF"))

	// "in UTF-8 without insignificant white space, member names sorted (as RFC
	// 8785 sorts them) at every depth, strings escaped as RFC 8785 escapes
	// them, numbers kept digit for digit as they were written [...] Array
	// order is kept". All at once, so that each part of it is canonical too.
	canonical := jsontext.Value(bytes.Clone(document))
	err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, err
	}

	var top members
	if err := json.Unmarshal(canonical, &top); err != nil {
		return nil, err
	}
	m := &Model{scope: top["scope"]}
	var repositories []members
	var metrics members
	var nodes, edges []json.RawMessage
	err = decode(
		field{top, "root", &m.root},
		field{top, "repositories", &repositories},
		field{top, "metrics", &metrics},
		field{top, "nodes", &nodes},
		field{top, "edges", &edges},
	)
	if err != nil {
		return nil, err
	}
	if len(repositories) != 1 {
		return nil, fmt.Errorf("%d repositories", len(repositories))
	}
	err = decode(
		field{repositories[0], "id", &m.repositoryID},
		field{metrics, "resolution", &m.resolution},
	)
	if err != nil {
		return nil, err
	}

	byID := map[string]*node{}
	for _, record := range nodes {
		n, err := loadNode(record)
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", record, err)
		}
		byID[n.id] = n
		m.nodes = append(m.nodes, n)
	}
	for _, record := range edges {
		e, err := loadEdge(record, byID)
		if err != nil {
			return nil, fmt.Errorf("edge %s: %w", record, err)
		}
		m.edges = append(m.edges, e)
	}

	// "All order is by stable id, compared as UTF-8 bytes, unless said otherwise."
	slices.SortFunc(m.nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	slices.SortFunc(m.edges, func(a, b *edge) int { return strings.Compare(a.id, b.id) })
	return m, nil
}

func loadNode(record json.RawMessage) (*node, error) {
	n := &node{record: record}
	var f, span members
	if err := json.Unmarshal(record, &f); err != nil {
		return nil, err
	}
	// "empty is the same as none": "" is how none is written here.
	err := decode(
		field{f, "id", &n.id},
		field{f, "kind", &n.kind},
		field{f, "name", &n.name},
		field{f, "qualified_name", &n.qualifiedName},
		field{f, "language", &n.language},
		field{f, "path", &n.path},
		field{f, "span", &span},
		field{f, "attributes", &n.attributes},
	)
	if err != nil {
		return nil, err
	}
	for name, number := range map[string]*int64{
		"start_line": &n.startLine, "start_column": &n.startColumn, "end_line": &n.endLine, "end_column": &n.endColumn,
	} {
		if raw, ok := span[name]; ok {
			// "integers in JSON Schema's sense, so `3.0` is one"
			value, ok := new(big.Rat).SetString(string(raw))
			if !ok || !value.IsInt() {
				return nil, fmt.Errorf("%s %s", name, raw)
			}
			*number = value.Num().Int64()
		}
	}
	return n, nil
}

func loadEdge(record json.RawMessage, nodes map[string]*node) (*edge, error) {
	e := &edge{record: record}
	var f members
	if err := json.Unmarshal(record, &f); err != nil {
		return nil, err
	}
	var source, target string
	var records []members
	err := decode(
		field{f, "id", &e.id},
		field{f, "kind", &e.kind},
		field{f, "source", &source},
		field{f, "target", &target},
		field{f, "evidence", &records},
	)
	if err != nil {
		return nil, err
	}
	e.source, e.target = nodes[source], nodes[target]
	if e.source == nil || e.target == nil {
		return nil, fmt.Errorf("no such node: %q or %q", source, target)
	}
	for _, r := range records {
		var v evidence
		err := decode(
			field{r, "lane", &v.lane},
			field{r, "provenance", &v.provenance},
			field{r, "attributes", &v.attributes},
		)
		if err != nil {
			return nil, err
		}
		// "compared without regard to ASCII case"
		v.lane = strings.ToLower(v.lane)
		e.evidence = append(e.evidence, v)
	}
	return e, nil
}

type field struct {
	from members
	name string
	to   any
}

// decode decodes the fields that are there.
func decode(fields ...field) error {
	for _, f := range fields {
		raw, ok := f.from[f.name]
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, f.to); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// NodeRecords returns the canonical records of the nodes in id order.
func (m *Model) NodeRecords() [][]byte {
	var records [][]byte
	for _, n := range m.nodes {
		records = append(records, n.record)
	}
	return records
}

// EdgeRecords returns the canonical records of the edges in id order.
func (m *Model) EdgeRecords() [][]byte {
	var records [][]byte
	for _, e := range m.edges {
		records = append(records, e.record)
	}
	return records
}

// NodeIDs returns the ids of the nodes in order.
func (m *Model) NodeIDs() []string {
	var ids []string
	for _, n := range m.nodes {
		ids = append(ids, n.id)
	}
	return ids
}

// EdgeIDs returns the ids of the edges in order.
func (m *Model) EdgeIDs() []string {
	var ids []string
	for _, e := range m.edges {
		ids = append(ids, e.id)
	}
	return ids
}

// FunctionIDs returns the ids of the functions in order.
func (m *Model) FunctionIDs() []string {
	var ids []string
	for _, n := range m.nodes {
		if n.isFunction() {
			ids = append(ids, n.id)
		}
	}
	return ids
}

func (m *Model) node(id string) *node {
	for _, n := range m.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// "`function` and `method` (both are "a function" to the caller queries)"
func (n *node) isFunction() bool { return n.kind == "function" || n.kind == "method" }

// "Dependency kinds: `calls`, `imports`, `inherits`, and no others."
func (e *edge) isDependency() bool {
	return e.kind == "calls" || e.kind == "imports" || e.kind == "inherits"
}

// flag returns the value of an attribute of n as a flag, and whether it holds.
func (n *node) flag(name string) (value []byte, holds bool) {
	value, ok := n.attributes[name]
	if !ok {
		return nil, false
	}
	// "a flag holds when its value is anything but `false`, `null`, `""`, `[]`
	// or `{}`"
	switch string(value) {
	case `false`, `null`, `""`, `[]`, `{}`:
		return nil, false
	}
	return value, true
}
