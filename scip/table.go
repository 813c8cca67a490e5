package scip

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A table knows all symbols of the indexes, and the documents that define
// them.
//
// A symbol is not one thing. Projects that were indexed each in a folder of
// their own may use the same symbol for different functions, and so may one
// index: a crate's library and its program, Go's init. So the first pass keeps
// what is said of a symbol apart by index and document (sites), resolve puts
// together what the language says is one, and a reference is looked up from
// the place where it stands.
type table struct {
	sites  map[string][]*node // by symbol; until resolve
	groups map[string][]*node // the nodes of what is one symbol but for the package's version, by base
	nodes  map[string]*node   // by id
	own    map[string][]*indexFile
	bases  map[string]string // of symbols that were looked up
	twins  *twins            // nil until one is looked for

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
		sites: map[string][]*node{}, groups: map[string][]*node{}, nodes: map[string]*node{},
		own: map[string][]*indexFile{}, bases: map[string]string{}, scattered: map[string]bool{},
		silentInterfaces: map[nameKey]string{},
	}
}

// A place is where a symbol is mentioned: in a document of an index. The path
// is "" for what an index says of symbols that it does not define.
type place struct {
	index *indexFile
	path  string
}

// at returns what a place says of a symbol, which it makes where there is
// nothing yet.
func (t *table) at(text string, lang *language, p place) *node {
	list := t.sites[text]
	for _, n := range list {
		if n.from == p {
			return n
		}
	}
	s := symbol{}
	if len(list) > 0 {
		s = list[0].symbol
	} else {
		text = strings.Clone(text)
		s = parseSymbol(text)
	}
	n := newNode(s, lang)
	n.from = p
	t.sites[text] = append(list, n)
	return n
}

func newNode(s symbol, lang *language) *node {
	return &node{symbol: s, name: s.name(), lang: lang, parameters: -1, kind: kindOf(s, 0, "")}
}

// declare takes what a producer says of a symbol.
func (t *table) declare(info *pb.SymbolInformation, lang *language, p place) {
	if isLocal(info.Symbol) {
		if virtualKinds[info.Kind] && info.DisplayName != "" {
			key := nameKey{lang.family, info.DisplayName}
			if _, there := t.silentInterfaces[key]; !there {
				t.silentInterfaces[key] = p.path
			}
		}
		return
	}
	n := t.at(info.Symbol, lang, p)
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
	if n.symbol.last().Suffix == pb.Descriptor_Meta && n.function() && info.DisplayName != "" {
		n.name = info.DisplayName
	}
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
func (t *table) define(o *occurrence, lang *language, p place) {
	n := t.at(o.symbol, lang, p)
	if n.symbol.last().Suffix == pb.Descriptor_Parameter && !isReceiver(n.name) {
		if parent, ok := n.symbol.parent(); ok && !n.defined() {
			t.at(parent.text(), lang, p).children++
		}
	}
	n.lang = lang
	n.test = n.test || o.roles&int32(pb.SymbolRole_Test) != 0
	n.definitions = append(n.definitions, definition{p.path, o.span, o.enclosing})
	if !n.symbol.isNamespace() {
		if key := n.symbol.packageKey(); !slices.Contains(t.own[key], p.index) {
			t.own[key] = append(t.own[key], p.index)
		}
	}
	if lang.valueFunction != nil && n.symbol.last().Suffix == pb.Descriptor_Term && lang.valueFunction(n, o) {
		n.kind = kindFunction
		if parent, ok := n.symbol.parent(); ok && parent.last().Suffix == pb.Descriptor_Type {
			n.kind = kindMethod
		}
	}
}

// resolve makes nodes of what was said of all symbols, and gives them their
// ids. The indexes' projects must be known.
func (t *table) resolve() {
	for _, text := range sortedKeys(t.sites) {
		base := t.base(text, t.sites[text][0].symbol)
		t.groups[base] = append(t.groups[base], t.sites[text]...)
	}
	t.sites = nil
	for _, base := range sortedKeys(t.groups) {
		t.groups[base] = t.unite(t.groups[base])
		t.name(base)
	}
	list := sortedKeys(t.nodes)
	for _, id := range list {
		if n := t.nodes[id]; n.defined() {
			t.settle(n)
		}
	}
	// An interface outside the index has no kinds: its methods are what
	// methods implement.
	for _, id := range list {
		n := t.nodes[id]
		if n.kind != kindMethod || !n.defined() {
			continue
		}
		for _, base := range t.implemented(n) {
			if !base.defined() {
				base.kind = kindMethod
			}
		}
	}
}

// unite joins what was said of a symbol in several places, as far as that is
// about the same thing.
func (t *table) unite(sites []*node) []*node {
	slices.SortStableFunc(sites, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.from.path, b.from.path), cmp.Compare(a.from.index.number, b.from.index.number))
	})
	var list, undefined []*node
