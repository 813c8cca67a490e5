package scan

import (
	"cmp"
	"slices"

	"brick/model"
	"brick/scan/facts"
)

// A Binding is what another tool, such as a compiler's front end, says that a
// name means.
type Binding struct {
	At facts.Place // of the name
	// Path and Definition are where the repository defines it: the place of
	// the name there. Path is "" for what lies outside, which is then called
	// External.
	Path       string
	Definition facts.Place
	External   string
	Backend    string // the tool
}

// known adds what other tools say to what the engines found.
type known struct {
	bindings map[string][]Binding // by path, in the order of their places
	names    map[namePlace]named
}

// namePlace is where a definition has its name.
type namePlace struct {
	path string
	at   facts.Place
}

// named is a definition.
type named struct{ id, kind string }

func newKnown(bindings map[string][]Binding) *known {
	for _, list := range bindings {
		slices.SortStableFunc(list, func(a, b Binding) int {
			return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
		})
	}
	return &known{bindings: bindings, names: map[namePlace]named{}}
}

// define takes the places of a file's definitions.
func (k *known) define(f *facts.File) {
	if len(k.bindings) == 0 {
		return
	}
	for i := range f.Definitions {
		d := &f.Definitions[i]
		k.names[namePlace{f.Path, d.NameAt}] = named{d.ID, d.Kind}
	}
}

// targets are what other tools say that a place in a file means, and which of
// them says so.
func (k *known) targets(path, language string, at facts.Place) (list []knownTarget) {
	all := k.bindings[path]
	i, _ := slices.BinarySearchFunc(all, at, func(b Binding, at facts.Place) int {
		return cmp.Or(cmp.Compare(b.At.Line, at.Line), cmp.Compare(b.At.Column, at.Column))
	})
	for ; i < len(all) && all[i].At == at; i++ {
		b := all[i]
		t := knownTarget{backend: b.Backend}
		if b.Path == "" {
			t.Target = facts.NewExternal(language, b.External)
		} else {
			d, ok := k.names[namePlace{b.Path, b.Definition}]
			if !ok {
				continue
			}
			t.ID, t.function = d.id, d.kind == model.Function || d.kind == model.Method
		}
		t.Lane = model.Imported
		list = append(list, t)
	}
	return list
}

// A knownTarget is a target that another tool names.
type knownTarget struct {
	facts.Target
	backend  string
	function bool
}
