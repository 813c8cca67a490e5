package naive

import (
	"slices"
	"strconv"
)

// A node of names: "its id, its kind unless it is a function, and where it is
// defined".
func (m *Model) namesNode(n *node) object {
	o := m.named(n)
	switch {
	case n.path == "":
	case n.startLine == 0:
		o = append(o, "at", n.path)
	default:
		o = append(o, "at", n.path+":"+strconv.Itoa(int(n.startLine)))
	}
	return o
}

func (m *Model) named(n *node) object {
	if n.isFunction() {
		return object{"id", n.id}
	}
	return object{"id", n.id, "kind", n.kind}
}

// rowOf begins a node that more is said of, with a place of its own.
func (m *Model) rowOf(n *node) object {
	if m.names {
		return m.named(n)
	}
	return m.briefNode(n)
}

// smallNode is a node that is brief in full records too.
func (m *Model) smallNode(n *node) object {
	if m.names {
		return m.namesNode(n)
	}
	return m.briefNode(n)
}

// An edge of names: its kind, those of its ends that don't follow, and its
// first place.
func namesEdge(e *edge, ends ...any) object {
	o := append(object{"kind", e.kind}, ends...)
	return append(o, at(e, func(evidence) bool { return true })...)
}

// namesReport is a function of a list with the names of the reasons.
func (r report) names() object {
	o := r.m.namesNode(r.function)
	if len(r.reasons) > 0 {
		var names list
		for _, reason := range r.reasons {
			names = append(names, reason.(object)[1])
		}
		o = append(o, "reasons", names)
	}
	return o
}

// namesCall is a call of brick_calls.
func namesCall(e *edge) object {
	o := object{"caller", e.source.id, "callee", e.target.id}
	var places, reasons []string
	for _, v := range e.evidence {
		if v.provenance != nil {
			place := columnAtEnd.ReplaceAllString(*v.provenance, "$1")
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
		if reason := v.namedReason(); reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	for _, part := range []struct {
		name string
		of   []string
	}{{"at", places}, {"reasons", reasons}} {
		if len(part.of) > 0 {
			l := list{}
			for _, s := range part.of {
				l = append(l, s)
			}
			o = append(o, part.name, l)
		}
	}
	return o
}
