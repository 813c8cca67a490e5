package model

// Flag names an attribute that gives a reason to a caller report.
type Flag uint8

// The order is that of the reasons in a caller report.
const (
	FlagVirtual Flag = iota
	FlagTraitImpl
	FlagExternalBase
	FlagFrameworkAttribute
	FlagImplicitInvocation
	FlagOutsideClassMember
	FlagParseIncomplete
	FlagEntryPoint
	FlagTestCode
	FlagExported
	FlagExternalLinkage
	FlagCount
)

// FlagValue is a flag that holds, with the attribute's value in canonical form.
type FlagValue struct {
	Flag  Flag
	Value []byte
}

// FlagOf returns the flag that an attribute of a node stands for, or FlagCount
// for none.
func FlagOf(attribute string) Flag {
	switch attribute {
	case Virtual:
		return FlagVirtual
	case TraitImpl:
		return FlagTraitImpl
	case ExternalBase:
		return FlagExternalBase
	case FrameworkAttribute:
		return FlagFrameworkAttribute
	case ImplicitInvocation:
		return FlagImplicitInvocation
	case OutsideClassMember:
		return FlagOutsideClassMember
	case ParseIncomplete:
		return FlagParseIncomplete
	case EntryPoint:
		return FlagEntryPoint
	case TestCode:
		return FlagTestCode
	case Exported:
		return FlagExported
	case ExternalLinkage:
		return FlagExternalLinkage
	}
	return FlagCount
}
