package jsonmodel

import (
	"brick/internal/show"
	"brick/model"
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
func (c *recordChecker) edge(e *model.EdgeRecord) {
	*e = model.EdgeRecord{}
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
	e.Sites = c.sum.Of(e.Kind, c.sites)
}

// endpoint reads the source or target of an edge. When it cannot be an id, the
// result is zero.
func (c *recordChecker) endpoint(what string) (id string, place model.Place) {
	at := c.pos
	id, ok := c.anyString(what)
	if !ok {
		return "", model.Place{}
	}
	if 0 < len(id) && len(id) <= model.MaxID {
		return id, c.at(at)
	}
	// No node can have this id, but one may claim it: then the fault is the
	// node's, and this one only follows from it.
	c.faulty = true
	if id == "" {
		c.add(c.deferred.endpoint(id), model.Fault{}, at, "%s must be the id of a node, not empty", what)
	} else {
		c.add(c.deferred.endpoint(id), model.Fault{}, at, "%s must be the id of a node, of at most %d bytes, not %d: %s",
			what, model.MaxID, len(id), show.Quote(id))
	}
	return "", model.Place{}
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
func (c *recordChecker) evidence(e *model.EdgeRecord) {
	if !c.is('[', "evidence") {
		return
	}
	start := c.pos
	a := c.openArray()
	for c.element(&a) {
		e.Lanes |= c.evidenceRecord()
	}
	e.Imported = e.Lanes&model.LaneImported != 0
	e.Evidence = a.count
	if a.count == 0 {
		c.report(start, "evidence must have at least one record")
	}
}

// evidenceRecord checks an evidence record, keeps its site, and returns the
// bit of its lane.
func (c *recordChecker) evidenceRecord() (lane model.Lane) {
	if !c.is('{', "an evidence record") {
		return 0
	}
	start := c.pos
	var s model.Site
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
			s.Provenance, s.HasProvenance = c.anyString("provenance")
		case evidenceAttributes:
			s.Reason, s.Mention = c.siteAttributes()
		}
	}
	if seen&evidenceBackend == 0 {
		c.reportMissing(start, "backend", "an evidence record has a string that is not empty")
	}
	if seen&evidenceLane == 0 {
		c.reportMissing(start, "lane", "an evidence record has one of "+model.LaneNames)
	}
	c.sites = append(c.sites, s)
	return lane
}

// lane checks the lane of an evidence record and returns its bit, 0 when it
// is illegal.
func (c *recordChecker) lane() model.Lane {
	at := c.pos
	name, ok := c.anyString("lane")
	lane := model.LaneOf(name)
	if ok && lane == 0 {
		c.report(at, "lane must be one of %s, not %s", model.LaneNames, show.Quote(name))
	}
	return lane
}
