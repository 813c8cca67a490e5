package scip

import (
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// What a symbol's information says in prose: its signature (scip-go,
// rust-analyzer), or the code block that its documentation starts with
// (scip-typescript, scip-python).

// declarationOf is the declaration as the producer writes it, without its
// decorators, which are returned apart.
func declarationOf(info *pb.SymbolInformation) (declaration string, decorators []string) {
	if text := info.GetSignatureDocumentation().GetText(); text != "" {
		return text, nil
	}
	for _, text := range info.Documentation {
		block, ok := strings.CutPrefix(text, "```")
		if !ok {
			continue
		}
		_, block, _ = strings.Cut(block, "\n")
		block, _, _ = strings.Cut(block, "\n```")
		for strings.HasPrefix(block, "@") {
			var line string
			line, block, _ = strings.Cut(block, "\n")
			decorators = append(decorators, line)
		}
		return block, decorators
	}
	return "", nil
}

// parametersOf counts the parameters in a signature of scip-go or
// rust-analyzer: in the parentheses that follow the name and its type
// parameters, without the receiver. ok is false when there are none to see.
func parametersOf(signature, name string) (count int, ok bool) {
	rest, found := strings.CutPrefix(signature, "func ")
	if found {
		if _, after, isMethod := strings.Cut(rest, ")."); isMethod && strings.HasPrefix(rest, "(") {
			rest = after
		}
	} else if _, after, isRust := strings.Cut(signature, "fn "); isRust {
		rest = after
	} else {
		return 0, false
	}
	if rest, found = strings.CutPrefix(rest, name); !found {
		return 0, false
	}
	depth := 0
	open, from := -1, 0
	part := func(text string) {
		text = strings.TrimSpace(text)
		if text != "" && !isReceiver(text) {
			count++
		}
	}
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '(', '[', '{', '<':
			if rest[i] == '(' && depth == 0 {
				open, from = i, i+1
			}
			depth++
		case '>':
			if i > 0 && rest[i-1] == '-' {
				continue
			}
			depth--
		case ')', ']', '}':
			depth--
			if depth == 0 && open >= 0 {
				part(rest[from:i])
				return count, true
			}
		case ',':
			if depth == 1 && open >= 0 {
				part(rest[from:i])
				from = i + 1
			}
		}
	}
	return 0, false
}

// isReceiver says whether a parameter is the object that a method is called
// on.
func isReceiver(parameter string) bool {
	parameter = strings.TrimPrefix(strings.TrimLeft(parameter, "&"), "mut ")
	name, _, _ := strings.Cut(parameter, ":")
	switch strings.TrimSpace(name) {
	case "self", "cls", "this":
		return true
	}
	return strings.HasPrefix(parameter, "'") && strings.HasSuffix(parameter, " self")
}
