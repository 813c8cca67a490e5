package resolve

import (
	"brick/scan/facts"
)

// A Builder makes the unit of one file.
type Builder struct {
	Unit
	names  map[string]int32
	groups int32
}

// NewBuilder starts a file: its scope and its block are there.
func NewBuilder(size int) *Builder {
	b := &Builder{names: map[string]int32{}}
	b.Blocks = []Block{{Parent: -1, End: uint32(size)}}
	b.Scopes = []Scope{{Kind: FileScope, Parent: -1, Def: -1}}
	return b
}

// Name is the index of a name.
func (b *Builder) Name(s string) int32 {
	i, ok := b.names[s]
	if !ok {
		i = int32(len(b.Names))
		b.Names = append(b.Names, s)
		b.names[s] = i
	}
	return i
}

// Group is a number for blocks that exclude each other.
func (b *Builder) Group() int32 { b.groups++; return b.groups }

// Block adds a block.
func (b *Builder) Block(k Block) int32 {
	b.Blocks = append(b.Blocks, k)
	return int32(len(b.Blocks) - 1)
}

// Scope adds a scope and the block of its body.
func (b *Builder) Scope(kind ScopeKind, parent, def int32, start, end uint32) int32 {
	block := b.Block(Block{Parent: -1, Start: start, End: end})
	b.Scopes = append(b.Scopes, Scope{Kind: kind, Parent: parent, Def: def, Block: block})
	return int32(len(b.Scopes) - 1)
}

// Expr adds an expression.
func (b *Builder) Expr(e Expr) ID {
	b.Exprs = append(b.Exprs, e)
	return ID(len(b.Exprs) - 1)
}

// Bind adds a binding of a name in a scope.
func (b *Builder) Bind(scope, block int32, name string, pos uint32, kind BindingKind, ref int32) {
	b.Bindings = append(b.Bindings, Binding{Scope: scope, Name: b.Name(name), Block: block, Pos: pos, Kind: kind, Ref: ref})
}

// Define adds a definition.
func (b *Builder) Define(d Def) int32 {
	b.Defs = append(b.Defs, d)
	return int32(len(b.Defs) - 1)
}

// Use adds a place where something is named.
func (b *Builder) Use(at facts.Place, from int32, e ID) {
	b.Uses = append(b.Uses, Use{At: at, From: from, Expr: e})
}
