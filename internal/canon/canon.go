// Package canon finds its way in canonical records without decoding them. What
// it is given is canonical JSON: no white space, no duplicate names. In
// anything else it may find nothing, but it never reads beyond the end.
package canon

import "bytes"

// End returns the end of the value that begins at at.
func End(b []byte, at int) int {
	if at >= len(b) {
		return len(b)
	}
	switch b[at] {
	case '"':
		return stringEnd(b, at)
	case '{', '[':
		depth := 0
		for i := at; i < len(b); i++ {
			switch b[i] {
			case '"':
				i = stringEnd(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(b)
	}
	for i := at; i < len(b); i++ {
		switch b[i] {
		case ',', '}', ']':
			return i
		}
	}
	return len(b)
}

// stringEnd returns the end of the string literal that begins at at.
func stringEnd(b []byte, at int) int {
	for i := at + 1; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n + 1
		backslashes := 0
		for k := i - 2; k > at && b[k] == '\\'; k-- {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// Next returns the member that follows a value that ends at at: its name as
// it is written, quotes included, and where its value begins and ends. ok is
// false when the object ends there.
func Next(b []byte, at int) (name []byte, start, end int, ok bool) {
	if at+1 >= len(b) || b[at] != ',' && b[at] != '{' || b[at+1] != '"' {
		return nil, 0, 0, false
	}
	nameEnd := stringEnd(b, at+1)
	if nameEnd >= len(b) || b[nameEnd] != ':' {
		return nil, 0, 0, false
	}
	return b[at+1 : nameEnd], nameEnd + 1, End(b, nameEnd+1), true
}

// Element returns the element of an array that follows at, the place of its
// bracket or of a comma.
func Element(b []byte, at int) (start, end int, ok bool) {
	if at+1 >= len(b) || b[at] != ',' && b[at] != '[' || b[at+1] == ']' {
		return 0, 0, false
	}
	return at + 1, End(b, at+1), true
}

// IsMember says whether the value at at is a member of the record itself,
// not of an object in it: what follows it goes on to the record's end.
func IsMember(record []byte, at int) bool {
	at = End(record, at)
	for {
		_, _, end, ok := Next(record, at)
		if !ok {
			return at == len(record)-1 && record[at] == '}'
		}
		at = end
	}
}