next:
	for _, n := range sites {
		n.indexes = []*indexFile{n.from.index}
		if !n.defined() {
			undefined = append(undefined, n)
			continue
		}
		for _, first := range list {
			if first.same(n) {
				first.merge(n)
				continue next
			}
		}
		list = append(list, n)
	}
	for _, n := range undefined {
		if len(list) == 0 {
			list = append(list, n)
			continue
		}
		// An index may declare a symbol elsewhere than it defines it.
		for _, first := range list {
			if !first.defined() || !first.declared && slices.Contains(first.indexes, n.from.index) {
				first.merge(n)
			}
		}
	}
	return list
}

// same says whether two definitions of one symbol are of one thing: in the
// same file, or, in one index, where the language lets several files define
// it together.
func (n *node) same(other *node) bool {
	for _, d := range n.definitions {
		if d.path == other.from.path || n.lang.sameFile != nil && n.lang.sameFile(d.path, other.from.path) {
			return true
		}
	}
	return slices.Contains(n.indexes, other.from.index) && !n.function() && !other.function() &&
		(n.kind == kindModule || n.symbol.isNamespace() || n.lang.partial)
}

// name gives the nodes of a group their ids. The id of a node that shares its
// symbol with others ends with the path of its file.
func (t *table) name(base string) {
	group := t.groups[base]
	by := map[string]int{}
	for _, n := range group {
		n.id = n.symbol.id(t.isOwn(n.symbol), t.qualifier(n))
		by[n.id]++
	}
	for _, n := range group {
		if by[n.id] > 1 || n.isGoInit() {
			n.id = shortID(n.id + " " + n.path())
		}
	}
	for _, n := range group {
		for t.nodes[n.id] != nil { // two symbols whose ids were cut, or one with a path in its name
			n.id = shortID(n.id + " " + n.path())
		}
		t.nodes[n.id] = n
	}
}

func (n *node) isGoInit() bool {
	return n.lang == golang && n.defined() && n.name == "init" && isEntryPoint(n)
}

func (t *table) isOwn(s symbol) bool { return len(t.own[s.packageKey()]) > 0 }

// solePackage is the name of the repository's package, "" when there are
// several or none.
func (t *table) solePackage() string {
	sole := ""
	for key := range t.own {
		name := key[strings.LastIndexByte(key, 0)+1:]
		if name == "" || name == "." || sole != "" && name != sole {
			return ""
		}
		sole = name
	}
	return sole
}

// units are those of the indexes that define something of a package.
func (t *table) units(s symbol) []*unit {
	var list []*unit
	for _, x := range t.own[s.packageKey()] {
		if !slices.Contains(list, x.unit) {
			list = append(list, x.unit)
		}
	}
	return list
}

// qualifier is the folder that tells a symbol's package from others of the
// same name, "" where there is no need.
func (t *table) qualifier(n *node) string {
	if !n.defined() || !n.symbol.anonymous() && len(t.units(n.symbol)) < 2 {
		return ""
	}
	return n.indexes[0].unit.prefix
}

// settle orders what is known of a defined node, and finds what encloses it.
func (t *table) settle(n *node) {
	slices.SortFunc(n.definitions, func(a, b definition) int {
		return cmp.Or(cmp.Compare(a.path, b.path), comparePositions(a.name.start, b.name.start))
	})
	n.definitions = slices.Compact(n.definitions)
	slices.Sort(n.implements)
	n.implements = slices.Compact(n.implements)
	n.parent = t.parentOf(n)
	if n.virtual && isOfGenericInterface(n) {
		t.silentInterfaces[nameKey{n.lang.family, n.name}] = n.path()
	}
	if n.definitions[len(n.definitions)-1].path != n.path() {
		t.scattered[n.id] = true
	}
}

