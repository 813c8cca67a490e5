package scip

import "brick/internal/lex"

// textRules say how a language's text is read as far as it is read here:
// which bytes are code, and what may stand between a name and its arguments.
type textRules struct {
	lex.Rules

	newlineEnds  bool   // an argument list starts on the line of the name
	typeArgs     string // opens type arguments between name and arguments
	bang         bool   // ! may stand there
	optional     bool   // ?. may stand there
	taggedString bool   // a template after a name is a call
	indented     bool   // blocks are made by indentation, not braces
}
