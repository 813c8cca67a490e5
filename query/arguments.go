package query

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"brick/internal/number"
	"brick/internal/show"
)

// Parameter describes one argument of a tool.
type Parameter struct {
	Name        string
	Type        ParameterType
	Description string
	Required    bool
	Default     any      // string, int64 or bool; nil where there is none
	Enum        []string // strings only; nil allows any
	NotEmpty    bool     // strings only
	// Unfilled says that the default is the tool's to fill in: it has to know
	// whether the argument was given.
	Unfilled bool
}

// ParameterType is a JSON Schema type.
type ParameterType string

// The types that arguments have. Integers are from 0 to MaxInteger.
const (
	String  ParameterType = "string"
	Integer ParameterType = "integer"
	Boolean ParameterType = "boolean"
	Strings ParameterType = "array" // distinct strings, of Enum where there is one

	MaxInteger = math.MaxInt32
)

// Arguments are a call's checked arguments, defaults filled in: a string,
// int64, bool or []string (sorted) for each parameter that was given or has a default.
type Arguments map[string]any

func (a Arguments) string(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a Arguments) integer(name string) int64 {
	n, _ := a[name].(int64)
	return n
}

func (a Arguments) boolean(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// ArgumentError says that a call's arguments are not what the tool takes. It
// is the caller's mistake, found before anything is looked up.
type ArgumentError struct {
	Tool     string
	Argument string // "" when the arguments as a whole are wrong
	Problem  string
	Also     []ArgumentFault // what else is wrong
}

// An ArgumentFault is what is wrong with one argument.
type ArgumentFault struct{ Argument, Problem string }

// Faults are all that is wrong: at first Argument and Problem.
func (e *ArgumentError) Faults() []ArgumentFault {
	return append([]ArgumentFault{{e.Argument, e.Problem}}, e.Also...)
}

func (e *ArgumentError) Error() string {
	return e.Tool + ": " + e.List(func(argument string) string { return "argument " + show.Quote(argument) })
}

// List is a line of all faults, with arguments as name writes them.
func (e *ArgumentError) List(name func(argument string) string) string {
	var list []string
	for _, f := range e.Faults() {
		if f.Argument == "" {
			list = append(list, f.Problem)
		} else {
			list = append(list, name(f.Argument)+" "+f.Problem)
		}
	}
	return strings.Join(list, "; ")
}

// ParseArguments checks the arguments of a call: a JSON object, or nothing
// for no arguments. Every error is an *ArgumentError.
func (t *Tool) ParseArguments(raw []byte) (Arguments, error) {
	members := map[string]jsontext.Value{}
	if len(raw) > 0 {
		if jsontext.Value(raw).Kind() != '{' {
			return nil, &ArgumentError{Tool: t.Name, Problem: "the arguments must be a JSON object"}
		}
		d := jsontext.NewDecoder(strings.NewReader(string(raw)))
		d.ReadToken()
		for d.PeekKind() == '"' {
			name, _ := d.ReadToken()
			key := name.String()
			value, err := d.ReadValue()
			if err != nil {
				break
			}
			members[key] = value.Clone()
		}
		_, err := d.ReadToken()
		if err == nil {
			_, err = d.ReadToken()
		}
		if err != io.EOF {
			return nil, &ArgumentError{Tool: t.Name, Problem: "the arguments are not one JSON object: " + show.Visible(fmt.Sprint(err))}
		}
	}
	return t.check(members)
}

// check finds everything that is wrong with the arguments, in the order of
// the parameters; unknown ones come last.
func (t *Tool) check(members map[string]jsontext.Value) (Arguments, error) {
	a := Arguments{}
	var faults []ArgumentFault
	var missing []string
	for _, p := range t.Parameters {
		value, given := members[p.Name]
		delete(members, p.Name)
		switch {
		case given:
			v, problem := p.parse(value)
			if problem != "" {
				faults = append(faults, ArgumentFault{p.Name, problem})
				continue
			}
			a[p.Name] = v
		case p.Required:
			faults = append(faults, ArgumentFault{p.Name, "is required"})
			missing = append(missing, p.Name)
		case p.Default != nil && !p.Unfilled:
			a[p.Name] = p.Default
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		faults = append(faults, ArgumentFault{name, "is unknown" + t.perhaps(name, missing)})
	}
	if len(faults) == 0 {
		return a, nil
	}
	if len(members) > 0 {
		faults[len(faults)-1].Problem += ": " + t.known()
	}
	return nil, &ArgumentError{Tool: t.Name, Argument: faults[0].Argument, Problem: faults[0].Problem, Also: faults[1:]}
}

// perhaps says what an unknown argument is likely to stand for: what it looks
// like, else the only required one that is missing.
func (t *Tool) perhaps(name string, missing []string) string {
	nearest := Nearest(name, t.names())
	if len(missing) == 1 && (nearest == "") {
		nearest = missing[0]
	}
	if nearest == "" {
		return ""
	}
	return ", perhaps " + show.Quote(nearest) + " is meant"
}

func (t *Tool) names() []string {
	names := make([]string, len(t.Parameters))
	for i, p := range t.Parameters {
		names[i] = p.Name
	}
	return names
}

// known lists the tool's arguments.
func (t *Tool) known() string {
	if len(t.Parameters) == 0 {
		return "it takes no arguments"
	}
	return "it takes " + strings.Join(t.names(), ", ")
}

// parse reads an argument's value. The problem is "" when there is none.
func (p *Parameter) parse(value jsontext.Value) (v any, problem string) {
	kind := value.Kind()
	switch p.Type {
	case String:
		if kind != '"' {
			return nil, "must be a string"
		}
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return nil, "must be a string of valid Unicode"
		}
		s := string(unquoted)
		switch {
		case p.NotEmpty && s == "":
			return nil, "must not be empty"
		case p.Enum != nil && !slices.Contains(p.Enum, s):
			return nil, fmt.Sprintf("must be one of %s, not %s", strings.Join(p.Enum, ", "), show.Quote(s))
		}
		return s, ""
	case Strings:
		return p.parseStrings(value)
	case Integer:
		if kind != '0' {
			return nil, "must be an integer"
		}
		n, ok := number.Integer(value)
		if !ok || n < 0 || n > MaxInteger {
			return nil, fmt.Sprintf("must be an integer from 0 to %d, not %s", MaxInteger, show.Number(value))
		}
		return n, ""
	default:
		if kind != 't' && kind != 'f' {
			return nil, "must be true or false"
		}
		return kind == 't', ""
	}
}

// parseStrings reads an array of strings. An empty one has no meaning.
func (p *Parameter) parseStrings(value jsontext.Value) (v any, problem string) {
	const wanted = "must be an array of strings"
	if value.Kind() != '[' {
		return nil, wanted
	}
	var list []string
	d := jsontext.NewDecoder(strings.NewReader(string(value)))
	d.ReadToken()
	for d.PeekKind() != ']' {
		element, err := d.ReadValue()
		if err != nil {
			return nil, wanted
		}
		one := Parameter{Type: String, Enum: p.Enum}
		s, problem := one.parse(element)
		if problem != "" {
			return nil, "has an element that " + problem
		}
		list = append(list, s.(string))
	}
	if len(list) == 0 {
		return nil, "must not be empty"
	}
	slices.Sort(list)
	if unique := slices.Compact(slices.Clone(list)); len(unique) < len(list) {
		return nil, "must not name one twice"
	}
	return list, ""
}

// InputSchema is the JSON Schema of the tool's arguments.
func (t *Tool) InputSchema() json.RawMessage {
	type property struct {
		Type        ParameterType `json:"type"`
		Items       any           `json:"items,omitempty"`
		MinItems    int           `json:"minItems,omitempty"`
		Unique      bool          `json:"uniqueItems,omitempty"`
		Description string        `json:"description"`
		Enum        []string      `json:"enum,omitempty"`
		MinLength   int           `json:"minLength,omitempty"`
		Minimum     *int64        `json:"minimum,omitempty"`
		Maximum     *int64        `json:"maximum,omitempty"`
		Default     any           `json:"default,omitempty"`
	}
	schema := struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required,omitempty"`
		Additional bool                `json:"additionalProperties"`
	}{Type: "object", Properties: map[string]property{}}
	least, most := int64(0), int64(MaxInteger)
	for _, p := range t.Parameters {
		property := property{Type: p.Type, Description: p.Description, Enum: p.Enum, Default: p.Default}
		if p.NotEmpty {
			property.MinLength = 1
		}
		if p.Type == Integer {
			property.Minimum, property.Maximum = &least, &most
		}
		if p.Type == Strings {
			property.Enum = nil
			property.Items = struct {
				Type ParameterType `json:"type"`
				Enum []string      `json:"enum,omitempty"`
			}{String, p.Enum}
			property.MinItems, property.Unique = 1, true
		}
		schema.Properties[p.Name] = property
		if p.Required {
			schema.Required = append(schema.Required, p.Name)
		}
	}
	encoded, err := json.Marshal(schema)
	if err != nil {
		panic(err) // of constants of this package
	}
	return encoded
}
