package model

import (
	"slices"
	"strings"
)

// Sites sums up call sites, or places where a function is named.
type Sites struct {
	Count    int            // records that count
	ByReason map[string]int // of an unresolved_call: reason → records; of a name_reference: mention → those that have one
	Examples []string       // up to 5 distinct provenances, the first in byte order, sorted
}

// maxExamples is the number of provenances that Sites keeps.
const maxExamples = 5

// Merge adds other to s.
func (s *Sites) Merge(other *Sites) {
	s.Count += other.Count
	for reason, count := range other.ByReason {
		if s.ByReason == nil {
			s.ByReason = map[string]int{}
		}
		s.ByReason[reason] += count
	}
	for _, example := range other.Examples {
		s.addExample(example)
	}
}

// addExample keeps the provenance if it is among the first in byte order.
func (s *Sites) addExample(provenance string) {
	i, found := slices.BinarySearchFunc(s.Examples, provenance, strings.Compare)
	if found || i == maxExamples {
		return
	}
	if len(s.Examples) == maxExamples {
		s.Examples = s.Examples[:maxExamples-1]
	}
	s.Examples = slices.Insert(s.Examples, i, provenance)
}

// A Site is what an evidence record says when it stands for a call site or a
// place where a function is named.
type Site struct {
	Reason        string // "" when there is none
	Mention       string // the same
	Provenance    string
	HasProvenance bool
}

// A SiteSum sums up the sites of one edge after the other.
type SiteSum struct {
	sum     Sites
	reasons map[string]int
}

// Of sums up the sites of an edge of a kind; nil when they mean nothing. The
// result is valid until the next call.
func (s *SiteSum) Of(kind string, sites []Site) *Sites {
	unresolved := kind == UnresolvedCall
	if !unresolved && kind != NameReference {
		return nil
	}
	sum := &s.sum
	*sum = Sites{Examples: sum.Examples[:0]}
	if s.reasons == nil {
		s.reasons = map[string]int{}
	}
	clear(s.reasons)
	sum.ByReason = s.reasons
	for _, site := range sites {
		if unresolved {
			switch site.Reason {
			case ForeignReceiver, InMacro:
				continue
			case "":
				site.Reason = Unspecified
			}
			sum.ByReason[site.Reason]++
		} else if site.Mention != "" {
			sum.ByReason[site.Mention]++
		}
		sum.Count++
		if site.HasProvenance {
			sum.addExample(site.Provenance)
		}
	}
	if sum.Count == 0 && unresolved {
		return nil
	}
	return sum
}
