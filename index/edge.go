package index

import (
	"slices"
	"strings"

	"brick/internal/show"
)

// The members of an edge that are checked, as a set of bits.
const (
	edgeID uint16 = 1 << iota
	edgeKind
	edgeSource
	edgeTarget
	edgeEvidence
	edgeAttributes
)

func edgeMember(name []byte) uint16 {
	switch string(name) {
	case "id":
		return edgeID
	case "kind":
		return edgeKind
	case "source":
		return edgeSource
	case "target":
		return edgeTarget
	case "evidence":
		return edgeEvidence
	case "attributes":
		return edgeAttributes
	}
	return 0
}

// edge checks an edge and sets the members of e that stand in the document.
// Of a member that is repeated the first counts; the others are faults as such
// and are not checked further.
func (c *recordChecker) edge(e *Edge) {
	*e = Edge{}
	c.sites = c.sites[:0]
	if !c.is('{', "an edge") {
		return
	}
	start := c.pos
	var seen uint16
	for o := c.open(); c.next(&o); {
		member := edgeMember(c.name())
		if member == 0 || seen&member != 0 {
			c.skip()
			continue
		}
		seen |= member
		switch member {
		case edgeID:
			at := c.pos
			if id, legal, _ := c.idValue(); legal {
				e.ID, e.IDPlace, e.IDOffset = id, c.at(at), at
			}
		case edgeKind:
			e.Kind = c.filledString("kind")
		case edgeSource:
			e.Source, e.SourcePlace = c.endpoint("source")
		case edgeTarget:
			e.Target, e.TargetPlace = c.endpoint("target")
		case edgeEvidence:
			c.evidence(e)
		case edgeAttributes:
			c.anyObject("attributes")
		}
	}
	for _, m := range []struct {
		bit          uint16
		name, wanted string
	}{
		{edgeEvidence, "evidence", "an edge has an array of at least one evidence record"},
		{edgeID, "id", "an edge has a string of 1 to 4096 bytes"},
		{edgeKind, "kind", "an edge has a string that is not empty"},
		{edgeSource, "source", "an edge has the id of a node"},
		{edgeTarget, "target", "an edge has the id of a node"},
	} {
		if seen&m.bit == 0 {
			c.reportMissing(start, m.name, m.wanted)
		}
	}
	e.Sites = c.sumUp(e.Kind)
}

// endpoint reads the source or target of an edge. When it cannot be an id, the
// result is zero.
func (c *recordChecker) endpoint(what string) (id string, place Place) {
	at := c.pos
	id, ok := c.anyString(what)
	if !ok {
		return "", Place{}
	}
	if 0 < len(id) && len(id) <= maxID {
		return id, c.at(at)
	}
	// No node can have this id, but one may claim it: then the fault is the
	// node's, and this one only follows from it.
	c.faulty = true
	if id == "" {
		c.add(c.later.endpoint(id), Fault{}, at, "%s must be the id of a node, not empty", what)
	} else {
		c.add(c.later.endpoint(id), Fault{}, at, "%s must be the id of a node, of at most %d bytes, not %d: %s",
			what, maxID, len(id), show.Quote(id))
	}
	return "", Place{}
}

// The members of an evidence record that are checked, as a set of bits.
const (
	evidenceLane uint8 = 1 << iota
	evidenceBackend
	evidenceConfidence
	evidenceProvenance
	evidenceAttributes
)

func evidenceMember(name []byte) uint8 {
	switch string(name) {
	case "lane":
		return evidenceLane
	case "backend":
		return evidenceBackend
	case "confidence":
		return evidenceConfidence
	case "provenance":
		return evidenceProvenance
	case "attributes":
		return evidenceAttributes
	}
	return 0
}

// evidence checks the evidence of an edge and keeps what sumUp needs: the kind
// of the edge may stand after it.
func (c *recordChecker) evidence(e *Edge) {
	if !c.is('[', "evidence") {
		return
	}
	start := c.pos
	a := c.openArray()
	for c.element(&a) {
		e.Lanes |= c.evidenceRecord()
	}
	e.Imported = e.Lanes&laneImported != 0
	e.Evidence = a.count
	if a.count == 0 {
		c.report(start, "evidence must have at least one record")
	}
}

