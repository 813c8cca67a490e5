; What the nodes of tree-sitter-python are to the rules of Python.

; definitions
(function_definition) @function
(class_definition) @class
(decorated_definition) @decorated
(lambda) @lambda
(type_alias_statement) @alias

; scopes that are none of the above
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @comprehension

; bindings
(assignment) @assignment
(augmented_assignment) @augmented
(named_expression) @walrus
(for_statement) @for
(with_statement) @with
(try_statement) @try
(if_statement) @if
(while_statement) @while
(match_statement) @match
(global_statement) @global
(nonlocal_statement) @nonlocal
(delete_statement) @delete

; imports
(import_statement) @import
(import_from_statement) @import-from
(future_import_statement) @import-future

; references and calls
(identifier) @name
(attribute) @member
(call) @call
(subscript) @element
(return_statement) @return
(yield) @yield
(await) @await
(string) @string
(concatenated_string) @strings
(conditional_expression) @conditional
(boolean_operator) @boolean
(parenthesized_expression) @parentheses
(binary_operator) @binary
(none) @nothing
(as_pattern) @as
[(keyword_argument)] @keyword
[(integer) (float) (true) (false) (list) (tuple) (dictionary) (set)] @literal
[(comment) (type)] @skip

; metrics: McCabe's decision points, and what is one level deeper
[(if_statement) (elif_clause) (for_statement) (while_statement) (except_clause)
 (conditional_expression) (boolean_operator) (for_in_clause) (if_clause) (case_clause)] @decision
[(if_statement) (for_statement) (while_statement) (try_statement) (with_statement) (match_statement)] @nesting
