package scip

import (
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// Kinds of nodes.
const (
	kindFunction  = "function"
	kindMethod    = "method"
	kindModule    = "module"
	kindInterface = "interface"
	kindExternal  = "external"
)

var kindNames = map[pb.SymbolInformation_Kind]string{
	pb.SymbolInformation_Function:            kindFunction,
	pb.SymbolInformation_Macro:               "macro",
	pb.SymbolInformation_Method:              kindMethod,
	pb.SymbolInformation_AbstractMethod:      kindMethod,
	pb.SymbolInformation_Accessor:            kindMethod,
	pb.SymbolInformation_Constructor:         kindMethod,
	pb.SymbolInformation_Getter:              kindMethod,
	pb.SymbolInformation_MethodAlias:         kindMethod,
	pb.SymbolInformation_MethodSpecification: kindMethod,
	pb.SymbolInformation_Operator:            kindMethod,
	pb.SymbolInformation_ProtocolMethod:      kindMethod,
	pb.SymbolInformation_PureVirtualMethod:   kindMethod,
	pb.SymbolInformation_Setter:              kindMethod,
	pb.SymbolInformation_SingletonMethod:     kindMethod,
	pb.SymbolInformation_StaticMethod:        kindMethod,
	pb.SymbolInformation_Subscript:           kindMethod,
	pb.SymbolInformation_TraitMethod:         kindMethod,
	pb.SymbolInformation_TypeClassMethod:     kindMethod,
	pb.SymbolInformation_Module:              kindModule,
	pb.SymbolInformation_Namespace:           kindModule,
	pb.SymbolInformation_Package:             kindModule,
	pb.SymbolInformation_PackageObject:       kindModule,
	pb.SymbolInformation_Class:               "class",
	pb.SymbolInformation_Struct:              "struct",
	pb.SymbolInformation_Interface:           kindInterface,
	pb.SymbolInformation_Protocol:            kindInterface,
	pb.SymbolInformation_Trait:               "trait",
	pb.SymbolInformation_TypeClass:           "trait",
	pb.SymbolInformation_Enum:                "enum",
	pb.SymbolInformation_Union:               "union",
	pb.SymbolInformation_Type:                "type",
	pb.SymbolInformation_TypeAlias:           "type",
	pb.SymbolInformation_AssociatedType:      "type",
	pb.SymbolInformation_Field:               "field",
	pb.SymbolInformation_Property:            "field",
	pb.SymbolInformation_StaticField:         "field",
	pb.SymbolInformation_StaticProperty:      "field",
	pb.SymbolInformation_Variable:            "variable",
	pb.SymbolInformation_StaticVariable:      "variable",
	pb.SymbolInformation_Constant:            "constant",
	pb.SymbolInformation_EnumMember:          "constant",
}

// virtualKinds are those of methods that are called through what implements
// them.
var virtualKinds = map[pb.SymbolInformation_Kind]bool{
	pb.SymbolInformation_AbstractMethod:      true,
	pb.SymbolInformation_MethodSpecification: true,
	pb.SymbolInformation_ProtocolMethod:      true,
	pb.SymbolInformation_PureVirtualMethod:   true,
	pb.SymbolInformation_TraitMethod:         true,
	pb.SymbolInformation_TypeClassMethod:     true,
}

// kindOf is the kind of the node of a symbol, "" when it has none. The
// producer's kind counts; most give none, and then the descriptor's suffix
// does, and the first word of the documentation, which scip-typescript and
// scip-python start with the declaration.
func kindOf(s symbol, kind pb.SymbolInformation_Kind, declaration string) string {
	last := s.last()
	inType := false
	if parent, ok := s.parent(); ok {
		switch parent.last().Suffix {
		case pb.Descriptor_Type, pb.Descriptor_TypeParameter: // impl#[Type][Trait] of rust-analyzer
			inType = true
		}
	}
	switch last.Suffix {
	case pb.Descriptor_Parameter, pb.Descriptor_TypeParameter, pb.Descriptor_Local:
		return ""
	case pb.Descriptor_Meta:
		if s.isPythonModule() {
			return kindModule
		}
		if name := kindNames[kind]; isFunctionKind(name) {
			return name
		}
		return ""
	}
	name := kindNames[kind]
	if name != "" {
		return name
	}
	switch last.Suffix {
	case pb.Descriptor_Namespace:
		return kindModule
	case pb.Descriptor_Method:
		if inType {
			return kindMethod
		}
		return kindFunction
	case pb.Descriptor_Macro:
		return "macro"
	case pb.Descriptor_Type:
		switch word, _, _ := strings.Cut(declaration, " "); word {
		case "interface", "enum", "type":
			return word
		}
		return "class"
	case pb.Descriptor_Term:
		if inType {
			return "field"
		}
		return "variable"
	}
	return ""
}

func isFunctionKind(kind string) bool { return kind == kindFunction || kind == kindMethod }
