package golang

import (
	"go/ast"
	"go/token"
)

// measure gives the figures of a function, those of the function literals in
// it among them: its cyclomatic complexity (McCabe 1976), one more than its
// decisions; how deep its statements are nested; its parameters.
func measure(d *ast.FuncDecl) metrics {
	m := metrics{Cyclomatic: 1, Parameters: parameters(d.Type)}
	if d.Body == nil {
		return m
	}
	var depth int
	var open []bool // of the nodes that lead here: whether it nests
	elseIf := map[*ast.IfStmt]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		nests := false
		switch n := n.(type) {
		case nil:
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return false
		case *ast.IfStmt:
			m.Cyclomatic++
			if e, ok := n.Else.(*ast.IfStmt); ok {
				elseIf[e] = true
			}
			nests = !elseIf[n]
		case *ast.ForStmt, *ast.RangeStmt:
			m.Cyclomatic++
			nests = true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			nests = true
		case *ast.CaseClause:
			if n.List != nil {
				m.Cyclomatic++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				m.Cyclomatic++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				m.Cyclomatic++
			}
		}
		if nests {
			depth++
			m.Nesting = max(m.Nesting, depth)
		}
		open = append(open, nests)
		return true
	})
	return m
}

// parameters counts a function's parameters, its receiver aside.
func parameters(t *ast.FuncType) int {
	n := 0
	for _, field := range t.Params.List {
		n += max(len(field.Names), 1)
	}
	return n
}
