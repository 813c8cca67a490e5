package golang

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"brick/scan/facts"
)

// An extractor turns one checked file into facts.
type extractor struct {
	*checked
	src   *source
	links *unitLinks
	rec   *record
	ids   *facts.IDs
	local map[types.Object]string // ids of what functions define
	decls map[types.Object]origin // see declarations

	directives map[string][]string // by the function that they name
	reflector  string
}

// extract gives what is known of a unit.
func (c *checked) extract() (*result, error) {
	l := newUnitLinks(c)
	r := &result{}
	for i, f := range c.files {
		rec := extractFile(c, l, i, f)
		packed, err := packRecord(rec)
		if err != nil {
			return nil, err
		}
		r.Files = append(r.Files, packed)
	}
	l.finish()
	r.Links = l.links
	return r, nil
}

func extractFile(c *checked, l *unitLinks, i int, f *ast.File) *record {
	s := c.todo[i]
	x := &extractor{
		checked: c, src: s, links: l, ids: facts.NewIDs("go", s.path), local: map[types.Object]string{},
		rec: &record{File: facts.File{
			Path: s.path, Language: "go", Lines: lines(s.text), Module: facts.Module{ID: facts.NewModule("go", c.display), Name: c.display},
			Test: s.test || inTestdata(s.dir()), Bound: c.errs[i] == 0,
		}},
		reflector: c.reflector(),
	}
	switch n := c.errs[i]; n {
	case 0:
	case 1:
		x.rec.File.Incomplete = "1 syntax error"
	default:
		x.rec.File.Incomplete = fmt.Sprint(n, " syntax errors")
	}
	x.readDirectives(f)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			x.general(d)
		case *ast.FuncDecl:
			x.function(d)
		}
	}
	return x.rec
}

func lines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func (x *extractor) place(p token.Pos) facts.Place {
	if !p.IsValid() {
		return facts.Place{Line: 1, Column: 1}
	}
	at := x.fset.PositionFor(p, false)
	return facts.Place{Line: at.Line, Column: at.Column}
}

func (x *extractor) span(n ast.Node) facts.Span {
	return facts.Span{Start: x.place(n.Pos()), End: x.place(n.End())}
}

func (x *extractor) doc(g *ast.CommentGroup) facts.Span {
	if g == nil {
		return facts.Span{}
	}
	return x.span(g)
}

// readDirectives notes the comments that let something else than Go call a
// function, or call one by its name.
func (x *extractor) readDirectives(f *ast.File) {
	x.directives = map[string][]string{}
	for _, g := range f.Comments {
		for _, c := range g.List {
			words := strings.Fields(c.Text)
			if len(words) < 2 {
				continue
			}
			switch words[0] {
			case "//export", "//go:wasmexport":
				x.directives[words[1]] = append(x.directives[words[1]], c.Text)
			case "//go:linkname":
				x.directives[words[1]] = append(x.directives[words[1]], c.Text)
				if len(words) > 2 {
					name := words[2][strings.LastIndexByte(words[2], '.')+1:]
					x.rec.File.References = append(x.rec.File.References, facts.Reference{At: x.place(c.Pos()), From: -1, Name: name})
				}
			}
		}
	}
}

// define adds a definition and gives its index. key is "" for what only its
// own function knows.
func (x *extractor) define(d facts.Definition, a attributes, within, key string) int {
	d.ID = x.ids.Next(within)
	x.rec.File.Definitions = append(x.rec.File.Definitions, d)
	x.rec.Attributes = append(x.rec.Attributes, a)
	if key != "" {
		x.links.links.Functions = append(x.links.links.Functions, defined{key, d.ID})
	}
	return len(x.rec.File.Definitions) - 1
}

// key is that of a name in the unit's package.
func (x *extractor) key(name string) string { return x.path + "\x00" + name }

