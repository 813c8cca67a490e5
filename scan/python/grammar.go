package python

import (
	"context"
	"fmt"

	"brick/scan/treesitter"
)

// A grammar is tree-sitter's grammar of Python, and what its nodes are to the
// rules.
type grammar struct {
	*treesitter.Language
	query *treesitter.Query

	name, parameters, body, result, superclasses, definition    uint8
	function, arguments, object, attribute, left, right, typ    uint8
	value, alias, alternative, consequence, condition, module   uint8
	subscript, subject, guard, key                              uint8
	block, elseClause, exceptClause, finallyClause, elifClause  kinds
	caseClause, forInClause, ifClause, withClause, withItem     kinds
	typeNode, argumentList, decorator, asTarget, aliasedImport  kinds
	dottedName, relativeImport, wildcard, prefix, interpolation kinds
	typedParameter, defaultParameter, typedDefault, listSplat   kinds
	dictSplat, keywordSeparator, positionalSeparator            kinds
	patternList, tuplePattern, listPattern, tuple, list         kinds
	genericType, typeParameter, stringContent, expressions      kinds
	casePattern, classPattern, keywordPattern, asPattern        kinds
	starExpr, identifier, str, none, unionType, memberType      kinds
	integer, float, yes, no, dictionary, set                    kinds
}

// kinds are those of a name.
type kinds []uint16

func (k kinds) has(kind uint16) bool {
	for _, i := range k {
		if i == kind {
			return true
		}
	}
	return false
}

func openGrammar(ctx context.Context, cacheDir string) (*grammar, error) {
	l, err := treesitter.Open(ctx, "python", cacheDir)
	if err != nil {
		return nil, err
	}
	g := &grammar{Language: l}
	if g.query, err = treesitter.Compile(l, query, roleNames); err != nil {
		return nil, fmt.Errorf("python.scm: %w", err)
	}
	for name, field := range map[string]*uint8{
		"name": &g.name, "parameters": &g.parameters, "body": &g.body, "return_type": &g.result, "superclasses": &g.superclasses,
		"definition": &g.definition, "function": &g.function, "arguments": &g.arguments, "object": &g.object, "attribute": &g.attribute,
		"left": &g.left, "right": &g.right, "type": &g.typ, "value": &g.value, "alias": &g.alias, "alternative": &g.alternative,
		"consequence": &g.consequence, "condition": &g.condition, "module_name": &g.module, "subscript": &g.subscript,
		"subject": &g.subject, "guard": &g.guard, "key": &g.key,
	} {
		if *field = l.FieldID(name); *field == 0 {
			return nil, fmt.Errorf("the grammar of python has no field %q", name)
		}
	}
	for name, k := range map[string]*kinds{
		"block": &g.block, "else_clause": &g.elseClause, "except_clause": &g.exceptClause, "finally_clause": &g.finallyClause, "elif_clause": &g.elifClause,
		"case_clause": &g.caseClause, "for_in_clause": &g.forInClause, "if_clause": &g.ifClause, "with_clause": &g.withClause, "with_item": &g.withItem,
		"type": &g.typeNode, "argument_list": &g.argumentList, "decorator": &g.decorator, "as_pattern_target": &g.asTarget, "aliased_import": &g.aliasedImport,
		"dotted_name": &g.dottedName, "relative_import": &g.relativeImport, "wildcard_import": &g.wildcard, "import_prefix": &g.prefix, "interpolation": &g.interpolation,
		"typed_parameter": &g.typedParameter, "default_parameter": &g.defaultParameter, "typed_default_parameter": &g.typedDefault, "list_splat_pattern": &g.listSplat,
		"dictionary_splat_pattern": &g.dictSplat, "keyword_separator": &g.keywordSeparator, "positional_separator": &g.positionalSeparator,
		"pattern_list": &g.patternList, "tuple_pattern": &g.tuplePattern, "list_pattern": &g.listPattern, "tuple": &g.tuple, "list": &g.list,
		"generic_type": &g.genericType, "type_parameter": &g.typeParameter, "string_content": &g.stringContent, "expression_list": &g.expressions,
		"case_pattern": &g.casePattern, "class_pattern": &g.classPattern, "keyword_pattern": &g.keywordPattern, "as_pattern": &g.asPattern,
		"list_splat": &g.starExpr, "identifier": &g.identifier, "string": &g.str, "none": &g.none, "union_type": &g.unionType, "member_type": &g.memberType,
		"integer": &g.integer, "float": &g.float, "true": &g.yes, "false": &g.no, "dictionary": &g.dictionary, "set": &g.set,
	} {
		if *k = l.KindIDs(name); len(*k) == 0 {
			return nil, fmt.Errorf("the grammar of python has no kind %q", name)
		}
	}
	return g, nil
}
