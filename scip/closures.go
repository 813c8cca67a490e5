package scip

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	pb "github.com/scip-code/scip/bindings/go/scip"

	"brick/internal/lex"
)

// scip-typescript writes local symbols for functions inside of functions and
// for the methods of object literals, and does not say which constants hold
// functions that something wraps. nameFunctions gives them symbols, so that
// they are functions as all others.
//
// What is in an object literal may be passed to anybody with the object, so it
// is always expected to be called.

// The beginnings of what stands for the declaration of such functions.
const (
	localFunction = "(local) "
	objectMember  = "(member) "
)

// A closure is a function that a document does not call one.
type closure struct {
	symbol, name string
	span         span // of the definition, in bytes
	info         *pb.SymbolInformation
	member       bool // of an object literal
	local        bool
}

// A holder is what functions may be in.
type holder struct {
	symbol string
	span   span
}

// nameFunctions changes a document of scip-typescript. It has to be given the
// same document and text in both passes.
func nameFunctions(d *pb.Document, lang *language, s *source) {
	if s == nil || lang.family != "ecmascript" {
		return
	}
	infos := map[string]*pb.SymbolInformation{}
	for _, info := range d.Symbols {
		infos[info.Symbol] = info
	}
	var list []closure
	var holders []holder
	module := ""
	for _, o := range d.Occurrences {
		if o.SymbolRoles&int32(pb.SymbolRole_Definition) == 0 {
			continue
		}
		if !isLocal(o.Symbol) && !strings.HasPrefix(o.Symbol, "scip-typescript ") {
			return
		}
		r, ok := o.SourceRange()
		name, fits := s.spanInBytes(spanOf(r), d.PositionEncoding)
		if !ok || !fits {
			continue
		}
		if e, ok := o.EnclosingSourceRange(); ok && !isLocal(o.Symbol) {
			if e, fits := s.spanInBytes(spanOf(e), d.PositionEncoding); fits {
				if strings.HasSuffix(o.Symbol, "/") && module == "" {
					module = o.Symbol
				} else {
					holders = append(holders, holder{o.Symbol, span{name.start, e.end}})
				}
			}
			continue
		}
		info := infos[o.Symbol]
		if info == nil {
			continue
		}
		declaration, _ := declarationOf(info)
		c := closure{symbol: o.Symbol, info: info, local: isLocal(o.Symbol), span: name}
		at, end := s.offset(name.start), s.offset(name.end)
		c.name = string(s.text[at:end])
		finish := -1
		switch {
		case strings.HasPrefix(declaration, "function ") && c.local && lang.defines(s, at):
			finish = s.endOfBody(end)
		case strings.HasPrefix(declaration, "(method) ") && c.local:
			c.member = true
			finish = s.endOfBody(end)
		case strings.HasPrefix(declaration, "(property) ") && end < len(s.text) && s.text[end] == ':' && strings.HasSuffix(o.Symbol, ":"):
			c.member = true
			if s.isFunction(end + 1) {
				finish = s.endOfExpression(end + 1)
			}
		case strings.HasPrefix(declaration, "var ") || strings.HasPrefix(declaration, "let ") || strings.HasPrefix(declaration, "const "):
			from := s.initializer(end)
			if from < 0 {
				break
			}
			to := s.endOfExpression(from)
			if s.isFunction(from) {
				finish = to
			} else if !c.local {
				holders = append(holders, holder{o.Symbol, span{name.start, s.position(to)}})
			}
		}
		if finish < 0 || !isIdentifier(c.name) {
			continue
		}
		c.span.end = s.position(finish)
		list = append(list, c)
	}
	if module == "" || len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b closure) int { return comparePositions(a.span.start, b.span.start) })
	renamed := map[string]string{}
	enclosing := map[string]span{}
	for i := range list {
		c := &list[i]
		declaration, _ := declarationOf(c.info)
		prefix := localFunction
		if c.member {
			prefix = objectMember
		}
		c.info.Kind = pb.SymbolInformation_Function
		if c.member {
			c.info.Kind = pb.SymbolInformation_Method
		}
		c.info.DisplayName = c.name
		c.info.Documentation = []string{"```ts\n" + prefix + declaration + "\n```"}
		if c.local {
			outer := module
			if h := innermostHolder(holders, c.span); h != "" {
				outer = h
			}
			text := outer
			for n := 0; ; n++ {
				text = outer + pb.VerboseSymbolFormatter.FormatDescriptors([]*pb.Descriptor{{Name: c.name, Suffix: pb.Descriptor_Method, Disambiguator: disambiguator(n)}})
				if infos[text] == nil {
					break
				}
			}
			infos[text] = c.info
			renamed[c.symbol] = text
			c.info.Symbol, c.symbol = text, text
		}
		enclosing[c.symbol] = c.span
		holders = append(holders, holder{c.symbol, c.span})
	}
	for _, o := range d.Occurrences {
		if text := renamed[o.Symbol]; text != "" {
			o.Symbol = text
		}
		if e, there := enclosing[o.Symbol]; there && o.SymbolRoles&int32(pb.SymbolRole_Definition) != 0 {
			o.SetEnclosingSourceRange(s.spanInUnits(e, d.PositionEncoding))
		}
	}
}

func disambiguator(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", n)
}

func isIdentifier(name string) bool {
	return name != "" && (name[0] < '0' || name[0] > '9') && !slices.ContainsFunc([]byte(name), func(b byte) bool { return !lex.IsWordByte(b) })
}

func innermostHolder(list []holder, inner span) string {
	symbol := ""
	var within span
	for _, h := range list {
		if h.span.contains(inner.start) && h.span.start != inner.start && !h.span.start.before(within.start) {
			symbol, within = h.symbol, h.span
		}
	}
	return symbol
}

