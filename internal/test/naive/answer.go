package naive

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Answer returns the answer object of one call, byte for byte. Arguments that
// are absent have their defaults; numbers may be of any Go type for integers,
// a float64 or a json.Number. An error means that the right answer is an error.
//
// A next_cursor is written as "…": what it is made of is the product's own.
func (m *Model) Answer(tool string, args map[string]any) ([]byte, error) {
	return m.AnswerFrom(tool, args)
}

// AnswerFrom is Answer with a cursor that says where each list goes on.
func (m *Model) AnswerFrom(tool string, args map[string]any, from ...int) ([]byte, error) {
	a := arguments{args: args}
	p := &pages{limit: math.MaxInt, from: from, limited: from != nil}
	if args["limit"] != nil {
		p.limit, p.limited = a.integer("limit", 0), true
	}
	m.names = a.text("records", "full") == "names"
	m.brief = m.names || a.text("records", "full") == "brief"
	if err := m.openFilters(tool, &a); err != nil {
		return nil, err
	}
	p.filtered = m.asked.given()
	var own object
	switch tool {
	case "brick_impact":
		id := a.text("node_id", "")
		direction := a.text("direction", "dependents")
		maxDepth := a.integer("max_depth", 1)
		start, places, err := m.nodeAsked(id, func(*node) bool { return true })
		if err != nil {
			return nil, err
		}
		if level := a.text("level", "node"); level != "node" {
			own = m.impactOfModule(start, level, direction, maxDepth, p)
		} else {
			own = m.impact(start, direction, maxDepth, p)
		}
		own = append(places, own...)
	case "brick_cycles":
		switch level, id := a.text("level", "node"), a.text("cycle_id", ""); {
		case level != "node":
			own = m.cyclesOfModules(level, p)
		case id == "":
			own = m.cycles(p)
		default:
			if own = m.oneCycle(id, p); own == nil {
				return nil, fmt.Errorf("no cycle %q", id)
			}
		}
	case "brick_bridges":
		own = m.bridges(p)
	case "brick_evidence":
		id := a.text("entity_id", "")
		if own = m.evidence(id, p); own == nil {
			n, places, err := m.nodeAsked(id, func(*node) bool { return true })
			if err != nil {
				return nil, err
			}
			own = append(places, m.evidence(n.id, p)...)
		}
	case "brick_callers":
		id := a.text("node_id", "")
		closedWorld := a.truth("assume_closed_world", false)
		f, places, err := m.nodeAsked(id, (*node).isFunction)
		if err != nil {
			return nil, err
		}
		if !f.isFunction() {
			return nil, fmt.Errorf("no function %q", id)
		}
		own = append(places, m.callers(f, closedWorld, p)...)
	case "brick_uncalled":
		if !p.limited {
			p.limit = 100
		}
		language := a.text("language", "")
		if m.brief && language != "" {
			if language = m.languageOfFunctions(language); language == "" {
				return nil, fmt.Errorf("no function of language %q", args["language"])
			}
		}
		own = m.uncalled(
			language,
			a.truth("assume_closed_world", false),
			a.truth("include_unknown", false),
			a.truth("include_called_only_by_tests", false),
			p)
	case "brick_files":
		p.otherwise(args, 100)
		own = m.files(p)
	case "brick_file":
		path, err := m.findPath(a.text("path", ""))
		if err != nil {
			return nil, err
		}
		if own = m.file(path, p); own == nil {
			return nil, fmt.Errorf("no file %q", a.text("path", ""))
		}
	case "brick_hotspots":
		p.otherwise(args, 50)
		if sort := a.text("sort", "lines"); args["min_lines"] == nil && args["min_complexity"] == nil && strings.HasPrefix(sort, "fan_") {
			own = m.hotspots(-1, -1, sort, p)
			break
		}
		own = m.hotspots(a.integer("min_lines", 50), a.integer("min_complexity", 10), a.text("sort", "lines"), p)
	case "brick_calls":
		p.otherwise(args, 100)
		own = m.calls(a.text("pattern", ""), p)
	case "brick_path":
		from, to := m.node(a.text("from", "")), m.node(a.text("to", ""))
		if from == nil || to == nil {
			return nil, fmt.Errorf("no node %q or %q", args["from"], args["to"])
		}
		kinds, ok := args["kinds"].([]string)
		if !ok {
			kinds = []string{"calls", "imports", "inherits"}
		}
		own = m.path(from, to, kinds, a.integer("max_depth", 20))
	case "brick_find":
		p.otherwise(args, 20)
		var err error
		if own, err = m.find(a.text("text", ""), a.text("kind", ""), a.text("language", ""), p); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no tool %q", tool)
	}
	if a.err != nil {
		return nil, a.err
	}

	// "Every result object starts with: [...] Then the query's own members, in
	// the order given below."
	answer := object{
		"query_schema_version", 1,
		"building_schema_version", 4,
		"query", tool,
		"root", m.root,
		"repository_id", m.repositoryID,
		"scope", raw(m.scope),
	}
	if m.brief {
		// "A brief answer says `"records": "brief"`."
		answer = append(answer, "records", args["records"])
	}
	return encode(nil, append(answer, own...)), nil
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
