package scip

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A symbol is a symbol's text, taken apart.
type symbol struct {
	scheme, manager, pkg, version string
	descriptors                   []*pb.Descriptor
}

// parseSymbol takes a symbol apart. One that can't be is a single descriptor
// of no suffix, with the whole text as its name.
func parseSymbol(text string) (parsed symbol) {
	whole := symbol{descriptors: []*pb.Descriptor{{Name: text}}}
	// The parser runs off the end of some symbols that end too early.
	defer func() {
		if recover() != nil {
			parsed = whole
		}
	}()
	s, err := pb.ParseSymbol(text)
	if err != nil || s.Package == nil || len(s.Descriptors) == 0 {
		return whole
	}
	return symbol{s.Scheme, s.Package.Manager, s.Package.Name, s.Package.Version, s.Descriptors}
}

func isLocal(text string) bool { return pb.IsLocalSymbol(text) }

// packageKey names a symbol's package in all its versions.
func (s symbol) packageKey() string {
	return s.scheme + "\x00" + s.manager + "\x00" + s.pkg
}

// anonymous says whether a symbol's package has no name, as that of a
// tsconfig.json without a package.json beside it.
func (s symbol) anonymous() bool { return s.pkg == "" || s.pkg == "." }

// id is the id of the node of a symbol: the symbol, for those of the
// repository itself without the package's version, so that it stays the same
// from commit to commit. The qualifier, a folder, tells packages of one name
// apart, and stands for the name where there is none.
func (s symbol) id(own bool, qualifier string) string {
	if s.unparsed() {
		return shortID(strings.TrimSpace(s.descriptors[0].Name + " " + qualifier))
	}
	switch {
	case qualifier == "":
	case s.anonymous():
		s.pkg = qualifier
	default:
		s.pkg = qualifier + "/" + s.pkg
	}
	f := pb.VerboseSymbolFormatter
	f.IncludePackageVersion = func(string) bool { return !own }
	return shortID(f.FormatSymbol(s.message()))
}

// text is the symbol as producers write it.
func (s symbol) text() string {
	if s.unparsed() {
		return s.descriptors[0].Name
	}
	f := pb.VerboseSymbolFormatter
	return f.FormatSymbol(s.message())
}

func (s symbol) message() *pb.Symbol {
	return &pb.Symbol{
		Scheme:      s.scheme,
		Package:     &pb.Package{Manager: s.manager, Name: s.pkg, Version: s.version},
		Descriptors: s.descriptors,
	}
}

func (s symbol) unparsed() bool {
	return len(s.descriptors) == 1 && s.descriptors[0].Suffix == pb.Descriptor_UnspecifiedSuffix
}

// child is the symbol of a member.
func (s symbol) child(name string, suffix pb.Descriptor_Suffix) symbol {
	s.descriptors = append(slices.Clip(s.descriptors), &pb.Descriptor{Name: name, Suffix: suffix})
	return s
}

// parent is the symbol that encloses this one by its descriptors.
func (s symbol) parent() (symbol, bool) {
	if len(s.descriptors) < 2 {
		return symbol{}, false
	}
	s.descriptors = s.descriptors[:len(s.descriptors)-1]
	return s, true
}

func (s symbol) last() *pb.Descriptor { return s.descriptors[len(s.descriptors)-1] }

// isNamespace says whether a symbol stands for a module. scip-python writes
// those as the meta descriptor __init__ of a namespace.
func (s symbol) isNamespace() bool {
	last := s.last()
	return last.Suffix == pb.Descriptor_Namespace || s.isPythonModule()
}

func (s symbol) isPythonModule() bool {
	last := s.last()
	return last.Suffix == pb.Descriptor_Meta && last.Name == "__init__"
}

// name is the name that the source has for the symbol.
func (s symbol) name() string {
	if s.isPythonModule() && len(s.descriptors) > 1 {
		return s.descriptors[len(s.descriptors)-2].Name
	}
	name := s.last().Name
	// scip-typescript: <constructor>, <get>name, <set>name.
	if rest, ok := strings.CutPrefix(name, "<"); ok {
		if word, of, ok := strings.Cut(rest, ">"); ok {
			if of != "" {
				return of
			}
			return word
		}
	}
	return name
}

// qualified is the name with those of all that encloses it.
func (s symbol) qualified() string {
	var b strings.Builder
	for i, d := range s.descriptors {
		if s.isPythonModule() && i == len(s.descriptors)-1 {
			break
		}
		if i > 0 {
			if s.descriptors[i-1].Suffix == pb.Descriptor_Namespace && d.Suffix == pb.Descriptor_Namespace {
				b.WriteByte('/')
			} else {
				b.WriteByte('.')
			}
		}
		b.WriteString(d.Name)
	}
	return b.String()
}

const maxID = 4096 // bytes, of an id in Brick JSON

// shortID cuts an id that is too long, and makes it one of its own again.
func shortID(id string) string {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	cut := maxID - 64
	for !utf8.RuneStart(id[cut]) {
		cut--
	}
	return id[:cut] + "…" + hex.EncodeToString(sum[:16])
}
