// Package brick is the part of the TypeScript compiler that is used here: what
// the compiler keeps to itself, under names that can be imported.
//
// The compiler (https://github.com/microsoft/typescript-go) is one module whose
// packages are internal. A package may import them when its path starts with
// that module's, so this is a module of its own, which the main module's
// go.mod replaces by this folder. Everything that depends on the compiler's
// internals is here; brick_test.go shows what is relied on.
package brick

import (
	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/scanner"
)

// The compiler's types.
type (
	Node       = ast.Node
	Symbol     = ast.Symbol
	SourceFile = ast.SourceFile
	Checker    = checker.Checker
	Type       = checker.Type
	Signature  = checker.Signature
	Kind       = ast.Kind
)

// Kinds of nodes.
const (
	ArrayBindingPattern      = ast.KindArrayBindingPattern
	ArrowFunction            = ast.KindArrowFunction
	AsExpression             = ast.KindAsExpression
	AwaitExpression          = ast.KindAwaitExpression
	BinaryExpression         = ast.KindBinaryExpression
	BindingElement           = ast.KindBindingElement
	BreakStatement           = ast.KindBreakStatement
	CallExpression           = ast.KindCallExpression
	CaseClause               = ast.KindCaseClause
	CatchClause              = ast.KindCatchClause
	ClassDeclaration         = ast.KindClassDeclaration
	ClassExpression          = ast.KindClassExpression
	ClassStaticBlock         = ast.KindClassStaticBlockDeclaration
	ComputedPropertyName     = ast.KindComputedPropertyName
	ConditionalExpression    = ast.KindConditionalExpression
	Constructor              = ast.KindConstructor
	ContinueStatement        = ast.KindContinueStatement
	Decorator                = ast.KindDecorator
	DoStatement              = ast.KindDoStatement
	ElementAccessExpression  = ast.KindElementAccessExpression
	EnumDeclaration          = ast.KindEnumDeclaration
	ExportAssignment         = ast.KindExportAssignment
	ExportDeclaration        = ast.KindExportDeclaration
	ExportSpecifier          = ast.KindExportSpecifier
	ExpressionStatement      = ast.KindExpressionStatement
	ExpressionWithTypeArgs   = ast.KindExpressionWithTypeArguments
	ForInStatement           = ast.KindForInStatement
	ForOfStatement           = ast.KindForOfStatement
	ForStatement             = ast.KindForStatement
	FunctionDeclaration      = ast.KindFunctionDeclaration
	FunctionExpression       = ast.KindFunctionExpression
	FunctionType             = ast.KindFunctionType
	GetAccessor              = ast.KindGetAccessor
	HeritageClause           = ast.KindHeritageClause
	Identifier               = ast.KindIdentifier
	IfStatement              = ast.KindIfStatement
	ImportClause             = ast.KindImportClause
	ImportDeclaration        = ast.KindImportDeclaration
	ImportEqualsDeclaration  = ast.KindImportEqualsDeclaration
	ImportKeyword            = ast.KindImportKeyword
	ImportSpecifier          = ast.KindImportSpecifier
	InterfaceDeclaration     = ast.KindInterfaceDeclaration
	IntersectionType         = ast.KindIntersectionType
	JsxAttribute             = ast.KindJsxAttribute
	JsxClosingElement        = ast.KindJsxClosingElement
	JsxNamespacedName        = ast.KindJsxNamespacedName
	JsxOpeningElement        = ast.KindJsxOpeningElement
	JsxSelfClosingElement    = ast.KindJsxSelfClosingElement
	LabeledStatement         = ast.KindLabeledStatement
	MetaProperty             = ast.KindMetaProperty
	MethodDeclaration        = ast.KindMethodDeclaration
	MethodSignature          = ast.KindMethodSignature
	ModuleDeclaration        = ast.KindModuleDeclaration
	NamespaceExport          = ast.KindNamespaceExport
	NamespaceImport          = ast.KindNamespaceImport
	NewExpression            = ast.KindNewExpression
	NonNullExpression        = ast.KindNonNullExpression
	NoSubstitutionTemplate   = ast.KindNoSubstitutionTemplateLiteral
	NumericLiteral           = ast.KindNumericLiteral
	ObjectBindingPattern     = ast.KindObjectBindingPattern
	ObjectLiteralExpression  = ast.KindObjectLiteralExpression
	Parameter                = ast.KindParameter
	ParenthesizedExpression  = ast.KindParenthesizedExpression
	ParenthesizedType        = ast.KindParenthesizedType
	PrivateIdentifier        = ast.KindPrivateIdentifier
	PropertyAccessExpression = ast.KindPropertyAccessExpression
	PropertyAssignment       = ast.KindPropertyAssignment
	PropertyDeclaration      = ast.KindPropertyDeclaration
	PropertySignature        = ast.KindPropertySignature
	SatisfiesExpression      = ast.KindSatisfiesExpression
	SetAccessor              = ast.KindSetAccessor
	ShorthandPropertyAssign  = ast.KindShorthandPropertyAssignment
	SourceFileKind           = ast.KindSourceFile
	SpreadAssignment         = ast.KindSpreadAssignment
	StringLiteral            = ast.KindStringLiteral
	SuperKeyword             = ast.KindSuperKeyword
	SwitchStatement          = ast.KindSwitchStatement
	TaggedTemplateExpression = ast.KindTaggedTemplateExpression
	ThisKeyword              = ast.KindThisKeyword
	TypeAliasDeclaration     = ast.KindTypeAliasDeclaration
	TypeAssertionExpression  = ast.KindTypeAssertionExpression
	TypeLiteral              = ast.KindTypeLiteral
	VariableDeclaration      = ast.KindVariableDeclaration
	VariableDeclarationList  = ast.KindVariableDeclarationList
	VariableStatement        = ast.KindVariableStatement
	WhileStatement           = ast.KindWhileStatement

	AmpersandAmpersandEqualsToken = ast.KindAmpersandAmpersandEqualsToken
	AmpersandAmpersandToken       = ast.KindAmpersandAmpersandToken
	BarBarEqualsToken             = ast.KindBarBarEqualsToken
	BarBarToken                   = ast.KindBarBarToken
	EqualsToken                   = ast.KindEqualsToken
	ImplementsKeyword             = ast.KindImplementsKeyword
	QuestionQuestionEqualsToken   = ast.KindQuestionQuestionEqualsToken
	QuestionQuestionToken         = ast.KindQuestionQuestionToken
	InstanceOfKeyword             = ast.KindInstanceOfKeyword
)

