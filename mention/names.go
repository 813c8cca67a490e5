// Package mention finds where names stand in the text of a checkout, as whole
// words: in sources, strings, templates, configuration, documentation.
//
// It is the net under "nothing calls it". An index of symbols knows what an
// engine could resolve; a name that stands in a string, a template or a file
// that no engine reads may be called all the same. So what is found here is a
// reason to doubt, never a call.
package mention

// A Names is a set of names to look for. It may be used by several goroutines
// at once.
type Names struct {
	ids  map[string]int
	list []string
	// lengths has a bit for each length of a name under 64 bytes, by its first
	// byte: most words are told from all names by these.
	lengths [256]uint64
}

// NewNames makes a set of names; they get their place in the list as id. A
// name that is empty or twice in the list is found under its first id.
func NewNames(list []string) *Names {
	n := &Names{ids: make(map[string]int, len(list)), list: list}
	for i, name := range list {
		if _, there := n.ids[name]; name == "" || there {
			continue
		}
		n.ids[name] = i
		n.lengths[name[0]] |= lengthBit(len(name))
	}
	return n
}

// lengthBit is the bit of a length; the last one is for all that are longer.
func lengthBit(n int) uint64 { return 1 << min(n, 63) }

// Name is the name with an id.
func (n *Names) Name(id int) string { return n.list[id] }

// Each calls visit for each word of a text that is one of the names, in the
// order of the text, with the word's offset. It takes one pass and a look-up a
// word, and no memory.
//
// A word is a longest run of letters, digits, "_" and "$"; all characters
// outside of ASCII count as letters. As "$" and they may also stand beside a
// name that is meant ("$total" in a shell, text without spaces in Chinese),
// the runs within a word that lie between them are words too.
func (n *Names) Each(text []byte, visit func(offset, id int)) {
	for i := 0; i < len(text); {
		kind := kinds[text[i]]
		if kind == 0 {
			i++
			continue
		}
		start := i
		all := kind
		for i++; i < len(text) && kinds[text[i]] != 0; i++ {
			all |= kinds[text[i]]
		}
		n.look(text, start, i, visit)
		if all != plain {
			n.parts(text, start, i, visit)
		}
	}
}

// parts looks up the runs of plain characters within a word, without the word
// as a whole.
func (n *Names) parts(text []byte, start, end int, visit func(offset, id int)) {
	for i := start; i < end; {
		from := i
		for i < end && kinds[text[i]] == plain {
			i++
		}
		if i > from && i-from < end-start {
			n.look(text, from, i, visit)
		}
		for i < end && kinds[text[i]] != plain {
			i++
		}
	}
}

func (n *Names) look(text []byte, start, end int, visit func(offset, id int)) {
	if n.lengths[text[start]]&lengthBit(end-start) == 0 {
		return
	}
	if id, there := n.ids[string(text[start:end])]; there {
		visit(start, id)
	}
}

// The kinds of bytes in words.
const (
	plain = 1 << iota // ASCII letters, digits, _
	other             // $, and what is outside of ASCII
)

var kinds = func() (table [256]byte) {
	for b := range table {
		switch {
		case b == '_', '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
			table[b] = plain
		case b == '$', b >= 0x80:
			table[b] = other
		}
	}
	return table
}()