// isOfGenericInterface says whether a method of Go is one of an interface
// with type parameters: scip-go compares only types that have none.
func isOfGenericInterface(n *node) bool {
	return n.lang == golang && n.parent != nil && strings.HasPrefix(n.declaration, "func ("+n.parent.name+"[")
}

// parentOf is the node that encloses another, nil when only its document does.
func (t *table) parentOf(n *node) *node {
	from := n.place()
	if n.enclosing != "" && !isLocal(n.enclosing) {
		for _, p := range t.find(n.enclosing, from) {
			if p.defined() && p.kind != "" && p.kind != kindModule && !p.reaches(n) {
				return p
			}
		}
	}
	for s, ok := n.symbol.parent(); ok; s, ok = s.parent() {
		for _, p := range t.find(s.text(), from) {
			if !p.defined() || p.kind == "" {
				continue
			}
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

// base names what is one symbol but for the version of its package, which
// does not count for the repository's own.
func (t *table) base(text string, s symbol) string {
	base, there := t.bases[text]
	if !there {
		base = s.id(t.isOwn(s), "")
		t.bases[strings.Clone(text)] = base
	}
	return base
}

// find are the nodes that a symbol may stand for in a place: the one that the
// place's file defines, else those of its index, of its project, of all. There
// are several only when the producer uses one symbol for different things.
func (t *table) find(text string, from place) []*node {
	base, there := t.bases[text]
	if !there {
		base = t.base(text, parseSymbol(text))
	}
	group := t.groups[base]
	if len(group) == 0 || len(group) == 1 && (!group[0].defined() || slices.Contains(group[0].indexes, from.index)) {
		return group
	}
	s := group[0].symbol
	for _, keep := range []func(*node) bool{
		func(n *node) bool { return n.isDefinedIn(from.path) },
		func(n *node) bool { return slices.Contains(n.indexes, from.index) },
		func(n *node) bool {
			return slices.ContainsFunc(n.indexes, func(x *indexFile) bool { return x.unit == from.index.unit })
		},
	} {
		var list []*node
		for _, n := range group {
			if keep(n) {
				list = append(list, n)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	// Another project's package of the same name, or of none, is not meant.
	if s.anonymous() || len(t.units(s)) > 1 && slices.Contains(t.units(s), from.index.unit) {
		return nil
	}
	return group
}

// nodesOf are the nodes that a symbol may stand for in a place, an external
// one where nothing defines it.
func (t *table) nodesOf(text string, lang *language, from place) []*node {
	if list := t.find(text, from); len(list) > 0 {
		return list
	}
	s := parseSymbol(text)
	n := newNode(s, lang)
	n.id = s.id(false, "")
	if first := t.nodes[n.id]; first != nil {
		return []*node{first}
	}
	t.nodes[n.id] = n
	if base := t.base(text, s); len(t.groups[base]) == 0 {
		t.groups[base] = []*node{n}
	}
	return []*node{n}
}

// implemented are the nodes of what a node implements.
func (t *table) implemented(n *node) []*node {
	var list []*node
	for _, text := range n.implements {
		list = append(list, t.nodesOf(text, n.lang, n.place())...)
	}
	return list
}

func (n *node) isDefinedIn(path string) bool {
	return slices.ContainsFunc(n.definitions, func(d definition) bool { return d.path == path })
}

// place is where a defined node is.
func (n *node) place() place { return place{n.indexes[0], n.path()} }

// merge takes over what else is known of the same thing.
func (n *node) merge(other *node) {
	for _, x := range other.indexes {
		if !slices.Contains(n.indexes, x) {
			n.indexes = append(n.indexes, x)
		}
	}
	if !n.declared && other.declared || !n.defined() && other.defined() {
		definitions, implements, from, indexes := n.definitions, n.implements, n.from, n.indexes
		children, lang := n.children, n.lang
		defined := n.defined()
		*n = *other
		n.from, n.indexes, n.children = from, indexes, max(children, n.children)
		if defined {
			n.lang = lang
		}
		n.definitions = append(definitions, n.definitions...)
		n.implements = append(implements, n.implements...)
		return
	}
	n.definitions = append(n.definitions, other.definitions...)
	n.implements = append(n.implements, other.implements...)
	n.children = max(n.children, other.children)
	n.test = n.test || other.test
}

func comparePositions(a, b position) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