// endOfBody is the end of the braces of a function whose name ends at i, -1
// when it has none.
func (s *source) endOfBody(i int) int {
	end := s.offset(s.extentAt(span{s.position(i), s.position(i)}).end)
	if end > 0 && s.text[end-1] == '}' {
		return end
	}
	return -1
}

// initializer is where the value of a variable starts whose name ends at i, -1
// when it has none.
func (s *source) initializer(i int) int {
	depth := 0
	for end := min(len(s.text), i+maxTypeArguments); i < end; i++ {
		if s.classes[i] != lex.Code {
			continue
		}
		switch s.text[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if s.text[i-1] != '=' {
				depth--
			}
		case '=':
			if i+1 < len(s.text) && s.text[i+1] == '>' {
				continue
			}
			if depth <= 0 {
				return i + 1
			}
		case ';', ',':
			if depth <= 0 {
				return -1
			}
		}
		if depth < 0 {
			return -1
		}
	}
	return -1
}

// isFunction says whether the expression at i is a function, or a call of a
// wrapper with one or with a name.
func (s *source) isFunction(i int) bool {
	for range 4 {
		i = s.skipSpace(i)
		word, end := s.word(i)
		switch {
		case word == "function":
			return true
		case word == "async":
			i = end
			continue
		case word == "" && i < len(s.text) && s.text[i] == '<':
			if i = s.endOfTypeArguments(i); i < 0 {
				return false
			}
			continue
		case word == "" && i < len(s.text) && s.text[i] == '(':
			return s.isArrow(i)
		case word == "":
			return false
		}
		next := s.skipSpace(end)
		if bytes.HasPrefix(s.text[next:], []byte("=>")) {
			return true
		}
		for next < len(s.text) && s.text[next] == '.' { // React.memo
			word, end = s.word(next + 1)
			next = s.skipSpace(end)
		}
		if !wrappers[word] {
			return false
		}
		if next < len(s.text) && s.text[next] == '<' {
			if next = s.endOfTypeArguments(next); next < 0 {
				return false
			}
		}
		if next >= len(s.text) || s.text[next] != '(' {
			return false
		}
		i = next + 1
		if name, end := s.word(s.skipSpace(i)); name != "" && name != "function" && name != "async" {
			if after := s.skipSpace(end); after < len(s.text) && (s.text[after] == ')' || s.text[after] == ',') {
				return true // what it wraps has a name
			}
		}
	}
	return false
}

// isArrow says whether the parentheses that open at i are the parameters of an
// arrow function.
func (s *source) isArrow(i int) bool {
	i = s.endOfBrackets(i)
	if i < 0 {
		return false
	}
	i = s.skipSpace(i)
	if i < len(s.text) && s.text[i] == ':' { // the type of the result
		for end := min(len(s.text), i+maxTypeArguments); i < end; i++ {
			if s.classes[i] != lex.Code {
				continue
			}
			if bytes.HasPrefix(s.text[i:], []byte("=>")) {
				return true
			}
			if s.text[i] == ';' || s.text[i] == '\n' && s.text[i-1] == ',' {
				return false
			}
		}
		return false
	}
	return bytes.HasPrefix(s.text[i:], []byte("=>"))
}

func (s *source) word(i int) (word string, end int) {
	end = i
	for end < len(s.text) && lex.IsWordByte(s.text[end]) && s.classes[end] == lex.Code {
		end++
	}
	return string(s.text[i:end]), end
}

// endOfBrackets is behind the bracket that closes the one at i, -1 when none
// does.
func (s *source) endOfBrackets(i int) int {
	depth := 0
	for ; i < len(s.text); i++ {
		if s.classes[i] != lex.Code {
			continue
		}
		switch s.text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// endOfExpression is where the expression ends that starts at i: at a comma, a
// semicolon, the end of what it is in, or a line end that nothing continues.
func (s *source) endOfExpression(i int) int {
	depth := 0
	last := byte('=') // of code, not white space
	for ; i < len(s.text); i++ {
		if s.classes[i] != lex.Code {
			if s.classes[i] != lex.Comment {
				last = '"'
			}
			continue
		}
		switch b := s.text[i]; b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case ',', ';':
			if depth == 0 {
				return i
			}
		case '\n':
			if depth > 0 || bytes.IndexByte([]byte("=>(,?:&|+-*/.<{[!"), last) >= 0 {
				continue
			}
			if next := s.skipSpace(i); next >= len(s.text) || bytes.IndexByte([]byte(".?:&|+-*/=(["), s.text[next]) < 0 {
				return i
			}
		}
		if b := s.text[i]; b > ' ' {
			last = b
		}
	}
	return len(s.text)
}

// spanInUnits is a span in bytes in the units of an encoding.
func (s *source) spanInUnits(in span, e pb.PositionEncoding) pb.Range {
	convert := func(p position) pb.Position {
		if e == pb.PositionEncoding_UTF8CodeUnitOffsetFromLineStart {
			return pb.Position{Line: p.line, Character: p.column}
		}
		units := int32(0)
		line := s.line(p.line)
		for _, r := range string(line[:min(int(p.column), len(line))]) {
			units++
			if r > 0xFFFF && e != pb.PositionEncoding_UTF32CodeUnitOffsetFromLineStart {
				units++
			}
		}
		return pb.Position{Line: p.line, Character: units}
	}
	return pb.Range{Start: convert(in.start), End: convert(in.end)}
}

// isLocalFunction says whether a function is in another one, and has a name
// only there.
func (n *node) isLocalFunction() bool { return strings.HasPrefix(n.declaration, localFunction) }
