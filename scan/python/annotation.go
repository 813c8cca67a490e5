package python

import (
	"regexp"
	"strings"

	"brick/scan/resolve"
)

// typeExpr is an instance of the type that an annotation says, Unknown where
// it is none that can be told.
func (l *lowering) typeExpr(n int) resolve.ID {
	l.calls(n)
	return l.annotation(n, 0)
}

// maxAnnotation is how deep types are looked into.
const maxAnnotation = 20

func (l *lowering) annotation(n, depth int) resolve.ID {
	if n < 0 || depth > maxAnnotation {
		return l.Expr(resolve.Expr{})
	}
	switch r := l.roles(n); {
	case l.kind(n, l.g.typeNode):
		for c := range l.t.Children(n) {
			return l.annotation(c, depth+1)
		}
	case r&(isName|isMember) != 0, l.kind(n, l.g.memberType):
		return l.instanceOf(l.t.String(n))
	case r&isNothing != 0:
		return l.Expr(resolve.Expr{Kind: resolve.ExprNothing})
	case r&isString != 0:
		return l.textType(l.stringText(n), depth+1)
	case l.kind(n, l.g.genericType):
		return l.generic(n, depth)
	case r&isElement != 0:
		return l.generic(n, depth)
	case r&isBinary != 0, l.kind(n, l.g.unionType):
		e := resolve.None
		for c := range l.t.Children(n) {
			if r&isBinary != 0 && l.t.Nodes[c].Field != l.g.left && l.t.Nodes[c].Field != l.g.right {
				continue
			}
			next := l.annotation(c, depth+1)
			if e != resolve.None {
				next = l.union(e, next)
			}
			e = next
		}
		return e
	}
	return l.Expr(resolve.Expr{})
}

// generic is a type with arguments.
func (l *lowering) generic(n, depth int) resolve.ID {
	var parts []int
	for c := range l.t.Children(n) {
		if l.kind(c, l.g.typeParameter) {
			for a := range l.t.Children(c) {
				parts = append(parts, a)
			}
			continue
		}
		parts = append(parts, c)
	}
	if len(parts) == 0 {
		return l.Expr(resolve.Expr{})
	}
	head := l.t.String(parts[0])
	switch head[strings.LastIndexByte(head, '.')+1:] {
	case "Optional", "Union":
		e := resolve.None
		for _, a := range parts[1:] {
			next := l.annotation(a, depth+1)
			if e != resolve.None {
				next = l.union(e, next)
			}
			e = next
		}
		if e != resolve.None {
			return e
		}
	case "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly":
		if len(parts) > 1 {
			return l.annotation(parts[1], depth+1)
		}
	case "Type", "type":
		if len(parts) == 2 {
			return l.Expr(resolve.Expr{Kind: resolve.ExprClass, A: -1, B: l.annotation(parts[1], depth+1)})
		}
	default:
		return l.instanceOf(head)
	}
	return l.Expr(resolve.Expr{})
}

var dotted = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

// instanceOf is an instance of the type of a dotted name, which is looked up
// when all is defined.
func (l *lowering) instanceOf(name string) resolve.ID {
	if !dotted.MatchString(name) {
		return l.Expr(resolve.Expr{})
	}
	parts := strings.Split(name, ".")
	if parts[len(parts)-1] == "Self" && l.at.class >= 0 {
		return l.Expr(resolve.Expr{Kind: resolve.ExprSelf, A: l.at.class})
	}
	e := l.nameExpr(parts[0], resolve.Late)
	for _, p := range parts[1:] {
		e = l.Expr(resolve.Expr{Kind: resolve.ExprMember, A: e, Name: l.Name(p)})
	}
	return l.Expr(resolve.Expr{Kind: resolve.ExprInstance, A: e})
}

// textType is the type that a string says.
func (l *lowering) textType(text string, depth int) resolve.ID {
	text = strings.TrimSpace(text)
	if depth > maxAnnotation {
		return l.Expr(resolve.Expr{})
	}
	if left, right, ok := strings.Cut(text, "|"); ok && !strings.ContainsRune(text, '[') {
		return l.union(l.textType(left, depth+1), l.textType(right, depth+1))
	}
	if text == "None" {
		return l.Expr(resolve.Expr{Kind: resolve.ExprNothing})
	}
	head, rest, ok := strings.Cut(text, "[")
	if !ok {
		return l.instanceOf(text)
	}
	rest, whole := strings.CutSuffix(rest, "]")
	if !whole {
		return l.Expr(resolve.Expr{})
	}
	switch head[strings.LastIndexByte(head, '.')+1:] {
	case "Optional":
		return l.textType(rest, depth+1)
	case "Union", "Type", "type", "Annotated", "Final", "ClassVar":
		return l.Expr(resolve.Expr{})
	}
	return l.instanceOf(head)
}
