package scip

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"
)

// A document is a path of the model with the places that are about it, in one
// index or several.
type document struct {
	path   string
	lang   *language
	parts  []part
	faulty bool // an error diagnostic is in it
}

type part struct {
	index *indexFile
	at    section
}

// An occurrence is a mention of a symbol, its ranges checked.
type occurrence struct {
	symbol    string
	span      span
	enclosing span // zero where it isn't given
	roles     int32
	index     *indexFile
	bound     bool // to the symbol by its import statement
}

func (o *occurrence) definition() bool {
	return o.roles&int32(pb.SymbolRole_Definition) != 0
}

// occurrencesOf are a document's occurrences of symbols that other documents
// may see; of all others only the spans, as far as the document defines them;
// and the rest: a producer writes a local symbol also for what it could not
// resolve, which says nothing.
func occurrencesOf(d *pb.Document, x *indexFile, at section) (list []occurrence, locals []span, silent []occurrence, err error) {
	known := map[string]bool{}
	for _, o := range d.Occurrences {
		if isLocal(o.Symbol) && o.SymbolRoles&int32(pb.SymbolRole_Definition) != 0 {
			known[o.Symbol] = true
		}
	}
	refuse := func(i int, problem string) error {
		return &RefusedError{x.path, d.RelativePath, at.offset, fmt.Sprintf("occurrence %d %s", i+1, problem)}
	}
	for i, o := range d.Occurrences {
		r, ok := o.SourceRange()
		if s := spanOf(r); !ok || !s.valid() {
			return nil, nil, nil, refuse(i, "has no sound range")
		}
		if o.Symbol == "" {
			continue // it only colours the text
		}
		if isLocal(o.Symbol) {
			if known[o.Symbol] {
				locals = append(locals, spanOf(r))
			} else {
				silent = append(silent, occurrence{symbol: o.Symbol, span: spanOf(r), index: x})
			}
			continue
		}
		out := occurrence{symbol: o.Symbol, span: spanOf(r), roles: o.SymbolRoles, index: x}
		if e, ok := o.EnclosingSourceRange(); ok {
			if out.enclosing = spanOf(e); !out.enclosing.valid() {
				return nil, nil, nil, refuse(i, "has no sound enclosing range")
			}
		}
		list = append(list, out)
	}
	return list, locals, silent, nil
}

// repeats says whether an occurrence says what another does, of another index.
func (o *occurrence) repeats(other *occurrence) bool {
	return o.symbol == other.symbol && o.span == other.span && o.definition() == other.definition()
}

// sortOccurrences orders occurrences by place and drops repeated ones.
func sortOccurrences(list []occurrence) []occurrence {
	slices.SortStableFunc(list, func(a, b occurrence) int {
		return cmp.Or(comparePositions(a.span.start, b.span.start), comparePositions(a.span.end, b.span.end),
			cmp.Compare(a.symbol, b.symbol), cmp.Compare(b.roles&1, a.roles&1), cmp.Compare(a.index.number, b.index.number))
	})
	return slices.CompactFunc(list, func(a, b occurrence) bool {
		return a.symbol == b.symbol && a.span == b.span && a.definition() == b.definition() && a.index == b.index
	})
}

// goBuildCache are the paths of the test mains that the go command generates,
// and of what cgo makes of a file. scip-go indexes them though they are not of
// the repository.
var goBuildCache = regexp.MustCompile(`(^|/)[0-9a-f]{2}/[0-9a-f]{64}-d$`)

// pathOf is a document's path relative to the model's root. dropped says that
// the document is to be left out.
func pathOf(d *pb.Document, x *indexFile, at section) (name string, dropped bool, err error) {
	if goBuildCache.MatchString(d.RelativePath) {
		return "", true, nil
	}
	name = path.Clean(strings.ReplaceAll(d.RelativePath, `\`, "/"))
	if d.RelativePath == "" || path.IsAbs(name) || name == "." || name == ".." || strings.HasPrefix(name, "../") ||
		len(name) > 1 && name[1] == ':' || strings.ContainsRune(name, 0) {
		return "", false, &RefusedError{x.path, d.RelativePath, at.offset, "its path is outside the index's root"}
	}
	return path.Join(x.prefix, name), false, nil
}
