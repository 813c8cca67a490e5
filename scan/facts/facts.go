// Package facts is what an engine says of one source file, once the names in
// it are bound: its definitions, what it imports and inherits, every call site
// exactly once, and where a function is named without being called.
//
// Places are in bytes of the file as it lies on disk, a byte order mark
// included; lines and columns count from 1.
package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// File is what is known of one source file.
type File struct {
	Path     string // relative to the checkout, with slashes
	Language string // lower case, as models have it: "go", "python", …
	Lines    int

	// Module is the node of the module that the file is a part of: a Go
	// package, a Python module, a Java package. Its ID is "" where the
	// language has none but the file itself.
	Module Module

	Test bool // a test's file by the rules of the language

	// Incomplete says why the file's facts are not all there, as "2 syntax
	// errors"; "" when they are. Its functions get reason parse-incomplete.
	Incomplete string

	// Bound says that every name in the file's code was bound, or stands in
	// Sites or References: then an equal name in its code is no reason to
	// doubt that a function is unused. It holds for engines that know the
	// language as its compiler does. Names in strings and directives never
	// are bound.
	Bound bool

	Definitions []Definition // in the order of their names' places
	Imports     []Import
	Inherits    []Inherit
	Sites       []Site
	References  []Reference
}

// A Module is a node that groups files.
type Module struct {
	ID, Name string // Name as importers write it, such as "brick/store"
}

// Definition is something that a file defines.
type Definition struct {
	ID        string // see NewID
	Name      string // the last part, as call sites write it
	Qualified string // the whole name, as people of the language write it
	Kind      string // "function", "method", "class", "struct", "interface", "field", "variable", …
	Parent    int    // index in File.Definitions of what encloses it; -1 for the file
	// Owner is the ID of the type that it is a member of, where that is not
	// Parent, as of Go's methods and of extensions; else "".
	Owner string

	NameAt Place // the name, where there is one, else the start
	Span   Span  // the definition from its first decorator or keyword to its end
	// Doc is the comment or string that documents it, zero where there is
	// none or where it lies in Span: names in it are the definition's own.
	Doc Span

	// Attributes are those of the model: source.exported, metrics.lines, ….
	// Values are strings, booleans, integers or lists of strings.
	Attributes map[string]any
}

// IsFunction says whether callers are looked for.
func (d *Definition) IsFunction() bool { return d.Kind == "function" || d.Kind == "method" }

// Place is a position in a file, counted from 1, the column in bytes. The zero
// value is no place.
type Place struct{ Line, Column int }

// Span is a part of a file; End is the place after its last byte.
type Span struct{ Start, End Place }

// Target is a node that something in a file refers to: a definition or module
// of the repository by its ID, or something outside of it.
type Target struct {
	ID string
	// External is how people of the language write what lies outside of the
	// repository, as "fmt.Println"; "" for what is inside. The ID is then
	// made by NewExternal.
	External string
	// Lane is how surely: "symbolic" when the rules of the language bind it,
	// "heuristic" for what a dynamic dispatch may reach.
	Lane string
}

// Import is an import of a module, a file or something in one.
type Import struct {
	At     Place
	Target Target
}

// Inherit says that a definition is declared a subtype of another, or
// implements it.
type Inherit struct {
	At     Place
	From   int // index in File.Definitions
	Target Target
}

// Site is one call site. It is resolved when it has targets in the repository
// or outside; else Name and Reason say what is not known.
type Site struct {
	At   Place  // of the called name; of the call where it has none
	From int    // index in File.Definitions of the function that the call is in; -1 for the file
	Name string // as it is written, resolved or not; "" where what is called has none, as in f()()

	// Targets are the definition that the language binds (lane symbolic),
	// several where it binds a union of them, and the implementations that a
	// dynamic dispatch may reach (lane heuristic).
	Targets []Target
	Reason  Reason // "" when there are targets
}

// Reason is why a call site has no target.
type Reason string

const (
	UnknownReceiver Reason = "unknown-receiver" // a member of something whose type is not known
	Dynamic         Reason = "dynamic"          // a value: parameter, variable, element, result of a call
	ForeignReceiver Reason = "foreign-receiver" // a member of something from outside of the repository
	Macro           Reason = "macro"            // in a macro, template or generated text
)

// Reference is a place where a function is named without being called.
type Reference struct {
	At     Place
	From   int    // as in Site
	Target Target // a function of the repository
	// Name is set, and Target is not, where it is not known which function
	// of that name is meant: a member of something whose type is not known.
	Name string
}

// NewID is the id of a definition: the same as long as its file and its name
// are, whatever else changes. qualified is the name within the file, its parts
// joined by dots, as "Writer.Commit".
// One that is too long for a model ends in a digest.
func NewID(language, path, qualified string) string {
	return short(language + ":" + path + "#" + qualified)
}

// maxID is how long an id is at most, in bytes. A model takes 4,096.
const maxID = 1024

func short(id string) string {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return strings.ToValidUTF8(id[:maxID-40], "") + "~" + hex.EncodeToString(sum[:16])
}

// NewModule is the id of a module.
func NewModule(language, name string) string { return short(language + ":module:" + name) }

// NewFile is the id of a file.
func NewFile(path string) string { return short("file:" + path) }

// NewExternal is a target outside of the repository.
func NewExternal(language, name string) Target {
	return Target{ID: short(language + ":external:" + name), External: name, Lane: "symbolic"}
}

// IDs gives the definitions of one file ids that differ: a name that is
// defined again gets a number, as "init~2".
type IDs struct {
	language, path string
	used           map[string]int
}

// NewIDs starts with no names.
func NewIDs(language, path string) *IDs {
	return &IDs{language, path, map[string]int{}}
}

// Next is the id of the next definition with a name within the file.
func (i *IDs) Next(qualified string) string {
	i.used[qualified]++
	if n := i.used[qualified]; n > 1 {
		qualified += "~" + strconv.Itoa(n)
	}
	return NewID(i.language, i.path, qualified)
}
