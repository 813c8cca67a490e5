package scip

import (
	"cmp"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A table knows all symbols of the indexes, and the documents that define
// them.
type table struct {
	symbols map[string]*node // by symbol; several, of different versions, may share a node
	nodes   map[string]*node // by id, from resolve on
	own     map[string]bool  // packages with a definition here, by packageKey

	scattered map[string]bool // ids of the nodes that several documents define

	// silentInterfaces are the methods of interfaces for which no producer
	// says what implements them: generic ones, those in a function and those
	// without a name. By language and name, with a path where one is.
	silentInterfaces map[nameKey]string
}

type nameKey struct {
	family string
	name   string
}

func newTable() *table {
	return &table{
		symbols: map[string]*node{}, nodes: map[string]*node{}, own: map[string]bool{}, scattered: map[string]bool{},
		silentInterfaces: map[nameKey]string{},
	}
}

// at returns the node of a symbol, which it makes where there is none.
func (t *table) at(text string, lang *language) *node {
	n := t.symbols[text]
	if n == nil {
		text = strings.Clone(text)
		s := parseSymbol(text)
		n = &node{symbol: s, name: s.name(), lang: lang, parameters: -1}
		n.kind = kindOf(s, 0, "")
		t.symbols[text] = n
	}
	return n
}

// declare takes what a producer says of a symbol.
func (t *table) declare(info *pb.SymbolInformation, path string, lang *language) {
	if isLocal(info.Symbol) {
		if virtualKinds[info.Kind] && info.DisplayName != "" {
			key := nameKey{lang.family, info.DisplayName}
			if _, there := t.silentInterfaces[key]; !there {
				t.silentInterfaces[key] = path
			}
		}
		return
	}
	n := t.at(info.Symbol, lang)
	for _, r := range info.Relationships {
		if r.IsImplementation && !isLocal(r.Symbol) {
			n.implements = append(n.implements, r.Symbol)
		}
	}
	if n.declared {
		return
	}
	n.declared = true
	n.enclosing = info.EnclosingSymbol
	declaration, decorators := declarationOf(info)
	n.kind = kindOf(n.symbol, info.Kind, declaration)
	n.decorators = decorators
	n.virtual = virtualKinds[info.Kind]
	if n.function() || n.kind == "class" || n.kind == kindInterface || n.kind == "variable" || n.kind == "field" {
		n.declaration = firstLine(declaration)
	}
	if count, ok := parametersOf(declaration, n.name); ok && n.function() {
		n.parameters = count
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.Clone(line)
}

// define takes a place where a symbol is defined.
func (t *table) define(o *occurrence, path string, lang *language) {
	n := t.at(o.symbol, lang)
	if n.symbol.last().Suffix == pb.Descriptor_Parameter && !isReceiver(n.name) {
		if parent, ok := n.symbol.parent(); ok && !n.defined() {
			f := pb.VerboseSymbolFormatter
			t.at(f.FormatSymbol(&pb.Symbol{
				Scheme:      parent.scheme,
				Package:     &pb.Package{Manager: parent.manager, Name: parent.pkg, Version: parent.version},
				Descriptors: parent.descriptors,
			}), lang).children++
		}
	}
	n.lang = lang
	n.test = n.test || o.roles&int32(pb.SymbolRole_Test) != 0
	n.definitions = append(n.definitions, definition{path, o.span, o.enclosing})
	if !n.symbol.isNamespace() {
		t.own[n.symbol.packageKey()] = true
	}
	if lang.valueFunction != nil && n.symbol.last().Suffix == pb.Descriptor_Term && lang.valueFunction(n, o) {
		n.kind = kindFunction
		if parent, ok := n.symbol.parent(); ok && parent.last().Suffix == pb.Descriptor_Type {
			n.kind = kindMethod
		}
	}
}

// resolve gives all symbols their nodes. Symbols of the repository's own
// packages that differ in the version only are one.
func (t *table) resolve() {
	for _, text := range sortedKeys(t.symbols) {
		n := t.symbols[text]
		n.id = n.symbol.id(t.own[n.symbol.packageKey()])
		first := t.nodes[n.id]
		if first == nil {
			t.nodes[n.id] = n
			continue
		}
		first.merge(n)
		t.symbols[text] = first
	}
	for _, id := range sortedKeys(t.nodes) {
		n := t.nodes[id]
		slices.SortFunc(n.definitions, func(a, b definition) int {
			return cmp.Or(cmp.Compare(a.path, b.path), comparePositions(a.name.start, b.name.start))
		})
		n.definitions = slices.Compact(n.definitions)
		slices.Sort(n.implements)
		n.implements = slices.Compact(n.implements)
		if !n.defined() {
			continue
		}
		n.parent = t.parentOf(n)
		if n.virtual && isOfGenericInterface(n) {
			t.silentInterfaces[nameKey{n.lang.family, n.name}] = n.path()
		}
		if n.definitions[len(n.definitions)-1].path != n.path() {
			t.scattered[n.id] = true
		}
	}
	// An interface outside the index has no kinds: its methods are what
	// methods implement.
	for _, n := range t.nodes {
		if n.kind != kindMethod || !n.defined() {
			continue
		}
		for _, text := range n.implements {
			if base := t.node(text, n.lang); !base.defined() {
				base.kind = kindMethod
			}
		}
	}
}

// isOfGenericInterface says whether a method of Go is one of an interface
// with type parameters: scip-go compares only types that have none.
func isOfGenericInterface(n *node) bool {
	return n.lang == golang && n.parent != nil && strings.HasPrefix(n.declaration, "func ("+n.parent.name+"[")
}

// parentOf is the node that encloses another, nil when only its document does.
func (t *table) parentOf(n *node) *node {
	if n.enclosing != "" && !isLocal(n.enclosing) {
		if p := t.symbols[n.enclosing]; p != nil && p.defined() && p.kind != "" && p.kind != kindModule && !p.reaches(n) {
			return p
		}
	}
	for s, ok := n.symbol.parent(); ok; s, ok = s.parent() {
		if p := t.nodes[s.id(t.own[s.packageKey()])]; p != nil && p.defined() && p.kind != "" {
			if p.kind == kindModule || p.reaches(n) {
				return nil
			}
			return p
		}
	}
	return nil
}

// maxEnclosing is how many symbols may enclose one.
const maxEnclosing = 1000

// reaches says whether a node is another or is enclosed by it, or by too many
// to tell: what encloses what is the producer's word, and could be a circle.
func (n *node) reaches(other *node) bool {
	for range maxEnclosing {
		if n == nil || n == other {
			return n != nil
		}
		n = n.parent
	}
	return true
}

// node is the node of a symbol after resolve.
func (t *table) node(text string, lang *language) *node {
	n := t.symbols[text]
	if n != nil {
		return n
	}
	n = t.at(text, lang)
	n.id = n.symbol.id(t.own[n.symbol.packageKey()])
	if first := t.nodes[n.id]; first != nil {
		t.symbols[text] = first
		return first
	}
	t.nodes[n.id] = n
	return n
}

// merge takes over what is known of the same symbol in another version.
func (n *node) merge(other *node) {
	if !n.declared && other.declared || !n.defined() && other.defined() {
		definitions, implements := n.definitions, n.implements
		children := n.children
		id := n.id
		*n = *other
		n.id, n.children = id, max(children, n.children)
		n.definitions = append(n.definitions, definitions...)
		n.implements = append(n.implements, implements...)
		return
	}
	n.definitions = append(n.definitions, other.definitions...)
	n.implements = append(n.implements, other.implements...)
	n.test = n.test || other.test
}

func comparePositions(a, b position) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