// Flags of modifiers and symbols.
const (
	ModifierAbstract = ast.ModifierFlagsAbstract
	ModifierAmbient  = ast.ModifierFlagsAmbient
	ModifierDefault  = ast.ModifierFlagsDefault
	ModifierExport   = ast.ModifierFlagsExport
	ModifierPrivate  = ast.ModifierFlagsPrivate
	ModifierStatic   = ast.ModifierFlagsStatic

	SymbolAccessor = ast.SymbolFlagsAccessor
	SymbolAlias    = ast.SymbolFlagsAlias
	SymbolClass    = ast.SymbolFlagsClass
	SymbolModule   = ast.SymbolFlagsModule
	SymbolValue    = ast.SymbolFlagsValue

	NodeAmbient  = ast.NodeFlagsAmbient
	NodeReparsed = ast.NodeFlagsReparsed

	TypeAny = checker.TypeFlagsAny

	ExportEquals = ast.InternalSymbolNameExportEquals
	ExportStar   = ast.InternalSymbolNameExportStar
)

// The compiler's questions about nodes.
var (
	IsClassLike              = ast.IsClassLike
	IsConst                  = ast.IsVarConst
	IsDeclarationName        = ast.IsDeclarationName
	IsExternalOrCommonJS     = ast.IsExternalOrCommonJSModule
	IsFunctionLike           = ast.IsFunctionLike
	IsInJS                   = ast.IsInJSFile
	IsParameterProperty      = ast.IsParameterPropertyDeclaration
	IsRequireCall            = ast.IsRequireCall
	IsTypeNode               = ast.IsTypeNode
	SourceFileOf             = ast.GetSourceFileOfNode
	SkipParentheses          = ast.SkipParentheses
	IsAssignmentTarget       = ast.IsAssignmentTarget
	IsTypeOnlyImportOrExport = ast.IsTypeOnlyImportOrExportDeclaration
	CombinedModifiers        = ast.GetCombinedModifierFlags
	ExternalModuleName       = ast.GetExternalModuleName
)

