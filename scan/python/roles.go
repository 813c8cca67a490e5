package python

import _ "embed"

//go:embed python.scm
var query string

// A role is what a node is to the rules, as python.scm says.
type role uint64

// The roles, in the order of roleNames.
const (
	isFunction role = 1 << iota
	isClass
	isDecorated
	isLambda
	isAlias
	isComprehension
	isAssignment
	isAugmented
	isWalrus
	isFor
	isWith
	isTry
	isIf
	isWhile
	isMatch
	isGlobal
	isNonlocal
	isDelete
	isImport
	isImportFrom
	isImportFuture
	isName
	isMember
	isCall
	isElement
	isReturn
	isYield
	isAwait
	isString
	isStrings
	isConditional
	isBoolean
	isParentheses
	isBinary
	isNothing
	isAs
	isKeyword
	isLiteral
	isSkip
	isDecision
	isNesting
)

var roleNames = []string{
	"function", "class", "decorated", "lambda", "alias", "comprehension",
	"assignment", "augmented", "walrus", "for", "with", "try", "if", "while", "match", "global", "nonlocal", "delete",
	"import", "import-from", "import-future",
	"name", "member", "call", "element", "return", "yield", "await", "string", "strings",
	"conditional", "boolean", "parentheses", "binary", "nothing", "as", "keyword", "literal", "skip",
	"decision", "nesting",
}
