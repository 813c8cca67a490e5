package jsonmodel

import (
	"math"

	"brick/internal/number"
	"brick/internal/show"
	"brick/model"
)

// The members of a node that are checked, as a set of bits.
const (
	nodeID uint16 = 1 << iota
	nodeKind
	nodeName
	nodeQualifiedName
	nodeLanguage
	nodePath
	nodeSpan
	nodeRepositoryID
	nodeAttributes
)

func nodeMember(name []byte) uint16 {
	switch string(name) {
	case "id":
		return nodeID
	case "kind":
		return nodeKind
	case "name":
		return nodeName
	case "qualified_name":
		return nodeQualifiedName
	case "language":
		return nodeLanguage
	case "path":
		return nodePath
	case "span":
		return nodeSpan
	case "repository_id":
		return nodeRepositoryID
	case "attributes":
		return nodeAttributes
	}
	return 0
}

// node checks a node and sets the members of n that stand in the document.
// Of a member that is repeated the first counts; the others are faults as such
// and are not checked further.
func (c *recordChecker) node(n *model.NodeRecord) {
	*n = model.NodeRecord{
		RefusedIDs: n.RefusedIDs[:0],
		Flags:      n.Flags[:0],
		Figures:    model.Figures{Lines: -1, Cyclomatic: -1, Parameters: -1, Nesting: -1},
	}
	if !c.is('{', "a node") {
		return
	}
	start := c.pos
	var seen uint16
	for o := c.open(); c.next(&o); {
		member := nodeMember(c.name())
		if member == 0 || seen&member != 0 {
			if member == nodeID && c.text[c.pos] == '"' {
				n.RefusedIDs = append(n.RefusedIDs, view(c.string()))
			} else {
				c.skip()
			}
			continue
		}
		seen |= member
		switch member {
		case nodeID:
			at := c.pos
			if id, legal, isString := c.idValue(); legal {
				n.ID, n.IDPlace, n.IDOffset = id, c.at(at), at
			} else if isString {
				n.RefusedIDs = append(n.RefusedIDs, id)
			}
		case nodeKind:
			n.Kind = c.filledString("kind")
		case nodeName:
			n.Name, _ = c.anyString("name")
		case nodeQualifiedName:
			n.QualifiedName, _ = c.anyString("qualified_name")
		case nodeLanguage:
			n.Language, _ = c.anyString("language")
		case nodePath:
			n.Path, _ = c.anyString("path")
		case nodeSpan:
			n.Span = c.span()
		case nodeRepositoryID:
			c.repositoryID()
		case nodeAttributes:
			c.nodeAttributes(n)
		}
	}
	if seen&nodeID == 0 {
		c.reportMissing(start, "id", "a node has a string of 1 to 4096 bytes")
	}
	if seen&nodeKind == 0 {
		c.reportMissing(start, "kind", "a node has a string that is not empty")
	}
	if seen&nodeName == 0 {
		c.reportMissing(start, "name", "a node has a string")
	}
}

// idValue reads the id of a record.
func (c *checker) idValue() (id string, legal, isString bool) {
	at := c.pos
	id, isString = c.anyString("id")
	switch {
	case !isString:
	case id == "":
		c.report(at, "id must not be empty")
	case len(id) > model.MaxID:
		c.report(at, "id must have at most %d bytes, not %d: %s", model.MaxID, len(id), show.Quote(id))
	default:
		legal = true
	}
	return id, legal, isString
}

// repositoryID checks that a node is of the sole repository.
func (c *recordChecker) repositoryID() {
	at := c.pos
	id, ok := c.anyString("repository_id")
	switch {
	case !ok || c.repository.state == repositoryFaulty:
	case c.repository.state == repositoryUnknown:
		c.add(c.deferred.repositoryID(id), model.Fault{}, at, "")
	case id != c.repository.id:
		c.report(at, "%s", otherRepository(id, c.repository.id))
	}
}

// The members of a span, as a set of bits.
const (
	spanStartLine uint8 = 1 << iota
	spanStartColumn
	spanEndLine
	spanEndColumn
)

func spanMember(name []byte) uint8 {
	switch string(name) {
	case "start_line":
		return spanStartLine
	case "start_column":
		return spanStartColumn
	case "end_line":
		return spanEndLine
	case "end_column":
		return spanEndColumn
	}
	return 0
}

// span checks the span of a node and returns it.
func (c *recordChecker) span() (s model.Span) {
	if !c.is('{', "span") {
		return s
	}
	start := c.pos
	var seen uint8
	for o := c.open(); c.next(&o); {
		member := spanMember(c.name())
		if member == 0 || seen&member != 0 {
			c.skip()
			continue
		}
		seen |= member
		switch n := c.spanNumber(); member {
		case spanStartLine:
			s.StartLine = n
		case spanStartColumn:
			s.StartColumn = n
		case spanEndLine:
			s.EndLine = n
		case spanEndColumn:
			s.EndColumn = n
		}
	}
	if seen&spanStartLine == 0 {
		c.reportMissing(start, "start_line", "a span has an integer from 1 to 2147483647")
	}
	return s
}

// spanNumber reads a line or column, 0 when it is illegal.
func (c *recordChecker) spanNumber() int {
	const wanted = "%s must be an integer from 1 to 2147483647, not %s"
	at, kind := c.pos, c.kind()
	if kind != kindName('0') {
		c.report(at, wanted, c.name(), kind)
		c.skip()
		return 0
	}
	text := c.scalar()
	n, ok := number.Integer(text)
	if !ok || n < 1 || n > math.MaxInt32 {
		c.report(at, wanted, c.name(), show.Number(text))
		return 0
	}
	return int(n)
}
