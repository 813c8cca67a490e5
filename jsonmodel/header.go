package jsonmodel

import (
	"strings"

	"brick/internal/number"
	"brick/internal/show"
)

// schemaVersion is the only version that is read.
const schemaVersion = 4

// schemaVersion checks the schema_version of a document.
func (c *checker) schemaVersion() {
	switch kind := c.kind(); kind {
	case kindName('0'):
		text := c.scalar()
		if n, ok := number.Integer(text); !ok || n != schemaVersion {
			c.report(0, "schema_version must be %d, not %s", schemaVersion, show.Number(text))
		}
	case kindName('"'):
		c.report(0, "schema_version must be the number %d, not the string %s", schemaVersion, show.Quote(view(c.string())))
	default:
		c.report(0, "schema_version must be the number %d, not %s", schemaVersion, kind)
		c.skip()
	}
}

// generator checks the generator and returns its canonical form, nil when it
// has faults.
func (c *checker) generator() []byte {
	return c.objectForm("generator", func(c *checker) {
		var hasName, hasVersion bool
		for o := c.open(); c.next(&o); {
			switch name := string(c.name()); {
			case name == "name" && !hasName:
				hasName = true
				c.anyString("generator.name")
			case name == "version" && !hasVersion:
				hasVersion = true
				c.anyString("generator.version")
			default:
				c.skip()
			}
		}
	})
}

// resolution checks the resolution metrics and returns their canonical form,
// nil when they have faults.
func (c *checker) resolution() []byte {
	return c.objectForm("metrics.resolution", func(c *checker) {
		for o := c.open(); c.next(&o); {
			c.anyObject("the resolution of language " + show.Quote(view(c.name())))
		}
	})
}

// objectForm returns the canonical form of the text, which must be an object
// that walk finds no fault in; else nil.
func (c *checker) objectForm(what string, walk func(*checker)) []byte {
	if !c.is('{', what) {
		return nil
	}
	walk(c)
	if c.faulty {
		return nil
	}
	return new(canonicalizer).canonicalize(c.text)
}

// repositories checks the repositories and returns the sole one.
func (c *checker) repositories() repository {
	faulty := repository{state: repositoryFaulty}
	if !c.is('[', "repositories") {
		return faulty
	}
	var id string
	a := c.openArray()
	for c.element(&a) {
		id = c.repositoryElement()
	}
	if a.count != 1 {
		c.report(a.start, "repositories must have exactly one element, not %d", a.count)
	}
	if c.faulty {
		return faulty
	}
	return repository{repositoryKnown, id}
}

// repositoryElement checks a repository and returns its id, "" when it has none.
func (c *checker) repositoryElement() (id string) {
	if !c.is('{', "a repository") {
		return ""
	}
	start, hasID := c.pos, false
	for o := c.open(); c.next(&o); {
		if string(c.name()) == "id" && !hasID {
			hasID = true
			id = strings.Clone(c.filledString("id"))
		} else {
			c.skip()
		}
	}
	if !hasID {
		c.reportMissing(start, "id", "a repository has a string that is not empty")
	}
	return id
}
