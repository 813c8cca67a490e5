package jsonmodel

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/canon"
	"brick/internal/show"
	"brick/model"
)

// A checker walks over one JSON value whose syntax has been checked already,
// which makes finding the tokens cheap. The walk keeps the path to where it
// is, finds duplicate names, and notices whether the text is canonical.
//
// The checks of a value are methods that expect the checker at the value's
// first byte and leave it after the last one, whatever they find.
type checker struct {
	faults *model.Faults
	text   []byte
	pos    int
	place  model.Place // of text[0]
	path   []step      // to the value at pos
	faulty bool        // a fault was found in text

	names     []memberName // of the open objects
	unescaped []byte       // the strings of text that had escapes

	// canonical says that the text up to pos is in canonical form: without
	// white space and escapes, the names of each object strictly ascending.
	canonical bool

	// id is the record's id for faults, once idKnown; only a record has one.
	isRecord, idKnown bool
	id                string
}

type memberName struct {
	name []byte // unescaped
	at   int
}

// start begins the check of text, a value with the given place and path. The
// strings that the checker returned for the text before are no longer valid.
func (c *checker) start(text []byte, place model.Place, path ...step) {
	c.text, c.pos, c.place = text, 0, place
	c.path = append(c.path[:0], path...)
	c.faulty, c.canonical = false, true
	c.names = c.names[:0]
	c.unescaped = c.unescaped[:0]
	c.isRecord, c.idKnown, c.id = false, false, ""
}

// at returns the place of text[i].
func (c *checker) at(i int) model.Place { return c.place.After(c.text[:i]) }

// report adds a fault of the current value that stands at text[at].
func (c *checker) report(at int, format string, args ...any) {
	c.faulty = true
	c.add(c.faults, model.Fault{}, at, format, args...)
}

// reportMissing adds the fault that the object that starts at text[at] and is
// the current value lacks a member.
func (c *checker) reportMissing(at int, member, wanted string) {
	c.faulty = true
	c.add(c.faults, model.Fault{Member: member}, at, "missing member %s: %s", show.Quote(member), wanted)
}

// add completes a fault that stands at text[at] and adds it to a collector,
// if that could keep it.
func (c *checker) add(to *model.Faults, f model.Fault, at int, format string, args ...any) {
	if to == nil || !to.Wants(c.place.Offset+int64(at)) {
		return
	}
	f.Place = c.at(at)
	f.Pointer = pointer(c.path)
	f.ID = c.recordID()
	f.Message = fmt.Sprintf(format, args...)
	to.Add(f)
}

// recordID finds the id of the record that is checked, "" where there is none
// of legal form. It looks ahead, since a fault can stand before the id.
func (c *checker) recordID() string {
	if !c.isRecord || c.idKnown {
		return c.id
	}
	c.idKnown = true
	ahead := checker{text: c.text}
	if ahead.text[0] != '{' {
		return ""
	}
	for o := ahead.open(); ahead.next(&o); {
		if string(ahead.name()) == "id" {
			if ahead.text[ahead.pos] == '"' {
				if id := ahead.string(); len(id) <= model.MaxID {
					c.id = string(id)
				}
			}
			break
		}
		ahead.skip()
	}
	return c.id
}

// kind names the type of the value at pos.
func (c *checker) kind() string { return kindName(c.text[c.pos]) }

