package scan

import (
	"maps"
	"slices"

	"brick/model"
	"brick/scan/facts"
)

// outsiders are the nodes that no file defines: modules, what lies outside of
// the repository, and the names of what is called without being known.
type outsiders struct {
	nodes map[string]*model.Node
	names map[nameKey]bool // of the repository's functions
}

type nameKey struct{ language, name string }

func newOutsiders() *outsiders {
	return &outsiders{nodes: map[string]*model.Node{}, names: map[nameKey]bool{}}
}

// define takes the names of a file's functions.
func (o *outsiders) define(f *facts.File) {
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.IsFunction() {
			o.names[nameKey{f.Language, d.Name}] = true
		}
	}
}

func (o *outsiders) module(language string, m facts.Module) string {
	if o.nodes[m.ID] == nil {
		o.nodes[m.ID] = &model.Node{ID: m.ID, Kind: model.Module, Name: m.Name, Language: language}
	}
	return m.ID
}

// external is the id of a target that lies outside.
func (o *outsiders) external(language string, t facts.Target) string {
	if o.nodes[t.ID] == nil {
		o.nodes[t.ID] = &model.Node{ID: t.ID, Kind: model.External, Name: t.External, Language: language}
	}
	return t.ID
}

// relatives are languages that call each other's functions by name.
var relatives = map[string][]string{
	"typescript": {"javascript"}, "javascript": {"typescript"},
	"java": {"kotlin"}, "kotlin": {"java"},
	"swift": {"objective-c"}, "objective-c": {"swift"},
}

// unresolved are the ids of the symbols that stand for callees of a name: that
// of the language, and of each relative that has a function of the name. (The
// C family's languages match each other without.)
func (o *outsiders) unresolved(language, name string) []string {
	if name == "" {
		name = anonymous
	}
	ids := []string{o.symbol(language, name)}
	for _, relative := range relatives[language] {
		if o.names[nameKey{relative, name}] {
			ids = append(ids, o.symbol(relative, name))
		}
	}
	return ids
}

// anonymous names callees that have no name, as f()(). No function has it.
const anonymous = "(value)"

func (o *outsiders) symbol(language, name string) string {
	id := language + ":unresolved:" + name
	if o.nodes[id] == nil {
		o.nodes[id] = &model.Node{ID: id, Kind: model.UnresolvedSymbol, Name: name, Language: language}
	}
	return id
}

// each gives the nodes in the order of their ids.
func (o *outsiders) each(emit func(*model.Node) error) error {
	for _, id := range slices.Sorted(maps.Keys(o.nodes)) {
		if err := emit(o.nodes[id]); err != nil {
			return err
		}
	}
	return nil
}
