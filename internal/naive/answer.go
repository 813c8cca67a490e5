package naive

import (
	"encoding/json"
	"fmt"
)

// Answer returns the answer object of one call, byte for byte. Arguments that
// are absent have their defaults; numbers may be of any Go type for integers,
// a float64 or a json.Number. An error means that the right answer is an error.
func (m *Model) Answer(tool string, args map[string]any) ([]byte, error) {
	a := arguments{args: args}
	var own object
	switch tool {
	case "brick_impact":
		id := a.text("node_id", "")
		direction := a.text("direction", "dependents")
		maxDepth := a.integer("max_depth", 1)
		start := m.node(id)
		if start == nil {
			return nil, fmt.Errorf("no node %q", id)
		}
		own = m.impact(start, direction, maxDepth)
	case "brick_cycles":
		own = m.cycles()
	case "brick_bridges":
		own = m.bridges()
	case "brick_evidence":
		id := a.text("entity_id", "")
		own = m.evidence(id)
		if own == nil {
			return nil, fmt.Errorf("no node or edge %q", id)
		}
	case "brick_callers":
		id := a.text("node_id", "")
		closedWorld := a.truth("assume_closed_world", false)
		f := m.node(id)
		if f == nil || !f.isFunction() {
			return nil, fmt.Errorf("no function %q", id)
		}
		own = m.callers(f, closedWorld)
	case "brick_uncalled":
		own = m.uncalled(
			a.text("language", ""),
			a.truth("assume_closed_world", false),
			a.truth("include_unknown", false),
			a.integer("limit", 100))
	default:
		return nil, fmt.Errorf("no tool %q", tool)
	}
	if a.err != nil {
		return nil, a.err
	}

	// "Every result object starts with: [...] Then the query's own members, in
	// the order given below."
	answer := append(object{
		"query_schema_version", 1,
		"building_schema_version", 4,
		"query", tool,
		"root", m.root,
		"repository_id", m.repositoryID,
		"scope", raw(m.scope),
	}, own...)
	return encode(nil, answer), nil
}

// arguments reads arguments of a call; err is the first that had a wrong type.
type arguments struct {
	args map[string]any
	err  error
}

func (a *arguments) fail(name string, value any) {
	if a.err == nil {
		a.err = fmt.Errorf("argument %q is a %T", name, value)
	}
}

func (a *arguments) text(name, otherwise string) string {
	switch v := a.args[name].(type) {
	case nil:
		return otherwise
	case string:
		return v
	default:
		a.fail(name, v)
		return otherwise
	}
}

func (a *arguments) truth(name string, otherwise bool) bool {
	switch v := a.args[name].(type) {
	case nil:
		return otherwise
	case bool:
		return v
	default:
		a.fail(name, v)
		return otherwise
	}
}

func (a *arguments) integer(name string, otherwise int) int {
	switch v := a.args[name].(type) {
	case nil:
		return otherwise
	case int:
		return v
	case int32:
		return int(v)
	case int64:
		return int(v)
	case float64:
		return int(v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			a.fail(name, v)
		}
		return int(f)
	default:
		a.fail(name, v)
		return otherwise
	}
}