func (x *extractor) function(d *ast.FuncDecl) {
	name := d.Name.Name
	at := x.place(d.Name.Pos())
	m := facts.Definition{
		Name: name, Qualified: x.display + "." + name, Kind: "function", Parent: -1,
		NameAt: at, Span: x.span(d), Doc: x.doc(d.Doc),
	}
	a := attributes{
		Function: true, metrics: measure(d), Exported: ast.IsExported(name), ExternalLinkage: d.Body == nil,
		Framework: x.directives[name],
	}
	m.Span.Start = x.place(d.Type.Func)
	a.Lines = m.Span.End.Line - m.Span.Start.Line + 1
	within, key := name, x.key(name)
	if d.Recv != nil {
		m.Kind = "method"
		owner, pointer := receiver(d)
		star := ""
		if pointer {
			star = "*"
		}
		m.Qualified = "(" + star + x.display + "." + owner + ")." + name
		within, key = owner+"."+name, x.key(owner+"."+name)
		m.Owner = keyMark + x.key(owner)
		a.Method = a.Exported
		a.Framework = append(a.Framework, x.directives[owner+"."+name]...)
		a.Implicit = protocols[name]
		if a.Exported && x.reflector != "" && a.Implicit == "" {
			a.Implicit = "its package uses " + x.reflector
		}
		x.links.receiver(x.info.Defs[d.Name])
	} else {
		a.EntryPoint = name == "init" || name == "main" || x.src.test && isTestFunction(name)
		a.Test = x.src.test && isTestFunction(name)
		if name == "init" {
			key = ""
		}
	}
	if len(a.Framework) > 0 && !a.ExternalLinkage {
		a.ExternalLinkage = !strings.HasPrefix(a.Framework[0], "//go:linkname")
	}
	from := -1 // what a blank function calls, the file does
	if name != "_" {
		from = x.define(m, a, within, key)
	}
	w := &walker{x, from, within}
	w.walkField(d.Recv)
	w.walk(d.Type)
	if d.Body != nil {
		w.walk(d.Body)
	}
}

// receiver is the name of a method's type, and whether it is a pointer.
func receiver(d *ast.FuncDecl) (name string, pointer bool) {
	if len(d.Recv.List) == 0 {
		return "_", false
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.ParenExpr:
			t = e.X
		case *ast.StarExpr:
			t, pointer = e.X, true
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name, pointer
		default:
			return "_", pointer
		}
	}
}

// general adds what an import, const, var or type declaration says.
func (x *extractor) general(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ImportSpec:
			x.importSpec(s)
		case *ast.TypeSpec:
			x.typeSpec(d, s, -1, "")
		case *ast.ValueSpec:
			x.valueSpec(d, s)
		}
	}
}

func (x *extractor) importSpec(s *ast.ImportSpec) {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return
	}
	t := facts.NewExternal("go", p)
	if d := x.imports[p]; d != nil && d.unit != nil {
		t = facts.Target{ID: facts.NewModule("go", d.unit.display), Lane: symbolic}
	}
	x.rec.File.Imports = append(x.rec.File.Imports, facts.Import{At: x.place(s.Path.Pos()), Target: t})
}

const (
	symbolic  = "symbolic"
	heuristic = "heuristic"
)

func (x *extractor) valueSpec(d *ast.GenDecl, s *ast.ValueSpec) {
	kind := "variable"
	if d.Tok == token.CONST {
		kind = "constant"
	}
	for _, n := range s.Names {
		if n.Name == "_" {
			continue
		}
		x.define(facts.Definition{
			Name: n.Name, Qualified: x.display + "." + n.Name, Kind: kind, Parent: -1,
			NameAt: x.place(n.Pos()), Span: x.span(s), Doc: x.specDoc(d, s.Doc),
		}, attributes{Exported: n.IsExported()}, n.Name, "")
	}
	w := &walker{x, -1, ""}
	if s.Type != nil {
		w.walk(s.Type)
	}
	for _, v := range s.Values {
		w.walk(v)
	}
}

func (x *extractor) specDoc(d *ast.GenDecl, own *ast.CommentGroup) facts.Span {
	if own == nil && !d.Lparen.IsValid() {
		own = d.Doc
	}
	return x.doc(own)
}

// typeSpec adds a type with its fields or methods. parent and prefix are the
// function's that it is in, -1 and "" when it is in none.
func (x *extractor) typeSpec(d *ast.GenDecl, s *ast.TypeSpec, parent int, prefix string) {
	w := &walker{x, parent, prefix}
	if s.TypeParams != nil {
		w.walkField(s.TypeParams)
	}
	name := s.Name.Name
	within, key := name, x.key(name)
	if prefix != "" {
		within, key = prefix+"."+name, ""
	}
	kind := "type"
	switch s.Type.(type) {
	case *ast.StructType:
		kind = "struct"
	case *ast.InterfaceType:
		kind = "interface"
	}
	index := parent
	if name != "_" {
		m := facts.Definition{
			Name: name, Qualified: x.display + "." + within, Kind: kind, Parent: parent,
			NameAt: x.place(s.Name.Pos()), Span: x.span(s), Doc: x.specDoc(d, s.Doc),
		}
		if !d.Lparen.IsValid() {
			m.Span.Start = x.place(d.Pos())
		}
		index = x.define(m, attributes{Exported: s.Name.IsExported()}, within, key)
		id := x.rec.File.Definitions[index].ID
		x.local[x.info.Defs[s.Name]] = id
		x.links.typ(x.info.Defs[s.Name], x.display+"."+within, key, id)
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		x.fields(t, index, within, name != "_")
	case *ast.InterfaceType:
		x.methods(t, index, within, prefix != "", name != "_")
	}
	w.walk(s.Type)
}