// kindName names the type of the JSON value that starts with b.
func kindName(b byte) string {
	switch b {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// space skips white space.
func (c *checker) space() {
	for c.text[c.pos] <= ' ' {
		c.pos++
		c.canonical = false
	}
}

// object is an object that is being walked.
type object struct {
	start  int  // in text
	names  int  // where its names start
	sorted bool // its names so far are strictly ascending
}

// open enters the object at pos.
func (c *checker) open() object {
	o := object{start: c.pos, names: len(c.names), sorted: true}
	c.pos++
	c.path = append(c.path, step{})
	return o
}

// next goes to the value of the next member, or, when there is none, leaves
// the object and returns false. Each value must be consumed before the next
// call.
func (c *checker) next(o *object) bool {
	c.space()
	if c.text[c.pos] == '}' {
		c.close(o)
		return false
	}
	if c.text[c.pos] == ',' {
		c.pos++
		c.space()
	}
	at := c.pos
	name := c.string()
	c.space()
	c.pos++ // the colon
	c.space()
	if o.sorted && len(c.names) > o.names && canon.CompareNames(c.names[len(c.names)-1].name, name) >= 0 {
		o.sorted, c.canonical = false, false
	}
	c.names = append(c.names, memberName{name, at})
	c.path[len(c.path)-1].name = name
	return true
}

// name is the name of the member that next went to, unescaped. It stays valid
// until the next start.
func (c *checker) name() []byte { return c.path[len(c.path)-1].name }

// close leaves an object and reports names that are in it more than once.
func (c *checker) close(o *object) {
	c.pos++
	if !o.sorted { // strictly ascending names are distinct
		c.duplicates(c.names[o.names:])
	}
	c.names = c.names[:o.names]
	c.path = c.path[:len(c.path)-1]
}

// duplicates reports the names that are not the first of their kind. It sorts
// the names, which needs no memory of its own however many there are.
func (c *checker) duplicates(names []memberName) {
	slices.SortFunc(names, func(a, b memberName) int {
		return cmp.Or(bytes.Compare(a.name, b.name), cmp.Compare(a.at, b.at))
	})
	for i := 1; i < len(names); i++ {
		if m := names[i]; bytes.Equal(names[i-1].name, m.name) {
			c.path[len(c.path)-1].name = m.name
			c.report(m.at, duplicateName, quoted(m.name))
		}
	}
}

// quoted is a string that is quoted in a message when the message is made,
// which it is only for the faults that are kept.
type quoted []byte

func (q quoted) String() string { return show.Quote(string(q)) }

const duplicateName = "duplicate name %s: the object has a member of this name already"

// array is an array that is being walked.
type array struct {
	start int // in text
	count int // elements so far
}

// openArray enters the array at pos.
func (c *checker) openArray() array {
	a := array{start: c.pos}
	c.pos++
	c.path = append(c.path, step{})
	return a
}

// element goes to the next element, or, when there is none, leaves the array
// and returns false. Each element must be consumed before the next call.
func (c *checker) element(a *array) bool {
	c.space()
	if c.text[c.pos] == ']' {
		c.pos++
		c.path = c.path[:len(c.path)-1]
		return false
	}
	if c.text[c.pos] == ',' {
		c.pos++
		c.space()
	}
	c.path[len(c.path)-1].index = a.count
	a.count++
	return true
}

// string reads the string at pos and returns it unescaped. It may be a part of
// text, and is valid until the next start.
func (c *checker) string() []byte {
	start := c.pos
	if c.skipString() {
		return c.text[start+1 : c.pos-1 : c.pos-1]
	}
	from := len(c.unescaped)
	c.unescaped, _ = jsontext.AppendUnquote(c.unescaped, c.text[start:c.pos])
	return c.unescaped[from:len(c.unescaped):len(c.unescaped)]
}

// skipString skips the string at pos and reports whether it has no escapes.
func (c *checker) skipString() bool {
	end, escaped := stringEnd(c.text, c.pos)
	c.pos = end
	if escaped {
		c.canonical = false
	}
	return !escaped
}

// scalar skips a number or literal and returns its text.
func (c *checker) scalar() []byte {
	start := c.pos
	c.pos = scalarEnd(c.text, start)
	return c.text[start:c.pos]
}

// skip skips a value in which only the names matter.
func (c *checker) skip() {
	switch c.text[c.pos] {
	case '{':
		for o := c.open(); c.next(&o); {
			c.skip()
		}
	case '[':
		for a := c.openArray(); c.element(&a); {
			c.skip()
		}
	case '"':
		c.skipString()
	default:
		c.scalar()
	}
}

// is reports whether the value at pos is of the type whose first byte is
// first ('{', '[' or '"'). If not, it reports a fault and skips the value.
func (c *checker) is(first byte, what string) bool {
	if c.text[c.pos] == first {
		return true
	}
	c.report(c.pos, "%s must be %s, not %s", what, kindName(first), c.kind())
	c.skip()
	return false
}

// anyString reads a string. ok is false when it is none.
func (c *checker) anyString(what string) (s string, ok bool) {
	if !c.is('"', what) {
		return "", false
	}
	return view(c.string()), true
}

// filledString reads a string that must not be empty, and returns "" when
// it is empty or none.
func (c *checker) filledString(what string) string {
	at := c.pos
	s, ok := c.anyString(what)
	if ok && s == "" {
		c.report(at, "%s must not be empty", what)
	}
	return s
}

// anyObject skips a value that must be an object, whatever is in it.
func (c *checker) anyObject(what string) {
	if c.is('{', what) {
		c.skip()
	}
}

// view returns b as a string without copying it: it is valid as long as b is
// not overwritten.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
