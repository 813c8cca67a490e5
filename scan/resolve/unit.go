// Package resolve binds the names of languages whose files are parsed by their
// grammar alone.
//
// A language's front end lowers each file to a Unit: scopes, what is bound in
// them, expressions, call sites. A Unit follows from the file's text alone, so
// that it can be kept by its content. Bind then puts the units of a language
// together to a Program, in which an expression is evaluated to the set of
// definitions that it may stand for: by scopes, imports, inheritance, and the
// types that are declared and constructed. What is not certain is Unknown:
// equal names bind nothing.
package resolve

import "brick/scan/facts"

// A Unit is what one file says.
type Unit struct {
	Path  string `msgpack:"-"` // the same text may lie in several places
	Lines int
	// Faults is how many parts of the text are not as the grammar has them.
	Faults int

	Names    []string // what the indexes called Name mean
	Scopes   []Scope  // 0 is the file's
	Blocks   []Block  // 0 is the file's
	Bindings []Binding
	Exprs    []Expr
	Defs     []Def // in the order of their names' places
	Sites    []Site
	Uses     []Use
	Imports  []Import
	Attrs    []Attr
	Exported []string // names that the file lists as its interface, as __all__
}

// A Scope is a part of the text in which names are bound.
type Scope struct {
	Kind   ScopeKind
	Parent int32 // -1 for the file's
	Def    int32 // the definition whose body it is, else -1
	Block  int32 // the block that is its whole body
	Within int32 // the block of Parent that it lies in
}

// ScopeKind is what a scope belongs to.
type ScopeKind uint8

// The kinds of scopes.
const (
	FileScope ScopeKind = iota
	ClassScope
	FunctionScope
	InnerScope // a comprehension, lambda or block
)

// A Block is a part of a scope's text that may run or not.
type Block struct {
	Parent     int32 // -1 for a scope's whole body
	Group      int32 // blocks of one group but 0 exclude each other, as those of an if
	Loop       bool  // it may run again
	Start, End uint32
}

// A Binding says what a name in a scope stands for from some place on.
type Binding struct {
	Scope, Name int32
	Block       int32
	Pos         uint32 // byte of the text from which on it holds
	Kind        BindingKind
	Ref         int32 // a Def, Import or Expr by Kind
	// Anytime is set for what another scope binds, as by Python's global.
	Anytime bool
}

// BindingKind is what binds a name.
type BindingKind uint8

// The kinds of bindings.
const (
	BindDef    BindingKind = iota // Ref is a definition
	BindImport                    // Ref is an import
	BindValue                     // Ref is the expression of its value
	BindGone                      // the name is deleted
)

// An ID is the index of an expression in its unit.
type ID = int32

// None is no expression.
const None ID = -1

// An Expr is an expression, as far as it can stand for a definition.
type Expr struct {
	Kind ExprKind
	A, B int32
	Name int32
	Pos  uint32
}

// ExprKind is what an expression is.
type ExprKind uint8

// The kinds of expressions.
const (
	ExprUnknown  ExprKind = iota
	ExprNothing           // no object: Python's None
	ExprName              // Name in scope A, used in block B at Pos; at the end of the scope when Pos is Late
	ExprMember            // Name of A
	ExprCall              // a call of A
	ExprInstance          // an instance of the type A, or of one derived from it
	ExprLiteral           // exactly an instance of the language's own type Name
	ExprUnion             // A or B
	ExprDef               // the definition A
	ExprElement           // an element of A
	ExprDeclared          // B, which is declared to be A
	ExprEnter             // what A gives when it is entered: Python's with
	ExprSelf              // an instance of the class A, as methods have for a receiver
	ExprClass             // the class A or one derived from it, or the class of the object B when A is -1
	ExprSuper             // the receiver of a method of class A, from after that class on
	ExprParam             // parameter B of function A, of which nothing is declared
)

// Late is the place of a name that is looked up when all of its scope has run.
const Late = ^uint32(0)

// A Def is a definition.
type Def struct {
	facts.Definition       // but for ID, Qualified and Attributes
	In               int32 // the scope in which it is defined
	Scope            int32 // its own scope, -1 for none
	Flags            DefFlags

	Parameters, Cyclomatic, Nesting int // of functions

	Decorators []Decorator
	Bases      []Base
	Metaclass  ID
	Receiver   string // the name of the first parameter of a method
	Result     ID     // the declared result, None when there is none
	Returns    []ID   // what it returns, when nothing is declared
}

// DefFlags are what is special about a definition.
type DefFlags uint32

// The flags of definitions.
const (
	Static    DefFlags = 1 << iota // a method without a receiver
	ClassWide                      // a method whose receiver is the class
	Property                       // called by naming it
	Abstract                       // to be overridden
	Overload                       // a declaration; another definition of the name has the body
	Async                          // its result is to be awaited
	Generator                      // its result is to be iterated
	Record                         // a class whose constructor is made by the language's library
)

// A Decorator is what is applied to a definition when it is defined.
type Decorator struct {
	Text string // as written, without what it is called with
	Expr ID     // without the call
	Call bool   // it is called, and its result is applied
	// Known says that the language's own decorators are the only ones of that
	// name, which leave the definition what it is.
	Known bool
}

// A Base is a class that a class is derived from.
type Base struct {
	At   facts.Place
	Expr ID
}

// A Site is a call.
type Site struct {
	At     facts.Place
	From   int32 // a Def, -1 for the file
	Name   string
	Callee ID
}

// A Use is a place where something is named and not called.
type Use struct {
	At   facts.Place
	From int32
	Expr ID
	// Name is set where only a name is there, as in Python's getattr.
	Name string
}

// An Import brings a module, or what is in one, into a scope.
type Import struct {
	At     facts.Place
	Module string // as written
	Name   string // what of the module; "" for the module itself, "*" for everything
	Level  int    // how many folders up, of relative imports
	Alias  bool   // the module itself is bound, not the first part of its name
	Scope  int32
}

// An Attr is an assignment to a member of something.
type Attr struct {
	Base  ID
	Name  int32
	Value ID
	Pos   uint32
	// Method is the method on whose receiver it is, -1 for another base.
	Method int32
}