// fields adds a struct's fields.
func (x *extractor) fields(t *ast.StructType, parent int, within string, named bool) {
	if !named || t.Fields == nil {
		return
	}
	for _, f := range t.Fields.List {
		names := f.Names
		if len(names) == 0 {
			if n := typeName(f.Type); n != nil {
				x.inherit(parent, f.Type, n)
				names = []*ast.Ident{n}
			}
		}
		for _, n := range names {
			if n.Name == "_" {
				continue
			}
			x.define(facts.Definition{
				Name: n.Name, Qualified: x.display + "." + within + "." + n.Name, Kind: "field", Parent: parent,
				NameAt: x.place(n.Pos()), Span: x.span(f), Doc: x.doc(f.Doc),
			}, attributes{Exported: n.IsExported()}, within+"."+n.Name, "")
		}
	}
}

// methods adds an interface's methods.
func (x *extractor) methods(t *ast.InterfaceType, parent int, within string, inFunction, named bool) {
	if !named || t.Methods == nil {
		return
	}
	for _, f := range t.Methods.List {
		if len(f.Names) == 0 {
			if n := typeName(f.Type); n != nil {
				x.inherit(parent, f.Type, n)
			}
			continue
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				continue
			}
			m := within + "." + n.Name
			key := x.key(m)
			if inFunction {
				key = ""
			}
			a := attributes{Function: true, Virtual: true, Exported: n.IsExported(), metrics: metrics{Cyclomatic: 1}}
			if ft, ok := f.Type.(*ast.FuncType); ok {
				a.Parameters = parameters(ft)
			}
			d := facts.Definition{
				Name: n.Name, Qualified: "(" + x.display + "." + within + ")." + n.Name, Kind: "method", Parent: parent,
				NameAt: x.place(n.Pos()), Span: x.span(f), Doc: x.doc(f.Doc),
			}
			a.Lines = d.Span.End.Line - d.Span.Start.Line + 1
			i := x.define(d, a, m, key)
			x.local[x.info.Defs[n]] = x.rec.File.Definitions[i].ID
		}
	}
}

// typeName is the name in what names a type: T, *T, pkg.T, T[A].
func typeName(e ast.Expr) *ast.Ident {
	for {
		switch t := e.(type) {
		case *ast.Ident:
			return t
		case *ast.SelectorExpr:
			return t.Sel
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		default:
			return nil
		}
	}
}

// inherit adds that a type embeds another.
func (x *extractor) inherit(from int, e ast.Expr, n *ast.Ident) {
	if from < 0 {
		return
	}
	tn, ok := x.info.Uses[n].(*types.TypeName)
	if !ok {
		return
	}
	if named, ok := types.Unalias(tn.Type()).(*types.Named); ok {
		tn = named.Origin().Obj()
	}
	var t facts.Target
	switch {
	case tn.Pkg() == nil:
		t = facts.NewExternal("go", tn.Name())
	case !inCheckout(tn.Pkg().Path()):
		t = facts.NewExternal("go", tn.Pkg().Path()+"."+tn.Name())
	case x.local[tn] != "":
		t = facts.Target{ID: x.local[tn], Lane: symbolic}
	case tn.Parent() == tn.Pkg().Scope():
		t = facts.Target{ID: keyMark + tn.Pkg().Path() + "\x00" + tn.Name(), Lane: symbolic}
	default:
		return
	}
	x.rec.File.Inherits = append(x.rec.File.Inherits, facts.Inherit{At: x.place(e.Pos()), From: from, Target: t})
}

// keyOf is the key of a function of the checkout, "" when it is none's that
// others can name: of a type in a function, or of an interface without a name.
func keyOf(f *types.Func) string {
	f = f.Origin()
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Pkg().Path() + "\x00" + f.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	tn := named.Origin().Obj()
	if tn.Pkg() == nil || tn.Parent() != tn.Pkg().Scope() {
		return ""
	}
	return tn.Pkg().Path() + "\x00" + tn.Name() + "." + f.Name()
}

// target is what a function is to those that call it; ok is false for methods
// of interfaces without names.
func (x *extractor) target(f *types.Func) (t facts.Target, ok bool) {
	f = f.Origin()
	switch {
	case f.Pkg() == nil:
		return facts.NewExternal("go", "error."+f.Name()), true
	case !inCheckout(f.Pkg().Path()):
		return facts.NewExternal("go", externalName(f)), true
	case x.local[f] != "":
		return facts.Target{ID: x.local[f], Lane: symbolic}, true
	}
	key := keyOf(f)
	return facts.Target{ID: keyMark + key, Lane: symbolic}, key != ""
}

// externalName is how people write a function from outside. An interface's
// method has no parentheses around its type.
func externalName(f *types.Func) string {
	name := f.FullName()
	if r := f.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
		name = strings.Replace(strings.TrimPrefix(name, "("), ").", ".", 1)
	}
	return name
}