// Start is where the first token of a node is, in bytes of the file's text.
func Start(n *Node, file *SourceFile) int { return scanner.GetTokenPosOfNode(n, file, false) }

// TextOf is the source text of a node.
func TextOf(n *Node, file *SourceFile) string {
	return scanner.GetSourceTextOfNodeFromSourceFile(file, n, false)
}

// LineStarts are the places at which the lines of a file start, as ECMAScript
// divides it.
func LineStarts(file *SourceFile) []int {
	starts := scanner.GetECMALineStarts(file)
	lines := make([]int, len(starts))
	for i, s := range starts {
		lines[i] = int(s)
	}
	return lines
}

// OperatorOf is the operator of a binary expression, and its operands.
func OperatorOf(n *Node) (left *Node, operator Kind, right *Node) {
	b := n.AsBinaryExpression()
	return b.Left, b.OperatorToken.Kind, b.Right
}

// Branches are the parts of an if statement; otherwise may be nil.
func Branches(n *Node) (condition, then, otherwise *Node) {
	s := n.AsIfStatement()
	return s.Expression, s.ThenStatement, s.ElseStatement
}

// HeritageClauses are those of a class or an interface.
func HeritageClauses(n *Node) []*Node {
	var list *ast.NodeList
	switch n.Kind {
	case ast.KindInterfaceDeclaration:
		list = n.AsInterfaceDeclaration().HeritageClauses
	case ast.KindClassDeclaration, ast.KindClassExpression:
		list = n.ClassLikeData().HeritageClauses
	}
	if list == nil {
		return nil
	}
	return list.Nodes
}

// Heritage is what a clause names, and whether it does by "implements".
func Heritage(clause *Node) (types []*Node, implements bool) {
	c := clause.AsHeritageClause()
	return c.Types.Nodes, c.Token == ast.KindImplementsKeyword
}

// Accessed is the argument of an element access.
func Accessed(n *Node) *Node { return n.AsElementAccessExpression().ArgumentExpression }

// ContextualType is the type that is expected of an expression, nil if none is.
func ContextualType(c *Checker, n *Node) *Type { return c.GetContextualType(n, 0) }

// IsAny says whether nothing is known of a type.
func IsAny(t *Type) bool { return t != nil && t.Flags()&checker.TypeFlagsAny != 0 }

// Declarations are those of imports and exports.
func ExportClause(n *Node) *Node { return n.AsExportDeclaration().ExportClause }

// Tag is the tag of a tagged template.
func Tag(n *Node) *Node { return n.AsTaggedTemplateExpression().Tag }

// Tags are the exports of a file by name.
func Exports(file *SourceFile) map[string]*Symbol {
	if file.Symbol == nil {
		return nil
	}
	return file.Symbol.Exports
}

// LocalsOf are the names that a file declares in its own scope.
func LocalsOf(file *SourceFile) map[string]*Symbol { return file.Locals }

// SyntaxErrors is how many faults the parser found in a file.
func SyntaxErrors(file *SourceFile) int { return len(file.Diagnostics()) }

// Specifiers are the names of modules that a file imports, as it writes them.
func Specifiers(file *SourceFile) []*Node { return file.Imports() }
