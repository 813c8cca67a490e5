package python

import (
	"strings"

	"brick/scan/resolve"
)

// importModules lowers "import a.b, c as d".
func (l *lowering) importModules(n int) {
	for c := range l.t.Children(n) {
		name, alias := c, -1
		if l.kind(c, l.g.aliasedImport) {
			name, alias = l.child(c, l.g.name), l.child(c, l.g.alias)
		}
		if !l.kind(name, l.g.dottedName) {
			continue
		}
		im := resolve.Import{At: place(l.t, name), Module: l.dotted(name), Alias: alias >= 0, Scope: l.at.scope}
		as, _, _ := strings.Cut(im.Module, ".")
		if alias >= 0 {
			as = l.t.String(alias)
		}
		l.bindImport(as, l.start(c), im)
	}
}

// importFrom lowers "from a import b as c, d" and "from .a import *".
func (l *lowering) importFrom(n int) {
	module := l.child(n, l.g.module)
	if module < 0 {
		return
	}
	im := resolve.Import{Alias: true, Scope: l.at.scope}
	if l.kind(module, l.g.relativeImport) {
		for c := range l.t.Children(module) {
			if l.kind(c, l.g.prefix) {
				im.Level = strings.Count(l.t.String(c), ".")
			} else {
				im.Module = l.dotted(c)
			}
		}
	} else {
		im.Module = l.dotted(module)
	}
	for c := range l.t.Children(n) {
		if c == module {
			continue
		}
		if l.kind(c, l.g.wildcard) {
			im.At, im.Name = place(l.t, c), "*"
			l.Imports = append(l.Imports, im)
			continue
		}
		name, alias := c, -1
		if l.kind(c, l.g.aliasedImport) {
			name, alias = l.child(c, l.g.name), l.child(c, l.g.alias)
		}
		if !l.kind(name, l.g.dottedName) {
			continue
		}
		im.At, im.Name = place(l.t, name), l.dotted(name)
		as := im.Name
		if alias >= 0 {
			as = l.t.String(alias)
		}
		l.bindImport(as, l.start(c), im)
		// What is imported may be a function that is never named again.
		l.Use(im.At, l.at.function, l.nameExpr(as, l.end(c)))
	}
}

func (l *lowering) bindImport(as string, pos uint32, im resolve.Import) {
	l.Imports = append(l.Imports, im)
	l.bind(as, pos, resolve.BindImport, int32(len(l.Imports)-1))
}

// dotted is a dotted name without spaces.
func (l *lowering) dotted(n int) string {
	var parts []string
	for c := range l.t.Children(n) {
		parts = append(parts, l.t.String(c))
	}
	return strings.Join(parts, ".")
}