// evidenceRecord checks an evidence record, keeps its site, and returns the
// bit of its lane.
func (c *recordChecker) evidenceRecord() (lane byte) {
	if !c.is('{', "an evidence record") {
		return 0
	}
	start := c.pos
	var s site
	var seen uint8
	for o := c.open(); c.next(&o); {
		member := evidenceMember(c.name())
		if member == 0 || seen&member != 0 {
			c.skip()
			continue
		}
		seen |= member
		switch member {
		case evidenceLane:
			lane = c.lane()
		case evidenceBackend:
			c.filledString("backend")
		case evidenceConfidence:
			switch c.text[c.pos] {
			case '{', '[', 't', 'f':
				c.report(c.pos, "confidence must be a number, a string or null, not %s", c.kind())
			}
			c.skip()
		case evidenceProvenance:
			s.provenance, s.hasProvenance = c.anyString("provenance")
		case evidenceAttributes:
			s.reason = c.unresolvedReason()
		}
	}
	if seen&evidenceBackend == 0 {
		c.reportMissing(start, "backend", "an evidence record has a string that is not empty")
	}
	if seen&evidenceLane == 0 {
		c.reportMissing(start, "lane", "an evidence record has one of "+laneNames)
	}
	c.sites = append(c.sites, s)
	return lane
}

// The bits of lanes, in the order of store.LaneNames.
const (
	laneHeuristic byte = 1 << iota
	laneImported
	laneSymbolic
	laneSyntactic
)

const laneNames = "syntactic, symbolic, heuristic, imported"

// lane checks the lane of an evidence record and returns its bit, 0 when it
// is illegal.
func (c *recordChecker) lane() byte {
	at := c.pos
	lane, ok := c.anyString("lane")
	switch {
	case !ok:
	case equalFoldASCII(lane, "imported"):
		return laneImported
	case equalFoldASCII(lane, "syntactic"):
		return laneSyntactic
	case equalFoldASCII(lane, "symbolic"):
		return laneSymbolic
	case equalFoldASCII(lane, "heuristic"):
		return laneHeuristic
	default:
		c.report(at, "lane must be one of %s, not %s", laneNames, show.Quote(lane))
	}
	return 0
}

// equalFoldASCII reports whether s is lower but for the case of its ASCII
// letters. (strings.EqualFold also folds others: it takes U+017F for an s.)
func equalFoldASCII(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}

// site is what an evidence record says when it stands for a call site or a
// place where a function is named.
type site struct {
	reason        string // "" when there is none
	provenance    string
	hasProvenance bool
}

// maxExamples is the number of provenances that Sites keeps.
const maxExamples = 5

// sumUp sums up the sites of an edge of the given kind; the result is valid
// until the next call.
func (c *recordChecker) sumUp(kind string) *Sites {
	unresolved := kind == "unresolved_call"
	if !unresolved && kind != "name_reference" {
		return nil
	}
	sum := &c.sum
	*sum = Sites{Examples: sum.Examples[:0]}
	if unresolved {
		clear(c.reasons)
		sum.ByReason = c.reasons
	}
	for _, s := range c.sites {
		if unresolved {
			switch s.reason {
			case "foreign-receiver", "macro": // cannot be a call of a scanned function
				continue
			case "":
				s.reason = "unspecified"
			}
			sum.ByReason[s.reason]++
		}
		sum.Count++
		if s.hasProvenance {
			sum.addExample(s.provenance)
		}
	}
	if sum.Count == 0 && unresolved {
		return nil
	}
	return sum
}

// addExample keeps the provenance if it is among the first in byte order.
func (s *Sites) addExample(provenance string) {
	i, found := slices.BinarySearchFunc(s.Examples, provenance, strings.Compare)
	if found || i == maxExamples {
		return
	}
	if len(s.Examples) == maxExamples {
		s.Examples = s.Examples[:maxExamples-1]
	}
	s.Examples = slices.Insert(s.Examples, i, provenance)
}
