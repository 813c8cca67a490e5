package model

// Kinds of nodes. Others are free: these are those that producers share, and
// the first four mean something to the questions.
const (
	Function         = "function"
	Method           = "method"
	File             = "file"
	UnresolvedSymbol = "unresolved_symbol" // its name is the one that is called

	Repository = "repository"
	Directory  = "directory"
	Module     = "module"
	Class      = "class"
	Struct     = "struct"
	Interface  = "interface"
	Trait      = "trait"
	Enum       = "enum"
	TypeAlias  = "type"
	Field      = "field"
	Variable   = "variable"
	Constant   = "constant"
	Macro      = "macro"
	External   = "external" // outside of the repository
)

// Kinds of edges.
const (
	Calls    = "calls"    // these three are
	Imports  = "imports"  // the kinds of
	Inherits = "inherits" // dependencies

	UnresolvedCall = "unresolved_call" // to an UnresolvedSymbol; each evidence is a call site
	NameReference  = "name_reference"  // a function is named, not called

	Contains = "contains"
	Defines  = "defines"
)

// Lanes: where the claim of an evidence comes from.
const (
	Syntactic = "syntactic" // the shape of the text
	Symbolic  = "symbolic"  // names were resolved
	Heuristic = "heuristic" // a guess
	Imported  = "imported"  // another tool's result
)

// Attributes of functions and methods. Each gives the reason of its name to
// expect a caller that is not known. A flag holds when its value is anything
// but false, nil, "", [] and {}.
const (
	Virtual            = "source.virtual"
	TraitImpl          = "source.trait-impl"
	ExternalBase       = "source.external-base"
	FrameworkAttribute = "source.framework-attribute"
	ImplicitInvocation = "source.implicit-invocation"
	OutsideClassMember = "source.outside-class-member"
	EntryPoint         = "source.entry-point"
	TestCode           = "source.test-code" // also of a file
	Exported           = "source.exported"
	ExternalLinkage    = "source.external-linkage"

	ParseIncomplete = "source.parse-incomplete" // of a file, for all functions in it
)

// Attributes of any node: integers from 0.
const (
	MetricLines      = "metrics.lines"
	MetricCyclomatic = "metrics.cyclomatic"
	MetricParameters = "metrics.parameters"
	MetricNesting    = "metrics.nesting"
)

// UnresolvedReason is the attribute of an evidence of an UnresolvedCall that
// says why the callee is not known: one of the constants below, or any other
// text.
const UnresolvedReason = "source.unresolved-reason"

// Reasons of unresolved calls.
const (
	// These mark sites which cannot be a call of one of the repository's own
	// functions. They never count.
	ForeignReceiver = "foreign-receiver" // a member of something from outside
	InMacro         = "macro"

	UnknownReceiver = "unknown-receiver" // a member of something whose type is not known
	Dynamic         = "dynamic"          // a value: a parameter, a variable, a result
	NoSymbol        = "no-symbol"        // the tool is silent about it
	Structural      = "structural"       // it may be a namesake's

	Unspecified = "unspecified" // what sites without a reason count under
)

// Mention is the attribute of an evidence of a NameReference that says in what
// text the name stands: "code", "string", "template" or "document".
const Mention = "source.mention"

// Mentions is the attribute of the last such evidence of a file, where there
// are too many to write: for how many places it stands.
const Mentions = "source.mentions"
