package python

import (
	"strings"

	"brick/scan/resolve"
)

// rules are how names are looked up in Python.
type rules struct{ *modules }

// Import is what an import binds.
func (r rules) Import(p *resolve.Program, unit int32, im *resolve.Import) resolve.Set {
	first, whole := r.module(p, unit, im)
	switch {
	case im.Name == "" && !im.Alias:
		return first
	case im.Name == "" || im.Name == "*" || len(whole) != 1:
		return whole
	}
	switch m := whole[0]; m.Kind {
	case resolve.Module:
		if s := p.ModuleName(m.Unit, im.Name); len(s) > 0 {
			return s
		}
		return r.orUnknown(r.sub(m, im.Name))
	case resolve.Package:
		return r.orUnknown(r.sub(m, im.Name))
	case resolve.Foreign:
		return p.Foreign(resolve.Foreign, p.ForeignName(m)+"."+im.Name)
	}
	return resolve.UnknownSet()
}

func (r rules) orUnknown(s resolve.Set) resolve.Set {
	if len(s) == 0 {
		return resolve.UnknownSet()
	}
	return s
}

// Global is what a name means that nothing binds.
func (r rules) Global(p *resolve.Program, unit int32, name string) resolve.Set {
	if builtin[name] {
		return p.Foreign(resolve.Foreign, name)
	}
	return resolve.UnknownSet()
}

// Submodule is a module in a package.
func (r rules) Submodule(p *resolve.Program, v resolve.Value, name string) resolve.Set {
	return r.sub(v, name)
}

// constructors are the language's own types, and what some of their methods
// give.
var constructors = map[string]string{
	"str.join": "str", "str.format": "str", "str.replace": "str", "str.strip": "str", "str.lstrip": "str", "str.rstrip": "str",
	"str.lower": "str", "str.upper": "str", "str.title": "str", "str.capitalize": "str", "str.encode": "bytes", "bytes.decode": "str",
	"str.split": "list", "str.rsplit": "list", "str.splitlines": "list", "bytes.join": "bytes", "repr": "str", "sorted": "list", "len": "int",
	"isinstance": "bool", "issubclass": "bool", "callable": "bool", "hasattr": "bool", "hex": "str", "chr": "str", "ord": "int", "ascii": "str",
	"str": "str", "bytes": "bytes", "bytearray": "bytearray", "int": "int", "float": "float", "complex": "complex", "bool": "bool",
	"list": "list", "dict": "dict", "set": "set", "frozenset": "frozenset", "tuple": "tuple", "range": "range", "object": "object",
}

// Construct is what a call of something foreign gives.
func (r rules) Construct(p *resolve.Program, name string) resolve.Set {
	if t := constructors[name]; t != "" {
		return p.Foreign(resolve.ForeignExact, t)
	}
	return resolve.UnknownSet()
}

// plain are bases that call nothing of what is derived from them.
var plain = set("object", "abc.ABC", "abc.ABCMeta", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "typing_extensions.Generic")

// Plain says whether a base has no members that matter.
func (r rules) Plain(base string) bool { return plain[base] }

// Protocol says whether a base makes a class one that others implement without
// saying so.
func (r rules) Protocol(base string) bool {
	return base == "typing.Protocol" || base == "typing_extensions.Protocol"
}

// Duck says whether a type stands for whatever has some members.
func (r rules) Duck(name string) bool {
	if module, t, ok := strings.Cut(name, "."); ok && (module == "typing" || module == "typing_extensions") {
		switch t {
		case "List", "Dict", "Set", "Tuple", "Text", "FrozenSet", "Deque", "DefaultDict", "OrderedDict":
			return false
		}
		return true
	}
	return name == "object" || name == "type" || strings.HasPrefix(name, "collections.abc.") || strings.HasPrefix(name, "numbers.") ||
		strings.HasPrefix(name, "t.") || strings.HasPrefix(name, "types.")
}
