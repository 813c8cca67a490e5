package jsonmodel

import (
	"brick/internal/number"
	"brick/model"
)

// nodeAttributes reads the attributes of a node that have a meaning. None of
// them is a fault, whatever its value.
func (c *recordChecker) nodeAttributes(n *model.NodeRecord) {
	if !c.is('{', "attributes") {
		return
	}
	var values [model.FlagCount][]byte
	for o := c.open(); c.next(&o); {
		switch name := c.name(); string(name) {
		case "metrics.lines":
			n.Figures.Lines = c.figure()
		case "metrics.cyclomatic":
			n.Figures.Cyclomatic = c.figure()
		case "metrics.parameters":
			n.Figures.Parameters = c.figure()
		case "metrics.nesting":
			n.Figures.Nesting = c.figure()
		default:
			start := c.pos
			holds := c.holds()
			if flag := model.FlagOf(view(name)); flag != model.FlagCount && holds {
				values[flag] = c.text[start:c.pos]
			}
		}
	}
	for flag, value := range values {
		if value != nil {
			n.Flags = append(n.Flags, model.FlagValue{Flag: model.Flag(flag), Value: value})
		}
	}
}

// holds skips a value and reports whether a flag with it holds: it is anything
// but false, null, "", [] and {}.
func (c *checker) holds() bool {
	first, start := c.text[c.pos], c.pos
	switch first {
	case '[':
		a := c.openArray()
		for c.element(&a) {
			c.skip()
		}
		return a.count > 0
	case '{':
		empty := true
		for o := c.open(); c.next(&o); {
			empty = false
			c.skip()
		}
		return !empty
	}
	c.skip()
	return first != 'f' && first != 'n' && (first != '"' || c.pos-start > len(`""`))
}

// figure reads a metric: an integer from 0 that fits int64, else -1.
func (c *checker) figure() int64 {
	if kindName(c.text[c.pos]) != kindName('0') {
		c.skip()
		return -1
	}
	if n, ok := number.Integer(c.scalar()); ok && n >= 0 {
		return n
	}
	return -1
}

// siteAttributes reads the attributes of an evidence record and returns the
// reason why its call is unresolved, and what its mention of a name is a part
// of; "" when none is given.
func (c *checker) siteAttributes() (reason, mention string) {
	if !c.is('{', "attributes") {
		return "", ""
	}
	for o := c.open(); c.next(&o); {
		switch name := c.name(); {
		case c.text[c.pos] != '"':
			c.skip()
		case string(name) == model.UnresolvedReason:
			reason = view(c.string())
		case string(name) == model.Mention:
			mention = view(c.string())
		default:
			c.skip()
		}
	}
	return reason, mention
}
