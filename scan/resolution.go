package scan

import "brick/scan/facts"

// resolution says how many call sites of a language have a callee.
type resolution struct {
	CallSites  int `json:"call_sites"` // Resolved + Unresolved
	Resolved   int `json:"resolved"`   // to a definition of the repository
	Unresolved int `json:"unresolved"`
	Foreign    int `json:"foreign"` // those of Unresolved that are known to lead out of the repository
	// ByReason are the others of Unresolved.
	ByReason map[facts.Reason]int `json:"by_reason,omitempty"`
}

// resolutions are those of all languages.
type resolutions map[string]*resolution

func (rs resolutions) of(language string) *resolution {
	r := rs[language]
	if r == nil {
		r = &resolution{ByReason: map[facts.Reason]int{}}
		rs[language] = r
	}
	return r
}

func (r *resolution) resolved() { r.CallSites++; r.Resolved++ }

func (r *resolution) foreign() { r.CallSites++; r.Unresolved++; r.Foreign++ }

func (r *resolution) unresolved(why facts.Reason) { r.CallSites++; r.Unresolved++; r.ByReason[why]++ }
